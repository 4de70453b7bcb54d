import { CODE_WRONG, RECOVERY_CODE_WRONG, t } from '@switchroom/contract'
import { audited } from '../../audit/audited.ts'
import type { Context } from '../../http/context.ts'
import { Failure, invalidField } from '../../http/failure.ts'
import { codesKey, trySecret } from '../../http/password.ts'
import type { RequestMeta } from '../../http/scope.ts'
import { hourly } from '../../live/hourly.ts'
import type { UserRow } from '../../users/token-claims.ts'
import { ownScope } from '../registration/registration.ts'
import { mailUser } from './mails.ts'
import * as factors from './queries.ts'
import { stepOf } from './totp.ts'

type ActorContext = { ctx: Context; meta: RequestMeta }

/**
 * Tries of codes per user and hour, from all networks: 60 guesses of three valid codes in a million. Only
 * those who know the password can use them up, and passkeys are not counted.
 */
const TRIES_PER_HOUR = 60

/** Counts each try before the code is checked, apart from passwords: a right one must not clear it. */
async function tryCode<T>(
  { ctx, meta }: ActorContext,
  user_sid: string,
  check: () => Promise<T | undefined>,
) {
  const retry_after = await hourly(ctx, `second-factor:${user_sid}`, TRIES_PER_HOUR)
  if (retry_after > 0)
    throw new Failure('too_many', t('Too many codes were tried. Please try again later.'), {
      retry_after,
    })
  return trySecret(ctx, { key: codesKey(user_sid), ip: meta.ip }, check)
}

/** Throws 400 unless this code of the authenticator app is valid now and was not used before. */
export async function requireTotp(actor: ActorContext, user_sid: string, code: string) {
  const { db, box } = actor.ctx
  const right = await tryCode(actor, user_sid, async () => {
    const totp = await factors.totpOf(db, user_sid)
    const secret = totp && box.open(totp.sealed_secret)
    const step = secret ? stepOf(secret, code) : undefined
    return step !== undefined && (await factors.useStep(db, user_sid, step)) ? true : undefined
  })
  if (!right) throw invalidField('code', CODE_WRONG)
}

/** Uses up a recovery code, which is audited and mailed to the user. Throws 400 for an invalid one. */
export async function requireRecoveryCode(actor: ActorContext, user: UserRow, code: string) {
  const { ctx, meta } = actor
  const { user_sid } = user
  const right = await tryCode(actor, user_sid, async () => {
    const used = await audited(
      { ctx, meta, scope: ownScope(user) },
      factors.auditSubject(user_sid),
      (tx) => factors.useRecoveryCode(ctx, tx, user_sid, code),
    )
    return used || undefined
  })
  if (!right) throw invalidField('recovery_code', RECOVERY_CODE_WRONG)
  const left = (await factors.recoveryCodesOf(ctx.db, user_sid)).length
  mailUser(ctx, user, `A recovery code was used to log in as ${user.name}. ${left} are left.`)
}

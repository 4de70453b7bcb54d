import { type Proof, t } from '@switchroom/contract'
import type { Actor } from '../../audit/record.ts'
import type { Context } from '../../http/context.ts'
import { Failure, found, invalidField } from '../../http/failure.ts'
import { requirePassword } from '../../http/password.ts'
import type { Scope } from '../../http/scope.ts'
import { hasSecondFactor } from '../../http/second-factor.ts'
import * as users from '../../users/queries.ts'
import type { UserRow } from '../../users/token-claims.ts'
import { verifyAssertion } from '../passkeys/webauthn.ts'
import { requireTotp } from './check.ts'

/** Time after logging in during which users without a password here may add their first factor. */
const FRESH_MS = 10 * 60_000

export const caller = async ({ db }: Context, scope: Scope) =>
  found(await users.withSid(db, scope.user_sid!), t('user'))

async function isFresh({ db }: Context, scope: Scope) {
  if (!scope.session_sid) return false
  const session = await db
    .selectFrom('switchroom_sessions')
    .select('began_at')
    .where('session_sid', '=', scope.session_sid)
    .executeTakeFirst()
  return session !== undefined && Number(session.began_at) > Date.now() - FRESH_MS
}

/**
 * Throws unless it is the user who asks, not somebody with the user's token: by the password, or a fresh
 * second factor.
 */
export async function requireProof(
  actor: Actor & { ctx: Context },
  user: UserRow,
  { password, code, passkey }: Proof,
) {
  const { ctx, scope, meta } = actor
  const { user_sid } = user
  if (passkey)
    return void (await verifyAssertion(ctx, ctx.db, passkey, { purpose: 'proof', user_sid }))
  if (code) return requireTotp({ ctx, meta }, user_sid, code)
  if (user.provider === 'local') {
    if (!password) throw invalidField('password', t('Enter your password'))
    return requirePassword(actor, user, 'password', password)
  }
  if (await hasSecondFactor(ctx.db, user_sid))
    throw invalidField('code', t('Enter a code from your app, or use a passkey'))
  if (!(await isFresh(ctx, scope)))
    throw new Failure('forbidden', t('Log out, log in again, and do this within ten minutes.'))
}

/** The same for any caller, for a request that has the proof in its member `proof`. */
export async function requireOwnProof(actor: Actor & { ctx: Context }, proof: Proof | undefined) {
  try {
    await requireProof(actor, await caller(actor.ctx, actor.scope), proof ?? {})
  } catch (e) {
    if (e instanceof Failure)
      e.issues = e.issues.map((issue) => ({ ...issue, path: ['proof', ...issue.path] }))
    throw e
  }
}

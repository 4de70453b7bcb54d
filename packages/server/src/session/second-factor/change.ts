import { LAST_REQUIRED_FACTOR } from '@switchroom/contract'
import { auditedIn } from '../../audit/audited.ts'
import type { Actor } from '../../audit/record.ts'
import type { Db } from '../../db/open.ts'
import { transaction } from '../../db/transaction.ts'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { hasSecondFactor, removeSecondFactors } from '../../http/second-factor.ts'
import { endingSessions } from '../../http/sessions.ts'
import type { UserRow } from '../../users/token-claims.ts'
import { isRequiredOf } from './log-in.ts'
import { mailUser } from './mails.ts'
import * as factors from './queries.ts'

type ActorContext = Actor & { ctx: Context }

const lockOf = (user_sid: string) => `second-factor:${user_sid}`

/**
 * Adds a factor. Resolves to recovery codes if it is the first, which also ends the user's other sessions:
 * they began with the password alone.
 */
export async function addFactor(
  actor: ActorContext,
  user: UserRow,
  what: string,
  add: (tx: Db) => Promise<unknown>,
) {
  const { ctx, scope } = actor
  const { user_sid } = user
  const isFirst = !(await hasSecondFactor(ctx.db, user_sid))
  const recovery_codes = await endingSessions(
    ctx,
    isFirst ? [user_sid] : [],
    (tx) =>
      auditedIn(tx, actor, factors.auditSubject(user_sid), async () => {
        const codes = isFirst ? await factors.replaceRecoveryCodes(ctx, tx, user_sid) : undefined
        await add(tx)
        return codes
      }),
    { lock: lockOf(user_sid), keep: { session_sid: scope.session_sid } },
  )
  mailUser(ctx, user, `${what} was added to your log-in as ${user.name}.`)
  return { recovery_codes }
}

/** Removes a factor, and with the last one the recovery codes. Throws 422 if one is required. */
export async function removeFactor(
  actor: ActorContext,
  user: UserRow,
  what: string,
  remove: (tx: Db) => Promise<unknown>,
) {
  const { ctx } = actor
  const { user_sid } = user
  await transaction(
    ctx.db,
    (tx) =>
      auditedIn(tx, actor, factors.auditSubject(user_sid), async () => {
        await remove(tx)
        if (await hasSecondFactor(tx, user_sid)) return
        if (await isRequiredOf(tx, user)) throw new Failure('conflict', LAST_REQUIRED_FACTOR)
        await removeSecondFactors(tx, actor.scope, [user_sid])
      }),
    { lock: lockOf(user_sid) },
  )
  mailUser(ctx, user, `${what} was removed from your log-in as ${user.name}.`)
}

/** Removes every factor of a user that the caller manages, and logs the user out. */
export async function resetFactors(actor: ActorContext, user: UserRow) {
  const { ctx } = actor
  const { user_sid } = user
  await endingSessions(
    ctx,
    [user_sid],
    (tx) =>
      auditedIn(tx, actor, factors.auditSubject(user_sid), () =>
        removeSecondFactors(tx, actor.scope, [user_sid]),
      ),
    { lock: lockOf(user_sid) },
  )
  mailUser(
    ctx,
    user,
    `The second factors of your log-in as ${user.name} were removed by somebody who manages it, and you were logged out. You can set up new ones after logging in.`,
  )
}

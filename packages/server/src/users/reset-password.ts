import { randomBytes } from 'node:crypto'
import { auditedIn } from '../audit/audited.ts'
import { commandActor } from '../audit/command.ts'
import type { Db } from '../db/open.ts'
import type { Context } from '../http/context.ts'
import { liftLockOuts } from '../http/password.ts'
import { hasSecondFactor, removeSecondFactors } from '../http/second-factor.ts'
import { endingSessions } from '../http/sessions.ts'
import { hashPassword } from '../secrets/passwords.ts'
import * as users from './queries.ts'
import { roleOf } from './token-claims.ts'
import * as userWrites from './writes.ts'

/** Thrown if nothing was changed. The message says why, and what to do. */
export class NotReset extends Error {
  override name = 'NotReset'
}

type Store = Pick<Context, 'db' | 'live' | 'tokens'>

const factors = (user_sid: string, name: string) => ({
  kind: 'second_factor' as const,
  sid: user_sid,
  read: async (tx: Db) => ({ name, is_set_up: await hasSecondFactor(tx, user_sid) }),
})

/**
 * Gives a user, found by username, email or sid, a one-time password that must be changed at log-in. Ends
 * the user's sessions and lifts lock-outs. With `secondFactor` also removes the user's second factors, for
 * an administrator who lost them and has nobody to ask. Throws `NotReset`.
 */
export async function resetPassword(
  store: Store,
  name: string,
  { secondFactor = false }: { secondFactor?: boolean } = {},
) {
  const { user_sid, ...user } = await findOne(store.db, name)
  if (user.provider !== 'local')
    throw new NotReset(
      `${user.name} logs in with ${user.provider} and has no password here. Reset it there.`,
    )
  const password = randomBytes(12).toString('base64url')
  const hashed_password = await hashPassword(password)
  const actor = commandActor('reset-password')
  await endingSessions(
    store,
    [user_sid],
    async (tx) => {
      if (secondFactor)
        await auditedIn(tx, actor, factors(user_sid, user.name), () =>
          removeSecondFactors(tx, actor.scope, [user_sid]),
        )
      await auditedIn(tx, actor, users.auditSubject(actor.scope, user_sid), () =>
        userWrites.updateAll(tx, actor.scope, [user_sid], { hashed_password, force_change: 1 }),
      )
    },
    { lock: 'users' },
  )
  await liftLockOuts(store, user_sid)
  return {
    name: user.name,
    password,
    is_active: user.is_active === 1,
    has_second_factor: await hasSecondFactor(store.db, user_sid),
  }
}

async function findOne(db: Db, name: string) {
  const found = await db
    .selectFrom('users')
    .select(['user_sid', 'name', 'email', 'provider', 'is_active'])
    .select(['account_sid', 'service_provider_sid'])
    .where((eb) =>
      eb.or([eb('name', '=', name), eb('email', '=', name), eb('user_sid', '=', name)]),
    )
    .orderBy('name')
    .limit(20)
    .execute()
  // the database may compare names without case
  const exact = found.filter((u) => u.name === name)
  const [user, ...others] = exact.length > 0 ? exact : found
  if (!user) throw new NotReset(`No user named "${name}". ${await administrators(db)}`)
  if (others.length > 0)
    throw new NotReset(
      `More than one user is named "${name}". Use a sid instead:\n${[user, ...others]
        .map((u) => `${u.user_sid}  ${u.name}  ${u.email}  (${roleOf(u).replace('_', ' ')})`)
        .join('\n')}`,
    )
  return user
}

async function administrators(db: Db) {
  const admins = await db
    .selectFrom('users')
    .select('name')
    .where('account_sid', 'is', null)
    .where('service_provider_sid', 'is', null)
    .orderBy('name')
    .limit(10)
    .execute()
  return admins.length > 0
    ? `Administrators: ${admins.map((u) => u.name).join(', ')}.`
    : 'There are no administrators.'
}

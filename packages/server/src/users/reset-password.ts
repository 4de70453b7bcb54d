import { randomBytes, randomUUID } from 'node:crypto'
import { within } from '../changes/changing.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/open.ts'
import type { Scope } from '../http/scope.ts'
import { hashPassword } from '../passwords.ts'
import { failuresKey } from '../session/password.ts'
import { endingSessions } from '../session/sessions.ts'
import { roleOf } from './claims.ts'
import * as users from './queries.ts'

/** Whoever may run commands on the server may do anything with its database. */
const scope: Scope = {
  role: 'admin',
  name: 'reset-password command',
  view_only: false,
  force_change: false,
}

/** Nothing was changed. The message says why, and what to do. */
export class NotReset extends Error {
  override name = 'NotReset'
}

type Store = Pick<Context, 'db' | 'live' | 'tokens'>

/**
 * Gives a user, named by username, email or sid, a one-time password: it has to be changed at log-in, the
 * user's sessions end, and a lock-out is lifted. Throws `NotReset`.
 */
export async function resetPassword(store: Store, name: string) {
  const { user_sid, ...user } = await theOne(store.db, name)
  if (user.provider !== 'local')
    throw new NotReset(
      `${user.name} logs in with ${user.provider} and has no password here: it is reset there.`,
    )
  const password = randomBytes(12).toString('base64url')
  const hashed_password = await hashPassword(password)
  const by = { ip: 'command line', request_id: randomUUID(), version: undefined }
  await endingSessions(
    store,
    [user_sid],
    (tx) =>
      within(tx, { scope, by }, users.thing(scope, user_sid), () =>
        users.update(tx, scope, user_sid, { hashed_password, force_change: 1 }),
      ),
    { lock: 'users' },
  )
  await store.live.remove(failuresKey({ user_sid }))
  return { name: user.name, password, is_active: user.is_active === 1 }
}

async function theOne(db: Db, name: string) {
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
  // the database may take upper and lower case for the same
  const exact = found.filter((u) => u.name === name)
  const [user, ...others] = exact.length > 0 ? exact : found
  if (!user) throw new NotReset(`There is no user "${name}". ${await administrators(db)}`)
  if (others.length > 0)
    throw new NotReset(
      `There is more than one user "${name}". Name one by its sid:\n${[user, ...others]
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

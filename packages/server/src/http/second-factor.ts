import type { Db } from '../db/open.ts'
import type { Scope } from './scope.ts'
import { below, ownedBy } from './tenancy.ts'

/** True if a user has an authenticator app or a passkey. Recovery codes alone do not count. */
export async function hasSecondFactor(db: Db, user_sid: string) {
  const app = await db
    .selectFrom('switchroom_totp')
    .select('user_sid')
    .where('user_sid', '=', user_sid)
    .executeTakeFirst()
  if (app) return true
  const passkey = await db
    .selectFrom('switchroom_passkeys')
    .select('user_sid')
    .where('user_sid', '=', user_sid)
    .executeTakeFirst()
  return passkey !== undefined
}

/** The owner of the policy for administrators. */
export const ADMINISTRATORS = ''

/** True if the users of a provider, or administrators, must have a second factor. */
export async function isSecondFactorRequired(db: Db, owner: string) {
  const policy = await db
    .selectFrom('switchroom_second_factor_policies')
    .select('is_required')
    .where('owner', '=', owner)
    .executeTakeFirst()
  return policy?.is_required === 1
}

/**
 * Deletes every second factor of users in scope, in the transaction that deletes the users or resets the
 * factors. The users must still be there.
 */
export async function removeSecondFactors(tx: Db, scope: Scope, users: string[]) {
  for (const table of [
    'switchroom_totp',
    'switchroom_passkeys',
    'switchroom_recovery_codes',
  ] as const)
    await tx
      .deleteFrom(table)
      .where('user_sid', 'in', users)
      .where(below(`${table}.user_sid`, 'users', ownedBy('users', scope)))
      .execute()
}

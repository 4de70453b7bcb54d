import { type api, NOT_THEIR_MANAGER, type Received, t } from '@switchroom/contract'
import type { Db } from '../db/open.ts'
import type { Context } from '../http/context.ts'
import { Failure } from '../http/failure.ts'
import type { Scope } from '../http/scope.ts'
import * as users from './queries.ts'
import { roleOf } from './token-claims.ts'

// Rules for changes of one user and of many. `after` is undefined where a user is deleted.

/** Throws 403 for a user of an account who manages nobody else. Without `user_sid`, for all others. */
export function refuseManaging(scope: Scope, user_sid?: string) {
  if (scope.manages_itself_only && user_sid !== scope.user_sid)
    throw new Failure('forbidden', NOT_THEIR_MANAGER)
}

/** True if a user manages others once it is no longer view-only: not if other users of the account decide that. */
export const managesOnceUnrestricted = ({ role }: Scope) => role !== 'account'

/** In the hosted variant an address logs in: operators vouch for those they enter, others verify theirs. */
export const emailProvenBy = ({ config }: Pick<Context, 'config'>, { role }: Scope) =>
  config.page.ENABLE_HOSTED_SYSTEM && role !== 'account' ? 1 : 0

export const LAST_ADMIN = t(
  'The last active administrator cannot be removed, deactivated or made view-only',
)

type Owners = { account_sid: string | null; service_provider_sid: string | null }
type Standing = Owners & { is_active: number; is_view_only: boolean; manages_users?: boolean }
type Known = Standing & { user_sid: string }
type Change<U> = { before: U; after: Standing | undefined }

const isActiveAdmin = (u: Standing | undefined) =>
  u !== undefined && roleOf(u) === 'admin' && u.is_active === 1
const mayChange = (u: Standing | undefined) => isActiveAdmin(u) && !u!.is_view_only

/**
 * The administrators whom these changes together delete, deactivate or restrict, if no other active one remains, or none
 * who may change anything.
 */
export async function lastAdmins<U extends Known>(db: Db, changes: Change<U>[]): Promise<U[]> {
  for (const [counts, whoMayChange] of [
    [mayChange, true],
    [isActiveAdmin, false],
  ] as const) {
    const leaving = changes
      .filter(({ before, after }) => counts(before) && !counts(after))
      .map(({ before }) => before)
    if (leaving.length === 0) continue
    const sids = new Set(leaving.map((u) => u.user_sid))
    // one more than leave tells whether another remains
    const active = await users.activeAdmins(db, { whoMayChange, most: leaving.length + 1 })
    if (active.every((sid) => sids.has(sid))) return leaving
  }
  return []
}

export async function refuseLastAdmin(db: Db, change: Change<Known>) {
  const last = await lastAdmins(db, [change])
  if (last.length > 0) throw new Failure('invalid', LAST_ADMIN)
}

export const NO_PASSWORD = t('This user logs in with another service and has no password here')

/**
 * True if a change forces a user to change a password that is not stored here, after which the user could do nothing
 * else.
 */
export const lacksPassword = (
  before: { provider: string; force_change: number },
  wanted: { force_change?: number | undefined },
) => wanted.force_change === 1 && before.force_change !== 1 && before.provider !== 'local'

/** True if a change reduces the user's rights or sets a new password. */
export const endsSessions = (before: Standing, change: Received<typeof api.users.update>['body']) =>
  Boolean(change.initial_password) ||
  (change.is_active !== undefined && change.is_active !== before.is_active) ||
  (change.is_view_only !== undefined && (change.is_view_only === 1) !== before.is_view_only) ||
  (change.manages_users !== undefined && (change.manages_users === 1) !== before.manages_users) ||
  (change.account_sid !== undefined && change.account_sid !== before.account_sid) ||
  (change.service_provider_sid !== undefined &&
    change.service_provider_sid !== before.service_provider_sid)

import { t } from '@switchroom/contract'
import type { Context } from '../../http/context.ts'
import type { Scope } from '../../http/scope.ts'
import * as users from '../../users/queries.ts'
import * as savedViews from '../../users/saved-views/queries.ts'
import { isViewOnly, roleOf, type UserRow } from '../../users/token-claims.ts'
import type { Row } from './queries.ts'

/** The user who set an alert, with current rights; or the reason why it is no longer checked. */
type Watcher =
  | {
      /** Scope of the user who watches. */
      scope: Scope
      /** Scope of the counted rows: never more than one provider's. */
      counted: Scope
    }
  | { stopped: string }

/** The rights that the user of an alert has now. */
export async function watcherOf({ db }: Pick<Context, 'db'>, row: Row): Promise<Watcher> {
  const user = await users.withSid(db, row.user_sid)
  if (!user) return { stopped: t('The user who set it was deleted') }
  if (!user.is_active) return { stopped: t('The user {name} was deactivated', { name: user.name }) }
  if (isViewOnly(user.permissions))
    return { stopped: t('The user {name} has view-only access now', { name: user.name }) }
  const scope = scopeOf(user)
  if (!scope || savedViews.sharedWith(scope) !== row.of_scope)
    return { stopped: t('The user {name} was moved', { name: user.name }) }
  if (scope.role === 'account' && !(await isActive(db, scope.account_sid)))
    return { stopped: t('The account was deactivated') }
  if (scope.role !== 'admin') return { scope, counted: scope }
  const { service_provider_sid } = row
  return service_provider_sid
    ? { scope, counted: { ...scope, role: 'service_provider', service_provider_sid } }
    : { stopped: t('Its service provider is unknown') }
}

function scopeOf(user: UserRow): Scope | undefined {
  const { user_sid, name, account_sid, service_provider_sid } = user
  const caller = { user_sid, name, view_only: false, force_change: false }
  const role = roleOf(user)
  if (role === 'admin') return service_provider_sid ? undefined : { ...caller, role }
  if (!service_provider_sid) return undefined
  return role === 'account'
    ? account_sid
      ? { ...caller, role, service_provider_sid, account_sid }
      : undefined
    : { ...caller, role, service_provider_sid }
}

const isActive = async (db: Context['db'], account_sid: string) =>
  (
    await db
      .selectFrom('accounts')
      .select('is_active')
      .where('account_sid', '=', account_sid)
      .executeTakeFirst()
  )?.is_active === 1

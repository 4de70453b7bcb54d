import type { Role, UserItem } from '@switchroom/contract'
import { atLeast, scopeText } from '../lib/access'
import { thingCell } from '../lib/thing-link'

/** A user's scope and owner. */
export const scopeOf = (u: UserItem) =>
  u.scope === 'admin' ? (
    'All'
  ) : u.scope === 'account' ? (
    <span>Account: {thingCell('account', u.account_sid, u.account_name)}</span>
  ) : (
    `Service Provider: ${u.service_provider_name ?? ''}`
  )

const ALL: Role[] = ['admin', 'service_provider', 'account']

/** The scopes the signed-in user may assign and filter by: none above their own. */
export const roles = () =>
  ALL.filter(atLeast).map((role) => ({ value: role, label: scopeText(role) }))

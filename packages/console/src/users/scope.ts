import type { Role, UserItem } from '@switchroom/contract'
import { atLeast, scopeText } from '../lib/access'

/** Whom a user belongs to, in words. */
export const scopeOf = (u: UserItem) =>
  u.scope === 'admin'
    ? 'All'
    : u.scope === 'account'
      ? `Account: ${u.account_name ?? ''}`
      : `Service Provider: ${u.service_provider_name ?? ''}`

const ALL: Role[] = ['admin', 'service_provider', 'account']

/** The scopes the signed-in user may give and look for: none above the own one. */
export const roles = () =>
  ALL.filter(atLeast).map((role) => ({ value: role, label: scopeText(role) }))

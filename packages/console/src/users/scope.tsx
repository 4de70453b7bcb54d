import { type Role, t, type UserItem } from '@switchroom/contract'
import { atLeast, scopeText } from '../lib/access'
import { thingCell } from '../lib/thing-link'
import { rich } from '../ui/rich'

/** A user's scope and owner. */
export const scopeOf = (u: UserItem) =>
  u.scope === 'admin' ? (
    t('All')
  ) : u.scope === 'account' ? (
    <span>
      {rich('Account: {account}', {
        account: thingCell('account', u.account_sid, u.account_name),
      })}
    </span>
  ) : (
    t('Service Provider: {service_provider_name}', {
      service_provider_name: u.service_provider_name ?? '',
    })
  )

const ALL: Role[] = ['admin', 'service_provider', 'account']

/** The scopes the signed-in user may assign and filter by: none above their own. */
export const roles = () =>
  ALL.filter(atLeast).map((role) => ({ value: role, label: scopeText(role) }))

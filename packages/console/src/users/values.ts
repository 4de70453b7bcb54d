import { INVALID_PASSWORD, passwordProblems, type Role, t, type User } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { ownAccount } from '../lib/access'
import { query } from '../lib/api'
import { isSwitchroom } from '../lib/config'
import { accounts } from '../lib/endpoints'
import { requireClaims } from '../lib/session'
import { useCurrentProvider } from '../lib/use-provider'
import { mayManageUser } from './may-manage'
import { usePasswordRules } from './password-rules'

const roleOf = (u: User): Role =>
  u.account_sid ? 'account' : u.service_provider_sid ? 'service_provider' : 'admin'

/** Form values of a user; a new one starts with the scope of the user who adds it. */
export const valuesOf = (u?: User) => ({
  scope: u ? roleOf(u) : requireClaims().scope,
  account_sid: u?.account_sid ?? ownAccount() ?? '',
  is_active: u ? u.is_active === 1 : true,
  is_view_only: u?.is_view_only ?? false,
  manages_users: u ? u.manages_users : !ownAccount(),
  name: u?.name ?? '',
  email: u?.email ?? '',
  initial_password: '',
  force_change: u ? u.force_change === 1 : true,
})
export type Values = ReturnType<typeof valuesOf>

/** True if the form offers user management: not for view-only users, nor on servers that do not ask for it. */
export const offersManaging = ({ scope, is_view_only }: Pick<Values, 'scope' | 'is_view_only'>) =>
  isSwitchroom() && scope === 'account' && !is_view_only && mayManageUser()

export const managing = (v: Pick<Values, 'scope' | 'is_view_only' | 'manages_users'>) =>
  offersManaging(v) ? { manages_users: v.manages_users } : {}

/** True if a change sets a password, which takes a proof from the person who sets it. Other servers ask for none. */
export const asksForProof = ({ initial_password }: Pick<Values, 'initial_password'>) =>
  isSwitchroom() && initial_password !== ''

/** The owners that the chosen scope requires. */
export function owners(
  { scope, account_sid }: Pick<Values, 'scope' | 'account_sid'>,
  service_provider_sid: string,
) {
  if (scope === 'admin') return { service_provider_sid: null, account_sid: null }
  if (scope === 'service_provider') return { service_provider_sid, account_sid: null }
  return { account_sid }
}

/** True if a user changes owner. If not, no owners are sent. */
export const changesOwner = (v: Values, before: Values) =>
  v.scope !== before.scope || (v.scope === 'account' && v.account_sid !== before.account_sid)

/** True if this change makes the server end the user's sessions. */
export const endsSessions = (v: Values, before: Values) =>
  v.initial_password !== '' ||
  v.is_active !== before.is_active ||
  v.is_view_only !== before.is_view_only ||
  (offersManaging(v) && v.manages_users !== before.manages_users) ||
  changesOwner(v, before)

/** Validation beyond the contract: the password rules and a required account. */
export function useUserChecks() {
  const rules = usePasswordRules()
  const service_provider_sid = useCurrentProvider()
  // the same query as the account field's
  const first = useQuery({
    ...query(accounts.ofServiceProvider, {
      params: { service_provider_sid },
      query: { page: 1, page_size: 50, sort: 'name' },
    }),
    enabled: !ownAccount(),
  })
  return (v: Values) => {
    const unmet = v.initial_password && rules ? passwordProblems(v.initial_password, rules) : []
    const noAccount = v.scope === 'account' && !v.account_sid
    const message =
      first.data?.total === 0
        ? t('Cannot create an account. Service Provider has no accounts.')
        : t('Choose an account')
    const invalid = t('{INVALID_PASSWORD} Password must: {unmet}', {
      INVALID_PASSWORD,
      unmet: unmet.join(', '),
    })
    return [
      ...(noAccount ? [{ path: ['account_sid'], message }] : []),
      ...(unmet.length ? [{ path: ['initial_password'], message: invalid }] : []),
    ]
  }
}

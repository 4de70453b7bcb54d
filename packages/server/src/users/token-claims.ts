import type { Flag, Role, TokenClaims } from '@switchroom/contract'
import { isViewOnly } from '../http/permissions.ts'

/** A user with the names of its owners and its permissions, as log-in needs it. */
export type UserRow = {
  user_sid: string
  name: string
  email: string
  provider: string
  hashed_password: string | null
  account_sid: string | null
  service_provider_sid: string | null
  account_name: string | null
  service_provider_name: string | null
  force_change: Flag
  is_active: Flag
  permissions: string[]
}

/** A user's role. A user with only an account has account scope, never more. */
export const roleOf = (u: Pick<UserRow, 'account_sid' | 'service_provider_sid'>): Role =>
  u.account_sid ? 'account' : u.service_provider_sid ? 'service_provider' : 'admin'

export const claimsOf = (u: UserRow): TokenClaims => ({
  scope: roleOf(u),
  user_sid: u.user_sid,
  name: u.name,
  permissions: u.permissions,
  is_view_only: isViewOnly(u.permissions),
  force_change: u.force_change === 1,
  ...(u.service_provider_sid && {
    service_provider_sid: u.service_provider_sid,
    service_provider_name: u.service_provider_name,
  }),
  ...(u.account_sid && { account_sid: u.account_sid, account_name: u.account_name }),
})

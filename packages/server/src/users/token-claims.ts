import type { Flag, Role, TokenClaims } from '@switchroom/contract'

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

/** One of the platform's permissions. */
export const VIEW_ONLY = 'VIEW_ONLY'

/** View-only users have exactly one permission, VIEW_ONLY. */
export const isViewOnly = (permissions: string[]) =>
  permissions.length === 1 && permissions[0] === VIEW_ONLY

/** Rights of a user. */
export type Rights = { is_view_only: boolean; manages_users: boolean }

/** The one permission of a user who may not do everything; undefined for full access. */
export const permissionFor = ({ is_view_only, manages_users }: Rights) =>
  is_view_only ? VIEW_ONLY : manages_users ? undefined : 'PROVISION_SERVICES'

export type Permission = NonNullable<ReturnType<typeof permissionFor>>

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

// The platform's permissions of a user, which it knows by name.

export const VIEW_ONLY = 'VIEW_ONLY'

/** View-only users have exactly one permission, VIEW_ONLY. */
export const isViewOnly = (permissions: string[]) =>
  permissions.length === 1 && permissions[0] === VIEW_ONLY

/** What a user may do. */
export type Rights = { is_view_only: boolean; manages_users: boolean }

/** The one permission of a user who may not do everything; undefined for full access. */
export const permissionFor = ({ is_view_only, manages_users }: Rights) =>
  is_view_only ? VIEW_ONLY : manages_users ? undefined : 'PROVISION_SERVICES'

export type Permission = NonNullable<ReturnType<typeof permissionFor>>

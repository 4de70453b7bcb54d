import { type Role, t } from '@switchroom/contract'
import { claims, requireClaims } from './session'

const RANK: Record<Role, number> = { account: 0, service_provider: 1, admin: 2 }

/** True if the signed-in user has at least this scope. */
export function atLeast(role: Role): boolean {
  const user = claims()
  return user !== undefined && RANK[user.scope] >= RANK[role]
}

/** View-only users see no controls that write. */
export const mayWrite = () => !requireClaims().is_view_only

/** The account of an account user; undefined for others, who may choose. */
export const ownAccount = () => {
  const user = requireClaims()
  return user.scope === 'account' ? (user.account_sid ?? undefined) : undefined
}

export const scopeText = (role: Role) =>
  ({ admin: t('Admin'), service_provider: t('Service provider'), account: t('Account') })[role]

/** Blocks a page, which shows the reason instead. */
export function refusePage(why: string): never {
  const refusal = new Error(why)
  refusal.name = 'PageRefused'
  throw refusal
}

/** Keeps view-only users from pages that only add something. */
export function refuseViewOnly() {
  if (claims()?.is_view_only)
    refusePage(t('You have view-only access, so you cannot add anything.'))
}

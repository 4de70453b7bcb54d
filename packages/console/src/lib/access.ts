import type { Role } from '@switchroom/contract'
import { claims, signedIn } from './session'

const RANK: Record<Role, number> = { account: 0, service_provider: 1, admin: 2 }

/** Whether the signed-in user is this or more. */
export function atLeast(role: Role): boolean {
  const user = claims()
  return user !== undefined && RANK[user.scope] >= RANK[role]
}

/** A view-only user is offered no control that writes, anywhere. */
export const mayWrite = () => !signedIn().is_view_only

/** An account user is pinned to one account; everybody else chooses. */
export const ownAccount = () => {
  const user = signedIn()
  return user.scope === 'account' ? (user.account_sid ?? undefined) : undefined
}

export const scopeText = (role: Role) =>
  ({ admin: 'Admin', service_provider: 'Service provider', account: 'Account' })[role]

/** A page that only adds something has nothing for a view-only user to look at. */
export function refuseViewOnly() {
  if (!claims()?.is_view_only) return
  const refusal = new Error('You have view-only access, so you cannot add anything.')
  refusal.name = 'ViewOnly'
  throw refusal
}

import { managesUsers } from '@switchroom/contract'
import { isSwitchroom } from '../lib/config'
import { requireClaims } from '../lib/session'

/** True if the user may change this user; without a sid, any other user. */
export function mayManageUser(user_sid?: string) {
  const own = requireClaims()
  if (own.is_view_only) return false
  // other servers ask for no such permission
  if (own.scope !== 'account' || !isSwitchroom() || user_sid === own.user_sid) return true
  return managesUsers(own.permissions)
}

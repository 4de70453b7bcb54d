import { requireClaims } from '../../lib/session'
import { fetchMe } from './calls'

let knownToHaveRealm: string | undefined

/** True if the signed-in user's account still has to choose its realm. */
export async function needsRealm(): Promise<boolean> {
  const { user_sid } = requireClaims()
  if (knownToHaveRealm === user_sid) return false
  try {
    const { account_sid, sip_realm, root_domain } = await fetchMe()
    // without a root domain there is nothing to choose
    if (account_sid && !sip_realm && root_domain) return true
    knownToHaveRealm = user_sid
  } catch {
    // the requested screen will fail the same way and show the error
  }
  return false
}

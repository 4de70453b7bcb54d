import { signedIn } from '../../lib/session'
import { me } from './calls'

let settled: string | undefined

/** Whether the signed-in user's account has yet to choose its realm. Once it has one, that stays so. */
export async function needsRealm(): Promise<boolean> {
  const { user_sid } = signedIn()
  if (settled === user_sid) return false
  try {
    const { account_sid, sip_realm, root_domain } = await me()
    // without a domain there is nothing to choose, and nobody is kept out for that
    if (account_sid && !sip_realm && root_domain) return true
    settled = user_sid
  } catch {
    // the screen that was asked for meets the same failure, and says so
  }
  return false
}

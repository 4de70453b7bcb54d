import { signedIn } from '../lib/session'
import { me } from './calls'

let settled: string | undefined

/** Whether the signed-in user's account has yet to choose its realm. Once it has one, that stays so. */
export async function needsRealm(): Promise<boolean> {
  const { user_sid } = signedIn()
  if (settled === user_sid) return false
  try {
    const { account_sid, sip_realm } = await me()
    if (account_sid && !sip_realm) return true
    settled = user_sid
  } catch {
    // the screen that was asked for meets the same failure, and says so
  }
  return false
}

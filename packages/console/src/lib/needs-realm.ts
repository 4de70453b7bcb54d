import { query, queryClient } from './api'
import { users } from './endpoints'
import { requireClaims } from './session'

/** Reads the signed-in user and account again. */
export async function fetchMe() {
  const { account, sp } = await queryClient.fetchQuery({ ...query(users.me, {}), staleTime: 0 })
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  return {
    account_sid: text(account.account_sid),
    sip_realm: text(account.sip_realm),
    // in the hosted variant some servers say it of the account, and nothing of the provider
    root_domain: text(account.root_domain) || text(sp?.root_domain),
  }
}

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

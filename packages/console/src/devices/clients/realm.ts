import { useQuery } from '@tanstack/react-query'
import { query } from '../../lib/api'
import { accounts } from '../../lib/endpoints'

/** The SIP realm of an account: null if it has none, undefined until known. */
export function useSipRealm(account_sid: string): string | null | undefined {
  const { data } = useQuery({
    ...query(accounts.view, { params: { account_sid } }),
    enabled: account_sid !== '',
  })
  return data && (data.sip_realm || null)
}

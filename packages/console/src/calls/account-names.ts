import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { query } from '../lib/api'
import { accounts } from '../lib/endpoints'

/** Names of a provider's accounts, for lists with calls of several accounts. */
export function useAccountNames(service_provider_sid: string, enabled: boolean) {
  const { data } = useQuery({
    ...query(accounts.ofServiceProvider, {
      params: { service_provider_sid },
      query: { page: 1, page_size: 1000, sort: 'name' },
    }),
    enabled,
  })
  return useMemo(() => new Map(data?.data.map((a) => [a.account_sid, a.name])), [data])
}

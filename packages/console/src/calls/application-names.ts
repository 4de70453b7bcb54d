import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { query } from '../lib/api'
import { applications } from '../lib/endpoints'

/** Names of the applications of a provider's accounts, for lists of calls. */
export function useApplicationNames(service_provider_sid: string, enabled: boolean) {
  const { data } = useQuery({
    ...query(applications.ofServiceProvider, {
      params: { service_provider_sid },
      query: { page: 1, page_size: 1000, sort: 'name' },
    }),
    enabled,
  })
  return useMemo(() => new Map(data?.data.map((a) => [a.application_sid, a.name])), [data])
}

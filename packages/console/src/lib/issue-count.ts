import { useQuery } from '@tanstack/react-query'
import { ownAccount } from './access'
import { queryClient, send } from './api'
import { accountIssues, providerIssues } from './endpoints'
import { useCapabilities } from './use-capabilities'

const MINUTE = 60_000

/** Whose inbox it is: that of one account, or of a provider and all of its accounts. */
export type InboxOf = { account_sid: string } | { service_provider_sid: string }

export const inboxOf = (service_provider_sid: string, filtered?: string): InboxOf => {
  const account_sid = ownAccount() ?? filtered
  return account_sid ? { account_sid } : { service_provider_sid }
}

const KEY = 'issue count'

/**
 * Number of open issues that need attention; undefined if the server does not count. Polled once a minute, after writes
 * too, and not while the tab is hidden.
 */
export function useIssueCount(service_provider_sid: string | undefined): number | undefined {
  const of = inboxOf(service_provider_sid ?? '')
  const counts = !!useCapabilities()
  const { data } = useQuery({
    queryKey: [KEY, Object.values(of)[0]],
    queryFn: () =>
      'account_sid' in of
        ? send(accountIssues.count, { params: of })
        : send(providerIssues.count, { params: of }),
    enabled: counts && Object.values(of)[0] !== '',
    // writes invalidate every query; this one is only polled
    staleTime: 'static',
    refetchInterval: MINUTE,
    // the next poll is the retry
    retry: false,
    meta: { background: true },
  })
  return data?.issues
}

/** Counts again after an issue was resolved, muted or reopened. `refetchQueries` leaves out what is static. */
export const countAgain = () =>
  Promise.allSettled(
    queryClient
      .getQueryCache()
      .findAll({ queryKey: [KEY], type: 'active' })
      .map((query) => query.fetch()),
  )

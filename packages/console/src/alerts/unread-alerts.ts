import type { Unread } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { ownAccount } from '../lib/access'
import { queryClient, send } from '../lib/api'
import { accountAlerts, providerAlerts } from '../lib/endpoints'
import { useCapabilities } from '../lib/use-capabilities'

const MINUTE = 60_000

/** Alerts of one account, or all of a provider. */
export type AlertsOf = { account_sid: string } | { service_provider_sid: string }

const keyOf = (of: AlertsOf) => ['unread alerts', Object.values(of)[0]]

/**
 * How many alerts the user has not seen, and how many failures are open; undefined where the server does not count.
 * Polled once a minute, after writes too, and not while the tab is hidden.
 */
export function useUnread(service_provider_sid: string | undefined): Unread | undefined {
  const account_sid = ownAccount()
  const of: AlertsOf = account_sid
    ? { account_sid }
    : { service_provider_sid: service_provider_sid ?? '' }
  const counts = !!useCapabilities()
  const { data } = useQuery({
    queryKey: keyOf(of),
    queryFn: () =>
      'account_sid' in of
        ? send(accountAlerts.unread, { params: of })
        : send(providerAlerts.unread, { params: of }),
    enabled: counts && (account_sid !== undefined || service_provider_sid !== undefined),
    // writes invalidate every query; this one is only polled
    staleTime: 'static',
    refetchInterval: MINUTE,
    // the next poll is the retry
    retry: false,
    meta: { background: true },
  })
  return data
}

/** Marks alerts as seen, up to the time of the newest, and clears the badge at once. */
export async function markAlertsSeen(of: AlertsOf, until: string) {
  const body = { until }
  if ('account_sid' in of) await send(accountAlerts.see, { params: of, body })
  else await send(providerAlerts.see, { params: of, body })
  queryClient.setQueryData(keyOf(of), (old?: Unread) => old && { ...old, unread: 0 })
}

/** Counts again after a failure was resolved, muted or reopened. */
export const countAgain = () => queryClient.refetchQueries({ queryKey: ['unread alerts'] })

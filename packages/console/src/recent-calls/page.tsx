import {
  accountRecentCalls,
  type Call,
  providerRecentCalls,
  recentCalls,
} from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ownAccount } from '../lib/access'
import { send } from '../lib/api'
import { timeText } from '../lib/call-words'
import { capabilities } from '../lib/capabilities'
import { useCurrentProvider } from '../lib/current-provider'
import { messageOf, requestIdOf, statusOf } from '../lib/failure'
import { RoutePending } from '../lib/route-states'
import { PageHeader } from '../ui/page-header'
import { EmptyState, ErrorState } from '../ui/states'
import { CallParts } from './call'

const route = getRouteApi('/internal/recent-calls/$call_sid')

/** Ours answers one call; a stock API server is asked for a list of it. */
async function find(call_id: string, service_provider_sid: string): Promise<Call | undefined> {
  if (await capabilities()) return send(recentCalls.view, { params: { call_id } })
  const query = { page: 1, count: 1, days: 30, filter: call_id }
  const account_sid = ownAccount()
  const { data } = account_sid
    ? await send(accountRecentCalls.list, { params: { account_sid }, query })
    : await send(providerRecentCalls.list, { params: { service_provider_sid }, query })
  return data[0]
}

export function OneCall() {
  const { call_sid } = route.useParams()
  const provider = useCurrentProvider()
  const { data, error, refetch, isPending } = useQuery({
    queryKey: ['/RecentCalls/:call_id', call_sid, provider],
    queryFn: async () => (await find(call_sid, provider)) ?? null,
  })
  const missing = data === null || statusOf(error) === 404
  return (
    <>
      <PageHeader title={data ? `Call of ${timeText(data.attempted_at)}` : 'Call'} />
      {isPending && <RoutePending />}
      {missing && <EmptyState text="There is no such call, or its record is not kept any more." />}
      {error && !missing && (
        <ErrorState
          message={messageOf(error)}
          requestId={requestIdOf(error)}
          onRetry={() => void refetch()}
        />
      )}
      {data && <CallParts call={data} />}
    </>
  )
}

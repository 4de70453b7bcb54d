import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { query } from '../../lib/api'
import { recentCalls } from '../../lib/endpoints'
import { statusOf } from '../../lib/failure'
import { LoadError } from '../../lib/load-error'
import { RoutePending } from '../../lib/route-states'
import { zonedText } from '../../ui/dates'
import { PageHeader } from '../../ui/page-header'
import { EmptyState } from '../../ui/states'
import { CallParts } from './call'

const route = getRouteApi('/internal/recent-calls/$call_sid')

export function CallPage() {
  const { call_sid } = route.useParams()
  const { data, error, refetch, isPending } = useQuery(
    query(recentCalls.view, { params: { call_id: call_sid } }),
  )
  const missing = statusOf(error) === 404
  return (
    <>
      <PageHeader title={data ? `Call of ${zonedText(data.attempted_at)}` : 'Call'} />
      {isPending && <RoutePending />}
      {missing && <EmptyState text="Call not found, or its record has expired." />}
      {error && !missing && <LoadError error={error} retry={refetch} />}
      {data && <CallParts call={data} />}
    </>
  )
}

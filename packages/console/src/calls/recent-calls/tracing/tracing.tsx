import { t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { query } from '../../../lib/api'
import { traces } from '../../../lib/endpoints'
import { statusOf } from '../../../lib/failure'
import { LoadError } from '../../../lib/load-error'
import { EmptyState, LoadingState } from '../../../ui/states'
import { isTraced } from '../../call-text'
import type { PartProps } from '../part'
import { treeOf } from './spans'
import { Waterfall } from './waterfall'

/** The trace of a call. */
export function Tracing({ call, account_sid }: PartProps) {
  if (!isTraced(call) || call.trace_id === null || account_sid === null)
    return <EmptyState text={t('This call was not traced.')} />
  return <TraceView account_sid={account_sid} trace_id={call.trace_id} />
}

function TraceView({ account_sid, trace_id }: { account_sid: string; trace_id: string }) {
  const { data, error, refetch } = useQuery(
    query(traces.ofAccount, { params: { account_sid, trace_id } }),
  )
  const tree = useMemo(() => data && treeOf(data), [data])
  if (error && statusOf(error) === 404)
    return <EmptyState text={t('No trace of this call. It has expired, or was never sent.')} />
  if (error) return <LoadError error={error} retry={refetch} />
  if (!tree) return <LoadingState text={t('Loading the trace')} />
  if (tree.count === 0) return <EmptyState text={t('The trace of this call has no spans.')} />
  return <Waterfall tree={tree} cut={data?.cut === true} />
}

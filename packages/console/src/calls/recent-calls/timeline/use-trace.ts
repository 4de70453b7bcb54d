import type { Call } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { query } from '../../../lib/api'
import { traces } from '../../../lib/endpoints'
import { isTraced } from '../../call-text'
import { hasTracing } from '../has-tracing'
import { treeOf } from '../tracing/spans'

/** The spans of a call, if it was traced. */
export function useTrace(call: Call) {
  const { account_sid, trace_id } = call
  const result = useQuery({
    ...query(traces.ofAccount, {
      params: { account_sid: account_sid ?? '', trace_id: trace_id ?? '' },
    }),
    enabled: hasTracing && account_sid !== null && isTraced(call),
    staleTime: 60_000,
    meta: { background: true },
  })
  const tree = useMemo(() => result.data && treeOf(result.data), [result.data])
  return { ...result, tree, isCut: result.data?.cut === true }
}

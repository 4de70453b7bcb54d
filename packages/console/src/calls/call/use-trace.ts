import type { Call, Trace } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { query } from '../../lib/api'
import { traces } from '../../lib/endpoints'
import { isTraced } from '../call-text'
import { hasTracing } from '../has-tracing'
import { AGAIN_MS, mayBeLate } from './late-trace'
import { treeOf } from './tracing/spans'

/** True if the root span has arrived, which comes last. */
const isWhole = ({ resourceSpans }: Trace) =>
  resourceSpans.some(({ scopeSpans }) =>
    scopeSpans.some(({ spans }) => spans.some(({ parentSpanId }) => parentSpanId === '')),
  )

/** The spans of a call, if it was traced. `isWanted`: whether to ask for them. */
export function useTrace(call: Call, isWanted = true) {
  const { account_sid, trace_id } = call
  const result = useQuery({
    ...query(traces.ofAccount, {
      params: { account_sid: account_sid ?? '', trace_id: trace_id ?? '' },
    }),
    enabled: isWanted && hasTracing && account_sid !== null && isTraced(call),
    // the trace of a call that is over does not change
    staleTime: 60_000,
    refetchInterval: ({ state: { data } }) =>
      !(data && isWhole(data)) && mayBeLate(call) && AGAIN_MS,
    meta: { background: true },
  })
  const tree = useMemo(() => result.data && treeOf(result.data), [result.data])
  return { ...result, tree, isCut: result.data?.cut === true }
}

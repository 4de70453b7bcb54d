import type { Call } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../../lib/api'
import { conversations } from '../../../lib/endpoints'
import { statusOf } from '../../../lib/failure'
import { useCapabilities } from '../../../lib/use-capabilities'
import { isTraced } from '../../call-text'
import { hasTracing } from '../../has-tracing'
import { AGAIN_MS, mayBeLate } from '../late-trace'

/**
 * What was said in a call, where its trace tells; of no call, nothing. A failure is for the tab that is about it to
 * show.
 */
export function useConversation(call: Call | undefined) {
  const { account_sid = null, trace_id = null } = call ?? {}
  const ours = useCapabilities()
  const isRecent = call !== undefined && mayBeLate(call)
  const isOffered = hasTracing && ours !== undefined
  const isAsked = isOffered && account_sid !== null && isTraced({ trace_id })
  const result = useQuery({
    ...query(conversations.ofAccount, {
      params: { account_sid: account_sid ?? '', trace_id: trace_id ?? '' },
    }),
    enabled: isAsked && ours !== null,
    // the trace of a call that is over does not change
    staleTime: 60_000,
    refetchInterval: ({ state: { data } }) =>
      (data ? data.ended === null : true) && isRecent && AGAIN_MS,
    meta: { background: true },
  })
  const { data, error } = result
  return {
    ...result,
    /** Whether this server may have conversations. */
    isOffered,
    /** Whether it is not known yet if there is one. */
    isAwaited: isAsked && (ours === null || (result.isLoading && !result.isFetched)),
    /** Whether there is none yet, but may be soon. */
    isLate: !data && result.isFetched && isRecent,
    /** Whether there is something to show, if only why it could not be loaded. */
    isShown: data ? data.entries.length > 0 : error !== null && statusOf(error) !== 404,
    /** Whether somebody speaks in it. */
    isSpoken: data?.entries.some(({ kind }) => kind !== 'event') ?? false,
  }
}

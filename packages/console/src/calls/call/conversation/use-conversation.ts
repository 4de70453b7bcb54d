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
 * The conversation in the trace of a call; nothing while `call` is undefined. Errors are left to the tab that shows
 * the
 * conversation.
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
    /** True if this server may have conversations. */
    isOffered,
    /** True while it is unknown if there is a conversation. */
    isAwaited: isAsked && (ours === null || (result.isLoading && !result.isFetched)),
    /** True if there is none yet but one may follow. */
    isLate: !data && result.isFetched && isRecent,
    /** True if there are entries or an error to show. */
    isShown: data ? data.entries.length > 0 : error !== null && statusOf(error) !== 404,
    /** True if somebody speaks. */
    isSpoken: data?.entries.some(({ kind }) => kind !== 'event') ?? false,
  }
}

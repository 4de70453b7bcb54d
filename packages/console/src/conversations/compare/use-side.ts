import type { Call } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { useConversation } from '../../calls/call/conversation/use-conversation'
import { isTraced } from '../../calls/call-text'
import { idOf } from '../../calls/search'
import { query } from '../../lib/api'
import { accountRecentCalls, recentCalls } from '../../lib/endpoints'

/** One of the calls that are compared: its record, and what was said in it. */
export function useSide(id: string | undefined) {
  const record = useQuery({
    ...query(recentCalls.view, { params: { call_id: id ?? '' } }),
    enabled: id !== undefined,
    staleTime: 60_000,
  })
  const call = id === undefined ? undefined : record.data
  const result = useConversation(call)
  const { data, isAwaited } = result
  return {
    id,
    record,
    call,
    result,
    /** Undefined if nothing was said, or not loaded yet. */
    conversation: call && data && data.entries.length > 0 ? data : undefined,
    isLoading: id !== undefined && (record.isPending || isAwaited),
  }
}
export type Side = ReturnType<typeof useSide>

/** A page of the calls that a call can be compared with, newest first. */
export const callsLike = (
  { account_sid, application_sid }: Pick<Call, 'account_sid' | 'application_sid'>,
  {
    isAnyApplication = false,
    ...page
  }: {
    page: number
    count: number
    end?: string
    filter?: string | undefined
    isAnyApplication?: boolean
  },
) =>
  query(accountRecentCalls.list, {
    params: { account_sid: account_sid ?? '' },
    query: {
      ...page,
      ...(application_sid && !isAnyApplication && { application_sid }),
    },
  })

/** True if the call may have a conversation: it is traced and has an id. */
export const isComparable = (call: Call) => isTraced(call) && idOf(call) !== undefined

/** Number of earlier calls searched for one with a trace. */
const LOOKED_AT = 50

/** The call before this one that can be compared with it; null if there is none. Undefined until known. */
export function useCallBefore(call: Call | undefined): string | null | undefined {
  const { data, isError } = useQuery({
    ...callsLike(call ?? { account_sid: null, application_sid: null }, {
      page: 1,
      count: LOOKED_AT,
      end: call?.attempted_at ?? '',
    }),
    enabled: call !== undefined && call.account_sid !== null,
    staleTime: 60_000,
    meta: { background: true },
  })
  if (!call) return undefined
  if (isError || call.account_sid === null) return null
  const before = data?.data.find((other) => isComparable(other) && idOf(other) !== idOf(call))
  return before ? idOf(before) : data && null
}

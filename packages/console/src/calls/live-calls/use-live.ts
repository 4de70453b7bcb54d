import type { Endpoint, LiveQuery, Reply, Sent } from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { queryClient, send } from '../../lib/api'

const INTERVAL_MS = 1_000

/** What every live answer says of itself; none when nothing has changed. */
type Answer = { version: string; now: string; total: number; complete: boolean } | undefined
type LiveEndpoint = Endpoint & { method: 'GET' }
export type Asked = Partial<LiveQuery>

/**
 * State that follows the platform: asked for again every second, answered only when it has changed. The
 * browser asks nothing while its tab is hidden, or while `paused`.
 */
export function useLive<E extends LiveEndpoint>(e: E, query: Asked, paused: boolean) {
  type Shown = NonNullable<Reply<E>> & { skew_ms: number }
  const queryKey = [e.path, query] as const
  return useQuery<Shown>({
    queryKey,
    queryFn: async () => {
      const before = queryClient.getQueryData<Shown>(queryKey)
      const seen = (before as Answer)?.version
      const answer = (await send(e, { query: { ...query, seen } } as unknown as Sent<E>)) as Answer
      if (answer) return { ...answer, skew_ms: Date.parse(answer.now) - Date.now() } as never
      // nothing has changed since what was seen
      return before!
    },
    placeholderData: keepPreviousData as never,
    refetchInterval: paused ? false : INTERVAL_MS,
    refetchOnWindowFocus: !paused,
    // the next question is the next try; only the first answer is waited for
    retry: (tries) => queryClient.getQueryData(queryKey) === undefined && tries < 2,
    staleTime: 0,
  })
}

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let second = Math.floor(Date.now() / 1_000)

function subscribe(tell: () => void) {
  listeners.add(tell)
  timer ??= setInterval(() => {
    second = Math.floor(Date.now() / 1_000)
    for (const each of listeners) each()
  }, 1_000)
  return () => {
    listeners.delete(tell)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The time in milliseconds, once a second, for all that shows it together. */
export const useNow = () => useSyncExternalStore(subscribe, () => second) * 1_000

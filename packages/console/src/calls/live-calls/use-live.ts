import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { queryClient } from '../../lib/api'

const INTERVAL_MS = 1_000

/** Members of every live response. */
type Answer = { version: string; now: string; total: number; complete: boolean }
type WithSkew<A extends Answer> = A & { skew_ms: number }

/**
 * Live state, polled every second; the server answers only when something has changed. No requests are made
 * while the browser tab is hidden, or while `paused`. `request` gets the version on screen and resolves to
 * nothing while that is current.
 */
export function useLive<A extends Answer>(
  queryKey: readonly unknown[],
  request: (seen: string | undefined) => Promise<A | undefined>,
  paused: boolean,
) {
  return useQuery<WithSkew<A>>({
    queryKey,
    queryFn: async () => {
      const before = queryClient.getQueryData<WithSkew<A>>(queryKey)
      const answer = await request(before?.version)
      return answer ? { ...answer, skew_ms: Date.parse(answer.now) - Date.now() } : before!
    },
    placeholderData: keepPreviousData,
    refetchInterval: paused ? false : INTERVAL_MS,
    refetchOnWindowFocus: !paused,
    // the next poll is the retry; only the first load is retried
    retry: (tries) => queryClient.getQueryData(queryKey) === undefined && tries < 2,
    staleTime: 0,
  })
}

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let second = Math.floor(Date.now() / 1_000)

function subscribe(listener: () => void) {
  listeners.add(listener)
  timer ??= setInterval(() => {
    second = Math.floor(Date.now() / 1_000)
    for (const each of listeners) each()
  }, 1_000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The current time in milliseconds, updated every second for all components at once. */
export const useNow = () => useSyncExternalStore(subscribe, () => second) * 1_000

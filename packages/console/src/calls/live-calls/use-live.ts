import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { queryClient } from '../../lib/api'

const INTERVAL_MS = 1_000

/** What every live answer says of itself. */
type Answer = { version: string; now: string; total: number; complete: boolean }
type Shown<A extends Answer> = A & { skew_ms: number }

/**
 * State that follows the platform: requested again every second, answered only when it has changed. No
 * requests are made while the browser's tab is hidden, or while `paused`. `request` takes the version that
 * is on screen, and resolves to nothing while that is still the current one.
 */
export function useLive<A extends Answer>(
  queryKey: readonly unknown[],
  request: (seen: string | undefined) => Promise<A | undefined>,
  paused: boolean,
) {
  return useQuery<Shown<A>>({
    queryKey,
    queryFn: async () => {
      const before = queryClient.getQueryData<Shown<A>>(queryKey)
      const answer = await request(before?.version)
      return answer ? { ...answer, skew_ms: Date.parse(answer.now) - Date.now() } : before!
    },
    placeholderData: keepPreviousData,
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

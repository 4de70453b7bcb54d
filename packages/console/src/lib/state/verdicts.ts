import { isTrouble, type JudgedKind, type VerdictOfThing } from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { query } from '../api'
import { thingVerdicts } from '../endpoints'
import { useCapabilities } from '../use-capabilities'

const REFRESH_MS = 30_000

/** The state of a thing: undefined while it is loaded, null if it cannot be. Only our server tells it. */
export function useVerdict(kind: JudgedKind, sid: string) {
  const isOurs = !!useCapabilities()
  const asked = useQuery({
    ...query(thingVerdicts.list, { query: { kind, sids: sid } }),
    meta: { background: true as const },
    refetchInterval: REFRESH_MS,
    enabled: isOurs,
  })
  const [verdict = asked.data || asked.error ? null : undefined]: (
    | VerdictOfThing
    | null
    | undefined
  )[] = asked.data ?? []
  return { isOurs, verdict, refetch: () => void asked.refetch() }
}

/** What is wrong with the things on a page of a list, by sid. Shown beside them: that it fails is not reported. */
export function useTroubles(kind: JudgedKind, sids: readonly string[]) {
  const isOurs = !!useCapabilities()
  const { data } = useQuery({
    ...query(thingVerdicts.list, { query: { kind, sids: sids.join() } }),
    meta: { background: true as const },
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
    enabled: isOurs && sids.length > 0,
  })
  return useMemo(
    () => new Map(data?.filter(({ state }) => isTrouble(state)).map((one) => [one.sid, one])),
    [data],
  )
}

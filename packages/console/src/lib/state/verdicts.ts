import { isTrouble, type JudgedKind } from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { query } from '../api'
import { thingVerdicts } from '../endpoints'
import { useCapabilities } from '../use-capabilities'

const REFRESH_MS = 30_000

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

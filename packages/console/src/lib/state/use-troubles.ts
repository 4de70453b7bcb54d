import { isTrouble, type JudgedKind } from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useCapabilities } from '../use-capabilities'
import { verdictsOf } from './verdict-query'

/** Problems of the resources on a page of a list, by sid. */
export function useTroubles(kind: JudgedKind, sids: readonly string[]) {
  const isOurs = !!useCapabilities()
  const { data } = useQuery({
    ...verdictsOf(kind, sids),
    placeholderData: keepPreviousData,
    enabled: isOurs && sids.length > 0,
  })
  return useMemo(
    () => new Map(data?.filter(({ state }) => isTrouble(state)).map((one) => [one.sid, one])),
    [data],
  )
}

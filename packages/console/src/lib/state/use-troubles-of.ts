import { isTrouble, JUDGED_KINDS, type ThingVerdict } from '@switchroom/contract'
import { useQueries } from '@tanstack/react-query'
import { query } from '../api'
import { carrierHealth } from '../endpoints'
import { useCapabilities } from '../use-capabilities'
import { verdictsOf } from './verdict-query'

/** What is wrong with things of several kinds, by sid: from where their lists have it. */
export function useTroublesOf(
  things: readonly { kind: string; sid: string }[],
): ReadonlyMap<string, ThingVerdict> {
  const isOurs = !!useCapabilities()
  const sidsOf = (kind: string) => things.flatMap((thing) => (thing.kind === kind ? thing.sid : []))
  const carriers = sidsOf('voip_carrier')
  return useQueries({
    queries: [
      {
        ...query(carrierHealth.list, { query: { voip_carrier_sids: carriers.join() } }),
        meta: { background: true as const },
        enabled: isOurs && carriers.length > 0,
        select: (all: (ThingVerdict & { voip_carrier_sid: string })[]) =>
          all.map(({ voip_carrier_sid: sid, ...verdict }) => ({ sid, ...verdict })),
      },
      ...JUDGED_KINDS.map((kind) => {
        const sids = sidsOf(kind)
        return { ...verdictsOf(kind, sids), enabled: isOurs && sids.length > 0 }
      }),
    ],
    combine: (answers) =>
      new Map(
        answers
          .flatMap(({ data }) => data ?? [])
          .flatMap((one) => (isTrouble(one.state) ? [[one.sid, one] as const] : [])),
      ),
  })
}

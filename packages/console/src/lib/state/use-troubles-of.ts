import { isTrouble, JUDGED_KINDS, type ThingVerdict } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { send } from '../api'
import { carrierHealth, thingVerdicts } from '../endpoints'
import { useCapabilities } from '../use-capabilities'

type Thing = { kind: string; sid: string }
type Trouble = readonly [sid: string, ThingVerdict]
const NONE: ReadonlyMap<string, ThingVerdict> = new Map()

/** Reads all kinds at once, each from the endpoint of its list. A kind that fails does not hold up the others. */
async function readTroubles(things: readonly Thing[]) {
  const of = async (kind: string, read: (sids: string) => Promise<Trouble[]>) => {
    const sids = things.flatMap((thing) => (thing.kind === kind ? thing.sid : []))
    return sids.length > 0 ? read(sids.join()) : []
  }
  const read = await Promise.allSettled([
    of('voip_carrier', async (voip_carrier_sids) => {
      const all = await send(carrierHealth.list, { query: { voip_carrier_sids } })
      return all.map((one) => [one.voip_carrier_sid, one])
    }),
    ...JUDGED_KINDS.map((kind) =>
      of(kind, async (sids) => {
        const all = await send(thingVerdicts.list, { query: { kind, sids } })
        return all.map((one) => [one.sid, one])
      }),
    ),
  ])
  const known = read.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  return new Map(known.filter(([, { state }]) => isTrouble(state)))
}

/** Problems of resources of several kinds, by sid. */
export function useTroublesOf(things: readonly Thing[]): ReadonlyMap<string, ThingVerdict> {
  const isOurs = !!useCapabilities()
  const { data = NONE } = useQuery({
    queryKey: ['troubles', ...things.map(({ sid }) => sid)],
    queryFn: () => readTroubles(things),
    enabled: isOurs && things.length > 0,
    meta: { background: true },
  })
  return data
}

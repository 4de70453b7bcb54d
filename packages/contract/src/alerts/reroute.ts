import type { LcrRoute } from '../routing/lcr-routes.ts'
import { t } from '../wire/text.ts'
import { prefixText } from './failure-prefix.ts'

/** A change of a routing table by which calls to some numbers leave by another carrier. */
export type Reroute = {
  pattern: string
  /** The route that changes; null for a new one. */
  lcr_route_sid: string | null
  /** The route that a new one goes before; null if it goes last. */
  before: string | null
  carrier: { voip_carrier_sid: string; name: string }
}

export const rerouteText = ({ carrier, prefix }: Pick<Reroute, 'carrier'> & { prefix: string }) =>
  t('Make {carrier} first for {prefix}', { carrier: carrier.name, prefix: prefixText(prefix) })

type Entry = Pick<LcrRoute['lcr_carrier_set_entries'][number], 'voip_carrier_sid'> &
  Partial<LcrRoute['lcr_carrier_set_entries'][number]>

/** The carriers of a route with this one first: one that it has already moves, else it takes the place of the first. */
function withFirst([first, ...others]: Entry[], voip_carrier_sid: string): Entry[] {
  const own = others.find((e) => e.voip_carrier_sid === voip_carrier_sid)
  return own && first
    ? [own, first, ...others.filter((e) => e !== own)]
    : [{ ...first, voip_carrier_sid }, ...others]
}

/** All routes of a table but the default one, as they are saved with a change. */
export function rerouted(routes: readonly LcrRoute[], change: Reroute) {
  const { lcr_route_sid, before, pattern, carrier } = change
  const all = routes.map((r) => {
    const { regex, description } = r
    const entries: Entry[] = r.lcr_carrier_set_entries.toSorted((a, b) => a.priority - b.priority)
    const changes = r.lcr_route_sid === lcr_route_sid
    return {
      lcr_route_sid: r.lcr_route_sid as string | undefined,
      regex,
      description,
      entries: changes ? withFirst(entries, carrier.voip_carrier_sid) : entries,
    }
  })
  if (lcr_route_sid === null) {
    const at = all.findIndex((r) => r.lcr_route_sid === before)
    const entries = [{ voip_carrier_sid: carrier.voip_carrier_sid }]
    const added = { lcr_route_sid: undefined, regex: pattern, description: null, entries }
    all.splice(at < 0 ? all.length : at, 0, added)
  }
  return all.map(({ entries, ...route }, priority) => ({
    ...route,
    priority,
    lcr_carrier_set_entries: entries.map(
      ({ lcr_carrier_set_entry_sid, voip_carrier_sid, workload }, place) => ({
        lcr_carrier_set_entry_sid,
        voip_carrier_sid,
        workload,
        priority: place,
      }),
    ),
  }))
}

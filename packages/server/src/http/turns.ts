import { COSTS, type Cost, t } from '@switchroom/contract'
import { type FairQueue, fairQueue, type Limits } from './fair-queue.ts'

export type TenantTurns = Record<Cost, FairQueue>

/** No limit over all tenants: a reader may take its stream slowly, and one of a tenant must not be one of all. */
const EVERYONE = Number.POSITIVE_INFINITY

/** Limits by kind of work: its name in messages, how much of it one tenant runs at once, and how much may wait. */
const LIMITS: Record<
  Cost,
  Pick<Limits, 'doing' | 'atOnce' | 'perLane'> & { atOncePerLane: number }
> = {
  // two statements each, of MariaDB's ten connections
  searches: { doing: t('searching'), atOnce: 4, atOncePerLane: 2, perLane: 50 },
  lists: { doing: t('reading whole lists'), atOnce: EVERYONE, atOncePerLane: 2, perLane: 200 },
  exports: { doing: t('exporting'), atOnce: EVERYONE, atOncePerLane: 1, perLane: 5 },
  imports: { doing: t('importing'), atOnce: 2, atOncePerLane: 1, perLane: 5 },
  changes: { doing: t('changing many rows'), atOnce: 4, atOncePerLane: 2, perLane: 50 },
  figures: { doing: t('reading statistics'), atOnce: 8, atOncePerLane: 4, perLane: 100 },
  simulations: { doing: t('simulating routes'), atOnce: 4, atOncePerLane: 2, perLane: 20 },
  // on the main thread, in slices: those of many would leave it no time for others
  comparisons: { doing: t('comparing other routes'), atOnce: 1, atOncePerLane: 1, perLane: 3 },
}

/** Networks whose requests wait, all together. */
const STRANGERS = 100
const LONGEST_MS = 30_000

export const limitsOf = (cost: Cost) => ({
  ...LIMITS[cost],
  inAll: STRANGERS,
  longest_ms: LONGEST_MS,
})

export const tenantTurns = () =>
  Object.fromEntries(COSTS.map((cost) => [cost, fairQueue(limitsOf(cost))])) as TenantTurns

/** All administrators are one tenant. */
export const ADMINISTRATORS = 'administrators'

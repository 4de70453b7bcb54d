import { COSTS, type Cost, keysOf } from '@switchroom/contract'
import { type FairQueue, fairQueue, type Limits } from './fair-queue.ts'

export type TenantTurns = Record<Cost, FairQueue>

/** A reader may take what it asked for slowly, so that one of a tenant must not be one of all. */
const EVERYONE = Number.POSITIVE_INFINITY

/** How much of it one tenant has at once, and how much may wait. */
const LIMITS: Record<Cost, Pick<Limits, 'atOnce' | 'perLane'> & { atOncePerLane: number }> = {
  // two statements each, of MariaDB's ten connections
  searches: { atOnce: 4, atOncePerLane: 2, perLane: 50 },
  lists: { atOnce: EVERYONE, atOncePerLane: 2, perLane: 200 },
  exports: { atOnce: EVERYONE, atOncePerLane: 1, perLane: 5 },
  imports: { atOnce: 2, atOncePerLane: 1, perLane: 5 },
  changes: { atOnce: 4, atOncePerLane: 2, perLane: 50 },
  figures: { atOnce: 8, atOncePerLane: 4, perLane: 100 },
  simulations: { atOnce: 4, atOncePerLane: 2, perLane: 20 },
  // on the thread that everybody waits for, in slices: those of many would leave it no time for others
  comparisons: { atOnce: 1, atOncePerLane: 1, perLane: 3 },
}

/** Networks whose requests wait, all together. */
const STRANGERS = 100
const LONGEST_MS = 30_000

export const limitsOf = (cost: Cost) => ({
  ...LIMITS[cost],
  doing: COSTS[cost].doing,
  inAll: STRANGERS,
  longest_ms: LONGEST_MS,
})

export const tenantTurns = () =>
  Object.fromEntries(keysOf(COSTS).map((cost) => [cost, fairQueue(limitsOf(cost))])) as TenantTurns

/** All administrators are one tenant. */
export const ADMINISTRATORS = 'administrators'

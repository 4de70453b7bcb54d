import type { CatalogueWithSource, TestResult } from '@switchroom/contract'
import { type ListingMemory, listingMemory } from '../db/listing.ts'
import { type SingleFlight, singleFlight } from '../live/single-flight.ts'

/** What one server remembers between requests. What other servers must know is in the database, or in `live`. */
export type Memory = {
  listings: ListingMemory
  /** Whose turn it is among the feature servers. */
  turn: number
  /** Checked in place of a hash that is not there; made when first needed. */
  decoy: Promise<string> | undefined
  catalogues: SingleFlight<CatalogueWithSource>
  speechTests: SingleFlight<TestResult>
  /** How many speech vendors each caller waits for. */
  waiting: Map<string, number>
}

export const memory = (): Memory => ({
  listings: listingMemory(),
  turn: 0,
  decoy: undefined,
  catalogues: singleFlight(),
  speechTests: singleFlight(),
  waiting: new Map(),
})

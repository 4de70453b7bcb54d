import type { Db } from '../db/open.ts'

/** Adds to the counts of all processes, by name. Resolves to the sums, in the same order. */
export type AddToAll = (
  counts: ReadonlyMap<string, number>,
  ttl_seconds: number,
) => Promise<number[]>

/**
 * State that outlives a request but not a day: sessions, reset links, failed log-ins. Shared by all
 * processes. Throws when the store is unavailable; callers must then refuse.
 */
export type Live = {
  /** True if stock servers use this store too, and read their sessions from it. */
  isPlatforms: boolean
  /** The same store inside a transaction; takes part in it when the state is in a table. */
  within: (tx: Db) => Live
  get: (...keys: string[]) => Promise<(string | undefined)[]>
  set: (key: string, value: string, ttl_seconds: number) => Promise<void>
  remove: (...keys: string[]) => Promise<void>
  /** Adds one and restarts the expiry. Resolves to the new count. */
  increment: (key: string, ttl_seconds: number) => Promise<number>
  /**
   * Does so with several counts in one step. Resolves to the new counts in their order. These may be lost in a power
   * cut, as may what `decrementAll` does.
   */
  incrementAll: (keys: string[], ttl_seconds: number) => Promise<number[]>
  /** Takes one off these counts, where they have not expired, and removes others, in one step. */
  decrementAll: (keys: string[], options?: { remove?: string[] }) => Promise<void>
  /** Also restarts the expiry of the counts. Undefined where each would be a write to disk. */
  addAll: AddToAll | undefined
  /** Counts keys with this prefix, for the platform's caches. */
  count: (prefix: string) => Promise<number>
  removeAll: (prefix: string) => Promise<void>
  ping: () => Promise<void>
  close: () => Promise<void>
}

import type { Db } from '../db/open.ts'

/**
 * State that outlives a request but not a day: sessions, reset links, failed log-ins.
 * Shared by all processes. Throws when the store cannot be asked; whoever asks must then refuse.
 */
export type Live = {
  /** The same store for use inside a transaction: where state is in a table, it takes part in it. */
  within: (tx: Db) => Live
  get: (...keys: string[]) => Promise<(string | undefined)[]>
  set: (key: string, value: string, ttl_seconds: number) => Promise<void>
  remove: (...keys: string[]) => Promise<void>
  /** Adds one and starts the time to live anew. Resolves to the count. */
  increment: (key: string, ttl_seconds: number) => Promise<number>
  /** Keys that begin with this, for the platform's caches. */
  count: (prefix: string) => Promise<number>
  removeAll: (prefix: string) => Promise<void>
  ping: () => Promise<void>
  close: () => Promise<void>
}

import type { Trace } from '@switchroom/contract'
import type { Talk } from '../../talk/counts.ts'
import type { Redacted } from '../../talk/masked.ts'

/** The most spans that are returned. A call of an hour has some hundreds. */
export const MAX_SPANS = 20_000

/** How the words of calls are kept. */
export type WordsPolicy = {
  /** By account, for accounts that do not keep all words. */
  accounts: ReadonlyMap<string, Redacted>
  /** For calls of an unknown account: the strictest policy of any account. Undefined if all keep all. */
  unknown: Redacted | undefined
  /** With it, spans tell the same prompt of a call from others. Secret, and the same in all processes. */
  key: string
}

/** Keeps the policies of stores up to date. */
export type KeptWords = {
  key: string
  /**
   * Reads accounts' current settings, and resolves once new spans are treated accordingly. Throws if they cannot be
   * read.
   */
  refresh: () => Promise<void>
}

/** A store of call traces. It does not check tenants: look up the call in scope first. */
export type TraceStore = {
  /** Finds a trace by its id of 32 lower-case hexadecimal digits. Throws `StoreUnavailable`. */
  find: (trace_id: string) => Promise<Trace | undefined>
  /** Undefined where spans come without our seeing them. */
  arrivals?: Arrivals
  /** Resolves once this is done with the words of spans that come. Undefined where they come without our seeing them. */
  followWords?: (policy: WordsPolicy) => Promise<void>
}

/** Arrival of spans of a trace. */
export type Arrival = {
  trace_id: string
  /** Time of the last of them, in milliseconds since 1970. */
  at: number
  /** True if the call's own span, which comes last, has arrived. */
  has_root: boolean
}

/**
 * Traces with spans that have arrived since they were last handled, also before a crash. Any method may throw
 * `StoreUnavailable`.
 */
export type Arrivals = {
  /** Traces without new spans since `before`, the longest quiet first, without `except`. */
  due: (before: number, limit: number, except: readonly string[]) => Promise<Arrival[]>
  /** Counts and words of conversations by trace, only for calls that are here and over. */
  talks: (trace_ids: readonly string[]) => Promise<Record<string, Talk>>
  /** Marks arrivals as handled. They become due again with later spans. */
  done: (arrivals: readonly Arrival[]) => Promise<void>
}

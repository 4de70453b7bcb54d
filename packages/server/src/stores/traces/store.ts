import type { Trace } from '@switchroom/contract'
import type { Talk } from '../../talk/counts.ts'
import type { Redacted } from '../../talk/masked.ts'

/** The most spans that are returned. A call of an hour has some hundreds. */
export const MAX_SPANS = 20_000

/** What is kept of the words of calls. */
export type WordsPolicy = {
  /** By account, of those that do not keep all. */
  accounts: ReadonlyMap<string, Redacted>
  /** Where it is not known whose a call is: the least that an account keeps. Undefined if all keep all. */
  unknown: Redacted | undefined
  /** With it, spans tell the same prompt of a call from others. Secret, and the same in all processes. */
  key: string
}

/** Keeps the policies of stores up to date. */
export type KeptWords = {
  key: string
  /** Reads what accounts want now, and resolves once spans that come are treated so. Throws if it cannot be read. */
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

/** A trace of which spans have come. */
export type Arrival = {
  trace_id: string
  /** When the last of them came, in milliseconds since 1970. */
  at: number
  /** Whether the call's own was among them or came before: it comes last. */
  has_root: boolean
}

/** Which traces spans have come of since they were last dealt with, also before a crash. Any may throw `StoreUnavailable`. */
export type Arrivals = {
  /** Traces of which nothing has come since `before`, the longest quiet first, without `except`. */
  due: (before: number, limit: number, except: readonly string[]) => Promise<Arrival[]>
  /** What calls count for, by trace: only those that are there and over. */
  talks: (trace_ids: readonly string[]) => Promise<Record<string, Talk>>
  /** These have been dealt with. If something came later, they will be due again. */
  done: (arrivals: readonly Arrival[]) => Promise<void>
}

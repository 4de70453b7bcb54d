import type { Trace } from '@switchroom/contract'

/** The most spans that are returned. A call of an hour has some hundreds. */
export const MAX_SPANS = 20_000

/** A store of call traces. It does not check tenants: look up the call in scope first. */
export type TraceStore = {
  /** Finds a trace by its id of 32 lower-case hexadecimal digits. Throws `StoreUnavailable`. */
  find: (trace_id: string) => Promise<Trace | undefined>
}

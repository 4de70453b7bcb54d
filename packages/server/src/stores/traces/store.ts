import type { Trace } from '@switchroom/contract'

/** Most of a trace that is told. A call of an hour has some hundreds. */
export const MAX_SPANS = 20_000

/** Where traces of calls are kept. It knows nothing of tenants: ask only for the trace of a call one may see. */
export type TraceStore = {
  /** By its id of 32 lower-case hexadecimal digits; undefined where there is none. Throws `StoreUnavailable`. */
  find: (trace_id: string) => Promise<Trace | undefined>
}

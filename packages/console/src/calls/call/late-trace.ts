import type { Call } from '@switchroom/contract'

/** Spans arrive seconds after a call, the root span last. */
const LATE_MS = 60_000

/** Interval at which a trace that may be incomplete is fetched again. */
export const AGAIN_MS = 5_000

/** True if more of a call's trace may still arrive. */
export const mayBeLate = ({ terminated_at, attempted_at }: Call) =>
  Math.abs(Date.now() - Date.parse(terminated_at ?? attempted_at)) < LATE_MS

import type { Call } from '@switchroom/contract'

/** Spans come seconds after a call, and that of the whole call last. */
const LATE_MS = 60_000

/** How often a trace that may not be whole yet is asked for. */
export const AGAIN_MS = 5_000

/** Whether more of a call's trace may still come. */
export const mayBeLate = ({ terminated_at, attempted_at }: Call) =>
  Math.abs(Date.now() - Date.parse(terminated_at ?? attempted_at)) < LATE_MS

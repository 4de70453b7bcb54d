import { DEGRADED } from './tenants.ts'

/** A time when a carrier refuses calls. */
export type Incident = { from: number; to: number }

const HOUR = 3_600_000
/** It begins an hour before the demo starts, and is over when somebody has had time to look at it. */
export const incidentAround = (now: number): Incident => ({
  from: now - 0.9 * HOUR,
  to: now + 3 * HOUR,
})

type Attempt = { at: number; trunk: string; direction: string; to: string }

/** Returns the effect of an incident on a call: how likely it is refused, and how much longer the carrier takes. */
export function incidentAt(incidents: readonly Incident[], { at, trunk, direction, to }: Attempt) {
  if (trunk !== DEGRADED.carrier || direction !== 'outbound') return undefined
  if (!incidents.some(({ from, to }) => at >= from && at < to)) return undefined
  return { refuses: to.startsWith(DEGRADED.prefix) ? 0.8 : 0.04, slower: 3.2 }
}

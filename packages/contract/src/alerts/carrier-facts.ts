import type { ProbeOutcome } from '../carriers/probe-outcomes.ts'
import type { Failure } from './failures.ts'
import type { CarrierRegistration } from './thing-states.ts'

/** Thresholds and windows that decide a carrier's state (docs/adr/053-one-verdict.md). */
export const HEALTH_RULES = {
  /** Clock hours, the current one included. The shortest with enough calls decides. */
  windows: [2, 4, 8, 24],
  hours: 24,
  /** Whole UTC days before those hours, to compare with. */
  baseline_days: 7,
  /** The fewest calls that an answered ratio is computed from. */
  min_calls: 20,
  /** Parts of the usual answered ratio. */
  degraded_below: 0.75,
  failing_below: 0.5,
  /** A carrier with this many calls and no answer fails, whatever is usual. */
  none_answered: 5,
  /** Failed calls of one status that matter: how many, which part of all, and how far below the usual ratio. */
  failed_calls: 5,
  failed_part: 0.1,
  failing_part: 0.5,
  below_usual: 0.05,
  /** Older probes say nothing about now. */
  probe_hours: 24,
  /** The most hours shown of one carrier. */
  strip_days: 30,
} as const

export type HealthCounts = { calls: number; answered: number; not_answered: number }
export type DirectionFacts = {
  /** The last 24 clock hours, oldest first. */
  hours: readonly HealthCounts[]
  /** The seven days before. */
  baseline: HealthCounts
}
export type Direction = 'inbound' | 'outbound'

/** Facts from which a carrier's state is derived. */
export type CarrierFacts = {
  is_active: boolean
  registration: CarrierRegistration | null
  /** Start of the first hour, in milliseconds. */
  start: number
  inbound: DirectionFacts
  outbound: DirectionFacts
  /** Calls of the last 24 clock hours in both directions, and of unknown direction. */
  day: HealthCounts
  baseline: HealthCounts
  /** Failures that nobody has muted or resolved. `hours` are those of the calls. */
  failures: readonly (Pick<
    Failure,
    'failure_sid' | 'direction' | 'trunk' | 'sip_status' | 'reason' | 'prefix'
  > & { hours: readonly number[] })[]
  /** Anomalies of the carrier's calls, other than more calls than usual. */
  anomalies: readonly {
    state: 'failing' | 'degraded'
    direction: Direction | null
    since: string
    sentence: string
  }[]
  /** Notices from the platform about the carrier and its gateways. */
  notices: readonly { message: string; since: string }[]
  /** Outbound gateways whose latest probe failed. */
  failed_probes: readonly { address: string; outcome: ProbeOutcome; since: string }[]
}

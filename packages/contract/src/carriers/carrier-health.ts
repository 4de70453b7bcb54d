import { z } from 'zod'
import { Sid } from '../wire/common.ts'
import { endpoints } from '../wire/endpoint.ts'
import { keysOf } from '../wire/records.ts'
import { GatewayProbe } from './gateway-probes.ts'

/** A carrier's state, with its label. */
export const CARRIER_STATES = {
  ok: 'OK',
  degraded: 'Degraded',
  failing: 'Failing',
  too_few_calls: 'Too few calls',
  no_traffic: 'No traffic',
  not_registered: 'Not registered',
  probe_failing: 'Probe failing',
  inactive: 'Inactive',
} as const
export type CarrierState = keyof typeof CARRIER_STATES

/** What decides a carrier's state. */
export const HEALTH_RULES = {
  /** The last clock hours, the current one included. They decide if they have enough calls. */
  recent_hours: 2,
  /** Decides if the last hours have too few calls. */
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
  /** Older probes say nothing about now. */
  probe_hours: 24,
  /** The most hours shown of one carrier. */
  strip_days: 30,
} as const

/** Numbers per clock hour. Index 0 is the hour that begins at `start`. */
export const CarrierHours = z.object({
  start: z.string(),
  calls: z.array(z.number().int()),
  answered: z.array(z.number().int()),
  /** Calls that were not answered. Those with an unknown outcome are in neither. */
  not_answered: z.array(z.number().int()),
  /**
   * Mean seconds from the attempt to the answer, which includes ringing: longer than the post-dial delay. Null
   * without answered calls. With InfluxDB it is the mean of a random sample of each hour.
   */
  seconds_to_answer: z.array(z.number().nullable()),
})
export type CarrierHours = z.infer<typeof CarrierHours>

const Counts = z.object({
  calls: z.number().int(),
  answered: z.number().int(),
  not_answered: z.number().int(),
})
export type HealthCounts = z.infer<typeof Counts>

export const CarrierRegistration = z.object({
  state: z.enum(['registered', 'unregistered', 'not_started']),
  reason: z.string().nullable(),
})
export type CarrierRegistration = z.infer<typeof CarrierRegistration>

export const CarrierHealth = z.object({
  voip_carrier_sid: z.string(),
  state: z.enum(keysOf(CARRIER_STATES)),
  /** Why, in a sentence. */
  reason: z.string(),
  /** Inbound calls in progress: the platform does not record the carrier of outbound ones. Null if unknown. */
  inbound_calls_now: z.number().int().nullable(),
  /** The last 24 clock hours. */
  hours: CarrierHours,
  /** Their totals. */
  day: Counts.extend({ seconds_to_answer: z.number().nullable() }),
  /** The seven days before. */
  baseline: Counts,
  /** Null for a carrier that does not register. */
  registration: CarrierRegistration.nullable(),
  /** The latest probe of any outbound gateway. */
  last_probe: GatewayProbe.nullable(),
})
export type CarrierHealth = z.infer<typeof CarrierHealth>

/** A call that a carrier did not complete. */
export const CarrierFailure = z.object({
  at: z.string(),
  call_sid: z.string().nullable(),
  sip_status: z.number().nullable(),
  reason: z.string().nullable(),
})

export const CarrierHealthView = CarrierHealth.extend({
  /** The last 30 days, the current hour included. */
  strip: CarrierHours.pick({ start: true, calls: true, answered: true }),
  /** The latest unanswered call of the last seven days. */
  last_failure: CarrierFailure.nullable(),
})
export type CarrierHealthView = z.infer<typeof CarrierHealthView>

/** The most carriers of one request. */
export const HEALTH_MAX = 100

const sids = `Enter 1 to ${HEALTH_MAX} carriers, separated by commas`

export const carrierHealth = endpoints({
  list: {
    path: '/CarrierHealth',
    access: 'account',
    method: 'GET',
    summary: 'Get the health of carriers: calls, registration and probes',
    own: true,
    query: z.object({
      voip_carrier_sids: z
        .string(sids)
        .transform((text) => [...new Set(text.split(','))])
        .pipe(z.array(Sid).min(1, sids).max(HEALTH_MAX, sids)),
    }),
    response: z.array(CarrierHealth),
  },
  view: {
    path: '/VoipCarriers/:voip_carrier_sid/Health',
    params: z.object({ voip_carrier_sid: Sid }),
    access: 'account',
    method: 'GET',
    summary: 'Get the health of a carrier, with its last 30 days by the hour',
    own: true,
    response: CarrierHealthView,
  },
})

const percent = (part: number, of: number) => `${Math.round((part / of) * 100)} %`
const decided = ({ answered, not_answered }: HealthCounts) => answered + not_answered
const callsText = (n: number) => `${n} ${n === 1 ? 'call' : 'calls'}`

/** What a carrier's state follows from. */
export type HealthFacts = {
  is_active: boolean
  registration: CarrierRegistration | null
  recent: HealthCounts
  day: HealthCounts
  baseline: HealthCounts
  /** The address and result of an outbound gateway whose latest probe failed. */
  failed_probe: { address: string; result: string } | null
}

/** A carrier's state and why. Calls say more than probes, which do not come from the SBC. */
export function carrierState(facts: HealthFacts): Pick<CarrierHealth, 'state' | 'reason'> {
  const { registration, day, failed_probe } = facts
  if (!facts.is_active) return { state: 'inactive', reason: 'The carrier is turned off.' }
  if (registration?.state === 'unregistered')
    return {
      state: 'not_registered',
      reason: registration.reason
        ? `Registration failed: ${registration.reason}.`
        : 'Registration failed.',
    }
  const byCalls = stateByCalls(facts)
  if (byCalls) return byCalls
  if (failed_probe)
    return {
      state: 'probe_failing',
      reason: `The latest probe of ${failed_probe.address} failed: ${failed_probe.result}.`,
    }
  if (day.calls === 0) return { state: 'no_traffic', reason: 'No calls in 24 h.' }
  const known = decided(day)
  if (day.answered > 0)
    return { state: 'ok', reason: `Answered ${day.answered} of ${callsText(known)} in 24 h.` }
  return {
    state: 'too_few_calls',
    reason: `${callsText(day.calls)} in 24 h, none answered: too few to tell.`,
  }
}

/** Undefined if there are too few calls. */
function stateByCalls({ recent, day, baseline }: HealthFacts) {
  const isRecent = decided(recent) >= HEALTH_RULES.min_calls
  const counts = isRecent ? recent : day
  const calls = decided(counts)
  const time = isRecent ? `${HEALTH_RULES.recent_hours} h` : `${HEALTH_RULES.hours} h`
  if (counts.answered === 0 && calls >= HEALTH_RULES.none_answered)
    return {
      state: 'failing' as const,
      reason: `Answered none of ${callsText(calls)} in ${time}.`,
    }
  if (calls < HEALTH_RULES.min_calls) return undefined
  const ratio = counts.answered / calls
  const text = `Answered ${percent(counts.answered, calls)} of ${callsText(calls)} in ${time}`
  const before = decided(baseline)
  if (before < HEALTH_RULES.min_calls || baseline.answered === 0)
    return { state: 'ok' as const, reason: `${text}.` }
  const usual = baseline.answered / before
  const state =
    ratio < usual * HEALTH_RULES.failing_below
      ? ('failing' as const)
      : ratio < usual * HEALTH_RULES.degraded_below
        ? ('degraded' as const)
        : ('ok' as const)
  return { state, reason: `${text}; the week before ${percent(baseline.answered, before)}.` }
}

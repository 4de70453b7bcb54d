import { plural, t } from '../wire/text.ts'

/** A carrier's state, with its label. */
export const CARRIER_STATES = {
  ok: 'OK',
  degraded: t('Degraded'),
  failing: t('Failing'),
  too_few_calls: t('Too few calls'),
  no_traffic: t('No traffic'),
  not_registered: t('Not registered'),
  probe_failing: t('Probe failing'),
  inactive: t('Inactive'),
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

export const CARRIER_REGISTRATIONS = ['registered', 'unregistered', 'not_started'] as const
export type CarrierRegistration = {
  state: (typeof CARRIER_REGISTRATIONS)[number]
  reason: string | null
}

export type HealthCounts = { calls: number; answered: number; not_answered: number }

const percentOf = (part: number, of: number) => Math.round((part / of) * 100)
const decided = ({ answered, not_answered }: HealthCounts) => answered + not_answered

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
export function carrierState(facts: HealthFacts): { state: CarrierState; reason: string } {
  const { registration, day, failed_probe } = facts
  if (!facts.is_active) return { state: 'inactive', reason: t('The carrier is turned off.') }
  if (registration?.state === 'unregistered')
    return {
      state: 'not_registered',
      reason: registration.reason
        ? t('Registration failed: {reason}.', { reason: registration.reason })
        : t('Registration failed.'),
    }
  const byCalls = stateByCalls(facts)
  if (byCalls) return byCalls
  if (failed_probe)
    return {
      state: 'probe_failing',
      reason: t('The latest probe of {address} failed: {result}.', {
        address: failed_probe.address,
        result: failed_probe.result,
      }),
    }
  if (day.calls === 0) return { state: 'no_traffic', reason: t('No calls in 24 h.') }
  const known = decided(day)
  if (day.answered > 0)
    return {
      state: 'ok',
      reason: plural(
        known,
        'Answered {answered} of 1 call in 24 h.|Answered {answered} of {n} calls in 24 h.',
        { answered: day.answered },
      ),
    }
  return {
    state: 'too_few_calls',
    reason: plural(
      day.calls,
      '1 call in 24 h, none answered: too few to tell.|{n} calls in 24 h, none answered: too few to tell.',
    ),
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
      reason: plural(
        calls,
        'Answered none of 1 call in {time}.|Answered none of {n} calls in {time}.',
        { time },
      ),
    }
  if (calls < HEALTH_RULES.min_calls) return undefined
  const ratio = counts.answered / calls
  const percent = percentOf(counts.answered, calls)
  const before = decided(baseline)
  if (before < HEALTH_RULES.min_calls || baseline.answered === 0)
    return {
      state: 'ok' as const,
      reason: plural(
        calls,
        'Answered {percent} % of 1 call in {time}.|Answered {percent} % of {n} calls in {time}.',
        { percent, time },
      ),
    }
  const usual = baseline.answered / before
  const state =
    ratio < usual * HEALTH_RULES.failing_below
      ? ('failing' as const)
      : ratio < usual * HEALTH_RULES.degraded_below
        ? ('degraded' as const)
        : ('ok' as const)
  return {
    state,
    reason: plural(
      calls,
      'Answered {percent} % of 1 call in {time}; the week before {usual} %.|Answered {percent} % of {n} calls in {time}; the week before {usual} %.',
      { percent, time, usual: percentOf(baseline.answered, before) },
    ),
  }
}

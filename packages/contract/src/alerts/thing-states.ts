import { keysOf } from '../wire/records.ts'
import { t } from '../wire/text.ts'

/** The states of a thing, the most urgent first, with their labels. */
export const THING_STATES = {
  inactive: t('Inactive'),
  not_registered: t('Not registered'),
  failing: t('Failing'),
  degraded: t('Degraded'),
  probe_failing: t('Probe failing'),
  too_few_calls: t('Too few calls'),
  no_traffic: t('No traffic'),
  not_known: t('Not known'),
  ok: 'OK',
} as const
export type ThingState = keyof typeof THING_STATES

/** States that need somebody. */
export const TROUBLES = ['not_registered', 'failing', 'degraded', 'probe_failing'] as const

export const isTrouble = (state: ThingState) => (TROUBLES as readonly ThingState[]).includes(state)

const URGENCY = keysOf(THING_STATES)
export const moreUrgent = (a: { state: ThingState }, b: { state: ThingState }) =>
  URGENCY.indexOf(a.state) - URGENCY.indexOf(b.state)

export const CARRIER_REGISTRATIONS = ['registered', 'unregistered', 'not_started'] as const
export type CarrierRegistration = {
  state: (typeof CARRIER_REGISTRATIONS)[number]
  reason: string | null
}

/** A problem with a thing. */
export type Finding = {
  state: ThingState
  /** ISO 8601, UTC; null if it is not known. */
  since: string | null
  /** Why, in a sentence. */
  reason: string
  /** How to fix it, in a sentence. */
  mend: string | null
  /** The failure that it follows from. */
  failure_sid: string | null
  /** Direction of the calls concerned; null if it is not about calls, or is about both directions. */
  direction: 'inbound' | 'outbound' | null
}

/** The one state of a thing, which every place shows: that of its most urgent finding. */
export type ThingVerdict = Finding & { findings: Finding[] }

/** The most urgent of what was found, with the rest after it; without findings what is known otherwise. */
export function verdictOf(
  found: readonly Finding[],
  otherwise: Pick<Finding, 'state' | 'reason'> = { state: 'not_known', reason: '' },
): ThingVerdict {
  const findings = found.toSorted(moreUrgent)
  const [first] = findings
  if (first) return { ...first, findings }
  return { ...otherwise, since: null, mend: null, failure_sid: null, direction: null, findings }
}

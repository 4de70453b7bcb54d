import { PROBE_OUTCOMES } from '../carriers/probe-outcomes.ts'
import { plural, t } from '../wire/text.ts'
import {
  type CarrierFacts,
  type Direction,
  type DirectionFacts,
  HEALTH_RULES,
  type HealthCounts,
} from './carrier-facts.ts'
import { failureText, mendOf } from './failure-text.ts'
import { type Finding, moreUrgent, type ThingVerdict, verdictOf } from './thing-states.ts'

const HOUR_MS = 3_600_000
const decided = ({ answered, not_answered }: HealthCounts) => answered + not_answered
const percentOf = (part: number, of: number) => Math.round((part / of) * 100)

function sum(counts: readonly HealthCounts[]): HealthCounts {
  const all = { calls: 0, answered: 0, not_answered: 0 }
  for (const { calls, answered, not_answered } of counts) {
    all.calls += calls
    all.answered += answered
    all.not_answered += not_answered
  }
  return all
}

/** The last hours that are enough to tell, or all of them. */
function windowOf({ hours }: DirectionFacts) {
  const windows = HEALTH_RULES.windows.map((n) => ({ hours: n, counts: sum(hours.slice(-n)) }))
  return windows.find(({ counts }) => decided(counts) >= HEALTH_RULES.min_calls) ?? windows.at(-1)!
}

/** The usual answered ratio; undefined if nothing is usual yet. */
const usualOf = ({ baseline }: DirectionFacts) =>
  decided(baseline) >= HEALTH_RULES.min_calls && baseline.answered > 0
    ? baseline.answered / decided(baseline)
    : undefined

/** The hour since which all hours with calls are bad. */
function sinceOf(
  { hours }: DirectionFacts,
  start: number,
  isBad: (counts: HealthCounts, hour: number) => boolean,
) {
  let since: number | undefined
  for (let i = hours.length - 1; i >= 0; i--) {
    if (decided(hours[i]!) === 0) continue
    if (!isBad(hours[i]!, i)) break
    since = i
  }
  return since === undefined ? null : new Date(start + since * HOUR_MS).toISOString()
}

const callsText = (direction: Direction, n: number) =>
  direction === 'inbound'
    ? plural(n, '1 inbound call|{n} inbound calls')
    : plural(n, '1 outbound call|{n} outbound calls')

const READ_A_CALL = t(
  'Open a recent call and read its SIP messages: the refusal often names its reason.',
)

/** Failed calls of one status that are many enough, and whether they are most of those that were not answered. */
function byFailures(facts: CarrierFacts, direction: Direction) {
  const own = facts[direction]
  const { hours, counts } = windowOf(own)
  const all = decided(counts)
  const usual = usualOf(own)
  if (usual !== undefined && counts.answered / all >= usual - HEALTH_RULES.below_usual) return []
  const rows = facts.failures
    .filter((f) => f.direction === direction)
    .map((f) => ({ ...f, calls: f.hours.slice(-hours).reduce((a, b) => a + b, 0) }))
    .sort((a, b) => b.calls - a.calls)
  return [...Map.groupBy(rows, (f) => f.sip_status).values()].flatMap((same) => {
    const [most] = same
    const calls = same.reduce((n, f) => n + f.calls, 0)
    if (calls < HEALTH_RULES.failed_calls || calls < all * HEALTH_RULES.failed_part) return []
    const isOne = most!.calls >= calls * 0.8
    const inHour = (hour: number) => same.reduce((n, f) => n + (f.hours[hour] ?? 0), 0)
    const finding: Finding = {
      state: calls >= all * HEALTH_RULES.failing_part ? 'failing' : 'degraded',
      since: sinceOf(
        own,
        facts.start,
        (c, hour) => inHour(hour) >= Math.max(1, decided(c) * HEALTH_RULES.failed_part),
      ),
      reason: t('{failure}: {failed} of {calls} in {time}.', {
        failure: failureText(isOne ? most! : { ...most!, prefix: null, reason: null }),
        failed: calls,
        calls: callsText(direction, Math.max(all, calls)),
        time: `${hours} h`,
      }),
      mend: mendOf(most!).text,
      failure_sid: most!.failure_sid,
      direction,
    }
    return [{ finding, isCause: calls * 2 >= counts.not_answered }]
  })
}

/** The answered ratio, compared with the week before. */
function byRatio(facts: CarrierFacts, direction: Direction): Finding[] {
  const own = facts[direction]
  const { hours, counts } = windowOf(own)
  const all = decided(counts)
  const time = `${hours} h`
  const finding = (state: 'failing' | 'degraded', since: string | null, reason: string) => [
    { state, since, reason, mend: READ_A_CALL, failure_sid: null, direction },
  ]
  if (counts.answered === 0 && all >= HEALTH_RULES.none_answered)
    return finding(
      'failing',
      sinceOf(own, facts.start, ({ answered }) => answered === 0),
      t('Answered none of {calls} in {time}.', { calls: callsText(direction, all), time }),
    )
  const usual = usualOf(own)
  if (all < HEALTH_RULES.min_calls || usual === undefined) return []
  const ratio = counts.answered / all
  const bound = usual * HEALTH_RULES.degraded_below
  if (ratio >= bound) return []
  return finding(
    ratio < usual * HEALTH_RULES.failing_below ? 'failing' : 'degraded',
    sinceOf(own, facts.start, (c) => c.answered / decided(c) < bound),
    t('Answered {percent} % of {calls} in {time}; the week before {usual} %.', {
      percent: percentOf(counts.answered, all),
      calls: callsText(direction, all),
      time,
      usual: Math.round(usual * 100),
    }),
  )
}

const CHECK_GATEWAYS = t('Check the gateways’ addresses and ports, and probe them.')
const CHECK = {
  inbound: t('Ask the carrier whether it still sends calls to your SBC.'),
  outbound: READ_A_CALL,
}

function byProbes({ failed_probes, outbound }: CarrierFacts, isWell: boolean): Finding[] {
  // a gateway may ignore this server and take calls from the SBC; but not while it says that it is unavailable
  const takesCalls = isWell && decided(windowOf(outbound).counts) >= HEALTH_RULES.min_calls
  return failed_probes
    .filter(({ outcome }) => !takesCalls || outcome === 'unavailable')
    .map(probeFinding)
}

export const probeFinding = ({
  address,
  outcome,
  since,
}: CarrierFacts['failed_probes'][number]): Finding => ({
  state: 'probe_failing',
  since,
  reason: t('The latest probe of {address} failed: {result}.', {
    address,
    result: PROBE_OUTCOMES[outcome],
  }),
  mend: CHECK_GATEWAYS,
  failure_sid: null,
  direction: null,
})

function byRegistration({ registration }: CarrierFacts): Finding[] {
  if (registration?.state !== 'unregistered') return []
  const { reason } = registration
  return [
    {
      state: 'not_registered',
      since: null,
      reason: reason ? t('Registration failed: {reason}.', { reason }) : t('Registration failed.'),
      mend: t(
        'The carrier rejects the credentials. Check the username, password and realm it expects.',
      ),
      failure_sid: null,
      direction: null,
    },
  ]
}

export const noticeFinding = ({ message, since }: CarrierFacts['notices'][number]): Finding => ({
  state: 'probe_failing',
  since,
  reason: t('The platform reports: {message}.', { message: message.replace(/\.$/, '') }),
  mend: CHECK_GATEWAYS,
  failure_sid: null,
  direction: null,
})

/** Finds what the calls of one direction say about the carrier. */
function byCalls(facts: CarrierFacts, direction: Direction): Finding[] {
  const anomalies = facts.anomalies.filter((a) => a.direction === direction)
  const failures = byFailures(facts, direction)
  const others = [
    ...anomalies.map(
      ({ state, since, sentence }): Finding => ({
        state,
        since,
        reason: `${sentence}.`,
        mend: CHECK[direction],
        failure_sid: null,
        direction,
      }),
    ),
    ...byRatio(facts, direction),
  ]
  const [worst] = [...others, ...failures.map(({ finding }) => finding)].sort(moreUrgent)
  const [since] = anomalies.map((a) => a.since)
  return [
    // of all that is said of the same calls, a failure names the cause, and an anomaly the minute
    ...failures.map(({ finding, isCause }) =>
      isCause ? { ...finding, state: worst!.state, since: since ?? finding.since } : finding,
    ),
    ...others,
  ]
}

/** The state of a carrier, from everything that is known. */
export function carrierVerdict(facts: CarrierFacts): ThingVerdict {
  if (!facts.is_active)
    return verdictOf([], { state: 'inactive', reason: t('The carrier is turned off.') })
  const outbound = byCalls(facts, 'outbound')
  const findings = [
    ...byRegistration(facts),
    ...outbound,
    ...byCalls(facts, 'inbound'),
    ...facts.notices.map(noticeFinding),
    ...byProbes(facts, outbound.length === 0),
  ]
  return verdictOf(findings, stateWithoutFindings(facts))
}

function stateWithoutFindings({ day, baseline }: CarrierFacts): Pick<Finding, 'state' | 'reason'> {
  if (day.calls === 0) return { state: 'no_traffic', reason: t('No calls in 24 h.') }
  const known = decided(day)
  if (day.answered === 0)
    return {
      state: 'too_few_calls',
      reason: plural(
        day.calls,
        '1 call in 24 h, none answered: too few to tell.|{n} calls in 24 h, none answered: too few to tell.',
      ),
    }
  const usual = usualOf({ hours: [], baseline })
  if (known < HEALTH_RULES.min_calls || usual === undefined)
    return {
      state: 'ok',
      reason: plural(
        known,
        'Answered {answered} of 1 call in 24 h.|Answered {answered} of {n} calls in 24 h.',
        { answered: day.answered },
      ),
    }
  return {
    state: 'ok',
    reason: plural(
      known,
      'Answered {percent} % of 1 call in {time}; the week before {usual} %.|Answered {percent} % of {n} calls in {time}; the week before {usual} %.',
      {
        percent: percentOf(day.answered, known),
        time: `${HEALTH_RULES.hours} h`,
        usual: Math.round(usual * 100),
      },
    ),
  }
}

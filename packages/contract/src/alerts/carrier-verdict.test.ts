import { describe, expect, it } from 'vitest'
import type { CarrierFacts } from './carrier-facts.ts'
import { carrierVerdict } from './carrier-verdict.ts'
import { gatewayVerdict } from './gateway-verdict.ts'

const HOUR = 3_600_000
const START = Date.UTC(2026, 5, 1, 12)
const at = (hour: number) => new Date(START + hour * HOUR).toISOString()

const counts = (answered: number, not_answered: number) => ({
  calls: answered + not_answered,
  answered,
  not_answered,
})
/** The last 24 hours: `before` in each, and the last of them as given. */
const hours = (before: [number, number], ...last: [number, number][]) =>
  [...Array.from({ length: 24 - last.length }, () => before), ...last].map(([a, n]) => counts(a, n))

function facts(given: Partial<CarrierFacts> = {}): CarrierFacts {
  const none = { hours: hours([0, 0]), baseline: counts(0, 0) }
  const { inbound = none, outbound = none } = given
  const sum = (of: 'calls' | 'answered' | 'not_answered') =>
    [...inbound.hours, ...outbound.hours].reduce((n, h) => n + h[of], 0)
  return {
    is_active: true,
    registration: null,
    start: START,
    day: { calls: sum('calls'), answered: sum('answered'), not_answered: sum('not_answered') },
    baseline: counts(0, 0),
    failures: [],
    anomalies: [],
    notices: [],
    failed_probes: [],
    ...given,
    inbound,
    outbound,
  }
}
const busy = (...last: [number, number][]) => ({
  hours: hours([40, 10], ...last),
  baseline: counts(4_000, 1_000),
})
const failure = (hour_counts: number[], more: Partial<CarrierFacts['failures'][number]> = {}) => ({
  failure_sid: 'f',
  direction: 'outbound' as const,
  trunk: 'North',
  sip_status: 503,
  reason: null,
  prefix: '+4477',
  hours: [...Array.from({ length: 24 - hour_counts.length }, () => 0), ...hour_counts],
  ...more,
})

describe('a carrier', () => {
  it('that refuses outbound calls is failing, however well inbound ones go', () => {
    const failing = facts({
      inbound: busy(),
      outbound: busy([20, 30], [10, 40]),
      failures: [failure([25, 35])],
    })
    const { state, since, reason, mend, failure_sid, findings } = carrierVerdict(failing)
    expect({ state, since, reason, failure_sid }).toEqual({
      state: 'failing',
      since: at(22),
      reason:
        'North answers 503 Service Unavailable to calls to +44 77: 60 of 100 outbound calls in 2 h.',
      failure_sid: 'f',
    })
    expect(mend).toMatch(/overloaded/)
    expect(findings.map((f) => f.reason)).toContain(
      'Answered 30 % of 100 outbound calls in 2 h; the week before 80 %.',
    )
    // the same without a failure that somebody would see to: it was muted
    expect(carrierVerdict({ ...failing, failures: [] })).toMatchObject({
      state: 'failing',
      since: at(22),
      failure_sid: null,
    })
  })

  it('is judged by ten calls an hour in more hours', () => {
    const few = {
      hours: hours([8, 2], [2, 8], [1, 9], [0, 3]),
      baseline: counts(800, 200),
    }
    expect(carrierVerdict(facts({ outbound: few }))).toMatchObject({
      state: 'failing',
      reason: expect.stringMatching(/outbound calls in 4 h; the week before 80 %/),
      since: at(21),
    })
  })

  it('has no trouble for a wrong number, nor for what always fails', () => {
    const once = failure([0, 1], { sip_status: 404 })
    expect(carrierVerdict(facts({ outbound: busy(), failures: [once] })).state).toBe('ok')
    const always = failure([8, 8], { sip_status: 404 })
    expect(carrierVerdict(facts({ outbound: busy(), failures: [always] })).state).toBe('ok')
    // with nothing to compare with, it is trouble
    const fresh = { ...busy(), baseline: counts(0, 0) }
    expect(carrierVerdict(facts({ outbound: fresh, failures: [always] }))).toMatchObject({
      state: 'degraded',
      reason: expect.stringMatching(/: 16 of 100 outbound calls in 2 h\.$/),
    })
  })

  it('adds up a status over prefixes', () => {
    const failures = ['+4477', '+4420', '+4930'].map((prefix) =>
      failure([5, 5], { prefix, failure_sid: prefix }),
    )
    expect(carrierVerdict(facts({ outbound: busy([20, 30], [20, 30]), failures }))).toMatchObject({
      reason: expect.stringMatching(/to calls to any number: 30 of 100 outbound calls/),
    })
  })

  it('is degraded by an anomaly of its direction', () => {
    const anomaly = {
      state: 'degraded' as const,
      direction: 'inbound' as const,
      since: at(3),
      sentence: 'No calls',
    }
    expect(carrierVerdict(facts({ outbound: busy(), anomalies: [anomaly] }))).toMatchObject({
      state: 'degraded',
      since: at(3),
      reason: 'No calls.',
    })
  })

  it('has the cause from a failure, and the minute from an anomaly', () => {
    const since = new Date(START + 22.4 * HOUR).toISOString()
    const anomaly = { state: 'failing' as const, direction: 'outbound' as const, since }
    const verdict = carrierVerdict(
      facts({
        outbound: busy([40, 10], [25, 25]),
        failures: [failure([0, 22])],
        anomalies: [{ ...anomaly, sentence: 'Carrier North, outbound: 20 % answered' }],
      }),
    )
    expect(verdict).toMatchObject({ state: 'failing', since, failure_sid: 'f' })
    expect(verdict.findings.map((f) => f.state)).toEqual(['failing', 'failing'])
    // one that has few of the calls that were not answered is not the cause
    const few = carrierVerdict(
      facts({ outbound: busy([40, 10], [5, 45]), failures: [failure([0, 12])] }),
    )
    expect(few).toMatchObject({ state: 'degraded', failure_sid: 'f' })
    expect(few.findings[1]).toMatchObject({ state: 'degraded', failure_sid: null })
  })

  it('is not OK while the platform reports that its pings fail', () => {
    const notices = [{ message: 'gateway 192.0.2.1 answers OPTIONS with 503', since: at(20) }]
    expect(carrierVerdict(facts({ outbound: busy(), notices }))).toMatchObject({
      state: 'probe_failing',
      since: at(20),
      reason: 'The platform reports: gateway 192.0.2.1 answers OPTIONS with 503.',
    })
  })

  it('whose calls go well is not doubted for a probe that this server alone may not send', () => {
    const probe = (outcome: 'timeout' | 'unavailable') => ({
      failed_probes: [{ address: '192.0.2.1:5060', outcome, since: at(5) }],
    })
    expect(carrierVerdict(facts({ outbound: busy(), ...probe('timeout') })).state).toBe('ok')
    expect(carrierVerdict(facts({ inbound: busy(), ...probe('timeout') })).state).toBe(
      'probe_failing',
    )
    expect(carrierVerdict(facts({ outbound: busy(), ...probe('unavailable') }))).toMatchObject({
      state: 'probe_failing',
      since: at(5),
      reason: 'The latest probe of 192.0.2.1:5060 failed: Unavailable.',
    })
  })

  it('shows the most urgent first', () => {
    const all = facts({
      registration: { state: 'unregistered', reason: '403 Forbidden' },
      outbound: busy([0, 50], [0, 50]),
      failed_probes: [{ address: '192.0.2.1', outcome: 'timeout', since: at(5) }],
    })
    expect(carrierVerdict(all).findings.map((f) => f.state)).toEqual([
      'not_registered',
      'failing',
      'probe_failing',
    ])
    expect(carrierVerdict({ ...all, is_active: false })).toMatchObject({
      state: 'inactive',
      findings: [],
    })
  })

  it('is never OK without a call that says so', () => {
    expect(carrierVerdict(facts()).state).toBe('no_traffic')
    const unanswered = { hours: hours([0, 0], [0, 3]), baseline: counts(0, 0) }
    expect(carrierVerdict(facts({ outbound: unanswered })).state).toBe('too_few_calls')
  })
})

it('tells of a gateway only what a probe of the last day told', () => {
  const gateway = { is_active: true, outbound: true, probe: null, notice: null }
  const probe = { address: '192.0.2.1:5060', outcome: 'ok' as const, since: at(1) }
  const stateOf = (given: object) => gatewayVerdict({ ...gateway, ...given }).state
  expect(stateOf({})).toBe('not_known')
  expect(stateOf({ outbound: false, probe })).toBe('not_known')
  expect(stateOf({ probe })).toBe('ok')
  expect(stateOf({ probe: { ...probe, outcome: 'unavailable' } })).toBe('probe_failing')
  expect(stateOf({ is_active: false, probe })).toBe('inactive')
  const notice = { message: 'ping failed', since: at(2) }
  expect(stateOf({ probe, notice })).toBe('probe_failing')
})

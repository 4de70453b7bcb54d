import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type CarrierFacts, carrierVerdict, HEALTH_RULES } from '../packages/contract/src/index.ts'
import { AnomalyFinder } from '../packages/server/src/stores/anomalies/finder.ts'
import { attemptSums } from '../packages/server/src/stores/calls/attempts.ts'
import type { CallStore } from '../packages/server/src/stores/calls/store.ts'
import { callsOf, type Plan } from './demo/calls.ts'
import { incidentAround } from './demo/incident.ts'
import { countryOf } from './demo/numbers.ts'
import type { PlannedCall } from './demo/planned-call.ts'
import { DEGRADED, PROVIDERS } from './demo/tenants.ts'
import type { Account, ApplicationKind } from './demo/world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const [PROVIDER] = PROVIDERS
const KINDS: ApplicationKind[] = ['assistant', 'menu', 'reminder', 'agent']

const accounts = PROVIDER!.accounts.map(
  ([name, city, sector, size, phones]): Account => ({
    sid: name,
    name,
    provider: PROVIDER!.name,
    provider_sid: PROVIDER!.name,
    realm: 'a.example.com',
    sector,
    country: countryOf(city),
    size,
    phones: Array.from({ length: phones }, (_, i) => `phone-${i}`),
    numbers: ['1', '2', '3', '4'],
    applications: KINDS.map((kind) => ({ sid: kind, kind, name: kind, url: 'https://x.example' })),
  }),
)

/** The calls of the demo that are on record at `clock`, by when they began. */
function recordsAt(plan: Plan, clock: number) {
  const minutes = new Map<number, PlannedCall[]>()
  return function* (from: number, to: number) {
    for (let minute = Math.floor(from / MINUTE); minute * MINUTE < to; minute++) {
      const calls = minutes.get(minute) ?? callsOf(plan, minute)
      minutes.set(minute, calls)
      for (const call of calls)
        if (call.at >= from && call.at < to && call.ended_at <= clock) yield call
    }
  }
}
type Records = ReturnType<typeof recordsAt>

const storeOf = (records: Records): Pick<CallStore, 'attempts'> => ({
  async attempts(_owner, { from, to }, step_ms) {
    const sums = attemptSums(step_ms)
    for (const call of records(from, to))
      sums.add({
        ...{ at: call.at, to: call.to, trunk: call.trunk, direction: call.direction },
        account_sid: call.account.sid,
        application_sid: call.application?.sid ?? null,
        answered: call.status === 200,
        answered_at: call.answered_at ?? null,
        terminated_at: call.ended_at,
      })
    return sums.all()
  },
})

/** Derives a carrier's facts from its calls, nothing else. */
function factsOf(records: Records, trunk: string, clock: number): CarrierFacts {
  const end = (Math.floor(clock / HOUR) + 1) * HOUR
  const start = end - HEALTH_RULES.hours * HOUR
  const first = Math.floor(start / DAY) * DAY - HEALTH_RULES.baseline_days * DAY
  const counted = (from: number, to: number, direction?: 'inbound' | 'outbound') => {
    const counts = { calls: 0, answered: 0, not_answered: 0 }
    for (const call of records(from, to)) {
      if (call.trunk !== trunk || (direction && call.direction !== direction)) continue
      counts.calls++
      counts[call.status === 200 ? 'answered' : 'not_answered']++
    }
    return counts
  }
  const of = (direction: 'inbound' | 'outbound') => ({
    hours: Array.from({ length: HEALTH_RULES.hours }, (_, i) =>
      counted(start + i * HOUR, start + (i + 1) * HOUR, direction),
    ),
    baseline: counted(first, first + HEALTH_RULES.baseline_days * DAY, direction),
  })
  return {
    ...{ is_active: true, registration: null, start, failures: [], anomalies: [] },
    ...{ notices: [], failed_probes: [] },
    inbound: of('inbound'),
    outbound: of('outbound'),
    day: counted(start, end),
    baseline: counted(first, first + HEALTH_RULES.baseline_days * DAY),
  }
}

// the busy hours of the demo are those of the machine's zone
beforeAll(() => void vi.stubEnv('TZ', 'UTC'))
afterAll(() => void vi.unstubAllEnvs())

// Monday, 29 June 2026
const MONDAY = Date.UTC(2026, 5, 29)
it.each([
  ['Monday at 3:05', MONDAY + 3 * HOUR + 5 * MINUTE],
  ['Tuesday at 10', MONDAY + DAY + 10 * HOUR],
  ['Friday at 19', MONDAY + 4 * DAY + 19 * HOUR],
  ['Saturday at 9:50', MONDAY + 5 * DAY + 9 * HOUR + 50 * MINUTE],
  ['Saturday at 23', MONDAY + 5 * DAY + 23 * HOUR],
  ['Sunday at 5', MONDAY + 6 * DAY + 5 * HOUR],
])('finds the incident of a demo that starts on %s within ten minutes', async (_, began) => {
  const plan: Plan = {
    ...{ seed: 's', scale: 1, world: { accounts }, began },
    traced_from: Number.POSITIVE_INFINITY,
    incidents: [incidentAround(began)],
  }
  const clock = began + 10 * MINUTE
  const records = recordsAt(plan, clock)
  const { anomalies } = await new AnomalyFinder().find(storeOf(records), {}, clock)
  const failing = anomalies.filter(({ measure }) => measure === 'answered')
  const names = failing.map(({ kind, id, direction }) => [kind, id, direction])
  expect(names).toContainEqual(['prefix', DEGRADED.prefix.slice(0, 4), null])
  // nothing else is accused
  expect(names.filter(([kind, id]) => kind === 'carrier' && id !== DEGRADED.carrier)).toEqual([])
  const verdicts = PROVIDER!.carriers.map(({ name }) => {
    const { state, reason } = carrierVerdict(factsOf(records, name, clock))
    return [name, state, reason]
  })
  expect(verdicts).toEqual(
    PROVIDER!.carriers.map(({ name }) =>
      name === DEGRADED.carrier
        ? [name, expect.stringMatching(/^(failing|degraded)$/), expect.stringMatching(/outbound/)]
        : [name, 'ok', expect.any(String)],
    ),
  )
})

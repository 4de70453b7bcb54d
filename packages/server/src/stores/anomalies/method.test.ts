import { describe, expect, it } from 'vitest'
import { simulate, type Traffic, type Trouble } from '../../../test/traffic.ts'
import { anomaliesAt, daysBefore, Follower, limitFor, spansFor } from './method.ts'
import { noSums, STEP_MS, seriesOf } from './subject-series.ts'
import { above, atLeast, atLeastOf, atMost } from './tails.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const WEEK = 7 * DAY
/** A Monday. */
const START = Date.UTC(2026, 8, 7)
const TUESDAY_MORNING = START + 4 * WEEK + DAY + 10 * HOUR

const carrier = (name: string, calls_an_hour: number, more: Partial<Traffic> = {}): Traffic => ({
  carrier: name,
  calls_an_hour,
  answered: 0.84,
  seconds_to_answer: 4,
  seconds: 180,
  // weeks and hours each differ by a seventh
  unrest: 0.15,
  ...more,
})

/** An installation with carriers of all sizes, so that the threshold is realistic. */
const SUBJECTS = 20

/** Looks every three minutes for up to `minutes`. Resolves to the minutes until it was found. */
function minutesUntilFound(traffic: Traffic, trouble: Omit<Trouble, 'from'>, seed: number) {
  // begins between two looks
  const from = TUESDAY_MORNING + 7 * MINUTE
  for (let now = TUESDAY_MORNING + 9 * MINUTE; now <= from + 15 * MINUTE; now += STEP_MS) {
    const spans = spansFor(now).toReversed()
    const counts = simulate([traffic], spans, seed, { [traffic.carrier]: { from, ...trouble } })
    const follower = new Follower(seriesOf(counts)[0]!, 0, limitFor(SUBJECTS))
    const found = follower.look(now)
    if (found.length > 0)
      return { minutes: (now - from) / MINUTE, measures: found.map((f) => f.measure) }
  }
  return undefined
}

describe('made anomalies are found within 15 minutes', () => {
  it.each<[string, Traffic, Omit<Trouble, 'from'>, string]>([
    ['a carrier from 84 % to 56 %', carrier('c', 600), { answered: 0.56 }, 'answered'],
    ['a carrier from 84 % to 42 %', carrier('c', 300), { answered: 0.42 }, 'answered'],
    ['a dead destination', carrier('c', 120), { answered: 0 }, 'answered'],
    ['an account gone silent', carrier('c', 400), { calls: 0 }, 'fewer_calls'],
    ['slow answers', carrier('c', 240), { seconds_to_answer: 12 }, 'time_to_answer'],
    ['five times the calls', carrier('c', 400), { calls: 5 }, 'more_calls'],
  ])('%s', (_, traffic, trouble, measure) => {
    const found = [1, 2, 3, 4, 5].map((seed) => minutesUntilFound(traffic, trouble, seed))
    const inTime = found.filter((f) => f?.measures.includes(measure as never))
    // by chance a few calls of the first minutes may look as usual
    expect(inTime.length, JSON.stringify(found)).toBeGreaterThanOrEqual(4)
  })
})

it('finds a carrier of ten calls an hour that fails for some hours', async () => {
  const now = TUESDAY_MORNING + 2 * HOUR
  const traffic = [carrier('c', 10), carrier('d', 10)]
  const troubles = { c: { from: now - 4 * HOUR, answered: 0.1 } }
  const spans = [...spansFor(now).toReversed(), daysBefore(now)].sort((a, b) => a.from - b.from)
  const found = await anomaliesAt(seriesOf(simulate(traffic, spans, 3, troubles)), now, 0)
  expect(found).toMatchObject({ anomalies: [{ id: 'c', measure: 'answered' }], judged: 2 })
})

it('raises at most one false alarm in a week of normal traffic', () => {
  const traffic = [
    carrier('a', 400, { unrest: 0.2 }),
    carrier('b', 150, { answered: 0.6, seconds_to_answer: 9, seconds: 60 }),
    carrier('c', 40, { answered: 0.95 }),
  ]
  const end = START + 5 * WEEK
  const counts = simulate(traffic, [{ from: START, to: end }], 11)
  const alarms: string[] = []
  for (const series of seriesOf(counts)) {
    const follower = new Follower(series, START, limitFor(traffic.length))
    let open = new Set<string>()
    for (let at = end - WEEK + 3 * HOUR; at <= end; at += STEP_MS) {
      const found = follower.look(at)
      for (const one of found) if (!open.has(one.measure)) alarms.push(JSON.stringify(one))
      open = new Set(found.map((f) => f.measure))
    }
  }
  expect(alarms.length, alarms.join('\n')).toBeLessThanOrEqual(1)
})

const lookAt = async (now: number, trouble: Trouble, since = 0, unrest = 0.1) => {
  const traffic = [carrier('c', 400, { unrest })]
  const counts = simulate(traffic, spansFor(now).toReversed(), 3, { c: trouble })
  return (await anomaliesAt(seriesOf(counts), now, since)).anomalies
}

it('keeps a finding while it lasts, with its begin, and drops it soon after', async () => {
  const now = TUESDAY_MORNING
  const lasting = await lookAt(now, { from: now - 2 * HOUR, answered: 0.3 })
  const finding = lasting.find((a) => a.measure === 'answered')!
  expect(finding.value).toBeLessThan(0.45)
  expect(finding.usual).toBeGreaterThan(0.75)
  expect(finding.to).toBe(now)
  expect(finding.since).toBeGreaterThan(now - 2.3 * HOUR)
  expect(finding.since).toBeLessThan(now - 1.5 * HOUR)
  const over = { from: now - 2 * HOUR, to: now - 45 * MINUTE, answered: 0.3 }
  expect(await lookAt(now, over)).toEqual([])
})

it('is not blinded by an outage at the same hour of another week', async () => {
  const now = TUESDAY_MORNING
  const traffic = [carrier('c', 400, { unrest: 0.1 })]
  const [present, ...weeks] = spansFor(now)
  const lastWeek = { from: now - WEEK - 30 * MINUTE, to: now - WEEK + 30 * MINUTE, answered: 0 }
  const before = simulate(traffic, weeks.toReversed(), 5, { c: lastWeek })
  const dead = { from: now - 12 * MINUTE, answered: 0 }
  const { anomalies: found } = await anomaliesAt(
    seriesOf([...before, ...simulate(traffic, [present!], 6, { c: dead })]),
    now,
    0,
  )
  expect(found).toMatchObject([{ id: 'c', measure: 'answered' }])
  expect(found[0]!.usual).toBeGreaterThan(0.75)
})

it('tells nothing of what is new, small, or without records', async () => {
  const now = TUESDAY_MORNING
  const trouble = { from: now - HOUR, answered: 0 }
  expect(await lookAt(now, trouble, now - 6 * DAY)).toEqual([])
  const small = simulate([carrier('c', 4)], spansFor(now).toReversed(), 3, { c: trouble })
  const ofSmall = { kind: 'carrier', id: 'c', direction: 'inbound' }
  expect(await anomaliesAt(seriesOf(small), now, 0)).toEqual({
    anomalies: [],
    judged: 0,
    unjudged: [{ ...ofSmall, reason: 'too_little_history' }],
    subjects: [ofSmall],
  })
  const tiny = simulate([carrier('c', 1)], spansFor(now).toReversed(), 3, { c: trouble })
  expect((await anomaliesAt(seriesOf(tiny), now, 0)).unjudged).toEqual([
    { ...ofSmall, reason: 'too_few_calls' },
  ])
  // no calls before: all of it is new
  const fresh = simulate([carrier('c', 400)], [spansFor(now)[0]!], 3, { c: trouble })
  expect(await anomaliesAt(seriesOf(fresh), now, 0)).toEqual({
    anomalies: [],
    judged: 0,
    unjudged: [{ ...ofSmall, reason: 'too_little_history' }],
    subjects: [ofSmall],
  })
})

it('reads a past window as it was then, without calls that ended later', () => {
  const slice = (at: number, slices_to_end: number, calls: number) => ({
    kind: 'carrier' as const,
    id: 'c',
    direction: null,
    at,
    slices_to_end,
    ...noSums(),
    calls,
  })
  const end = 100 * STEP_MS
  const [series] = seriesOf([
    slice(end - STEP_MS, 0, 1),
    slice(end - STEP_MS, 1, 10),
    slice(end - 3 * STEP_MS, 2, 100),
    slice(end - 3 * STEP_MS, 3, 1_000),
    slice(end, 0, 10_000),
  ])
  expect(series!.window(end, 3).calls).toBe(101)
  expect(series!.window(end + STEP_MS, 3).calls).toBe(10_011)
})

it('computes tails of distributions', () => {
  // binomial with p = 1/2, as the limit of a beta-binomial
  expect(atLeastOf(8, 10, 5e7, 5e7)).toBeCloseTo(56 / 1024, 6)
  // uniform
  expect(atLeastOf(3, 9, 1, 1)).toBeCloseTo(0.7, 10)
  // Poisson, as the limit of a negative binomial
  expect(atMost(2, 5, 1e-7)).toBeCloseTo(0.124652, 5)
  expect(atLeast(10, 5, 1e-7)).toBeCloseTo(0.031828, 5)
  // geometric
  expect(atMost(0, 3, 1)).toBeCloseTo(0.25, 10)
  expect(atLeast(2, 1, 1)).toBeCloseTo(0.25, 10)
  expect(above(1.96, 1e6)).toBeCloseTo(0.025, 4)
  expect(above(2.228, 10)).toBeCloseTo(0.025, 3)
  expect(above(-1, 10)).toBe(1)
})

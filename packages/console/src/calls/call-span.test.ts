import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserTimeZone, chosenTimeZone, showTimeZone } from '../ui/time-zone'
import { endsBefore, endsOf, hoursOfWeek, partOf, spanQuery } from './call-span'

const HOUR = 3_600_000
const now = new Date(2026, 5, 17, 14, 25, 30).getTime()
const iso = (ms: number) => new Date(ms).toISOString()
const local = (...at: [number, number, number, number?]) => new Date(...at).toISOString()

it.each(['today', 'yesterday', '7', '14', '30'] as const)(
  'compares %s with what ends before',
  (date) => {
    const ends = endsOf(date, now)
    expect(endsBefore(date, ends).end).toBeLessThan(ends.start)
  },
)

describe('where the clocks change', () => {
  const shown = chosenTimeZone() ?? browserTimeZone()
  beforeAll(() => showTimeZone('Europe/Berlin'))
  afterAll(() => showTimeZone(shown))

  it.each([
    // from and until, in hours of UTC: days of 24, 23 and 25 hours
    ['yesterday', '2027-03-29T08:00Z', '2027-03-26T23:00', '2027-03-27T23:00'],
    ['yesterday', '2027-03-30T08:00Z', '2027-03-27T23:00', '2027-03-28T22:00'],
    ['yesterday', '2026-10-26T08:00Z', '2026-10-23T22:00', '2026-10-24T22:00'],
    ['yesterday', '2026-10-27T08:00Z', '2026-10-24T22:00', '2026-10-25T23:00'],
    // today up to nine o’clock, and the hours of the day before that have passed by then
    ['today', '2027-03-29T07:00Z', '2027-03-27T23:00', '2027-03-28T08:00'],
    ['today', '2026-10-26T08:00Z', '2026-10-24T22:00', '2026-10-25T07:00'],
    ['today', '2026-10-25T22:30Z', '2026-10-23T22:00', '2026-10-24T22:00'],
  ] as const)('compares %s at %s with the day before', (date, at, start, until) => {
    const ends = endsOf(date, Date.parse(at))
    const before = endsBefore(date, ends)
    const isWhole = date === 'yesterday' || before.end === ends.start - 1
    expect({ start: iso(before.start), until: iso(before.end + (isWhole ? 1 : 0)) }).toEqual({
      start: `${start}:00.000Z`,
      until: `${until}:00.000Z`,
    })
  })
})

it('starts days in the local time zone', () => {
  expect(spanQuery('today', now)).toEqual({ start: local(2026, 5, 17) })
  expect(spanQuery('yesterday', now)).toEqual({
    start: local(2026, 5, 16),
    end: new Date(new Date(2026, 5, 17).getTime() - 1).toISOString(),
  })
})

it.each(['today', '7', '14', '30'] as const)('begins %s where the dashboard does', (date) => {
  const start = new Date(endsOf(date, now).start).toISOString()
  expect(spanQuery(date, now)).toEqual({ start })
})

it('finds each hour of the week in seven days, the current one in two parts', () => {
  const ends = endsOf('7', now)
  const parts = Array.from({ length: 168 }, (_, hour) => hoursOfWeek(ends, hour))
  expect(parts.filter((p) => p.length === 1)).toHaveLength(167)
  const lengths = parts.flat().map((p) => p.end - p.start + 1)
  expect(lengths.reduce((a, b) => a + b)).toBe(ends.end - ends.start + 1)
})

it('finds each hour twice in fourteen days, and only some in one', () => {
  expect(hoursOfWeek(endsOf('14', now), 5)).toHaveLength(2)
  const today = endsOf('today', now)
  const found = Array.from({ length: 168 }, (_, h) => hoursOfWeek(today, h)).filter((p) => p.length)
  expect(found).toHaveLength(15)
})

it('clips a part to its span', () => {
  const ends = { start: 10, end: 5 * HOUR }
  expect(partOf(ends, 0, HOUR)).toEqual({ start: 10, end: HOUR - 1 })
  expect(partOf(ends, 5 * HOUR - 5, HOUR)).toEqual({ start: 5 * HOUR - 5, end: 5 * HOUR })
})

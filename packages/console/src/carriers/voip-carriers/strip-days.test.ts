import { afterAll, beforeEach, expect, it } from 'vitest'
import { browserTimeZone, chosenTimeZone, showTimeZone } from '../../ui/time-zone'
import { stripDays } from './strip-days'

const HOUR = 3_600_000
const shown = chosenTimeZone() ?? browserTimeZone()
beforeEach(() => showTimeZone('UTC'))
afterAll(() => showTimeZone(shown))

it('divides hours into whole UTC days, up to the current hour', () => {
  const calls = Array<number>(720).fill(0)
  const answered = Array<number>(720).fill(0)
  calls[719] = 200
  answered[719] = 50
  const days = stripDays({ start: '2026-10-25T15:00:00.000Z', calls, answered })
  expect(days).toHaveLength(30)
  expect(days.at(-1)!.hours).toHaveLength(24)
  expect(new Date(days.at(-1)!.hours[0]!.start).toISOString()).toBe('2026-10-26T00:00:00.000Z')
  const last = days[0]!.hours
  expect(last).toHaveLength(15)
  expect(last.at(-1)).toMatchObject({ calls: 200, level: 4 })
  expect(last.at(-1)!.end - last.at(-1)!.start).toBe(HOUR - 1)
  expect(last.at(-1)!.text).toContain('14:00 to 15:00 UTC: 200 calls, 50 answered (25 %)')
  expect(last[0]).toMatchObject({ level: 0 })
  expect(last[0]!.text).toContain('no calls')
})

it('shades an hour by the share of answered calls', () => {
  const levels = (calls: number, answered: number) =>
    stripDays({ start: '2026-10-26T00:00:00.000Z', calls: [calls], answered: [answered] })[0]!
      .hours[0]!.level
  expect([levels(10, 10), levels(10, 8), levels(10, 7), levels(10, 1), levels(10, 0)]).toEqual([
    1, 1, 2, 5, 5,
  ])
})

it.each([
  ['Europe/Berlin', '2026-10-25T15:00Z', '2026-10-25T23:00Z'],
  // its days begin half an hour before an hour of UTC
  ['Asia/Kolkata', '2026-10-25T15:00Z', '2026-10-25T19:00Z'],
  ['America/St_Johns', '2026-10-25T15:00Z', '2026-10-26T03:00Z'],
])('divides them by the clock of %s', (zone, start, first) => {
  showTimeZone(zone)
  const zeros = Array<number>(720).fill(0)
  const days = stripDays({ start, calls: zeros, answered: zeros })
  expect(days.at(-1)!.hours[0]!.start).toBe(Date.parse(first))
  expect(days.at(-1)!.hours).toHaveLength(24)
})

it.each([
  ['2026-10-24T22:00Z', 25],
  ['2027-03-27T23:00Z', 23],
])('shows a day of Berlin from %s with its %i hours', (start, hours) => {
  showTimeZone('Europe/Berlin')
  const zeros = Array<number>(48).fill(0)
  const days = stripDays({ start, calls: zeros, answered: zeros })
  expect(days.at(-1)!.hours).toHaveLength(hours)
})

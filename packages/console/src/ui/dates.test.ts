import { expect, it } from 'vitest'
import {
  agoText,
  clockText,
  dayText,
  fineTimeText,
  readTime,
  timeText,
  zonedText,
  zoneText,
} from './dates'

const at = new Date(2026, 10, 22, 13, 1, 58, 250)

it('formats dates, times, and both', () => {
  expect(dayText(at)).toBe('Nov 22, 2026')
  expect(clockText(at)).toBe('13:01:58')
  expect(timeText(at)).toBe('Nov 22, 2026, 13:01:58')
  expect(fineTimeText(at)).toBe('Nov 22, 2026, 13:01:58.250')
})

it('formats dates and times with a fixed width, so that columns align', () => {
  expect(timeText(new Date(2026, 0, 5, 9, 5, 1))).toBe('Jan 05, 2026, 09:05:01')
  expect(timeText(new Date(2026, 0, 5))).toBe('Jan 05, 2026, 00:00:00')
})

it('adds the time zone to a date outside a list', () => {
  expect(zonedText(at)).toBe(`Nov 22, 2026, 13:01:58 ${zoneText()}`)
  expect(zoneText()).toMatch(/^[A-Z]/)
})

it('accepts strings, milliseconds and Dates', () => {
  expect(timeText(at.toISOString())).toBe(timeText(at))
  expect(timeText(at.getTime())).toBe(timeText(at))
})

it.each(['2026-11-22 13:01:58', '2026-11-22T13:01:58', '2026-11-22T13:01:58Z'])(
  'parses %s as UTC',
  (text) => expect(readTime(text).toISOString()).toBe('2026-11-22T13:01:58.000Z'),
)

it('respects an offset', () => {
  expect(readTime('2026-11-22T13:01:58+02:00').toISOString()).toBe('2026-11-22T11:01:58.000Z')
})

it.each([
  [-59, 'just now'],
  [-60, '1 minute ago'],
  [5 * 60, 'in 5 minutes'],
  [-23 * 3_600, '23 hours ago'],
  [-86_400, 'yesterday'],
  [-7 * 86_400, '7 days ago'],
  [-30 * 86_400, 'last month'],
  [90 * 86_400, 'in 3 months'],
  [-360 * 86_400, 'last year'],
  [-5 * 360 * 86_400, '5 years ago'],
])('says of %i seconds from now: %s', (seconds, text) => {
  const now = Date.UTC(2026, 10, 22)
  expect(agoText(new Date(now + seconds * 1_000), now)).toBe(text)
})

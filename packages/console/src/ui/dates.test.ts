import { expect, it } from 'vitest'
import {
  agoText,
  clockText,
  dayText,
  fineTimeText,
  readTime,
  timeText,
  utcDayText,
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

it('formats a UTC day without shifting it', () => {
  expect(utcDayText('2026-11-22')).toBe('Nov 22, 2026')
  expect(utcDayText('2026-11-22T00:00:00.000Z')).toBe('Nov 22, 2026')
})

it('says how long ago a time was as browsers say it in English', () => {
  const now = Date.UTC(2026, 10, 22)
  const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
  const HOUR = 3_600_000
  const units = { minute: HOUR / 60, hour: HOUR, day: 24 * HOUR }
  for (const [unit, ms] of Object.entries(units))
    for (const n of [-23, -5, -2, -1, 1, 2, 7, 23])
      expect(agoText(new Date(now + n * ms), now)).toBe(
        relative.format(n, unit as keyof typeof units),
      )
  const month = 30 * units.day
  expect(agoText(new Date(now - month), now)).toBe(relative.format(-1, 'month'))
  expect(agoText(new Date(now + 3 * month), now)).toBe(relative.format(3, 'month'))
  expect(agoText(new Date(now - 12 * month), now)).toBe(relative.format(-1, 'year'))
  expect(agoText(new Date(now + 12 * month), now)).toBe(relative.format(1, 'year'))
  expect(agoText(new Date(now - 60 * month), now)).toBe(relative.format(-5, 'year'))
  expect(agoText(new Date(now - 59_000), now)).toBe('just now')
})

it('formats every month as browsers do in English', () => {
  const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: '2-digit', year: 'numeric' })
  for (let month = 0; month < 12; month++) {
    const first = new Date(2026, month, 1)
    expect(dayText(first)).toBe(day.format(first))
  }
})

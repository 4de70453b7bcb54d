import { expect, it } from 'vitest'
import {
  clockText,
  dayText,
  fineTimeText,
  readTime,
  timeText,
  utcDayText,
  ZONE,
  zonedText,
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
  expect(zonedText(at)).toBe(`Nov 22, 2026, 13:01:58 ${ZONE}`)
  expect(ZONE).toMatch(/^[A-Z]/)
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

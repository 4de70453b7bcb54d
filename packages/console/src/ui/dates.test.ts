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

it('writes a day, a time of day, and both', () => {
  expect(dayText(at)).toBe('Nov 22, 2026')
  expect(clockText(at)).toBe('13:01:58')
  expect(timeText(at)).toBe('Nov 22, 2026, 13:01:58')
  expect(fineTimeText(at)).toBe('Nov 22, 2026, 13:01:58.250')
})

it('writes days and times of day equally long, so that they stand in columns', () => {
  expect(timeText(new Date(2026, 0, 5, 9, 5, 1))).toBe('Jan 05, 2026, 09:05:01')
  expect(timeText(new Date(2026, 0, 5))).toBe('Jan 05, 2026, 00:00:00')
})

it('says the zone after a date that stands alone', () => {
  expect(zonedText(at)).toBe(`Nov 22, 2026, 13:01:58 ${ZONE}`)
  expect(ZONE).toMatch(/^[A-Z]/)
})

it('takes a time in text, in milliseconds or as a date', () => {
  expect(timeText(at.toISOString())).toBe(timeText(at))
  expect(timeText(at.getTime())).toBe(timeText(at))
})

it.each(['2026-11-22 13:01:58', '2026-11-22T13:01:58', '2026-11-22T13:01:58Z'])(
  'reads %s as UTC',
  (text) => expect(readTime(text).toISOString()).toBe('2026-11-22T13:01:58.000Z'),
)

it('reads a time with an offset as it is', () => {
  expect(readTime('2026-11-22T13:01:58+02:00').toISOString()).toBe('2026-11-22T11:01:58.000Z')
})

it('keeps a day that is counted in UTC', () => {
  expect(utcDayText('2026-11-22')).toBe('Nov 22, 2026')
  expect(utcDayText('2026-11-22T00:00:00.000Z')).toBe('Nov 22, 2026')
})

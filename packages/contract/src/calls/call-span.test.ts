import { expect, it } from 'vitest'
import { zoneClock } from '../wire/time-zones.ts'
import {
  dayOf,
  hasPartHours,
  hourOf,
  hourOfWeek,
  hoursOfDay,
  lastDaysFrom,
  startOfDay,
} from './call-span.ts'

const HOUR = 3_600_000
const iso = (ms: number) => new Date(ms).toISOString()

it.each([
  ['UTC', '2026-11-22T13:00:00Z', '2026-11-22T00:00:00.000Z'],
  ['Europe/Berlin', '2026-11-22T23:30:00Z', '2026-11-22T23:00:00.000Z'],
  ['Asia/Kolkata', '2026-11-22T13:00:00Z', '2026-11-21T18:30:00.000Z'],
  // the day on which the clock goes back
  ['Europe/Berlin', '2026-10-25T20:00:00Z', '2026-10-24T22:00:00.000Z'],
  ['America/New_York', '2026-03-08T20:00:00Z', '2026-03-08T05:00:00.000Z'],
  // a day with two midnights, seen from both of its first hours and from its evening
  ['Atlantic/Azores', '2026-10-25T00:30:00Z', '2026-10-25T00:00:00.000Z'],
  ['Atlantic/Azores', '2026-10-25T01:30:00Z', '2026-10-25T00:00:00.000Z'],
  ['Atlantic/Azores', '2026-10-25T20:00:00Z', '2026-10-25T00:00:00.000Z'],
  // a day without midnight, and the one before
  ['Atlantic/Azores', '2027-03-28T20:00:00Z', '2027-03-28T01:00:00.000Z'],
  ['Atlantic/Azores', '2027-03-28T00:30:00Z', '2027-03-27T01:00:00.000Z'],
])('knows when the day begins in %s at %s', (zone, at, begin) => {
  expect(iso(startOfDay(zoneClock(zone), Date.parse(at)))).toBe(begin)
})

it.each([7, 14, 30])(
  'begins the last %i days as many times 24 hours ago, to the minute',
  (days) => {
    const now = Date.parse('2026-11-22T13:01:58.999Z')
    const minute = Date.parse('2026-11-22T13:01:00Z')
    expect(lastDaysFrom(days, now)).toBe(minute - days * 24 * HOUR)
  },
)

it('counts days of 23 and 25 hours', () => {
  const clock = zoneClock('Europe/Berlin')
  const long = hoursOfDay(clock, Date.parse('2026-10-25T10:00:00Z'))
  expect((long[1] - long[0]) / HOUR).toBe(25)
  const short = hoursOfDay(clock, Date.parse('2026-03-29T10:00:00Z'))
  expect((short[1] - short[0]) / HOUR).toBe(23)
})

it('begins the days of half-hour zones at a full hour of UTC, and leaves none out', () => {
  const clock = zoneClock('Asia/Kolkata')
  const [from, to] = hoursOfDay(clock, Date.parse('2026-11-22T10:00:00Z'))
  expect(iso(from)).toBe('2026-11-21T19:00:00.000Z')
  expect(hoursOfDay(clock, to)[0]).toBe(to)
})

it.each([
  ['Asia/Kolkata', '2026-11-22T18:29:00Z', '2026-11-22T17:30:00Z', '2026-11-21T18:30:00Z', 24],
  ['Asia/Kolkata', '2026-11-22T18:30:00Z', '2026-11-22T18:30:00Z', '2026-11-22T18:30:00Z', 24],
  ['Asia/Kathmandu', '2026-11-22T18:20:00Z', '2026-11-22T18:15:00Z', '2026-11-22T18:15:00Z', 24],
  ['America/St_Johns', '2026-11-22T03:29:59Z', '2026-11-22T02:30:00Z', '2026-11-21T03:30:00Z', 24],
  // its clocks go forward, and back
  ['America/St_Johns', '2026-03-08T12:00:00Z', '2026-03-08T11:30:00Z', '2026-03-08T03:30:00Z', 23],
  ['America/St_Johns', '2026-11-01T12:00:00Z', '2026-11-01T11:30:00Z', '2026-11-01T02:30:00Z', 25],
  // half an hour of summer
  [
    'Australia/Lord_Howe',
    '2026-04-04T20:00:00Z',
    '2026-04-04T19:30:00Z',
    '2026-04-04T13:00:00Z',
    24.5,
  ],
  // a day that begins at one o’clock
  ['Africa/Cairo', '2026-04-24T12:00:00Z', '2026-04-24T12:00:00Z', '2026-04-23T22:00:00Z', 23],
  ['UTC', '2026-11-22T13:29:00Z', '2026-11-22T13:00:00Z', '2026-11-22T00:00:00Z', 24],
])('knows the hour and the day in %s of %s', (zone, at, hour, day, hours) => {
  const clock = zoneClock(zone)
  const [from, to] = dayOf(clock, Date.parse(at))
  expect([from, (to - from) / HOUR]).toEqual([Date.parse(day), hours])
  expect(hourOf(clock, Date.parse(at))).toEqual([Date.parse(hour), Date.parse(hour) + HOUR])
  expect(dayOf(clock, to)[0]).toBe(to)
})

it.each([
  ['UTC', false],
  ['Europe/Berlin', false],
  ['Asia/Kolkata', true],
  ['America/St_Johns', true],
  // in summer only
  ['Australia/Lord_Howe', true],
])('knows whether hours begin within hours of UTC in %s', (zone, has) => {
  const [from, to] = [Date.parse('2026-01-01T00:00:00Z'), Date.parse('2026-12-31T00:00:00Z')]
  expect(hasPartHours(zoneClock(zone), { from, to })).toBe(has)
})

it('counts hours of the week from Monday by the clock', () => {
  // a Sunday evening in UTC is a Monday morning in Tokyo
  const at = Date.parse('2026-11-22T15:00:00Z')
  expect(hourOfWeek(zoneClock('UTC'), at)).toBe(6 * 24 + 15)
  expect(hourOfWeek(zoneClock('Asia/Tokyo'), at)).toBe(0)
})

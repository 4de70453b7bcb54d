import { expect, it } from 'vitest'
import { isTimeZone, momentAt, zoneClock } from './time-zones.ts'

it('knows which zones exist', () => {
  expect(isTimeZone('Europe/Berlin')).toBe(true)
  expect(isTimeZone('Mars/Olympus')).toBe(false)
})

it.each([
  ['UTC', '2026-10-25T02:30', '2026-10-25T02:30Z'],
  ['Asia/Kolkata', '2026-10-25T02:30', '2026-10-24T21:00Z'],
  ['Pacific/Apia', '2027-01-31T00:00', '2027-01-30T11:00Z'],
  // a month whose last day has another offset than its first
  ['Europe/Berlin', '2027-03-01T00:00', '2027-02-28T23:00Z'],
  ['Europe/Berlin', '2027-04-01T00:00', '2027-03-31T22:00Z'],
  // hours after a change
  ['Europe/Berlin', '2026-10-25T12:00', '2026-10-25T11:00Z'],
  ['Europe/Berlin', '2027-03-29T00:00', '2027-03-28T22:00Z'],
  // shown twice: the first time
  ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30Z'],
  ['America/New_York', '2026-11-01T01:00', '2026-11-01T05:00Z'],
  ['Atlantic/Azores', '2026-10-25T00:00', '2026-10-25T00:00Z'],
  ['America/Havana', '2026-11-01T00:00', '2026-11-01T04:00Z'],
  ['Australia/Lord_Howe', '2027-04-04T01:45', '2027-04-03T14:45Z'],
  // never shown: as much later as the clock was put forward
  ['Europe/Berlin', '2027-03-28T02:30', '2027-03-28T01:30Z'],
  ['Atlantic/Azores', '2027-03-28T00:00', '2027-03-28T01:00Z'],
  ['America/St_Johns', '2027-03-14T02:00', '2027-03-14T05:30Z'],
])('knows when a clock in %s shows %s', (zone, local, moment) => {
  const at = momentAt(zoneClock(zone), Date.parse(`${local}Z`))
  expect(new Date(at).toISOString()).toBe(`${moment.slice(0, -1)}:00.000Z`)
})

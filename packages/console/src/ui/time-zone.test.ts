import { afterAll, expect, it } from 'vitest'
import { browserTimeZone, chosenTimeZone, endsOfDay, momentOf, showTimeZone } from './time-zone'

const shown = chosenTimeZone() ?? browserTimeZone()
afterAll(() => showTimeZone(shown))

it.each([
  ['UTC', '2026-12-31', '2026-12-31T00:00:00.000Z', '2026-12-31T23:59:59.999Z'],
  ['America/St_Johns', '2028-02-29', '2028-02-29T03:30:00.000Z', '2028-03-01T03:29:59.999Z'],
  ['Europe/Berlin', '2027-03-28', '2027-03-27T23:00:00.000Z', '2027-03-28T21:59:59.999Z'],
  ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.999Z'],
  // without midnight, with two of them, and with its last hour twice
  ['Atlantic/Azores', '2027-03-28', '2027-03-28T01:00:00.000Z', '2027-03-28T23:59:59.999Z'],
  ['Atlantic/Azores', '2026-10-25', '2026-10-25T00:00:00.000Z', '2026-10-26T00:59:59.999Z'],
  ['America/Santiago', '2027-04-03', '2027-04-03T03:00:00.000Z', '2027-04-04T03:59:59.999Z'],
])('knows both ends of a day in %s: %s', (zone, day, from, to) => {
  showTimeZone(zone)
  expect(endsOfDay(day)).toEqual({ from: new Date(from), to: new Date(to) })
})

it('takes nothing for a time that is none', () => {
  for (const text of ['', '2026-13-01', 'soon']) expect(endsOfDay(text)).toBeUndefined()
  expect(momentOf('2026-02-31T25:00')).toBeUndefined()
})

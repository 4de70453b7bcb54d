import { expect, it } from 'vitest'
import { failurePrefix, prefixText } from './failure-prefix.ts'
import { failureText, isFailureStatus, mendOf } from './failure-text.ts'

it.each([
  ['+493012345678', '+4930', '+49 30'],
  ['493012345678', '+4930', '+49 30'],
  ['00493012345678', '+4930', '+49 30'],
  ['+15085551234', '+1508', '+1 508'],
  ['15085551234', '+1508', '+1 508'],
  ['+7 495 1234567', '+7495', '+7 495'],
  ['+35312345678', '+35312', '+353 12'],
  ['5085551234', '508', '508'],
  ['03012345678', '030', '030'],
  ['112', '112', '112'],
  ['sip:+442079460000@carrier.example;user=phone', '+4420', '+44 20'],
  ['sip:alice@example.com', '', ''],
  ['alice', '', ''],
  ['anonymous', '', ''],
  [null, '', ''],
])('takes the prefix of %s', (number, prefix, text) => {
  expect(failurePrefix(number)).toBe(prefix)
  expect(prefixText(prefix)).toBe(text)
})

it('counts what no person did', () => {
  const statuses = [200, 302, 404, 408, 480, 486, 487, 488, 503, 600, 603, 607, 700]
  expect(statuses.filter(isFailureStatus)).toEqual([302, 404, 408, 488, 503, 607])
})

const cause = {
  direction: 'outbound' as const,
  trunk: 'Northwind Voice',
  sip_status: 503,
  reason: null,
  prefix: '+4930',
}
it.each([
  [{}, 'Northwind Voice answers 503 Service Unavailable to calls to +49 30', 'simulator'],
  [
    { reason: 'Service Unavailable' },
    'Northwind Voice answers 503 Service Unavailable to calls to +49 30',
    'simulator',
  ],
  [
    { sip_status: 500, reason: 'no circuit', prefix: null },
    'Northwind Voice answers 500 Server Internal Error to calls to any number (no circuit)',
    'simulator',
  ],
  [{ sip_status: 408 }, 'Northwind Voice does not respond to calls to +49 30', 'carrier'],
  [{ sip_status: 407 }, /407 Proxy Authentication Required/, 'carrier'],
  [
    { trunk: 'user', sip_status: 404, prefix: '' },
    'SIP clients answer 404 Not Found to calls to SIP addresses',
    'clients',
  ],
  [
    { direction: 'inbound', sip_status: 404 },
    'Calls from Northwind Voice to +49 30 fail with 404 Not Found',
    'numbers',
  ],
  [{ trunk: null, sip_status: 499 }, 'An unknown carrier answers 499 to calls to +49 30', 'call'],
] as const)('says what fails, and what may fix it: %o', (more, text, place) => {
  expect(failureText({ ...cause, ...more })).toEqual(
    typeof text === 'string' ? text : expect.stringMatching(text),
  )
  expect(mendOf({ ...cause, ...more }).place).toBe(place)
})

import { durationText } from '@switchroom/contract'
import { expect, it } from 'vitest'
import { isTraced, outcome } from './call-text'

it.each([
  [true, 200, 'Answered', 'ok'],
  [true, null, 'Answered', 'ok'],
  [false, 486, 'Busy (486)', 'warn'],
  [false, 600, 'Busy (600)', 'warn'],
  [false, 480, 'No answer (480)', 'warn'],
  [false, 408, 'No answer (408)', 'warn'],
  [false, 487, 'Cancelled (487)', 'off'],
  [false, 404, 'Number not found (404)', 'bad'],
  [false, 403, 'Rejected (403)', 'bad'],
  [false, 603, 'Rejected (603)', 'bad'],
  [false, 302, 'Redirected (302)', 'off'],
  [false, 503, 'Failed (503)', 'bad'],
  [false, 400, 'Failed (400)', 'bad'],
  [false, 200, 'Not answered (200)', 'off'],
  [false, 0, 'Not answered (0)', 'off'],
  [false, null, 'Not answered', 'off'],
  [null, null, 'Unknown', 'off'],
  [null, 486, 'Unknown (486)', 'off'],
])('describes answered %s with status %s: %s', (answered, sip_status, word, tone) => {
  expect(outcome({ answered, sip_status })).toEqual({ word, tone })
})

it.each([
  [0, '0:00'],
  [47, '0:47'],
  [59.6, '1:00'],
  [3_599.7, '1:00:00'],
  [3_723, '1:02:03'],
  [null, undefined],
  [-1, undefined],
  [Number.NaN, undefined],
])('formats %s seconds as %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text)
})

it('treats an all-zero trace ID as none', () => {
  expect(isTraced({ trace_id: '0'.repeat(32) })).toBe(false)
  expect(isTraced({ trace_id: null })).toBe(false)
  expect(isTraced({ trace_id: '' })).toBe(false)
  expect(isTraced({ trace_id: '4bf92f3577b34da6a3ce929d0e0e4736' })).toBe(true)
})

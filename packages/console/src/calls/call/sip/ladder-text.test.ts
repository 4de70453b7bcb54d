import type { SipMessage } from '@switchroom/contract'
import { expect, it } from 'vitest'
import { figuresOf, partyText, rowsOf, sinceText, toneOf } from './ladder-text'

const message = (id: number, more: Partial<SipMessage> = {}): SipMessage => ({
  id,
  at: id * 500_000,
  source: 0,
  destination: 1,
  leg: 0,
  label: 'INVITE',
  method: 'INVITE',
  status: null,
  cseq: 1,
  transport: 'udp',
  has_media: false,
  repeats: null,
  reordered: false,
  raw: '',
  ...more,
})

it('groups retransmissions with the first, or shows each', () => {
  const messages = [message(0), message(1, { repeats: 0 }), message(2), message(3, { repeats: 0 })]
  expect(rowsOf(messages, false)).toEqual([
    { message: messages[0], again: 2, lasted: 1_500_000 },
    { message: messages[2], again: 0, lasted: 0 },
  ])
  expect(rowsOf(messages, true).map(({ message: { id } }) => id)).toEqual([0, 1, 2, 3])
})

it('formats times, addresses and figures', () => {
  expect(sinceText(1_000, 1_000)).toBe('+0.000 s')
  expect(sinceText(12_345_678, 0)).toBe('+12.346 s')
  expect(sinceText(3_725_004_000, 0)).toBe('+62:05.004')
  expect(sinceText(0, 5)).toBe('+0.000 s')
  expect(partyText({ address: '192.0.2.1', port: 5060 })).toBe('192.0.2.1:5060')
  expect(partyText({ address: '2001:db8::1', port: 5060 })).toBe('[2001:db8::1]:5060')
  expect(figuresOf({ post_dial_delay: 0, ringing: null, talking: 61_250 })).toEqual([
    { name: 'Post-dial delay', text: '0.0 s' },
    { name: 'Talking', text: '61.3 s' },
  ])
})

it.each([
  [null, 'ask'],
  [180, 'off'],
  [200, 'ok'],
  [302, 'warn'],
  [407, 'warn'],
  [486, 'bad'],
  [603, 'bad'],
])('marks %s as %s', (status, tone) => {
  expect(toneOf(message(0, { status }))).toBe(tone)
})

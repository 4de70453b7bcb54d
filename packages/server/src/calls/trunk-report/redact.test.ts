import { expect, it } from 'vitest'
import { hostPort, shortAddresses, shortUri, shortVia } from './addresses.ts'
import { knownOf, opaqueIds } from './known.ts'
import { redacted } from './redact.ts'
import { shortSdp } from './sdp.ts'
import { shortNumber, shortParty, shortText } from './short.ts'
import { carrierMatcher, trunkOf } from './trunk.ts'

const naming = { hosts: ['sip.north.example'], opaque: (id: string) => id }

it.each([
  ['+15085551234', '+1xxxxxxxx34'],
  ['15085551234', '1xxxxxxxx34'],
  ['+442079460958', '+44xxxxxxxx58'],
  ['+1 (508) 555-1234', '+1xxxxxxxx34'],
  // national numbers, none of whose digits is a country's
  ['5085551234', 'xxxxxxxx34'],
  ['0207 946 0958', 'xxxxxxxxx58'],
  ['0044207946095', 'xxxxxxxxxxx95'],
  ['112', 'xxx'],
  ['+1234', '+xxxx'],
  ['anonymous', 'anonymous'],
  ['jane.roe', 'user'],
  ['jane15085551234', 'user'],
  ['', 'user'],
])('shortens %s to %s', (number, short) => {
  expect(shortNumber(number)).toBe(short)
})

it.each([
  ['sip:+15085551234@pbx.example', '+1xxxxxxxx34'],
  ['%2B15085551234;npdi;rn=+442079460958', '+1xxxxxxxx34'],
  ['jane:secret', 'user'],
])('shortens the party %s to %s', (party, short) => {
  expect(shortParty(party)).toBe(short)
})

it.each([
  [
    'sip:+15085551234:secret@203.0.113.7:5060;user=phone',
    'sip:+1xxxxxxxx34@203.0.113.7:5060;user=phone',
  ],
  [
    'sips:jane@[2001:db8::1]:5061;transport=tls;lr',
    'sips:user@[2001:db8::1]:5061;transport=tls;lr',
  ],
  ['sip:a@b@tenant.example', 'sip:user@hidden.invalid'],
  ['sip:user;x=jane@edge.sip.north.example', 'sip:user@edge.sip.north.example'],
  ['sip:evilsip.north.example', 'sip:hidden.invalid'],
  ['sip:x@203.0.113.7;transport=jane;user=jane;tgrp=jane', 'sip:user@203.0.113.7'],
  ['sip:x@203.0.113.7?Replaces=jane', 'sip:user@203.0.113.7'],
  ['tel:+15085551234;phone-context=jane', 'tel:+1xxxxxxxx34'],
  ['urn:service:sos', undefined],
  ['http://jane', undefined],
  ['sip:x@', undefined],
])('shortens the URI %s', (uri, short) => {
  expect(shortUri(uri, naming)).toBe(short)
})

it.each([
  [
    '"Jane <sip:jane@x>" <sip:+15085551234@203.0.113.7>;tag=a',
    '<sip:+1xxxxxxxx34@203.0.113.7>;tag=a',
  ],
  ['Jane Roe <sip:1@203.0.113.7>;x=jane', '<sip:x@203.0.113.7>'],
  ['sip:15085551234@203.0.113.7;tag=b', '<sip:1xxxxxxxx34@203.0.113.7>;tag=b'],
  [
    '"a, b" <sip:1@203.0.113.7>, <tel:+15085551234>;reason="jane"',
    '<sip:x@203.0.113.7>, <tel:+1xxxxxxxx34>',
  ],
  ['"Jane <sip:1@203.0.113.7>', '<sip:x@203.0.113.7>'],
  ['"Jane\\" <sip:2@x>" <sip:1@203.0.113.7>', '<sip:x@203.0.113.7>'],
  ['*', '*'],
  ['jane', undefined],
])('shortens the addresses %s', (header, short) => {
  expect(shortAddresses(header, naming)).toBe(short)
})

it('shortens hosts and hops', () => {
  expect(hostPort('tenant.example:5060', naming)).toBe('hidden.invalid:5060')
  expect(hostPort('203.0.113.7 jane', naming)).toBeUndefined()
  expect(
    shortVia(
      'SIP/2.0/UDP 203.0.113.7:5060;branch=z9hG4bKa;rport=1;x=jane, SIP/2.0/TCP jane',
      naming,
    ),
  ).toBe('SIP/2.0/UDP 203.0.113.7:5060;branch=z9hG4bKa;rport=1, SIP/2.0/TCP hidden.invalid')
  expect(shortVia('jane', naming)).toBeUndefined()
})

it('shortens sentences', () => {
  const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e'
  expect(shortText(`Call 1-508-555-1234 or jane@x, ${uuid}; cause 17`)).toBe(
    'Call 1xxxxxxxx34 or user@hidden hidden; cause 17',
  )
})

it('leaves bodies out that are no session description', () => {
  const message = (type: string) =>
    `INFO sip:1@203.0.113.7 SIP/2.0\r\nContent-Type: ${type}\r\nContent-Length: 8\r\n\r\nSignal=5`
  const shown = (type: string) => redacted(message(type), { ...naming, isCarrier: true })
  expect(shown('application/dtmf-relay')).toBe(
    'INFO sip:x@203.0.113.7 SIP/2.0\r\n(1 header not shown)\r\n\r\n(body not shown)',
  )
  expect(shown('application/sdp')).not.toContain('Signal')
  expect(shortSdp('v=0\nu=jane\na=candidate:1 1 UDP 1 10.0.0.1 1 typ host\na=fmtp:96 jane')).toBe(
    'v=0',
  )
  expect(redacted('\r\n\r\n', { ...naming, isCarrier: true })).toBeUndefined()
})

it('keeps ids by which a call is found, unless they tell who called', () => {
  const known = knownOf({ from: '15085551234', to: null, sids: ['0f8fad5b-d9cb'] }, [
    'INVITE sip:1@203.0.113.7 SIP/2.0\r\nTo: <sip:+442079460958@10.11.12.13>\r\n\r\n',
  ])
  const opaque = opaqueIds(known, naming.hosts)
  expect(opaque('1a2b-99@203.0.113.7')).toBe('1a2b-99@203.0.113.7')
  expect(opaque('1a2b@tenant.example')).toBe('1a2b@hidden.invalid')
  for (const id of ['508-555-1234', 'a.79.46.09.58', 'x0F8FAD5B-D9CBx', 'a b'])
    expect(opaque(id), id).toMatch(/^hidden-[\da-f]{12}$/)
  // the same within a report, and not to be compared with guesses
  expect(opaque('508-555-1234')).toBe(opaque('508-555-1234'))
  expect(opaqueIds(known, [])('508-555-1234')).not.toBe(opaque('508-555-1234'))
  expect(known.removed('tag=0085551234, 101112130')).toBe('tag=xxxxxxxx34, 101112130')
})

it('tells the carrier’s end by its gateways', () => {
  const trunk = trunkOf({ register_sip_realm: null }, [
    { ipv4: '203.0.113.8', netmask: 29 },
    { ipv4: '2001:db8::1', netmask: 32 },
  ])
  const isCarriers = carrierMatcher(trunk, { remote_host: '198.51.100.9' })
  const of = (address: string) => isCarriers({ address, port: 5060 })
  expect(
    ['203.0.113.9', '203.0.113.16', '::ffff:203.0.113.9', '2001:db8::1', '2001:db8::2'].map(of),
  ).toEqual([true, false, true, true, false])
  // the record's address counts only for names
  expect(of('198.51.100.9')).toBe(false)
  const named = trunkOf({ register_sip_realm: 'North.Example' }, [
    { ipv4: 'sip.north.example', netmask: 32 },
  ])
  expect(named.hosts).toEqual(['sip.north.example', 'north.example'])
  expect(
    carrierMatcher(named, { remote_host: '198.51.100.9:5060' })({
      address: '198.51.100.9',
      port: 1,
    }),
  ).toBe(true)
})

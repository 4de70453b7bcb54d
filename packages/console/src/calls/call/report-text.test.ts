import type { Call, Conversation, SipLadder } from '@switchroom/contract'
import { describe, expect, it } from 'vitest'
import * as fixtures from '../../conversations/compare/conversation-fixtures'
import { masked, reportText } from './report-text'

const call: Call = {
  account_sid: 'acc-1',
  service_provider_sid: 'sp-1',
  call_sid: 'call-1',
  application_sid: null,
  from: '15085551000',
  to: '15085552000',
  sip_callid: 'abc@pbx',
  sip_parent_callid: null,
  answered: true,
  sip_status: 200,
  duration: 12,
  attempted_at: '2026-11-01T10:00:00.000Z',
  answered_at: '2026-11-01T10:00:01.000Z',
  terminated_at: '2026-11-01T10:00:13.000Z',
  termination_reason: null,
  host: '192.0.2.1',
  remote_host: '198.51.100.7',
  direction: 'inbound',
  trunk: 'North_1',
  trace_id: 'a'.repeat(32),
  recording_url: null,
}

const heard = fixtures.heard(null, {
  at: 4_000,
  from: 1_000,
  outcome: 'digits',
  digits: '4*11',
  vendor: 'google',
  ended_by: 'key',
  response: fixtures.response(
    [
      { part: 'webhook', ms: 1_200 },
      { part: 'voice', ms: 300 },
    ],
    { since: 'key', began: 4_000 },
  ),
})
const said = fixtures.said('Your <b>code* is', { at: 5_500, end: 7_000, is_cut: true })
const conversation: Conversation = {
  ...fixtures.conversation([]),
  answered: 1_000,
  ended: 13_000,
  hung_up_by: 'caller',
  entries: [
    heard,
    { ...heard, digits: null, transcript: 'it is 4111 1111-1111 1111, mail a.b@example.com' },
    said,
    { ...said, text: null, url: 'https://u:secret-1@example.com/a.mp3?key=secret-2' },
    {
      kind: 'event',
      at: 13_000,
      end: null,
      tone: 'info',
      text: 'Called “15550001”. Nobody answered within 9.0 s.',
    },
  ],
  findings: [
    { tone: 'warn', text: 'The webhook took 2.1 s at 0:03.', entry: 0 },
    {
      tone: 'bad',
      text: 'Speech recognition failed at 0:03. The vendor reported “no quota for 4711”.',
      entry: 1,
    },
    { tone: 'warn', text: 'Called “15550001”. Nobody answered within 9.0 s.', entry: 4 },
  ],
  slowest: 0,
  median_ms: 1_500,
}
const ladder = {
  parties: [
    { address: '192.0.2.1', port: 5060 },
    { address: '198.51.100.7', port: 5060 },
  ],
  legs: [{ call_id: 'abc@pbx', parent: null }],
  messages: [
    { at: 1_000_000, source: 0, destination: 1, label: 'INVITE', raw: 'secret-3' },
    { at: 1_250_000, source: 1, destination: 0, label: '200 OK', raw: 'secret-3' },
  ],
  figures: { post_dial_delay: null, ringing: null, talking: null },
  ending: null,
  diagnosis: [{ tone: 'ok', text: 'The call was answered.', message: 0 }],
  cut: false,
} as unknown as SipLadder

describe('a bug report', () => {
  const format = (number: string) => `+${number}`
  const text = reportText({ call, format, conversation, ladder, notes: [] })

  it('tells the call, its ids, findings, conversation and SIP', () => {
    expect(text.split('\n')).toEqual([
      '# +15085551000 → +15085552000',
      '',
      'Inbound from +15085551000 to +15085552000, answered after 1.0 s, ended by the caller after 0:12.',
      '',
      '- Call SID: call-1',
      '- SIP Call-ID: abc@pbx',
      `- Trace: ${'a'.repeat(32)}`,
      '- Account: acc-1',
      '- Carrier: North\\_1',
      '- Host: 192.0.2.1',
      '- Remote host: 198.51.100.7',
      '- Attempted: 2026-11-01T10:00:00.000Z',
      '- Answered at: 2026-11-01T10:00:01.000Z',
      '- Ended: 2026-11-01T10:00:13.000Z',
      '- SIP status: 200 OK',
      '',
      '## Findings',
      '',
      '- The webhook took 2.1 s at 0:03.',
      '- Speech recognition failed at 0:03. The vendor reported “no quota for ••••”.',
      '- Called “15550001”. Nobody answered within 9.0 s.',
      '- The call was answered.',
      '',
      '## Conversation',
      '',
      '- 0:03 **Caller**: •••• (Google, Ended by the finish key)',
      '  - Webhook 1.20 s · Voice 300 ms',
      '- 0:03 **Caller**: it is •••• ••••-•••• ••••, mail •••@••• (Google, Ended by the finish key)',
      '  - Webhook 1.20 s · Voice 300 ms',
      '- 0:05 **Application**: Your \\<b\\>code\\* is…',
      '- 0:05 **Application**: https://example.com/a.mp3',
      '- 0:12 Called “15550001”. Nobody answered within 9.0 s.',
      '',
      '## SIP',
      '',
      '- +0.000 s 192.0.2.1:5060 → 198.51.100.7:5060 INVITE',
      '- +0.250 s 198.51.100.7:5060 → 192.0.2.1:5060 200 OK',
      '',
    ])
  })

  it('has no secret', () => {
    expect(text).not.toMatch(/secret|4\*11|no quota for 4711|4111[ -]|a\.b@/)
  })

  it('tells what the recording has, masked alike', () => {
    const entries = [
      { ...heard, digits: null, transcript: 'it is', from_recording: 'It is 4711.' },
      { ...said, from_recording: 'Your code is secret 4111 1111.' },
      {
        kind: 'recorded' as const,
        at: 9_000,
        end: 9_500,
        side: 'other' as const,
        text: 'Thanks, a.b@example.com',
      },
    ]
    const lines = reportText({
      call,
      format,
      conversation: { ...conversation, entries },
      ladder: undefined,
      notes: [],
    }).split('\n')
    expect(lines).toContain('  - Heard in the recording: It is ••••.')
    expect(lines).toContain('  - Heard in the recording: Your code is secret •••• ••••.')
    expect(lines).toContain('- 0:08 **Other side**: Thanks, •••@••• (Heard in the recording)')
  })

  it('tells the record alone where there is no more', () => {
    const short = reportText({
      call,
      format,
      conversation: undefined,
      ladder: undefined,
      notes: ['The conversation could not be loaded.'],
    })
    expect(short).toContain('- Call SID: call-1')
    expect(short).toContain('\nThe conversation could not be loaded.\n')
    expect(short).not.toContain('##')
  })

  it('stays short', () => {
    const many = { ...conversation, entries: Array.from({ length: 5_000 }, () => said) }
    const lines = reportText({ call, format, conversation: many, ladder, notes: [] }).split('\n')
    expect(lines).toContain('- and 4,700 more')
    expect(lines.length).toBeLessThan(600)
  })
})

it.each([
  ['call 555 now', 'call 555 now'],
  ['pin 1234', 'pin ••••'],
  ['1 2 3 4', '• • • •'],
  ['jörg.müller+x@bücher.example', '•••@•••'],
])('masks %s', (text, shown) => {
  expect(masked(text)).toBe(shown)
})

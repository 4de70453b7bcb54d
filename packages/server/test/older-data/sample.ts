/**
 * Data that platform components send in the tests of upgrades: the same to every version. Imports nothing, because old
 * versions of the product run it.
 */

export const ACCOUNTS = [
  'aaaaaaaa-0000-4000-8000-000000000001',
  'aaaaaaaa-0000-4000-8000-000000000002',
] as const
export const PROVIDER = 'bbbbbbbb-0000-4000-8000-000000000001'
export const APPLICATION = 'cccccccc-0000-4000-8000-000000000001'
/** UTC days with records. */
export const DAYS = ['2026-11-17', '2026-11-18', '2026-11-19'] as const
const CALLS_A_DAY = 12

export type SampleCall = {
  /** In milliseconds since 1970. */
  at: number
  account_sid: string
  call_sid: string
  sip_callid: string
  trace_id: string
  from: string
  to: string
  trunk: string
  answered: boolean
  direction: 'inbound' | 'outbound'
  duration: number
  sip_status: number
}

const hex = (n: number, length: number) => n.toString(16).padStart(length, '0')

export const CALLS: readonly SampleCall[] = DAYS.flatMap((day, d) =>
  Array.from({ length: CALLS_A_DAY }, (_, i): SampleCall => {
    const answered = i % 3 !== 0
    const n = d * CALLS_A_DAY + i + 1
    return {
      at: Date.parse(`${day}T00:00:00Z`) + i * 7_000_000 + 1_234,
      account_sid: ACCOUNTS[i % 2]!,
      call_sid: `dddddddd-0000-4000-8000-${hex(n, 12)}`,
      sip_callid: `call-${n}@pbx.example.com`,
      trace_id: hex(0xabc000 + n, 32),
      from: `+4930${1_000_000 + n}`,
      to: i % 5 === 0 ? `sip:Zoë-${n}@example.com` : `+1508${2_000_000 + n}`,
      trunk: ['north', 'south'][i % 2]!,
      answered,
      direction: i % 4 === 0 ? 'outbound' : 'inbound',
      duration: answered ? 10 + i : 0,
      sip_status: answered ? 200 : [486, 503][i % 2]!,
    }
  }),
)

const tagsOf = (call: SampleCall) =>
  `account_sid=${call.account_sid},service_provider_sid=${PROVIDER},answered=${call.answered},` +
  `direction=${call.direction},host=10.0.0.1,trunk=${call.trunk}`
const fieldsOf = (call: SampleCall) =>
  [
    `call_sid="${call.call_sid}"`,
    `sip_callid="${call.sip_callid}"`,
    `from="${call.from}"`,
    `to="${call.to}"`,
    `trace_id="${call.trace_id}"`,
    `sip_status=${call.sip_status}`,
    `duration=${call.duration}`,
    ...(call.answered ? [`answered_at=${call.at + 3_000}`] : []),
    `terminated_at=${call.at + 3_000 + call.duration * 1_000}`,
    'termination_reason="caller hungup"',
    'remote_host="198.51.100.7"',
    ...(call.direction === 'inbound' ? [`application_sid="${APPLICATION}"`] : []),
    // a field without a column
    `codec="PCMU-${call.duration}"`,
  ].join()

/** Call records in line protocol. */
export const CALL_LINES = CALLS.map(
  (call) => `cdrs,${tagsOf(call)} ${fieldsOf(call)} ${call.at}000000`,
)
/** One alert for each call that failed. */
export const ALERT_LINES = CALLS.filter(({ answered }) => !answered).map(
  (call) =>
    `alerts,account_sid=${call.account_sid},service_provider_sid=${PROVIDER},alert_type=webhook-failure ` +
    `url="https://example.com/${call.call_sid}",status=503,message="no answer for ${call.from}" ${call.at}000000`,
)
/** The calls in progress, as the feature server counts them. */
export const COUNT_LINES = CALLS.map(
  (call, i) =>
    `call_counts,account_sid=${call.account_sid} calls_in_progress=${i % 7} ${call.at}000000`,
)

/** A span for each call, and one of a webhook for those that were answered, as OTLP in JSON. */
export const SPANS = {
  resourceSpans: [
    {
      resource: {
        attributes: [{ key: 'service.name', value: { stringValue: 'jambonz-feature-server' } }],
      },
      scopeSpans: [
        {
          scope: { name: 'jambonz-feature-server', version: '0.9.5' },
          spans: CALLS.flatMap((call, i) => {
            const of = (name: string, id: number, parent: number | undefined) => ({
              traceId: call.trace_id,
              spanId: hex(id, 16),
              ...(parent !== undefined && { parentSpanId: hex(parent, 16) }),
              name,
              kind: 1,
              startTimeUnixNano: `${call.at}000000`,
              endTimeUnixNano: `${call.at + 2_000}000000`,
              attributes: [
                { key: 'accountSid', value: { stringValue: call.account_sid } },
                { key: 'callSid', value: { stringValue: call.call_sid } },
                { key: 'callId', value: { stringValue: call.sip_callid } },
              ],
            })
            const root = of('incoming-call', 2 * i + 1, undefined)
            return call.answered ? [root, of('http.POST', 2 * i + 2, 2 * i + 1)] : [root]
          }),
        },
      ],
    },
  ],
}

const sip = (call: SampleCall, first: string, cseq: string) =>
  [
    first,
    `Via: SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bK${call.call_sid}`,
    `From: <sip:${call.from}@192.0.2.1>;tag=a`,
    `To: <sip:2000@192.0.2.2>${first.startsWith('SIP/2.0') ? ';tag=b' : ''}`,
    `Call-ID: ${call.sip_callid}`,
    `CSeq: ${cseq}`,
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n')

/** A request and its answer, for each call. */
export const SIP: readonly { at: number; text: string; isAnswer: boolean }[] = CALLS.flatMap(
  (call) => [
    {
      at: call.at,
      text: sip(call, 'INVITE sip:2000@192.0.2.2 SIP/2.0', '1 INVITE'),
      isAnswer: false,
    },
    {
      at: call.at + 200,
      text: sip(call, `SIP/2.0 ${call.sip_status} ${call.answered ? 'OK' : 'Failed'}`, '1 INVITE'),
      isAnswer: true,
    },
  ],
)

/** HEP3 of a SIP message over UDP. */
export function frameOf({ at, text, isAnswer }: (typeof SIP)[number]): Buffer {
  const number = (bytes: number, n: number) => {
    const buffer = Buffer.alloc(bytes)
    buffer.writeUIntBE(n, 0, bytes)
    return buffer
  }
  const chunk = (type: number, value: Buffer) =>
    Buffer.concat([number(2, 0), number(2, type), number(2, value.length + 6), value])
  const [first, second] = [Buffer.from([192, 0, 2, 1]), Buffer.from([192, 0, 2, 2])]
  const body = Buffer.concat([
    chunk(1, number(1, 2)),
    chunk(2, number(1, 17)),
    chunk(3, isAnswer ? second : first),
    chunk(4, isAnswer ? first : second),
    chunk(7, number(2, 5_060)),
    chunk(8, number(2, 5_060)),
    chunk(9, number(4, Math.floor(at / 1_000))),
    chunk(10, number(4, (at % 1_000) * 1_000)),
    chunk(11, number(1, 1)),
    chunk(12, number(4, 10)),
    chunk(15, Buffer.from(text)),
  ])
  return Buffer.concat([Buffer.from('HEP3'), number(2, body.length + 6), body])
}

/** A recording, by its key. Not audio, which no version looks at. */
export const RECORDINGS = CALLS.filter((_, i) => i % 10 === 1).map((call) => ({
  key: `${call.account_sid}/${new Date(call.at).toISOString().slice(0, 10).replaceAll('-', '/')}/${call.call_sid}.wav`,
  bytes: Buffer.from(`RIFF recording of ${call.call_sid}`),
}))

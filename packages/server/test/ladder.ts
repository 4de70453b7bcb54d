import { ladderOf } from '../src/calls/captures/ladder.ts'
import type { Captured } from '../src/stores/sip/store.ts'

export const A = '192.0.2.1'
export const B = '198.51.100.2'
export const C = '203.0.113.3'

export type Line = {
  /** Seconds since the start. */
  at: number
  from: string
  to: string
  first: string
  /** Sequence number and method; in a response those of its request. */
  cseq?: string
  branch?: string
  call_id?: string
  /** Whether it is within a dialog. */
  within?: true
  headers?: string[]
  body?: string
  node?: string
}

export const ID = 'call-1@pbx'
export const BEGUN = 1_700_000_000_000_000

const captured = (line: Line): Captured => {
  const { at, from, to, first, call_id = ID, headers = [], body = '', node = '1' } = line
  const method = first.split(' ')[0]!
  const isAnswer = first.startsWith('SIP/2.0 ')
  const cseq = line.cseq ?? `1 ${isAnswer ? 'INVITE' : method}`
  const tag = line.within || (isAnswer && !first.includes(' 100 ')) ? ';tag=b' : ''
  const text = [
    isAnswer ? first : `${first} SIP/2.0`,
    `Via: SIP/2.0/UDP x;branch=${line.branch ?? `z9hG4bK${cseq.split(' ')[0]}`}`,
    'From: <sip:1000@pbx>;tag=a',
    `To: <sip:2000@pbx>${tag}`,
    `Call-ID: ${call_id}`,
    `CSeq: ${cseq}`,
    ...headers,
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
  return {
    time: BEGUN + Math.round(at * 1e6),
    kind: 'sip',
    source: { address: from, port: 5060 },
    destination: { address: to, port: 5060 },
    transport: 'udp',
    node,
    call_id,
    parent: headers.find((h) => h.startsWith('X-CID: '))?.slice(7) ?? null,
    bytes: Buffer.from(text),
  }
}

export const rtcp = (at: number, from: string, report: object): Captured => ({
  ...captured({ at, from, to: from === A ? B : A, first: 'x' }),
  kind: 'rtcp',
  bytes: Buffer.from(JSON.stringify(report)),
})

/** The ladder diagram of these messages. */
export const ladder = (lines: Line[], more: Captured[] = []) =>
  ladderOf({ messages: [...lines.map(captured), ...more], cut: false }, ID)
export const sentences = (lines: Line[], more: Captured[] = []) =>
  ladder(lines, more).diagnosis.map(({ tone, text }) => `${tone}: ${text}`)

type Part = Omit<Line, 'from' | 'to' | 'at' | 'first'>
/** Messages from A to B, and back. */
export const ask = (at: number, first: string, more: Part = {}): Line => ({
  at,
  from: A,
  to: B,
  first,
  ...more,
})
export const answer = (at: number, first: string, more: Part = {}): Line => ({
  at,
  from: B,
  to: A,
  first: `SIP/2.0 ${first}`,
  ...more,
})

export const INVITE = 'INVITE sip:2000@pbx'
export const ACK = 'ACK sip:2000@pbx'

import { isIP } from 'node:net'
import { membersOf } from '@switchroom/contract'
import { withoutProofs } from '../credentials.ts'
import { parseSip, textOf } from '../sip.ts'
import {
  type Capture,
  type Captured,
  MAX_CAPTURE_BYTES,
  MAX_MESSAGES,
  type Transaction,
  type Wanted,
} from '../store.ts'

type HomerRow = Record<string, unknown>

const TRANSPORTS: Record<string, string> = { 6: 'tcp', 17: 'udp', 22: 'tls', 132: 'sctp' }

const messagesIn = (response: unknown): HomerRow[] => {
  const { messages } = membersOf(membersOf(response).data)
  return Array.isArray(messages)
    ? messages.filter((m): m is HomerRow => typeof m === 'object' && m !== null)
    : []
}

/** Homer versions have the addresses beside the message or in a member of it. */
const flatten = (m: HomerRow): HomerRow =>
  typeof m.protocol_header === 'object' ? { ...m.protocol_header, ...m } : m

const text = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''
const port = (value: unknown) => {
  const n = Number(value)
  return Number.isInteger(n) && n >= 0 && n <= 65_535 ? n : 0
}

/** In microseconds, from the most precise of several fields. */
function timeOf(m: HomerRow): number | undefined {
  const seconds = Number(m.timeSeconds)
  if (seconds > 0)
    return Math.trunc(seconds) * 1_000_000 + (Math.trunc(Number(m.timeUseconds)) || 0)
  const ms = Number(m.micro_ts) || Date.parse(text(m.create_date)) || Number(m.create_date)
  return ms > 0 && ms < 8.64e15 ? Math.round(ms * 1_000) : undefined
}

function parseRow(row: HomerRow): Captured | undefined {
  const m = flatten(row)
  const [raw, source, destination] = [text(m.raw), text(m.srcIp), text(m.dstIp)]
  const time = timeOf(m)
  if (!raw || !isIP(source) || !isIP(destination) || time === undefined) return undefined
  const sip = parseSip(raw)
  const call_id = sip?.header('Call-ID') ?? text(m.callid || m.sid)
  if (!call_id || (!sip && !raw.startsWith('{'))) return undefined
  return {
    time,
    kind: sip ? 'sip' : 'rtcp',
    source: { address: source, port: port(m.srcPort) },
    destination: { address: destination, port: port(m.dstPort) },
    transport: TRANSPORTS[text(m.protocol)] ?? 'udp',
    node: text(m.node).slice(0, 64),
    call_id,
    parent: sip?.header('X-CID') ?? null,
    bytes: Buffer.from(raw),
  }
}

const capturedIn = (response: unknown): Captured[] =>
  messagesIn(response)
    .map(parseRow)
    .filter((m) => m !== undefined)
    .sort((a, b) => a.time - b.time)

/** The Call-ID of the leg that this one was made for. */
export const parentIn = (response: unknown, call_id: string): string | undefined =>
  capturedIn(response).find((m) => m.call_id === call_id && m.parent && m.parent !== call_id)
    ?.parent ?? undefined

type Named = Pick<Wanted, 'call_id' | 'also' | 'except'>

/** The Call-IDs of a call: its own, those of legs made for it, and so on. */
function legsOf({ call_id, also = [], except = [] }: Named, messages: Captured[]): Set<string> {
  const legs = new Set([call_id, ...also])
  for (let size = 0; size < legs.size; ) {
    size = legs.size
    for (const m of messages)
      if (m.parent && legs.has(m.parent) && !except.includes(m.call_id)) legs.add(m.call_id)
  }
  return legs
}

/**
 * Homer's response as our own store would return it. Of what Homer correlates, only legs that were
 * made for this call: callers may name any call as the one theirs was made for.
 */
export function capturedOf(response: unknown, named: Named): Capture {
  const read = capturedIn(response)
  const legs = legsOf(named, read)
  const all = read.filter((m) => legs.has(m.call_id))
  let bytes = 0
  const messages = all.filter((m, i) => {
    bytes += m.bytes.length
    return i < MAX_MESSAGES && bytes <= MAX_CAPTURE_BYTES
  })
  return { messages, cut: messages.length < all.length }
}

/** The same response with credentials masked in all messages. */
export function withoutRawProofs(response: Transaction): Transaction {
  for (const m of messagesIn(response))
    if (typeof m.raw === 'string') m.raw = textOf(withoutProofs(Buffer.from(m.raw)))
  return response
}

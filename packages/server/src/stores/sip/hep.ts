import { timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import { unzipSync } from 'node:zlib'
import { parseSip, textOf } from './sip.ts'
import type { Captured } from './store.ts'

export const HEP = Buffer.from('HEP3')
/** The header: the magic word and the total length. */
export const HEP_HEAD = 6
const CHUNK_HEAD = 6
/** The largest datagram. */
const MAX_PAYLOAD = 65_000
const MAX_CALL_ID = 256

const TRANSPORTS: Record<number, string> = { 6: 'tcp', 17: 'udp', 22: 'tls', 132: 'sctp' }
const SIP = 1
const RTCP = 5

/** Why a received frame is dropped. */
export type Refusal = 'unreadable' | 'unauthorised' | 'other_protocol'

/** Chunks by type, the last of each; undefined for a malformed frame. */
function chunksOf(frame: Buffer): Map<number, Buffer> | undefined {
  if (frame.length < HEP_HEAD || !frame.subarray(0, 4).equals(HEP)) return undefined
  if (frame.readUInt16BE(4) !== frame.length) return undefined
  const chunks = new Map<number, Buffer>()
  for (let at = HEP_HEAD; at < frame.length; ) {
    if (at + CHUNK_HEAD > frame.length) return undefined
    const length = frame.readUInt16BE(at + 4)
    if (length < CHUNK_HEAD || at + length > frame.length) return undefined
    // vendor-specific chunks are ignored
    if (frame.readUInt16BE(at) === 0)
      chunks.set(frame.readUInt16BE(at + 2), frame.subarray(at + CHUNK_HEAD, at + length))
    at += length
  }
  return chunks
}

const number = (chunk: Buffer | undefined) =>
  chunk && chunk.length > 0 && chunk.length <= 4 ? chunk.readUIntBE(0, chunk.length) : undefined

function address(v4: Buffer | undefined, v6: Buffer | undefined): string | undefined {
  if (v4?.length === 4) return v4.join('.')
  if (v6?.length !== 16) return undefined
  const groups = Array.from({ length: 8 }, (_, i) => v6.readUInt16BE(2 * i).toString(16))
  // the URL parser normalizes the address
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1)
}

function payloadOf(chunks: Map<number, Buffer>): Buffer | undefined {
  const packed = chunks.get(16)
  if (!packed) return chunks.get(15)
  try {
    return unzipSync(packed, { maxOutputLength: MAX_PAYLOAD })
  } catch {
    return undefined
  }
}

const isKey = (given: Buffer | undefined, key: string) => {
  const wanted = Buffer.from(key)
  return given?.length === wanted.length && timingSafeEqual(given, wanted)
}

/** Reads a HEPv3 frame. `key` is what agents must send, if set. */
export function readHep(frame: Buffer, key: string | undefined): Captured | Refusal {
  const chunks = chunksOf(frame)
  if (!chunks) return 'unreadable'
  if (key !== undefined && !isKey(chunks.get(14), key)) return 'unauthorised'
  const type = number(chunks.get(11))
  if (type !== SIP && type !== RTCP) return 'other_protocol'
  const from = address(chunks.get(3), chunks.get(5))
  const to = address(chunks.get(4), chunks.get(6))
  const seconds = number(chunks.get(9))
  const payload = payloadOf(chunks)
  if (!from || !to || isIP(from) !== isIP(to) || !seconds || !payload) return 'unreadable'
  if (payload.length > MAX_PAYLOAD) return 'unreadable'
  const id = type === SIP ? idsOfSip(payload, chunks.get(17)) : idsOfRtcp(payload, chunks.get(17))
  if (!id) return 'unreadable'
  return {
    time: seconds * 1_000_000 + Math.min(999_999, number(chunks.get(10)) ?? 0),
    kind: type === SIP ? 'sip' : 'rtcp',
    source: { address: from, port: number(chunks.get(7)) ?? 0 },
    destination: { address: to, port: number(chunks.get(8)) ?? 0 },
    transport: TRANSPORTS[number(chunks.get(2)) ?? 17] ?? 'udp',
    node: nodeOf(chunks),
    ...id,
    // a view would keep the whole datagram in memory
    bytes: Uint8Array.from(payload),
  }
}

const nodeOf = (chunks: Map<number, Buffer>) =>
  chunks.get(19)?.toString().slice(0, 64) || String(number(chunks.get(12)) ?? '')

function idsOfSip(payload: Buffer, correlation: Buffer | undefined) {
  const sip = parseSip(textOf(payload))
  const call_id = sip?.header('Call-ID')
  if (!call_id || call_id.length > MAX_CALL_ID) return undefined
  const isOther = (id: string | undefined) => id && id !== call_id && id.length <= MAX_CALL_ID
  const parent = [sip?.header('X-CID'), correlatedId(correlation)].find(isOther)
  return { call_id, parent: parent ?? null }
}

// cut first, since trimming a long run of NULs takes quadratic time
const correlatedId = (chunk: Buffer | undefined) =>
  chunk
    ?.subarray(0, 4 * MAX_CALL_ID)
    .toString()
    .replace(/\0+$/, '')

/** Agents send RTCP with the Call-ID of its call. */
function idsOfRtcp(payload: Buffer, correlation: Buffer | undefined) {
  const call_id = correlatedId(correlation)
  if (!call_id || call_id.length > MAX_CALL_ID) return undefined
  try {
    const report: unknown = JSON.parse(payload.toString())
    return typeof report === 'object' && report !== null ? { call_id, parent: null } : undefined
  } catch {
    return undefined
  }
}

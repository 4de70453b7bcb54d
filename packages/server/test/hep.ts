import { isIPv6 } from 'node:net'
import { addressBytes } from '../src/stores/sip/pcap.ts'

export type HepMessage = {
  text: string | Buffer
  source?: [address: string, port: number]
  destination?: [address: string, port: number]
  /** Milliseconds since 1970. */
  at?: number
  type?: number
  protocol?: number
  node?: number
  key?: string
  correlation?: string
  /** Replaces the payload. */
  packed?: Buffer
}

const u8 = (n: number) => Buffer.from([n])
const u16 = (n: number) => Buffer.from([n >> 8, n & 0xff])
const u32 = (n: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(n)
  return bytes
}
export const chunk = (type: number, value: Buffer, vendor = 0) =>
  Buffer.concat([u16(vendor), u16(type), u16(value.length + 6), value])

export const frameOf = (chunks: Buffer[]) => {
  const body = Buffer.concat(chunks)
  return Buffer.concat([Buffer.from('HEP3'), u16(body.length + 6), body])
}

/** A message as an agent sends it. */
export function hep(message: HepMessage): Buffer {
  const {
    source = ['192.0.2.1', 5060],
    destination = ['192.0.2.2', 5060],
    at = Date.now(),
  } = message
  const v6 = isIPv6(source[0])
  const chunks = [
    chunk(1, u8(v6 ? 10 : 2)),
    chunk(2, u8(message.protocol ?? 17)),
    chunk(v6 ? 5 : 3, addressBytes(source[0])),
    chunk(v6 ? 6 : 4, addressBytes(destination[0])),
    chunk(7, u16(source[1])),
    chunk(8, u16(destination[1])),
    chunk(9, u32(Math.floor(at / 1_000))),
    chunk(10, u32(Math.floor((at % 1_000) * 1_000))),
    chunk(11, u8(message.type ?? 1)),
    chunk(12, u32(message.node ?? 10)),
  ]
  if (message.key !== undefined) chunks.push(chunk(14, Buffer.from(message.key)))
  if (message.correlation !== undefined) chunks.push(chunk(17, Buffer.from(message.correlation)))
  chunks.push(message.packed ? chunk(16, message.packed) : chunk(15, Buffer.from(message.text)))
  return frameOf(chunks)
}

/** A SIP message: a start line, and headers besides the mandatory ones. */
export function sipText(
  first: string,
  {
    call_id = 'call-1@pbx',
    cseq = '1 INVITE',
    branch = 'z9hG4bK1',
    headers = [],
    body = '',
  }: {
    call_id?: string
    cseq?: string
    branch?: string
    headers?: string[]
    body?: string
  } = {},
) {
  return [
    first,
    `Via: SIP/2.0/UDP 192.0.2.1:5060;branch=${branch}`,
    'From: <sip:1000@pbx>;tag=a',
    `To: <sip:2000@pbx>${/^SIP\/2\.0 (?!100)/.test(first) ? ';tag=b' : ''}`,
    `Call-ID: ${call_id}`,
    `CSeq: ${cseq}`,
    ...headers,
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')
}

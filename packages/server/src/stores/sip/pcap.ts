import { isIPv6 } from 'node:net'
import { withoutProofs } from './credentials.ts'
import type { Capture, Captured } from './store.ts'

const ETHERNET = 1
const UDP = 17
const ETHERNET_HEAD = 14
const UDP_HEAD = 8
/** The largest payload of a datagram. */
const SNAP = 65_535

/** The Internet checksum: a 16-bit one's complement sum of big-endian words. */
function sum(bytes: Buffer, start = 0): number {
  let total = start
  for (let i = 0; i + 1 < bytes.length; i += 2) total += bytes.readUInt16BE(i)
  if (bytes.length % 2) total += bytes[bytes.length - 1]! << 8
  while (total > 0xffff) total = (total & 0xffff) + (total >>> 16)
  return total
}
const checksum = (bytes: Buffer, start = 0) => ~sum(bytes, start) & 0xffff

/** The 4 or 16 bytes of an IP address. */
export function addressBytes(address: string): Buffer {
  if (!isIPv6(address)) return Buffer.from(address.split('.').map(Number))
  const [left = '', right] = address.split('::')
  const groups = (text: string) =>
    text === '' ? [] : text.split(':').map((g) => Number.parseInt(g, 16))
  const [a, b] = [groups(left), groups(right ?? '')]
  const all = [...a, ...Array<number>(8 - a.length - b.length).fill(0), ...b]
  const bytes = Buffer.alloc(16)
  for (const [i, group] of all.entries()) bytes.writeUInt16BE(group, 2 * i)
  return bytes
}

function datagram({ source, destination, bytes }: Captured): Buffer {
  const [from, to] = [addressBytes(source.address), addressBytes(destination.address)]
  const payload = withoutProofs(bytes)
  const length = UDP_HEAD + payload.length
  const udp = Buffer.alloc(length)
  udp.writeUInt16BE(source.port, 0)
  udp.writeUInt16BE(destination.port, 2)
  udp.writeUInt16BE(length, 4)
  udp.set(payload, UDP_HEAD)
  // includes the pseudo header; zero is written as all ones
  udp.writeUInt16BE(checksum(udp, sum(Buffer.concat([from, to]), UDP + length)) || 0xffff, 6)
  return Buffer.concat([from.length === 4 ? ipv4(from, to, length) : ipv6(from, to, length), udp])
}

function ipv4(from: Buffer, to: Buffer, length: number): Buffer {
  const head = Buffer.alloc(20)
  head[0] = 0x45
  head.writeUInt16BE(head.length + length, 2)
  head[6] = 0x40
  head[8] = 64
  head[9] = UDP
  head.set(from, 12)
  head.set(to, 16)
  head.writeUInt16BE(checksum(head), 10)
  return head
}

function ipv6(from: Buffer, to: Buffer, length: number): Buffer {
  const head = Buffer.alloc(40)
  head[0] = 0x60
  head.writeUInt16BE(length, 4)
  head[6] = UDP
  head[7] = 64
  head.set(from, 8)
  head.set(to, 24)
  return head
}

function record(message: Captured): Buffer {
  const packet = datagram(message)
  const ethernet = Buffer.alloc(ETHERNET_HEAD)
  // locally administered MAC addresses: agents do not send the real ones
  ethernet[0] = ethernet[6] = 2
  ethernet[5] = 1
  ethernet[11] = 2
  ethernet.writeUInt16BE(isIPv6(message.source.address) ? 0x86dd : 0x0800, 12)
  const head = Buffer.alloc(16)
  const size = ETHERNET_HEAD + packet.length
  head.writeUInt32LE(Math.floor(message.time / 1_000_000), 0)
  head.writeUInt32LE(message.time % 1_000_000, 4)
  head.writeUInt32LE(size, 8)
  head.writeUInt32LE(size, 12)
  return Buffer.concat([head, ethernet, packet])
}

function fileHead(): Buffer {
  const head = Buffer.alloc(24)
  head.writeUInt32LE(0xa1b2c3d4, 0)
  head.writeUInt16LE(2, 4)
  head.writeUInt16LE(4, 6)
  head.writeUInt32LE(SNAP, 16)
  head.writeUInt32LE(ETHERNET, 20)
  return head
}

/**
 * A pcap file of the SIP messages, as UDP whatever the transport, since
 * agents do not send TCP sequence numbers. Undefined without messages.
 */
export function pcapOf({ messages }: Capture): AsyncIterable<Uint8Array> | undefined {
  const sip = messages.filter(({ kind }) => kind === 'sip')
  if (sip.length === 0) return undefined
  return (async function* () {
    yield fileHead()
    for (const message of sip) yield record(message)
  })()
}

import { isIPv6 } from 'node:net'
import { withoutProofs } from './credentials.ts'
import { kindOfMethod, parseSip, textOf } from './sip.ts'
import type { Capture, Captured, Transaction } from './store.ts'

const PROTOCOLS: Record<string, number> = { tcp: 6, udp: 17, tls: 22, sctp: 132 }

function messageOf(m: Captured, id: number) {
  const raw = textOf(m.kind === 'sip' ? withoutProofs(m.bytes) : m.bytes)
  const sip = m.kind === 'sip' ? parseSip(raw) : undefined
  const label = sip ? (sip.status === undefined ? sip.method : String(sip.status)) : 'RTCP'
  return {
    id,
    sid: m.call_id,
    callid: m.call_id,
    correlation_id: m.parent ?? '',
    create_date: new Date(m.time / 1_000).toISOString(),
    micro_ts: Math.floor(m.time / 1_000),
    timeSeconds: Math.floor(m.time / 1_000_000),
    timeUseconds: m.time % 1_000_000,
    protocolFamily: isIPv6(m.source.address) ? 10 : 2,
    protocol: PROTOCOLS[m.transport] ?? 17,
    payloadType: m.kind === 'sip' ? 1 : 5,
    srcIp: m.source.address,
    srcPort: m.source.port,
    dstIp: m.destination.address,
    dstPort: m.destination.port,
    node: m.node,
    profile: sip ? `1_${kindOfMethod(sip.method)}` : '5_default',
    method: label,
    method_text: label,
    cseq: sip?.header('CSeq') ?? '',
    user_agent: sip?.header('User-Agent') ?? '',
    raw,
  }
}

const end = (ip: string, port: number) => `${ip}:${port}`

/** A capture in Homer's format for platform clients; undefined without messages. */
export function transactionOf({ messages }: Capture): Transaction | undefined {
  if (messages.length === 0) return undefined
  const rows = messages.map(messageOf)
  const hosts = [
    ...new Set(rows.flatMap((m) => [end(m.srcIp, m.srcPort), end(m.dstIp, m.dstPort)])),
  ]
  return {
    data: {
      messages: rows,
      calldata: rows.map((m) => ({
        id: m.id,
        sid: m.sid,
        method: m.method,
        method_text: m.method_text,
        micro_ts: m.micro_ts,
        srcIp: m.srcIp,
        srcPort: m.srcPort,
        srcId: end(m.srcIp, m.srcPort),
        dstIp: m.dstIp,
        dstPort: m.dstPort,
        dstId: end(m.dstIp, m.dstPort),
        protocol: m.protocol,
      })),
      hosts: Object.fromEntries(hosts.map((host, position) => [host, { host: [host], position }])),
      callid: [...new Set(rows.map(({ callid }) => callid))],
      alias: {},
    },
    keys: ['callid'],
    total: rows.length,
  }
}

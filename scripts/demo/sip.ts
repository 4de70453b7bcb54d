import { hep } from '../../packages/server/test/hep.ts'
import { reasonOf } from './calls.ts'
import { FEATURE_SERVER } from './hosts.ts'
import type { PlannedCall } from './planned-call.ts'
import { Random } from './random.ts'

/** The SIP messages of a call, and the reports on its audio, as HEP frames. */

type End = [address: string, port: number]
type Leg = {
  call_id: string
  parent?: string
  caller: End
  callee: End
  from: string
  to: string
  /** Milliseconds after the call began, until a message passed the platform. */
  delay_ms: number
}

const sdp = (address: string, port: number) =>
  `${['v=0', `o=- ${port} 1 IN IP4 ${address}`, 's=-', `c=IN IP4 ${address}`, 't=0 0', `m=audio ${port} RTP/AVP 8 0 101`, 'a=rtpmap:8 PCMA/8000', 'a=rtpmap:0 PCMU/8000', 'a=rtpmap:101 telephone-event/8000', 'a=ptime:20', 'a=sendrecv'].join('\r\n')}\r\n`

/** All frames of a call in order of time. */
export function sipFrames(call: PlannedCall): Buffer[] {
  const random = new Random(`sip ${call.call_sid}`)
  const carrier: End = [call.remote_host, 5060]
  const sbc: End = [call.host, 5060]
  const feature: End = [FEATURE_SERVER, 5060]
  const isInbound = call.direction === 'inbound'
  const outer: Leg = {
    call_id: call.sip_callid,
    ...(call.sip_parent_callid && { parent: call.sip_parent_callid }),
    caller: isInbound ? carrier : sbc,
    callee: isInbound ? sbc : carrier,
    from: call.from,
    to: call.to,
    delay_ms: 0,
  }
  const frames = legFrames(call, outer, random)
  if (isInbound && call.status === 200) {
    const call_id = random.uuid()
    const inner = { ...outer, call_id, parent: call.sip_callid, caller: sbc, callee: feature }
    frames.push(...legFrames(call, { ...inner, delay_ms: 4 }, random))
  }
  frames.push(...reports(call, carrier, sbc, random))
  return frames.sort((a, b) => a.at - b.at).map(({ frame }) => frame)
}

type Timed = { at: number; frame: Buffer }

function legFrames(call: PlannedCall, leg: Leg, random: Random): Timed[] {
  const { caller, callee, from, to } = leg
  const [tagA, tagB] = [random.hex(8), random.hex(8)]
  const branch = () => `z9hG4bK${random.hex(12)}`
  const at = call.at + leg.delay_ms
  const ports = [random.int(20_000, 29_999) & ~1, random.int(40_000, 49_999) & ~1] as const
  const timed: Timed[] = []
  const address = (user: string, [host]: End) =>
    `<sip:${user.includes('@') ? user : `${user}@${host}`}>`
  const message = (
    first: string,
    cseq: string,
    via: string,
    when: number,
    toCallee: boolean,
    body = '',
  ) => {
    const hasTag = !/^INVITE|^CANCEL|^SIP\/2.0 100/.test(first)
    const sender = toCallee ? caller : callee
    const text = [
      first,
      `Via: SIP/2.0/UDP ${caller[0]}:${caller[1]};rport;branch=${via}`,
      'Max-Forwards: 70',
      `From: ${address(from, caller)};tag=${tagA}`,
      `To: ${address(to, callee)}${hasTag ? `;tag=${tagB}` : ''}`,
      `Call-ID: ${leg.call_id}`,
      `CSeq: ${cseq}`,
      ...(leg.parent ? [`X-CID: ${leg.parent}`] : []),
      `Contact: <sip:${sender[0]}:${sender[1]}>`,
      ...(body ? ['Content-Type: application/sdp'] : []),
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n')
    const [source, destination] = toCallee ? [caller, callee] : [callee, caller]
    const frame = hep({ text, source, destination, at: when })
    timed.push({ at: when, frame })
  }
  const uri = `sip:${to.includes('@') ? to : `${to}@${callee[0]}`}`
  const invite = branch()
  const offered = sdp(caller[0], ports[0])
  message(`INVITE ${uri} SIP/2.0`, '1 INVITE', invite, at, true, offered)
  message('SIP/2.0 100 Trying', '1 INVITE', invite, at + random.int(2, 20), false)
  const final = call.answered_at ?? call.ended_at
  const rang = Math.min(call.at + call.rings_after_ms, final - 5) - leg.delay_ms
  if (![404, 503, 408].includes(call.status))
    message('SIP/2.0 180 Ringing', '1 INVITE', invite, rang, false)
  if (call.answered_at === undefined) {
    const over = final + leg.delay_ms
    if (call.status === 487) {
      message(`CANCEL ${uri} SIP/2.0`, '1 CANCEL', invite, over - 30, true)
      message('SIP/2.0 200 OK', '1 CANCEL', invite, over - 20, false)
    }
    const status = `SIP/2.0 ${call.status} ${reasonOf(call.status)}`
    message(status, '1 INVITE', invite, over, false)
    message(`ACK ${uri} SIP/2.0`, '1 ACK', invite, over + random.int(2, 12), true)
    return timed
  }
  const answer = sdp(callee[0], ports[1])
  const answered = call.answered_at - leg.delay_ms
  message('SIP/2.0 200 OK', '1 INVITE', invite, answered, false, answer)
  message(`ACK ${uri} SIP/2.0`, '1 ACK', branch(), answered + random.int(4, 30), true)
  // the platform ends an inbound call towards the caller, and an outbound one towards the callee
  const byCaller = (call.ended_by === 'caller') === (call.direction === 'inbound')
  const bye = branch()
  const ended = call.ended_at + (byCaller ? leg.delay_ms : -leg.delay_ms)
  message(`BYE ${uri} SIP/2.0`, '2 BYE', bye, ended, byCaller)
  message('SIP/2.0 200 OK', '2 BYE', bye, ended + random.int(8, 60), !byCaller)
  return timed
}

/** RTCP reports of both sides, every five seconds. A few calls lose audio. */
function reports(call: PlannedCall, carrier: End, sbc: End, random: Random): Timed[] {
  const { answered_at, ended_at } = call
  if (answered_at === undefined || !random.chance(0.25)) return []
  const isPoor = random.chance(0.04)
  const timed: Timed[] = []
  for (let n = 1; n <= 6 && answered_at + n * 5_000 < ended_at; n++)
    for (const [source, destination] of [
      [carrier, sbc],
      [sbc, carrier],
    ] as const) {
      const at = answered_at + n * 5_000
      const lost = isPoor && source === sbc ? random.int(14, 34) : random.int(0, 2)
      const report = {
        type: 200,
        ssrc: random.int(1, 2 ** 31),
        sender_information: { packets: n * 250, octets: n * 40_000 },
        report_blocks: [
          { source_ssrc: 1, fraction_lost: lost, packets_lost: lost * n, ia_jitter: 12 },
        ],
      }
      const text = JSON.stringify(report)
      const [from, to]: End[] = [
        [source[0], source[1] + 25_001],
        [destination[0], destination[1] + 25_001],
      ]
      const frame = hep({
        text,
        source: from!,
        destination: to!,
        at,
        type: 5,
        node: 11,
        correlation: call.sip_callid,
      })
      timed.push({ at, frame })
    }
  return timed
}

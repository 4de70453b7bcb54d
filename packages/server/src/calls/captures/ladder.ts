import type { SipLadder, SipMessage, SipParty } from '@switchroom/contract'
import { withoutProofs } from '../../stores/sip/credentials.ts'
import { parseSip, textOf } from '../../stores/sip/sip.ts'
import type { Capture, Captured, End } from '../../stores/sip/store.ts'
import { diagnose, figures } from './diagnosis.ts'
import { endingOf } from './ending.ts'
import { type Seen, seenOf } from './leg.ts'
import { inCausalOrder, keyOf } from './order.ts'

/** Two agents report the same packet within this time, in microseconds. */
const SAME_WITHIN = 200_000

/** Removes copies of a packet from a second agent: the same bytes at about the same time. */
function withoutDuplicates(messages: readonly Captured[]): Captured[] {
  const last = new Map<string, { at: number; nodes: Set<string> }>()
  return messages.filter((m) => {
    if (m.kind !== 'sip') return true
    const key = `${keyOf(m.source)} ${keyOf(m.destination)} ${textOf(m.bytes)}`
    const known = last.get(key)
    // twice from one agent means that it was sent twice
    if (known && m.time - known.at <= SAME_WITHIN && !known.nodes.has(m.node)) {
      known.nodes.add(m.node)
      return false
    }
    last.set(key, { at: m.time, nodes: new Set([m.node]) })
    return true
  })
}

/** Numbers the parties in order of appearance. */
function places() {
  const parties: SipParty[] = []
  const by = new Map<string, number>()
  return {
    parties,
    of(end: End): number {
      const known = by.get(keyOf(end))
      if (known !== undefined) return known
      by.set(keyOf(end), parties.length)
      return parties.push({ ...end }) - 1
    },
  }
}

/** Two messages with the same identity are retransmissions (RFC 3261, 17). */
const identity = ({ sip, source, destination, branch, cseq }: Omit<Seen, 'id' | 'repeats'>) =>
  [source, destination, branch, cseq, sip.method, sip.status, sip.header('To')].join(' ')

/** Builds the ladder diagram of a capture, with its findings. */
export function ladderOf({ messages: captured, cut }: Capture, call_id: string): SipLadder {
  const { parties, of } = places()
  const legs = new Map<string, { parent: string | null; seen: Seen[] }>()
  const firsts = new Map<string, number>()
  const messages: SipMessage[] = []
  const leg = (id: string) => {
    const known = legs.get(id)
    if (known) return known
    const begun = { parent: null, seen: [] }
    legs.set(id, begun)
    return begun
  }
  leg(call_id)
  const unique = withoutDuplicates(captured)
  const parsed = unique.flatMap((m) => {
    const sip = m.kind === 'sip' ? parseSip(textOf(m.bytes)) : undefined
    return sip ? [{ captured: m, sip }] : []
  })
  for (const { captured: m, sip, isMoved } of inCausalOrder(parsed)) {
    const ends = { source: of(m.source), destination: of(m.destination) }
    const seen = seenOf(m, sip, ends)
    const key = `${m.call_id} ${identity(seen)}`
    const id = messages.length
    const repeats = firsts.get(key) ?? null
    if (repeats === null) firsts.set(key, id)
    const of_leg = leg(m.call_id)
    of_leg.parent ??= m.parent
    of_leg.seen.push({ ...seen, id, repeats })
    messages.push({
      id,
      at: m.time,
      ...ends,
      leg: [...legs.keys()].indexOf(m.call_id),
      label: sip.status === undefined ? sip.method : `${sip.status} ${sip.reason}`.trim(),
      method: sip.method,
      status: sip.status ?? null,
      cseq: seen.cseq ?? null,
      transport: m.transport,
      has_media: /^m=/m.test(sip.body),
      repeats,
      reordered: isMoved,
      raw: textOf(withoutProofs(m.bytes)),
    })
  }
  const name = (party: number) => {
    const { address, port } = parties[party]!
    return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
  }
  const all = [...legs.values()].map(({ seen }) => seen)
  return {
    parties,
    legs: [...legs].map(([id, { parent }]) => ({ call_id: id, parent })),
    messages,
    figures: figures(all[0]!),
    ending: endingOf(all, parties),
    diagnosis: diagnose(all, unique, name),
    cut,
  }
}

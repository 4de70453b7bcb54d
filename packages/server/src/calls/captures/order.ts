import type { Sip } from '../../stores/sip/sip.ts'
import type { Captured, End } from '../../stores/sip/store.ts'
import { cseqOf } from './leg.ts'

/**
 * The round trip that SIP reckons with (RFC 3261's T1), in microseconds. Clocks of capture agents that differ by more
 * are not put in order: which of them is wrong cannot be told.
 */
const ROUND_TRIP = 500_000

export const keyOf = ({ address, port }: End) => `${address} ${port}`

export type Parsed = { captured: Captured; sip: Sip }

const BRANCHES = /;\s*branch\s*=\s*([^\s;,]+)/gi
const TAG = /;\s*tag\s*=\s*([^\s;,]+)/i

/** What a message proves to have happened, and what must have happened before it. */
type Links = { gives: string[]; needs: string[] }

function linksOf({ captured, sip }: Parsed): Links {
  const { call_id, parent, source, destination } = captured
  const { method, status } = sip
  const [branch, below] = [...sip.all('Via').join(',').matchAll(BRANCHES)].map((m) => m[1])
  const cseq = cseqOf(sip) ?? 0
  const from = TAG.exec(sip.header('From') ?? '')?.[1]
  const inLeg = (...what: unknown[]) => [call_id, ...what].join(' ')
  const onHop = (what: string | number, of = method, hop = branch) => inLeg(what, hop, cseq, of)
  const inDialog = (what: string, n = cseq, of = method) => inLeg(what, from, n, of)

  if (status !== undefined) {
    if (status === 100) return { gives: [onHop('trying')], needs: [onHop('request')] }
    // a response travels back over the hops that its request took
    const passedOn = below === undefined ? [] : [onHop(status, method, below)]
    const needs = [onHop('request'), onHop('trying'), onHop(status)]
    if (status < 200) return { gives: [onHop('ringing'), inDialog('ringing'), ...passedOn], needs }
    return {
      gives: [
        onHop('final'),
        inDialog('final'),
        ...(status < 300
          ? [inDialog(`success ${keyOf(destination)}`), inLeg('success', method)]
          : []),
        ...passedOn,
      ],
      needs: [...needs, onHop('ringing')],
    }
  }
  if (method === 'ACK')
    return {
      gives: [inDialog('acknowledged', cseq, 'INVITE'), inLeg('acknowledged')],
      // of an error on its hop, of a success from end to end
      needs: [onHop('final', 'INVITE'), inDialog(`success ${keyOf(source)}`, cseq, 'INVITE')],
    }
  const needs = [inDialog('final', cseq - 1), inDialog('acknowledged', cseq - 1)]
  if (below !== undefined) needs.push(onHop('request', method, below))
  if (method === 'INVITE' && parent !== null) needs.push(`${parent} INVITE`)
  if (method === 'CANCEL') needs.push(onHop('request', 'INVITE'))
  if (method === 'BYE') needs.push(inLeg('success', 'INVITE'), inLeg('acknowledged'))
  if (method === 'PRACK') {
    const answered = /^\s*\d+\s+(\d{1,10})\s+INVITE/.exec(sip.header('RAck') ?? '')?.[1]
    if (answered) needs.push(inDialog('ringing', Number(answered), 'INVITE'))
  }
  return { gives: [onHop('request'), inLeg(method)], needs }
}

/**
 * Messages in an order that SIP allows, from one of time: a request before its responses, 100 before 180 before 200,
 * ACK after, each hop after the one before. Agents see messages in one microsecond, or have clocks that differ by less
 * than a round trip. `isMoved`: whether it was captured after a message that it stands before.
 */
export function inCausalOrder<T extends Parsed>(
  messages: readonly T[],
): (T & { isMoved: boolean })[] {
  const links = messages.map(linksOf)
  const first = new Map<string, number>()
  for (const [i, { gives }] of links.entries())
    for (const fact of gives) if (!first.has(fact)) first.set(fact, i)
  const at = (i: number) => messages[i]!.captured.time
  const placed = new Set<number>()
  const place = (i: number) => {
    if (placed.has(i)) return
    placed.add(i)
    for (const fact of links[i]!.needs) {
      const cause = first.get(fact)
      if (cause !== undefined && at(cause) - at(i) <= ROUND_TRIP) place(cause)
    }
    ordered.push(i)
  }
  const ordered: number[] = []
  for (const i of messages.keys()) place(i)
  let next = messages.length
  const isMoved = ordered.map(() => false)
  for (let n = ordered.length - 1; n >= 0; n--) {
    isMoved[n] = ordered[n]! > next
    next = Math.min(next, ordered[n]!)
  }
  return ordered.map((i, n) => ({ ...messages[i]!, isMoved: isMoved[n]! }))
}

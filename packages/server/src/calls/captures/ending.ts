import type { SipEnding, SipParty } from '@switchroom/contract'
import { reasonsOf, statusText } from './finding-text.ts'
import { final, isAnswered, type Seen, type Transaction, transactionsOf } from './leg.ts'

/** A BYE that passes through the platform reaches the other legs within this time, in microseconds. */
const PASSED_ON_WITHIN = 2_000_000

/** How the requested leg ended: `legs` are messages per leg, the requested one first. */
export function endingOf(
  legs: readonly (readonly Seen[])[],
  parties: readonly SipParty[],
): SipEnding | null {
  const all = legs.map(transactionsOf)
  const [own = []] = all
  const first = own.find(isAttempt)
  if (!first) return null
  // later hops have the same Call-ID and another sender
  const sender = first.requests[0]!.source
  const last = own.filter((t) => isAttempt(t) && t.requests[0]!.source === sender).at(-1)!
  const side = sides(all.flat().filter(isAttempt), parties)
  const answer = final(last)
  if (answer && isAnswered(last)) {
    const bye = origin(own.find(isBye)?.requests[0], all.flat().filter(isBye))
    return bye ? { how: 'hangup', by: side(bye.source), reason: reasonOf(bye), status: null } : null
  }
  const status = answer ? statusText(answer.sip) : null
  const cancel = origin(
    last.cancel?.requests[0],
    all.flat().flatMap((t) => t.cancel ?? []),
  )
  if (cancel) return { how: 'cancel', by: side(cancel.source), reason: reasonOf(cancel), status }
  if (!answer) return null
  return { how: 'failure', by: side(answer.source), reason: reasonOf(answer), status }
}

const isAttempt = (t: Transaction) => t.method === 'INVITE' && !t.within
const isBye = (t: Transaction) => t.method === 'BYE'
const reasonOf = ({ sip }: Seen) => reasonsOf(sip)[0]?.replace(/^“(.*)”$/, '$1') ?? null

/** The request on another leg that caused this one, or itself. */
const origin = (ended: Seen | undefined, requests: readonly Transaction[]) =>
  ended &&
  requests
    .map((t) => t.requests[0]!)
    .filter(({ at }) => at <= ended.at && ended.at - at <= PASSED_ON_WITHIN)
    .reduce((earliest, seen) => (seen.at < earliest.at ? seen : earliest), ended)

/**
 * Roles of the parties: one that only sends calls is the caller, one that only receives them is called, and one that
 * does both is between them.
 */
function sides(attempts: readonly Transaction[], parties: readonly SipParty[]) {
  const hosts = new Set(parties.map(({ address }) => address))
  // a port may change between requests, so the address alone identifies a party, where it can
  const place = (party: number) => (hosts.size > 1 ? parties[party]!.address : String(party))
  const calls = new Set(attempts.map((t) => place(t.requests[0]!.source)))
  const called = new Set(attempts.map((t) => place(t.requests[0]!.destination)))
  return (party: number): SipEnding['by'] => {
    const [sends, receives] = [calls.has(place(party)), called.has(place(party))]
    if (sends) return receives ? 'platform' : 'caller'
    return receives ? 'called' : null
  }
}

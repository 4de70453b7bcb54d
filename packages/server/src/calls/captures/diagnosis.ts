import type { SipFigures, SipFinding } from '@switchroom/contract'
import type { Captured } from '../../stores/sip/store.ts'
import type { Finding } from './finding-text.ts'
import { during, end, outcome } from './invite.ts'
import { final, isAnswered, type Seen, transactionsOf } from './leg.ts'
import { registration } from './registration.ts'
import { mediaFindings } from './rtcp.ts'

const WORST = ['bad', 'warn', 'ok', 'info']
const MAX_FINDINGS = 12

/** An error response travels back over all legs: of equal findings, keeps the one from where it started. */
function origins(found: Finding[], legs: readonly (readonly Seen[])[]): Finding[] {
  const status = ({ message }: Finding) => legs.flat().find(({ id }) => id === message)?.sip.status
  const reported = new Set<number>()
  return found.filter((f) => {
    const of = f.tone === 'bad' ? status(f) : undefined
    if (of === undefined || of < 300) return true
    if (reported.has(of)) return false
    reported.add(of)
    return true
  })
}

/**
 * The findings for a call or registration, worst first; empty when nothing is known. `legs`: messages per
 * leg, the requested one first. `name`: names a party by its address.
 */
export function diagnose(
  legs: readonly (readonly Seen[])[],
  media: readonly Captured[],
  name: (party: number) => string,
): SipFinding[] {
  const all = legs.map(transactionsOf)
  const byTime = (a: Finding, b: Finding) => a.at - b.at
  const outcomes = all.flatMap((leg) => outcome(leg, name)).sort(byTime)
  const isGood = ({ tone }: Finding) => tone === 'ok'
  // one success is enough: that of the requested leg
  const good = outcome(all[0] ?? [], name).filter(isGood)
  const ends = all.flatMap((leg) => end(leg, name)).sort(byTime)
  const gaveUp = outcomes.filter(({ tone }) => tone === 'info').slice(0, 1)
  const found = [
    ...origins(
      outcomes.filter(({ tone }) => tone === 'bad' || tone === 'warn'),
      legs,
    ),
    ...good,
    ...gaveUp,
    ...all.flatMap((leg) => during(leg, name)),
    ...ends.filter(({ tone }) => tone !== 'info'),
    // the first BYE caused the others
    ...ends.filter(({ tone }) => tone === 'info').slice(0, 1),
    ...all.flatMap((leg) => registration(leg, name)),
    ...mediaFindings(media),
  ]
  return found
    .sort((a, b) => WORST.indexOf(a.tone) - WORST.indexOf(b.tone) || a.at - b.at)
    .slice(0, MAX_FINDINGS)
    .map(({ at: _, ...rest }) => rest)
}

/** Timings and counts of the requested leg. */
export function figures(leg: readonly Seen[]): SipFigures {
  const transactions = transactionsOf(leg)
  const invites = transactions.filter((t) => t.method === 'INVITE' && !t.within)
  const first = invites[0]?.requests[0]
  const answers = invites.flatMap((t) => t.answers)
  const rang = answers.find(({ sip }) => sip.status! >= 180 && sip.status! < 200)
  const last = invites.at(-1)
  const over = last && final(last)
  const hasTalked = last !== undefined && isAnswered(last)
  const alive = rang ?? (hasTalked ? over : undefined)
  const bye = transactions.find((t) => t.method === 'BYE')?.requests[0]
  const between = (from: Seen | undefined, to: Seen | undefined) =>
    from && to && to.at >= from.at ? Math.round((to.at - from.at) / 1_000) : null
  return {
    post_dial_delay: between(first, alive),
    ringing: between(rang, over),
    talking: hasTalked ? between(over, bye) : null,
  }
}

import type { Call, SipEnding, SipLadder } from '@switchroom/contract'
import { durationText, failureWord } from '../call-text'
import { sipStatusText } from '../sip-status'

/** From whom to whom: the title of a call. */
export const titleOf = ({ from, to }: Pick<Call, 'from' | 'to'>, format: (n: string) => string) =>
  `${from ? format(from) : 'Unknown'} → ${to ? format(to) : 'unknown'}`

type Seen = Pick<SipLadder, 'figures' | 'ending'>

const SIDES: Record<NonNullable<SipEnding['by']>, string> = {
  caller: 'the caller',
  called: 'the called side',
  platform: 'the platform',
}

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`

/** Milliseconds between two times of a record; undefined if either is missing or they are reversed. */
function between(from: string, to: string | null): number | undefined {
  const ms = to === null ? Number.NaN : Date.parse(to) - Date.parse(from)
  return ms >= 0 ? ms : undefined
}

const brackets = (...texts: (string | null | undefined)[]) => {
  const known = texts.filter((text) => text)
  return known.length > 0 ? ` (${known.join(', ')})` : ''
}

/**
 * What happened, in one sentence: from the call record, and from its SIP capture where there is one. What neither of
 * them shows is left out.
 */
export function sentenceOf(call: Call, format: (n: string) => string, seen?: Seen): string {
  const number = (n: string | null) => (n ? format(n) : 'an unknown number')
  const direction =
    call.direction === 'inbound' || call.direction === 'outbound'
      ? `${call.direction === 'inbound' ? 'Inbound' : 'Outbound'} from`
      : 'From'
  const ringing = seen?.figures.ringing ?? null
  const parts = [
    `${direction} ${number(call.from)} to ${number(call.to)}`,
    ...(ringing === null ? [] : [`rang for ${seconds(ringing)}`]),
    ...(call.answered ? answered(call, seen) : [unanswered(call, seen)]),
  ]
  return `${parts.join(', ')}.`
}

function answered(call: Call, seen: Seen | undefined): string[] {
  const waited = between(call.attempted_at, call.answered_at)
  const lasted = durationText(call.duration)
  const ending = seen?.ending?.how === 'hangup' ? seen.ending : undefined
  const by = ending?.by ? ` by ${SIDES[ending.by]}` : ''
  const reason = ending ? ending.reason : call.termination_reason
  return [
    waited === undefined ? 'answered' : `answered after ${seconds(waited)}`,
    ...(lasted || by ? [`ended${by}${lasted ? ` after ${lasted}` : ''}${brackets(reason)}`] : []),
  ]
}

function unanswered({ answered, sip_status, ...call }: Call, seen: Seen | undefined): string {
  const ending = seen?.ending?.how === 'hangup' ? undefined : seen?.ending
  const status = ending?.status ?? (sip_status === null ? null : sipStatusText(sip_status))
  if (answered === null) return `outcome unknown${brackets(status)}`
  const word = sip_status === null ? 'not answered' : lower(failureWord(sip_status))
  const by = ending?.how === 'cancel' && ending.by && word === 'cancelled' ? ending.by : undefined
  const waited = between(call.attempted_at, call.terminated_at)
  const after = waited === undefined ? '' : ` after ${seconds(waited)}`
  return `${word}${by ? ` by ${SIDES[by]}` : ''}${after}${brackets(status, ending?.reason)}`
}

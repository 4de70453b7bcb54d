import { decimalText, t } from '../wire/text.ts'
import { durationText, type NotAnswered, notAnsweredKind } from './call-outcome.ts'
import type { Call } from './calls.ts'
import type { SipEnding, SipLadder } from './captures.ts'
import { hungUpBy, type Party, recordedSide, type TraceEnding } from './hung-up.ts'
import { sipStatusText } from './sip-status.ts'

type Seen = Pick<SipLadder, 'figures' | 'ending'>
type Side = NonNullable<SipEnding['by']>

// parts of a sentence, which follow a comma
const ENDED: Record<Party | 'unknown', string> = {
  caller: t('ended by the caller'),
  called: t('ended by the called party'),
  platform: t('ended by the platform'),
  application: t('ended by the application'),
  unknown: t('ended'),
}
const CANCELLED: Record<Side, string> = {
  caller: t('cancelled by the caller'),
  called: t('cancelled by the called party'),
  platform: t('cancelled by the platform'),
}
const NOT_ANSWERED: Record<NotAnswered, string> = {
  busy: t('busy'),
  no_answer: t('no answer'),
  cancelled: t('cancelled'),
  not_found: t('number not found'),
  rejected: t('rejected'),
  redirected: t('redirected'),
  failed: t('failed'),
  not_answered: t('not answered'),
}

const seconds = (ms: number) => `${decimalText(ms / 1_000)} s`
const after = (what: string, time: string | undefined) =>
  time === undefined ? what : t('{what} after {time}', { what, time })

/** Time between two times of a record; undefined if either is missing or they are reversed. */
function between(from: string, to: string | null): string | undefined {
  const ms = to === null ? Number.NaN : Date.parse(to) - Date.parse(from)
  return ms >= 0 ? seconds(ms) : undefined
}

const brackets = (...texts: (string | null | undefined)[]) => {
  const known = texts.filter((text) => text)
  return known.length > 0 ? ` (${known.join(', ')})` : ''
}

/**
 * What happened, in one sentence: from the call record, and from its SIP capture and trace where there are some. What none
 * of them shows is left out.
 */
export function callSentence(
  call: Call,
  format: (n: string) => string,
  seen?: Seen,
  trace?: TraceEnding,
): string {
  const ringing = seen?.figures.ringing ?? null
  const parts = [
    beginning(call, format),
    ...(ringing === null ? [] : [t('rang for {time}', { time: seconds(ringing) })]),
    ...(call.answered
      ? answered(call, seen, hungUpBy(call, { seen, trace }))
      : [unanswered(call, seen)]),
  ]
  return `${parts.join(', ')}.`
}

function beginning({ direction, ...call }: Call, format: (n: string) => string): string {
  const number = (n: string | null) => (n ? format(n) : t('an unknown number'))
  const [from, to] = [number(call.from), number(call.to)]
  if (direction === 'inbound') return t('Inbound from {from} to {to}', { from, to })
  if (direction === 'outbound') return t('Outbound from {from} to {to}', { from, to })
  return t('From {from} to {to}', { from, to })
}

function answered(call: Call, seen: Seen | undefined, by: Party | 'unknown' = 'unknown'): string[] {
  const waited = between(call.attempted_at, call.answered_at)
  const lasted = durationText(call.duration)
  const ending = seen?.ending?.how === 'hangup' ? seen.ending : undefined
  // who hung up is told already
  const recorded = recordedSide(call) ? null : call.termination_reason
  const reason = ending ? ending.reason : recorded
  return [
    after(t('answered'), waited),
    ...(lasted || by !== 'unknown' ? [after(ENDED[by], lasted) + brackets(reason)] : []),
  ]
}

function unanswered({ answered, sip_status, ...call }: Call, seen: Seen | undefined): string {
  const ending = seen?.ending?.how === 'hangup' ? undefined : seen?.ending
  const status = ending?.status ?? (sip_status === null ? null : sipStatusText(sip_status))
  if (answered === null) return t('outcome unknown') + brackets(status)
  const kind = sip_status === null ? 'not_answered' : notAnsweredKind(sip_status)
  const by = ending?.how === 'cancel' && kind === 'cancelled' ? ending.by : null
  const waited = between(call.attempted_at, call.terminated_at)
  return after(by ? CANCELLED[by] : NOT_ANSWERED[kind], waited) + brackets(status, ending?.reason)
}

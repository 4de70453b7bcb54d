import {
  type Call,
  type CallCounts,
  decimalText,
  type NotAnswered,
  notAnsweredKind,
  t,
} from '@switchroom/contract'

type Outcome = { tone: 'ok' | 'warn' | 'bad' | 'off'; word: string }

const NOT_ANSWERED = {
  busy: { tone: 'warn', word: t('Busy') },
  no_answer: { tone: 'warn', word: t('No answer') },
  cancelled: { tone: 'off', word: t('Cancelled') },
  not_found: { tone: 'bad', word: t('Number not found') },
  rejected: { tone: 'bad', word: t('Rejected') },
  redirected: { tone: 'off', word: t('Redirected') },
  failed: { tone: 'bad', word: t('Failed') },
  not_answered: { tone: 'off', word: t('Not answered') },
} as const satisfies Record<NotAnswered, Outcome>

/** A failed call's SIP status in words. */
export const failureWord = (sip_status: number): string =>
  NOT_ANSWERED[notAnsweredKind(sip_status)].word

/** Outcome of a call, as a status. Members missing from the record are unknown. */
export function outcome({ answered, sip_status }: Pick<Call, 'answered' | 'sip_status'>): Outcome {
  if (answered) return { tone: 'ok', word: t('Answered') }
  if (answered === null)
    return {
      tone: 'off',
      word: sip_status === null ? t('Unknown') : t('Unknown ({sip_status})', { sip_status }),
    }
  if (sip_status === null) return NOT_ANSWERED.not_answered
  const { tone, word } = NOT_ANSWERED[notAnsweredKind(sip_status)]
  return { tone, word: `${word} (${sip_status})` }
}

/** Answered calls among those with a known outcome. */
export function ratioText({
  answered,
  not_answered,
}: Pick<CallCounts, 'answered' | 'not_answered'>): string {
  const decided = answered + not_answered
  return decided === 0
    ? t('Unknown')
    : t('{percent} %', { percent: decimalText((answered / decided) * 100) })
}

/** The platform writes 32 zeros for a call that was not traced. */
export const isTraced = ({ trace_id }: Pick<Call, 'trace_id'>) =>
  trace_id !== null && !/^0*$/.test(trace_id)

import { type Call, type CallCounts, decimalText, t } from '@switchroom/contract'

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
} as const satisfies Record<string, Outcome>
export type NotAnswered = keyof typeof NOT_ANSWERED

/** Why a call was not answered, by its SIP status. */
export function notAnsweredKind(sip_status: number): NotAnswered {
  if (sip_status === 486 || sip_status === 600) return 'busy'
  if (sip_status === 408 || sip_status === 480) return 'no_answer'
  if (sip_status === 487) return 'cancelled'
  if (sip_status === 404 || sip_status === 410 || sip_status === 484 || sip_status === 604)
    return 'not_found'
  if ([401, 403, 407, 603, 607, 608].includes(sip_status)) return 'rejected'
  if (sip_status >= 300 && sip_status < 400) return 'redirected'
  return sip_status >= 400 ? 'failed' : 'not_answered'
}

/** A failed call's SIP status in words. */
export const failureWord = (sip_status: number): string =>
  NOT_ANSWERED[notAnsweredKind(sip_status)].word

/** How a call ended, as a status. Members missing from the record are unknown. */
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

const two = (n: number) => String(n).padStart(2, '0')

/** Seconds as 0:47 or 1:02:03; undefined if unknown. */
export function durationText(seconds: number | null): string | undefined {
  if (seconds === null || !Number.isFinite(seconds) || seconds < 0) return undefined
  const s = Math.round(seconds)
  const minutes = Math.floor(s / 60)
  return s < 3_600
    ? `${minutes}:${two(s % 60)}`
    : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(s % 60)}`
}

/** The platform writes 32 zeros for a call that was not traced. */
export const isTraced = ({ trace_id }: Pick<Call, 'trace_id'>) =>
  trace_id !== null && !/^0*$/.test(trace_id)

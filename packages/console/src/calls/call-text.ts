import type { Call, CallCounts } from '@switchroom/contract'

type Outcome = { tone: 'ok' | 'warn' | 'bad' | 'off'; word: string }

/** A failed call's SIP status in words. */
export function failureWord(sip_status: number): string {
  if (sip_status === 486 || sip_status === 600) return 'Busy'
  if (sip_status === 408 || sip_status === 480) return 'No answer'
  if (sip_status === 487) return 'Cancelled'
  if (sip_status === 404 || sip_status === 410 || sip_status === 484 || sip_status === 604)
    return 'Number not found'
  if ([401, 403, 407, 603, 607, 608].includes(sip_status)) return 'Rejected'
  if (sip_status >= 300 && sip_status < 400) return 'Redirected'
  return sip_status >= 400 ? 'Failed' : 'Not answered'
}

const TONES: Record<string, Outcome['tone']> = {
  Busy: 'warn',
  'No answer': 'warn',
  Cancelled: 'off',
  'Not answered': 'off',
  Redirected: 'off',
}

/** How a call ended, as a status. Members missing from the record are unknown. */
export function outcome({ answered, sip_status }: Pick<Call, 'answered' | 'sip_status'>): Outcome {
  if (answered) return { tone: 'ok', word: 'Answered' }
  if (answered === null)
    return { tone: 'off', word: sip_status === null ? 'Unknown' : `Unknown (${sip_status})` }
  if (sip_status === null) return { tone: 'off', word: 'Not answered' }
  const word = failureWord(sip_status)
  return { tone: TONES[word] ?? 'bad', word: `${word} (${sip_status})` }
}

/** Answered calls among those with a known outcome. */
export function ratioText({
  answered,
  not_answered,
}: Pick<CallCounts, 'answered' | 'not_answered'>): string {
  const decided = answered + not_answered
  return decided === 0 ? 'Unknown' : `${((answered / decided) * 100).toFixed(1)} %`
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

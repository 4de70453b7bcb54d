export type NotAnswered =
  | 'busy'
  | 'no_answer'
  | 'cancelled'
  | 'not_found'
  | 'rejected'
  | 'redirected'
  | 'failed'
  | 'not_answered'

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

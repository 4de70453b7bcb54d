import type { Value } from './lines.ts'

/** The fields of a call that have columns of their own and are stored unchanged, by type. */
export const TEXTS = [
  'call_sid',
  'from',
  'to',
  'sip_callid',
  'sip_parent_callid',
  'termination_reason',
  'remote_host',
  'trace_id',
  'recording_url',
] as const
export const NUMBERS = ['duration', 'answered_at', 'terminated_at'] as const

export function numberOf(value: Value | undefined): number | null {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || value.trim() === '') return null
  return Number.isFinite(Number(value)) ? Number(value) : null
}

export function statusOf(value: Value | undefined): number | null {
  const status = numberOf(value)
  return status !== null && Number.isInteger(status) && status >= 0 && status < 2 ** 31
    ? status
    : null
}

import type { ProbeOutcome } from '@switchroom/contract'

/** A gateway that answers is alive, even if it rejects the OPTIONS request. */
export const PROBE_TONES: Record<ProbeOutcome, 'ok' | 'warn' | 'bad' | 'off'> = {
  ok: 'ok',
  refused: 'warn',
  unauthorized: 'warn',
  not_found: 'warn',
  unavailable: 'bad',
  timeout: 'bad',
  unreachable: 'bad',
  tls_failed: 'bad',
  blocked: 'off',
  bad_answer: 'bad',
}

/** The results of an OPTIONS probe, with their labels. */
export const PROBE_OUTCOMES = {
  ok: 'Answers',
  refused: 'Rejects',
  unauthorized: 'Requires authentication',
  not_found: 'Not found',
  unavailable: 'Unavailable',
  timeout: 'No answer',
  unreachable: 'Unreachable',
  tls_failed: 'TLS failed',
  blocked: 'Internal address',
  bad_answer: 'Invalid answer',
} as const
export type ProbeOutcome = keyof typeof PROBE_OUTCOMES

/** The gateway is not there. Any other answer, even a rejection, shows that it is. */
export const PROBE_FAILURES: readonly ProbeOutcome[] = [
  'unavailable',
  'timeout',
  'unreachable',
  'tls_failed',
  'bad_answer',
]

import { t } from '../wire/text.ts'

/** The results of an OPTIONS probe, with their labels. */
export const PROBE_OUTCOMES = {
  ok: t('Answers'),
  refused: t('Rejects'),
  unauthorized: t('Requires authentication'),
  not_found: t('Not found'),
  unavailable: t('Unavailable'),
  timeout: t('No answer'),
  unreachable: t('Unreachable'),
  tls_failed: t('TLS failed'),
  blocked: t('Internal address'),
  bad_answer: t('Invalid answer'),
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

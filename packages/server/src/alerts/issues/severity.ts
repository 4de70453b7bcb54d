import type { Severity } from '@switchroom/contract'

/** Alerts after which calls fail until somebody changes something. */
const CRITICAL_ALERTS = new Set([
  'no-carrier',
  'account is inactive or suspended',
  'wallet-depleted',
  'webhook-connection-failure',
  'webhook-auth-failure',
])
/**
 * Types of alerts that may pass by themselves, as when a vendor or webhook works the next time: a single one needs no
 * action.
 */
const PASSING_ALERTS = new Set([
  'bot-action-delay-giveup',
  'llm-failure',
  'stt-failure',
  'tts-failure',
  'tts-streaming-connection-failure',
  'webhook-connection-failure',
  'webhook-failure',
])
/** Alerts that change nothing for callers. */
const INFO_ALERTS = new Set([
  'alert-from-application',
  'error-updating-call',
  'eval-post-failure',
  'no-krisp',
])

/** Severity of a number of alerts of one type. */
export function alertSeverity(alert_type: string, alerts: number): Severity {
  if (INFO_ALERTS.has(alert_type) || (alerts === 1 && PASSING_ALERTS.has(alert_type))) return 'info'
  return CRITICAL_ALERTS.has(alert_type) ? 'critical' : 'warning'
}

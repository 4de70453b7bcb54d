import { msg } from '../wire/text.ts'

/** The lists whose views can be saved, by what their tables are called on screen. */
export const VIEW_LISTS = {
  accounts: msg('Accounts'),
  alerts: msg('Alerts'),
  alerts_by_type: msg('Alerts by type'),
  failures: msg('Failures'),
  alert_destinations: msg('Alert destinations'),
  applications: msg('Applications'),
  audit_log: msg('Audit log'),
  carriers: msg('Carriers'),
  clients: msg('SIP clients'),
  lcrs: msg('Outbound call routing'),
  live_calls: msg('Live calls'),
  ms_teams_tenants: msg('Microsoft Teams tenants'),
  phone_numbers: msg('Phone numbers'),
  queues: msg('Queues and conferences'),
  recent_calls: msg('Recent calls'),
  registered_users: msg('Registered users'),
  speech_credentials: msg('Speech services'),
  users: msg('Users'),
  webhook_requests: msg('Webhook log'),
} as const
export type ViewList = keyof typeof VIEW_LISTS

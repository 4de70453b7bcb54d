/** The lists whose views can be saved, by what their tables are called on screen. */
export const VIEW_LISTS = {
  accounts: 'Accounts',
  alerts: 'Alerts',
  alert_destinations: 'Alert destinations',
  applications: 'Applications',
  audit_log: 'Audit log',
  carriers: 'Carriers',
  clients: 'SIP clients',
  lcrs: 'Outbound call routing',
  live_calls: 'Live calls',
  ms_teams_tenants: 'Microsoft Teams tenants',
  phone_numbers: 'Phone numbers',
  queues: 'Queues and conferences',
  recent_calls: 'Recent calls',
  registered_users: 'Registered users',
  speech_credentials: 'Speech services',
  users: 'Users',
} as const
export type ViewList = keyof typeof VIEW_LISTS

/** What a key can be limited to. `api-key-kinds.ts` says which endpoints each covers. */
export const API_KEY_KINDS = {
  accounts: 'Accounts and service providers',
  access: 'Users and API keys',
  applications: 'Applications',
  calls: 'Calls and recordings',
  carriers: 'Carriers',
  phone_numbers: 'Phone numbers',
  routing: 'Call routing',
  devices: 'SIP clients and devices',
  speech: 'Speech services',
  alerts: 'Alerts',
  audit: 'Audit log',
  system: 'System settings and health',
} as const
export type ApiKeyKind = keyof typeof API_KEY_KINDS

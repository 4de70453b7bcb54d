import { t } from '../wire/text.ts'

/** Kinds that a key can be limited to. `api-key-kinds.ts` says which endpoints each covers. */
export const API_KEY_KINDS = {
  accounts: t('Accounts and service providers'),
  access: t('Users and API keys'),
  applications: t('Applications'),
  calls: t('Calls and recordings'),
  carriers: t('Carriers'),
  phone_numbers: t('Phone numbers'),
  routing: t('Call routing'),
  devices: t('SIP clients and devices'),
  speech: t('Speech services'),
  alerts: t('Alerts'),
  audit: t('Audit log'),
  system: t('System settings and health'),
} as const
export type ApiKeyKind = keyof typeof API_KEY_KINDS

import { t } from '@switchroom/contract'

/** The key that goes with letters. */
export const MOD = /Mac|iP(hone|ad)/.test(navigator.platform) ? '⌘' : t('Ctrl')

/** Which key goes to which screen after `g`. Screens that the user may not see are not in the menu. */
export const goKeys = [
  { key: 'd', label: t('Dashboard'), href: '/internal/dashboard' },
  { key: 'i', label: t('Voice insights'), href: '/internal/voice' },
  { key: 'c', label: t('Recent calls'), href: '/internal/recent-calls' },
  { key: 'l', label: t('Live'), href: '/internal/live' },
  { key: 'e', label: t('Alerts'), href: '/internal/alerts' },
  { key: 'f', label: t('Failures'), href: '/internal/failures' },
  { key: 'n', label: t('Phone numbers'), href: '/internal/phone-numbers' },
  { key: 't', label: t('Carriers'), href: '/internal/carriers' },
  { key: 'o', label: t('Outbound call routing'), href: '/internal/least-cost-routing' },
  { key: 'r', label: t('Route simulator'), href: '/internal/route-simulator' },
  { key: 'a', label: t('Accounts'), href: '/internal/accounts' },
  { key: 'p', label: t('Applications'), href: '/internal/applications' },
  { key: 's', label: t('SIP clients'), href: '/internal/clients' },
  { key: 'v', label: t('Speech services'), href: '/internal/speech-services' },
  { key: 'u', label: t('Users'), href: '/internal/users' },
] as const

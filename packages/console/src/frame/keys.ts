/** The key that goes with letters. */
export const MOD = /Mac|iP(hone|ad)/.test(navigator.platform) ? '⌘' : 'Ctrl'

/** Which key goes to which screen after `g`. Screens that the user may not see are not in the menu. */
export const goKeys = [
  { key: 'd', label: 'Dashboard', href: '/internal/dashboard' },
  { key: 'c', label: 'Recent calls', href: '/internal/recent-calls' },
  { key: 'l', label: 'Live', href: '/internal/live' },
  { key: 'e', label: 'Alerts', href: '/internal/alerts' },
  { key: 'n', label: 'Phone numbers', href: '/internal/phone-numbers' },
  { key: 't', label: 'Carriers', href: '/internal/carriers' },
  { key: 'o', label: 'Outbound call routing', href: '/internal/least-cost-routing' },
  { key: 'r', label: 'Route simulator', href: '/internal/route-simulator' },
  { key: 'a', label: 'Accounts', href: '/internal/accounts' },
  { key: 'p', label: 'Applications', href: '/internal/applications' },
  { key: 's', label: 'SIP clients', href: '/internal/clients' },
  { key: 'v', label: 'Speech services', href: '/internal/speech-services' },
  { key: 'u', label: 'Users', href: '/internal/users' },
] as const

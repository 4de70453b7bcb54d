import { t } from '@switchroom/contract'

/** The key that goes with letters. */
export const MOD = /Mac|iP(hone|ad)/.test(navigator.platform) ? '⌘' : t('Ctrl')

/** The key that goes to a screen after `g`: each screen of the menu has one. */
export const goKeys: Record<string, string> = {
  '/internal/dashboard': 'd',
  '/internal/voice': 'i',
  '/internal/users': 'u',
  '/internal/settings': ',',
  '/internal/single-sign-on': 'k',
  '/internal/audit-log': 'j',
  '/internal/system-health': 'h',
  '/internal/getting-started': 'g',
  '/internal/accounts': 'a',
  '/internal/clients': 's',
  '/internal/applications': 'p',
  '/internal/recent-calls': 'c',
  '/internal/live': 'l',
  '/internal/alerts': 'e',
  '/internal/failures': 'f',
  '/internal/webhook-log': 'w',
  '/internal/alerts/destinations': 'y',
  '/internal/carriers': 't',
  '/internal/speech-services': 'v',
  '/internal/phone-numbers': 'n',
  '/internal/ms-teams-tenants': 'm',
  '/internal/least-cost-routing': 'o',
  '/internal/route-simulator': 'r',
}

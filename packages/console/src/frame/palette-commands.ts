import { hasWords, sipStatusesNamed, sipStatusText, t } from '@switchroom/contract'
import {
  Download,
  FileChartColumn,
  History,
  KeyRound,
  LifeBuoy,
  MessageSquareQuote,
  Pencil,
  PhoneCall,
  Play,
  RefreshCw,
} from 'lucide-react'
import { atLeast, mayWrite, ownAccount } from '../lib/access'
import { config } from '../lib/config'
import { editHref, historyHref, thingHref } from '../lib/thing-href'
import { type Item, withQuery } from './palette-item'
import type { RecentThing } from './recent-things'
import { showSection } from './show-section'

/** Other words by which people look for a page. */
export const wordsOfPage = (href: string): string | undefined =>
  ({
    '/internal/accounts': t('customers tenants subaccounts'),
    '/internal/alerts': t('notifications warnings errors'),
    '/internal/applications': t('webhooks apps bots voice agents'),
    '/internal/audit-log': t('history changes who did'),
    '/internal/carriers': t('trunks SIP trunks gateways providers'),
    '/internal/clients': t('devices phones extensions registrations'),
    '/internal/configuration': t('export YAML files Git plan apply'),
    '/internal/dashboard': t('home overview statistics'),
    '/internal/failures': t('failed calls errors'),
    '/internal/inbox': t('issues problems notifications'),
    '/internal/least-cost-routing': t('LCR routes least cost routing'),
    '/internal/live': t('active calls queues now'),
    '/internal/phone-numbers': t('DIDs DDIs lines'),
    '/internal/recent-calls': t('call history CDRs call log'),
    '/internal/settings': t('configuration options administration'),
    '/internal/single-sign-on': t('SSO OIDC SAML SCIM directory'),
    '/internal/speech-services': t('TTS STT voices recognizers vendors'),
    '/internal/system-health': t('status monitoring doctor'),
    '/internal/users': t('people team members'),
    '/internal/webhook-log': t('requests hooks'),
  })[href]

/** The button of the list on screen that exports it. */
const exportButton = () =>
  [...document.querySelectorAll<HTMLElement>('main button')].find((button) =>
    [t('Export'), t('Export all'), t('Export filtered')].includes(button.textContent?.trim() ?? ''),
  )

const apiKeysOf = (account_sid: string): Pick<Item, 'href' | 'run'> => ({
  href: editHref('account', account_sid),
  run: () => showSection(t('Account API keys')),
})

/** Further actions available from anywhere, with the synonyms that people search for. */
export function furtherItems(): Item[] {
  const own = ownAccount()
  const keys = own
    ? apiKeysOf(own)
    : {
        href: '/internal/settings',
        run: () =>
          showSection(
            atLeast('admin') ? t('Administrator API keys') : t('Service provider API keys'),
          ),
      }
  return [
    {
      id: 'api keys',
      label: t('API keys'),
      words: t('tokens access new create rotate'),
      icon: KeyRound,
      ...keys,
    },
    ...(exportButton()
      ? [
          {
            id: 'export',
            label: t('Export this list'),
            words: t('download CSV save spreadsheet'),
            icon: Download,
            run: () => exportButton()?.click(),
          },
        ]
      : []),
    ...(config.capabilities
      ? [
          {
            id: 'api',
            label: t('API documentation'),
            words: t('help docs reference developer'),
            icon: LifeBuoy,
            run: () => void open('/docs', '_blank', 'noopener'),
          },
        ]
      : []),
  ]
}

/** Actions for a resource. Labels leave out its name, since commands are searched without it. */
export function thingActions(thing: RecentThing, name: string): Item[] {
  const { kind, sid, service_provider_sid: provider } = thing
  if (kind === 'call' || kind === 'service_provider') return []
  const isOurs = !!config.capabilities
  const as = (id: string, label: string, more: Omit<Item, 'id' | 'label'>): Item[] => [
    { id: `${id} ${sid}`, label, provider, thing, ...more },
  ]
  const callsOf = (query: Record<string, string>) =>
    as('calls', t('Recent calls of {name}', { name }), {
      icon: PhoneCall,
      words: t('call history CDRs call log'),
      href: withQuery('/internal/recent-calls', query),
    })
  const edit = mayWrite()
    ? as('edit', t('Edit {name}', { name }), {
        icon: Pencil,
        words: t('change rename modify'),
        href: editHref(kind, sid),
      })
    : []
  const history = isOurs
    ? as('history', t('History of {name}', { name }), {
        icon: History,
        words: t('versions changes audit restore'),
        href: historyHref(kind, sid),
      })
    : []
  const ofKind = (): Item[] => {
    switch (kind) {
      case 'account':
        return [
          ...(mayWrite()
            ? as('secret', t('Rotate webhook secret of {name}', { name }), {
                icon: RefreshCw,
                words: t('regenerate new signing'),
                href: editHref('account', sid),
                run: () => showSection(t('Webhook secret')),
              })
            : []),
          ...as('keys', t('API keys of {name}', { name }), {
            icon: KeyRound,
            words: t('tokens access new create rotate'),
            ...apiKeysOf(sid),
          }),
          ...(isOurs
            ? as('report', t('Report of {name}', { name }), {
                icon: FileChartColumn,
                words: t('customer monthly statistics print mail link'),
                href: `${thingHref('account', sid)}/report`,
              })
            : []),
          ...callsOf({ account_sid: sid }),
        ]
      case 'application':
        return [
          ...(isOurs && mayWrite()
            ? as('try', t('Try {name}', { name }), {
                icon: Play,
                words: t('test run simulate'),
                href: `${thingHref('application', sid)}/try`,
              })
            : []),
          ...callsOf({ application_sid: sid }),
        ]
      case 'voip_carrier':
        return callsOf({ trunk: thing.name })
      case 'phone_number':
        return callsOf({ filter: thing.name })
      default:
        return []
    }
  }
  return [...edit, ...ofKind(), ...history]
}

const NOBODY = { sid: '', name: '', detail: null, service_provider_sid: null }
const KINDS = ['account', 'application', 'voip_carrier', 'phone_number'] as const

/** A command and the name behind it, such as “rotate webhook secret of Aldermoor”; undefined if it is none. */
export function commandIn(text: string): { command: string; name: string } | undefined {
  const words = text.split(/\s+/)
  const of = new Set(['of', 'for', 'in', t('of')])
  for (let i = words.length - 1; i > 0; i--) {
    const command = words.slice(0, i)
    while (of.has(command.at(-1)?.toLowerCase() ?? '')) command.pop()
    if (command.length === 0) continue
    const isKnown = KINDS.some((kind) =>
      thingActions({ ...NOBODY, kind }, '').some(({ label, words: also = '' }) =>
        hasWords([label, also], command.join(' ')),
      ),
    )
    if (isKnown) return { command: command.join(' '), name: words.slice(i).join(' ') }
  }
  return undefined
}

/** Calls by what they show in words. */
export const callItems = (text: string): Item[] => [
  ...sipStatusesNamed(text)
    .slice(0, 3)
    .map((status) => ({
      id: `status ${status}`,
      label: t('Recent calls with {status}', { status: sipStatusText(status) }),
      icon: PhoneCall,
      href: withQuery('/internal/recent-calls', { sip_status: String(status) }),
    })),
  ...(config.capabilities && /\p{L}{2}/u.test(text)
    ? [
        {
          id: 'said',
          label: t('Recent calls in which “{text}” was said', { text }),
          icon: MessageSquareQuote,
          href: withQuery('/internal/recent-calls', { said: text }),
        },
      ]
    : []),
]

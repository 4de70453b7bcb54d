import { hasWords, sipStatusesNamed, sipStatusText, THING_PAGES, t } from '@switchroom/contract'
import {
  Download,
  History,
  KeyRound,
  LifeBuoy,
  MessageSquareQuote,
  Pencil,
  PhoneCall,
} from 'lucide-react'
import { atLeast, mayWrite, ownAccount } from '../lib/access'
import { isSwitchroom } from '../lib/config'
import { keysOf } from '../lib/records'
import { showSection } from '../lib/show-section'
import type { Item, RecentThing } from '../lib/thing'
import { editHref, historyHref } from '../lib/thing-href'
import { apiKeysOf } from '../tenants/accounts/thing'
import { withQuery } from './palette-item'
import { THINGS } from './things'

/** Search words of the lists, by path. */
const WORDS = Object.fromEntries(
  keysOf(THINGS).map((kind) => [THING_PAGES[kind].split('/$')[0], THINGS[kind].words]),
)

/** Other words by which people look for a page. */
export const wordsOfPage = (href: string): string | undefined =>
  ({
    ...WORDS,
    '/internal/alerts': t('notifications warnings errors'),
    '/internal/audit-log': t('history changes who did'),
    '/internal/configuration': t('export YAML files Git plan apply'),
    '/internal/dashboard': t('home overview statistics'),
    '/internal/failures': t('failed calls errors'),
    '/internal/inbox': t('issues problems notifications'),
    '/internal/live': t('active calls queues now'),
    '/internal/recent-calls': t('call history CDRs call log'),
    '/internal/settings': t('configuration options administration'),
    '/internal/single-sign-on': t('SSO OIDC SAML SCIM directory'),
    '/internal/system-health': t('status monitoring doctor'),
    '/internal/webhook-log': t('requests hooks'),
  })[href]

/** The button of the list on screen that exports it. */
const exportButton = () =>
  [...document.querySelectorAll<HTMLElement>('main button')].find((button) =>
    [t('Export'), t('Export all'), t('Export filtered')].includes(button.textContent?.trim() ?? ''),
  )

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
    ...(isSwitchroom()
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
  const as = (id: string, label: string, more: Omit<Item, 'id' | 'label'>): Item[] => [
    { id: `${id} ${sid}`, label, provider, thing, ...more },
  ]
  const edit = mayWrite()
    ? as('edit', t('Edit {name}', { name }), {
        icon: Pencil,
        words: t('change rename modify'),
        href: editHref(kind, sid),
      })
    : []
  const history = isSwitchroom()
    ? as('history', t('History of {name}', { name }), {
        icon: History,
        words: t('versions changes audit restore'),
        href: historyHref(kind, sid),
      })
    : []
  const { calls, actions } = THINGS[kind]
  const ofKind = (actions?.(sid, name) ?? []).flatMap(({ id, label, ...more }) =>
    as(id, label, more),
  )
  const callsOf = calls
    ? as('calls', t('Recent calls of {name}', { name }), {
        icon: PhoneCall,
        words: t('call history CDRs call log'),
        href: withQuery('/internal/recent-calls', calls(thing)),
      })
    : []
  return [...edit, ...ofKind, ...callsOf, ...history]
}

const NOBODY = { sid: '', name: '', detail: null, service_provider_sid: null }

/** A command and the name behind it, such as “rotate webhook secret of Aldermoor”; undefined if it is none. */
export function commandIn(text: string): { command: string; name: string } | undefined {
  const words = text.split(/\s+/)
  const of = new Set(['of', 'for', 'in', t('of')])
  for (let i = words.length - 1; i > 0; i--) {
    const command = words.slice(0, i)
    while (of.has(command.at(-1)?.toLowerCase() ?? '')) command.pop()
    if (command.length === 0) continue
    const isKnown = keysOf(THINGS).some(
      (kind) =>
        kind !== 'alert_destination' &&
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
  ...(isSwitchroom() && /\p{L}{2}/u.test(text)
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

import { type Found, type NumberAnswer, type ServiceProvider, t } from '@switchroom/contract'
import {
  Building2,
  Hash,
  Keyboard,
  LogOut,
  Moon,
  PhoneCall,
  PhoneOff,
  Route,
  ShieldCheck,
  SlidersHorizontal,
  Sun,
  UserRound,
} from 'lucide-react'
import { mayWrite } from '../lib/access'
import { isSwitchroom } from '../lib/config'
import { homeHref } from '../lib/session'
import { logOut } from '../lib/session-calls'
import type { Item, RecentThing, Thing } from '../lib/thing'
import { thingHref } from '../lib/thing-href'
import { pages } from './go-to'
import { furtherItems, wordsOfPage } from './palette-commands'
import { withQuery } from './palette-item'
import { THINGS } from './things'
import { chooseTheme } from './top-bar'
import { ownUserHref } from './user-box'

const kindOf = (kind: Found['kind']): Pick<Thing, 'label' | 'icon'> =>
  kind === 'call'
    ? { label: t('Call'), icon: PhoneCall }
    : kind === 'service_provider'
      ? { label: t('Service provider'), icon: Building2 }
      : THINGS[kind]

function hrefOf({ kind, sid }: RecentThing) {
  if (kind === 'call') return `/internal/recent-calls/${sid}`
  return kind === 'service_provider' ? homeHref() : thingHref(kind, sid)
}

/** The item that leads to a thing itself. */
export const idOf = ({ kind, sid }: RecentThing) => `${kind} ${sid}`

export function thingItem(
  thing: RecentThing & Partial<Pick<Found, 'found_by'>>,
  name: string,
  detail: string | null,
): Item {
  const { label: kind, icon } = kindOf(thing.kind)
  return {
    id: idOf(thing),
    label: name || t('Unnamed'),
    detail: [kind, thing.found_by, detail].filter(Boolean).join(' · '),
    icon,
    href: hrefOf(thing),
    provider: thing.service_provider_sid,
    thing,
  }
}

export const pageItems = (provider: ServiceProvider | undefined): Item[] =>
  pages(provider).map(({ label, href, icon, key }) => ({
    id: href,
    label,
    href,
    icon,
    key,
    words: wordsOfPage(href),
  }))

/** Actions that the user may take from anywhere. */
export function actionItems(provider: ServiceProvider | undefined, showKeys: () => void): Item[] {
  return [
    ...Object.values(THINGS).flatMap(({ add }) => add?.(provider) ?? []),
    ...(isSwitchroom()
      ? [
          {
            id: 'simulate',
            label: t('Simulate a call'),
            words: t('test route number'),
            icon: Route,
            href: '/internal/route-simulator',
          },
        ]
      : []),
    ...furtherItems(),
    {
      id: 'light',
      label: t('Use light theme'),
      words: t('day bright mode'),
      icon: Sun,
      run: () => chooseTheme('light'),
    },
    {
      id: 'dark',
      label: t('Use dark theme'),
      words: t('night mode'),
      icon: Moon,
      run: () => chooseTheme('dark'),
    },
    {
      id: 'user',
      label: t('Edit user'),
      words: t('profile my account change password'),
      icon: UserRound,
      href: ownUserHref(),
    },
    {
      id: 'preferences',
      label: t('Preferences'),
      words: t('language time zone date format options'),
      icon: SlidersHorizontal,
      href: '/internal/preferences',
    },
    ...(isSwitchroom()
      ? [
          {
            id: 'security',
            label: t('Security'),
            words: t('second factor 2FA passkeys sessions password'),
            icon: ShieldCheck,
            href: '/internal/security',
          },
        ]
      : []),
    {
      id: 'keys',
      label: t('Keyboard shortcuts'),
      words: t('help hotkeys keys'),
      icon: Keyboard,
      run: showKeys,
    },
    {
      id: 'log out',
      label: t('Log out'),
      words: t('sign out log off exit quit'),
      icon: LogOut,
      run: () => void logOut(),
    },
    ...(isSwitchroom()
      ? [
          {
            id: 'log out everywhere',
            label: t('Log out everywhere'),
            words: t('sign out sessions'),
            icon: LogOut,
            run: () => void logOut('everywhere'),
          },
        ]
      : []),
  ]
}

/** Opens the simulator with a number, for the account that has it. */
export const simulateItem = (
  number: string,
  account_sid?: string | null,
  shown = number,
): Item => ({
  id: 'simulate this',
  label: t('Simulate a call to {shown}', { shown }),
  icon: Route,
  href: withQuery('/internal/route-simulator', { number, ...(account_sid && { account_sid }) }),
})

/** Actions for a number that was typed. */
export function numberItems(
  digits: string,
  answer: NumberAnswer | undefined,
  format: (number: string) => string,
): Item[] {
  const { phone_number, calls } = answer ?? {}
  const number = phone_number?.number ?? digits
  const shown = phone_number ? format(number) : digits
  const provider = phone_number?.service_provider_sid ?? null
  const failed = calls?.last_failure?.call_sid
  return [
    ...(phone_number
      ? [
          {
            id: 'assign',
            label: mayWrite() ? t('Assign {shown}', { shown }) : t('Open {shown}', { shown }),
            icon: Hash,
            href: thingHref('phone_number', phone_number.phone_number_sid),
            provider,
          },
        ]
      : []),
    {
      id: 'calls',
      label: t('Recent calls of {shown}', { shown }),
      icon: PhoneCall,
      href: withQuery('/internal/recent-calls', { filter: digits }),
      provider,
    },
    ...(failed
      ? [
          {
            id: 'failed',
            label: t('Last failed call'),
            icon: PhoneOff,
            href: `/internal/recent-calls/${failed}`,
            provider,
          },
        ]
      : []),
    { ...simulateItem(number, phone_number?.account_sid, shown), provider },
  ]
}

/** Lists that look through everything. */
export const listItems = (text: string): Item[] => [
  {
    id: 'all numbers',
    label: t('All phone numbers with “{text}”', { text }),
    icon: Hash,
    href: withQuery('/internal/phone-numbers', { filter: text }),
  },
  {
    id: 'all calls',
    label: t('Recent calls with “{text}”', { text }),
    icon: PhoneCall,
    href: withQuery('/internal/recent-calls', { filter: text }),
  },
]

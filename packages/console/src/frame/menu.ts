import { type ServiceProvider, t } from '@switchroom/contract'
import {
  AppWindow,
  AudioLines,
  Bell,
  Building2,
  Cable,
  ChartColumn,
  Hash,
  type LucideIcon,
  MessagesSquare,
  Phone,
  PhoneCall,
  Settings,
  Users,
  Waypoints,
} from 'lucide-react'
import { atLeast, mayWrite } from '../lib/access'
import { config, isSwitchroom } from '../lib/config'
import { isShown } from '../lib/getting-started-shown'
import { claims } from '../lib/session'

export type Item = {
  label: string
  href: string
  /** The key that goes there after `g`. */
  key: string
  icon: LucideIcon
  /** The common path of its screens, if the link differs between users. */
  pathPrefix?: string
  /** Shows the number of open issues as a badge. */
  hasCount?: true
  /** Left out if everybody sees it. The current provider is undefined until known. */
  isVisible?: (provider: ServiceProvider | undefined) => boolean
  /** Title of the item's screen, if that differs from `label`. */
  ownTitle?: string
  /** Screens shown as tabs beside it. They use its icon where one is shown. */
  tabs?: Tab[]
}
type Tab = Pick<Item, 'label' | 'href' | 'key' | 'isVisible'>
type Group = { label?: string; items: Item[] }

const isProvider = () => atLeast('service_provider')

const auditLog = (): Tab => ({
  label: t('Audit log'),
  href: '/internal/audit-log',
  key: 'j',
  isVisible: isSwitchroom,
})
const configuration = (): Tab => ({
  label: t('Configuration'),
  href: '/internal/configuration',
  key: 'x',
  isVisible: isSwitchroom,
})
const gettingStarted = (): Tab => ({
  label: t('Getting started'),
  href: '/internal/getting-started',
  key: 'g',
  isVisible: () => isSwitchroom() && mayWrite() && isShown(),
})

/**
 * The sidebar: the specification's items in its order, after the dashboard. A new screen of a kind that the specification
 * does not have is a tab of one of them (docs/adr/052-menu.md).
 */
const all = (): Group[] => [
  {
    items: [
      {
        label: t('Dashboard'),
        href: '/internal/dashboard',
        key: 'd',
        icon: ChartColumn,
        isVisible: isSwitchroom,
        tabs: [
          { label: t('Voice insights'), href: '/internal/voice', key: 'i' },
          { label: t('Call scores'), href: '/internal/scores', key: 'z' },
        ],
      },
      {
        label: t('Users'),
        href: '/internal/users',
        key: 'u',
        icon: Users,
        isVisible: () => !config.ENABLE_HOSTED_SYSTEM,
      },
      {
        label: t('Settings'),
        href: '/internal/settings',
        key: ',',
        icon: Settings,
        isVisible: isProvider,
        tabs: [
          {
            label: t('Single sign-on'),
            href: '/internal/single-sign-on',
            key: 'k',
            isVisible: () => atLeast('admin') && isSwitchroom() && !config.ENABLE_HOSTED_SYSTEM,
          },
          auditLog(),
          configuration(),
          {
            label: t('System health'),
            href: '/internal/system-health',
            key: 'h',
            isVisible: () => atLeast('admin') && isSwitchroom(),
          },
          gettingStarted(),
        ],
      },
      {
        label: t('Accounts'),
        href: '/internal/accounts',
        key: 'a',
        icon: Building2,
        isVisible: isProvider,
      },
      {
        label: t('Account'),
        href: `/internal/accounts/${claims()?.account_sid}`,
        key: 'a',
        icon: Building2,
        pathPrefix: '/internal/accounts',
        isVisible: () => !isProvider(),
        tabs: [auditLog(), configuration(), gettingStarted()],
      },
      { label: t('SIP clients'), href: '/internal/clients', key: 's', icon: Phone },
      { label: t('Applications'), href: '/internal/applications', key: 'p', icon: AppWindow },
      {
        label: t('Recent calls'),
        href: '/internal/recent-calls',
        key: 'c',
        icon: PhoneCall,
        tabs: [{ label: t('Live'), href: '/internal/live', key: 'l', isVisible: isSwitchroom }],
      },
      {
        label: t('Alerts'),
        icon: Bell,
        ...(isSwitchroom()
          ? { ownTitle: t('Inbox'), href: '/internal/inbox', key: 'b', hasCount: true }
          : { href: '/internal/alerts', key: 'e' }),
        tabs: [
          { label: t('Alerts'), href: '/internal/alerts', key: 'e', isVisible: isSwitchroom },
          { label: t('Failures'), href: '/internal/failures', key: 'f', isVisible: isSwitchroom },
          {
            label: t('Webhook log'),
            href: '/internal/webhook-log',
            key: 'w',
            isVisible: isSwitchroom,
          },
          {
            label: t('Destinations'),
            href: '/internal/alerts/destinations',
            key: 'y',
            isVisible: isSwitchroom,
          },
          {
            label: t('Event webhooks'),
            href: '/internal/alerts/webhooks',
            key: 'q',
            isVisible: isSwitchroom,
          },
        ],
      },
    ],
  },
  {
    label: t('BYO Services'),
    items: [
      { label: t('Carriers'), href: '/internal/carriers', key: 't', icon: Cable },
      {
        label: t('Speech services'),
        href: '/internal/speech-services',
        key: 'v',
        icon: AudioLines,
      },
      { label: t('Phone numbers'), href: '/internal/phone-numbers', key: 'n', icon: Hash },
      {
        label: t('Microsoft Teams tenants'),
        href: '/internal/ms-teams-tenants',
        key: 'm',
        icon: MessagesSquare,
        isVisible: (provider) => !!provider?.ms_teams_fqdn,
      },
      {
        label: t('Outbound call routing'),
        // redirects to the table of users who have one
        href: atLeast('admin')
          ? '/internal/least-cost-routing'
          : '/internal/least-cost-routing/add',
        key: 'o',
        pathPrefix: '/internal/least-cost-routing',
        icon: Waypoints,
        isVisible: () => !config.DISABLE_LCR,
        tabs: [
          {
            label: t('Route simulator'),
            href: '/internal/route-simulator',
            key: 'r',
            isVisible: isSwitchroom,
          },
        ],
      },
    ],
  },
]

type Provider = ServiceProvider | undefined

/** The sidebar of this user, with the tabs that this user sees. */
export const menu = (provider: Provider): Group[] => {
  const visible = <T extends Tab>(items: T[]) =>
    items.filter((item) => item.isVisible?.(provider) ?? true)
  return all().map(({ items, ...group }) => ({
    ...group,
    items: visible(items).map((item) => ({ ...item, tabs: visible(item.tabs ?? []) })),
  }))
}

/** An item and its tabs, each a screen. */
export const screensOf = ({ tabs = [], ownTitle, ...item }: Item): Item[] => [
  { ...item, label: ownTitle ?? item.label },
  ...tabs.map((tab) => ({ ...tab, icon: item.icon })),
]

/** A form is within the list of its kind. */
export const isWithin = (pathname: string, { pathPrefix, href }: Item) => {
  const path = pathPrefix ?? href
  return pathname === path || pathname.startsWith(`${path}/`)
}

/** True if the user may not see a list, so that nothing should link to it. */
export const isHiddenFrom = (href: string, provider: Provider) => {
  const screens = (groups: Group[]) => groups.flatMap(({ items }) => items.flatMap(screensOf))
  const isHere = (item: Item) => item.href === href
  return screens(all()).some(isHere) && !screens(menu(provider)).some(isHere)
}

import type { ServiceProvider } from '@switchroom/contract'
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
  Radio,
  Route,
  ScrollText,
  Settings,
  Users,
  Waypoints,
} from 'lucide-react'
import { atLeast } from '../lib/access'
import { config } from '../lib/config'
import { claims } from '../lib/session'

type Item = {
  label: string
  href: string
  icon: LucideIcon
  /** Where its screens are, when it leads to one of them that differs from person to person. */
  within?: string
  /** Says beside it how many alerts are unread. */
  unread?: true
  /** Left out: everybody sees it. The current provider is undefined until it is known. */
  seen?: (provider: ServiceProvider | undefined) => boolean
}
type Group = { label?: string; items: Item[] }

const isProvider = () => atLeast('service_provider')

/** The rail, in the spec's order. A new screen is one line here. */
export const menu = (): Group[] => [
  {
    items: [
      {
        label: 'Users',
        href: '/internal/users',
        icon: Users,
        seen: () => !config.ENABLE_HOSTED_SYSTEM,
      },
      { label: 'Settings', href: '/internal/settings', icon: Settings, seen: isProvider },
      { label: 'Accounts', href: '/internal/accounts', icon: Building2, seen: isProvider },
      {
        label: 'Account',
        href: `/internal/accounts/${claims()?.account_sid}/edit`,
        icon: Building2,
        within: '/internal/accounts/',
        seen: () => !isProvider(),
      },
      { label: 'SIP clients', href: '/internal/clients', icon: Phone },
      { label: 'Applications', href: '/internal/applications', icon: AppWindow },
      { label: 'Recent calls', href: '/internal/recent-calls', icon: PhoneCall },
      { label: 'Alerts', href: '/internal/alerts', icon: Bell, unread: true },
      {
        label: 'Dashboard',
        href: '/internal/dashboard',
        icon: ChartColumn,
        seen: () => !!config.capabilities,
      },
      {
        label: 'Live',
        href: '/internal/live',
        icon: Radio,
        seen: () => !!config.capabilities,
      },
      {
        label: 'Audit log',
        href: '/internal/audit-log',
        icon: ScrollText,
        seen: () => !!config.capabilities,
      },
    ],
  },
  {
    label: 'BYO Services',
    items: [
      { label: 'Carriers', href: '/internal/carriers', icon: Cable },
      { label: 'Speech services', href: '/internal/speech-services', icon: AudioLines },
      { label: 'Phone numbers', href: '/internal/phone-numbers', icon: Hash },
      {
        label: 'Route simulator',
        href: '/internal/route-simulator',
        icon: Route,
        seen: () => !!config.capabilities,
      },
      {
        label: 'Microsoft Teams tenants',
        href: '/internal/ms-teams-tenants',
        icon: MessagesSquare,
        seen: (provider) => !!provider?.ms_teams_fqdn,
      },
      {
        label: 'Outbound call routing',
        // from there everybody who has a table is led on to it
        href: atLeast('admin')
          ? '/internal/least-cost-routing'
          : '/internal/least-cost-routing/add',
        within: '/internal/least-cost-routing',
        icon: Waypoints,
        seen: () => !config.DISABLE_LCR,
      },
    ],
  },
]

/** Whether a list is kept from this user, so that nothing should lead there. */
export const isKeptFrom = (href: string, provider: ServiceProvider | undefined) =>
  menu().some(({ items }) => items.some((i) => i.href === href && i.seen?.(provider) === false))

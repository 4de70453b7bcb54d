import type { ServiceProvider } from '@switchroom/contract'
import {
  AppWindow,
  AudioLines,
  Bell,
  Building2,
  Cable,
  ChartColumn,
  Hash,
  HeartPulse,
  KeyRound,
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
  /** The common path of its screens, if the link differs between users. */
  within?: string
  /** Shows the number of unread alerts. */
  unread?: true
  /** Left out if everybody sees it. The current provider is undefined until known. */
  seen?: (provider: ServiceProvider | undefined) => boolean
}
type Group = { label?: string; items: Item[] }

const isProvider = () => atLeast('service_provider')

/** The sidebar, in the specification's order. A new screen is one line here. */
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
      {
        label: 'Single sign-on',
        href: '/internal/single-sign-on',
        icon: KeyRound,
        seen: () => atLeast('admin') && !!config.capabilities && !config.ENABLE_HOSTED_SYSTEM,
      },
      { label: 'Accounts', href: '/internal/accounts', icon: Building2, seen: isProvider },
      {
        label: 'Account',
        href: `/internal/accounts/${claims()?.account_sid}`,
        icon: Building2,
        within: '/internal/accounts',
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
      {
        label: 'System health',
        href: '/internal/system-health',
        icon: HeartPulse,
        seen: () => atLeast('admin') && !!config.capabilities,
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
        // redirects to the table of users who have one
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

/** Whether the user may not see a list, so that nothing should link to it. */
export const isHiddenFrom = (href: string, provider: ServiceProvider | undefined) =>
  menu().some(({ items }) => items.some((i) => i.href === href && i.seen?.(provider) === false))

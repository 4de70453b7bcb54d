import { type ServiceProvider, t } from '@switchroom/contract'
import {
  AppWindow,
  AudioLines,
  Bell,
  Building2,
  Cable,
  ChartColumn,
  Flag,
  Hash,
  HeartPulse,
  KeyRound,
  type LucideIcon,
  MessagesSquare,
  Phone,
  PhoneCall,
  PhoneOff,
  Radio,
  Route,
  ScrollText,
  Settings,
  Speech,
  Users,
  Waypoints,
  Webhook,
} from 'lucide-react'
import { atLeast, mayWrite } from '../lib/access'
import { config } from '../lib/config'
import { isShown } from '../lib/getting-started-shown'
import { claims } from '../lib/session'

type Item = {
  label: string
  href: string
  icon: LucideIcon
  /** The common path of its screens, if the link differs between users. */
  within?: string
  /** Shows the number of unread alerts, or of open failures. */
  unread?: 'alerts' | 'failures'
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
        label: t('Getting started'),
        href: '/internal/getting-started',
        icon: Flag,
        seen: () => !!config.capabilities && mayWrite() && isShown(),
      },
      {
        label: t('Users'),
        href: '/internal/users',
        icon: Users,
        seen: () => !config.ENABLE_HOSTED_SYSTEM,
      },
      { label: t('Settings'), href: '/internal/settings', icon: Settings, seen: isProvider },
      {
        label: t('Single sign-on'),
        href: '/internal/single-sign-on',
        icon: KeyRound,
        seen: () => atLeast('admin') && !!config.capabilities && !config.ENABLE_HOSTED_SYSTEM,
      },
      { label: t('Accounts'), href: '/internal/accounts', icon: Building2, seen: isProvider },
      {
        label: t('Account'),
        href: `/internal/accounts/${claims()?.account_sid}`,
        icon: Building2,
        within: '/internal/accounts',
        seen: () => !isProvider(),
      },
      { label: t('SIP clients'), href: '/internal/clients', icon: Phone },
      { label: t('Applications'), href: '/internal/applications', icon: AppWindow },
      { label: t('Recent calls'), href: '/internal/recent-calls', icon: PhoneCall },
      { label: t('Alerts'), href: '/internal/alerts', icon: Bell, unread: 'alerts' },
      {
        label: t('Failures'),
        href: '/internal/failures',
        icon: PhoneOff,
        unread: 'failures',
        seen: () => !!config.capabilities,
      },
      {
        label: t('Webhook log'),
        href: '/internal/webhook-log',
        icon: Webhook,
        seen: () => !!config.capabilities,
      },
      {
        label: t('Dashboard'),
        href: '/internal/dashboard',
        icon: ChartColumn,
        seen: () => !!config.capabilities,
      },
      {
        label: t('Voice insights'),
        href: '/internal/voice',
        icon: Speech,
        seen: () => !!config.capabilities,
      },
      {
        label: t('Live'),
        href: '/internal/live',
        icon: Radio,
        seen: () => !!config.capabilities,
      },
      {
        label: t('Audit log'),
        href: '/internal/audit-log',
        icon: ScrollText,
        seen: () => !!config.capabilities,
      },
      {
        label: t('System health'),
        href: '/internal/system-health',
        icon: HeartPulse,
        seen: () => atLeast('admin') && !!config.capabilities,
      },
    ],
  },
  {
    label: t('BYO Services'),
    items: [
      { label: t('Carriers'), href: '/internal/carriers', icon: Cable },
      { label: t('Speech services'), href: '/internal/speech-services', icon: AudioLines },
      { label: t('Phone numbers'), href: '/internal/phone-numbers', icon: Hash },
      {
        label: t('Route simulator'),
        href: '/internal/route-simulator',
        icon: Route,
        seen: () => !!config.capabilities,
      },
      {
        label: t('Microsoft Teams tenants'),
        href: '/internal/ms-teams-tenants',
        icon: MessagesSquare,
        seen: (provider) => !!provider?.ms_teams_fqdn,
      },
      {
        label: t('Outbound call routing'),
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

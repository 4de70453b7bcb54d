import { z } from 'zod'
import { Alert } from './calls.ts'
import { accountParams, Nothing, serviceProviderParams } from './common.ts'
import { type Endpoint, endpoints } from './endpoint.ts'
import { CallSpan, recordPaging, recordsOf, TimeText } from './recent-calls.ts'

export const AlertPage = CallSpan.extend({
  ...recordPaging,
  alert_type: z.string().trim().max(128).optional(),
})

/** What an alert is about, where its `target_sid` names something the reader may see. */
export const AlertTarget = z.object({
  kind: z.enum(['voip_carrier', 'application', 'speech_credential']),
  name: z.string(),
})
export type AlertTarget = z.infer<typeof AlertTarget>

/** A stock API server does not look its target up. */
export const AlertItem = Alert.extend({ target: AlertTarget.nullable().optional() })
export type AlertItem = z.infer<typeof AlertItem>
export const Alerts = recordsOf(AlertItem)
export type Alerts = z.infer<typeof Alerts>

/** Whoever has seen none yet has this many days of them unread. */
export const UNREAD_DAYS = 30
export const Unread = z.object({ unread: z.number().int() })

/** The same below an account, below a provider, and of everybody. Marks are a person's own. */
const list = { method: 'GET', query: AlertPage, response: Alerts } as const
const unread = { method: 'GET', personOnly: true, own: true, response: Unread } as const
const see = {
  method: 'PUT',
  personOnly: true,
  viewOnly: true,
  own: true,
  /** The newest alert that was seen. A mark never moves back. */
  body: z.object({ until: TimeText }),
  status: 204,
  response: Nothing,
} as const satisfies Partial<Endpoint>

const ofAccount = { params: accountParams, access: 'account' } as const
export const accountAlerts = endpoints({
  list: {
    ...list,
    ...ofAccount,
    path: '/Accounts/:account_sid/Alerts',
    summary: 'Alerts of an account, the newest first',
  },
  unread: {
    ...unread,
    ...ofAccount,
    path: '/Accounts/:account_sid/Alerts/Unread',
    summary: 'How many alerts of an account the caller has not seen',
  },
  see: {
    ...see,
    ...ofAccount,
    path: '/Accounts/:account_sid/Alerts/Seen',
    summary: 'Mark alerts of an account as seen',
  },
})

const ofProvider = { params: serviceProviderParams, access: 'account' } as const
export const providerAlerts = endpoints({
  list: {
    ...list,
    ...ofProvider,
    path: '/ServiceProviders/:service_provider_sid/Alerts',
    summary: 'Alerts of a service provider and its accounts, the newest first',
  },
  unread: {
    ...unread,
    ...ofProvider,
    path: '/ServiceProviders/:service_provider_sid/Alerts/Unread',
    summary: 'How many alerts of a service provider the caller has not seen',
  },
  see: {
    ...see,
    ...ofProvider,
    path: '/ServiceProviders/:service_provider_sid/Alerts/Seen',
    summary: 'Mark alerts of a service provider as seen',
  },
})

export const alerts = endpoints({
  list: {
    ...list,
    path: '/Alerts',
    access: 'admin',
    own: true,
    summary: 'Alerts of everybody, the newest first',
  },
  unread: {
    ...unread,
    path: '/Alerts/Unread',
    access: 'admin',
    summary: 'How many alerts of everybody the caller has not seen',
  },
  see: {
    ...see,
    path: '/Alerts/Seen',
    access: 'admin',
    summary: 'Mark alerts of everybody as seen',
  },
})

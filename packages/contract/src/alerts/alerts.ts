import { z } from 'zod'
import { Alert } from '../calls/calls.ts'
import { CallSpan, recordPage, recordPaging, TimeText } from '../calls/recent-calls.ts'
import { accountParams, NoContent, serviceProviderParams } from '../wire/common.ts'
import { type Endpoint, endpoints } from '../wire/endpoint.ts'

export const AlertPage = CallSpan.extend({
  ...recordPaging,
  alert_type: z.string().trim().max(128).optional(),
})

/** The subject of an alert, if `target_sid` names something the reader may see. */
export const AlertTarget = z.object({
  kind: z.enum(['voip_carrier', 'application', 'speech_credential']),
  name: z.string(),
})
export type AlertTarget = z.infer<typeof AlertTarget>

/** A stock API server does not resolve the target. */
export const AlertItem = Alert.extend({ target: AlertTarget.nullable().optional() })
export type AlertItem = z.infer<typeof AlertItem>
export const Alerts = recordPage(AlertItem)
export type Alerts = z.infer<typeof Alerts>

/** Days that count as unread for a user who has not opened the alerts yet. */
export const UNREAD_DAYS = 30
export const Unread = z.object({ unread: z.number().int() })

/** The same for an account, a provider and everyone. Read marks are per user. */
const list = { method: 'GET', query: AlertPage, response: Alerts } as const
const unread = { method: 'GET', personOnly: true, own: true, response: Unread } as const
const see = {
  method: 'PUT',
  personOnly: true,
  allowViewOnly: true,
  own: true,
  /** Time of the newest alert the user has seen. It never moves back. */
  body: z.object({ until: TimeText }),
  status: 204,
  response: NoContent,
} as const satisfies Partial<Endpoint>

const ofAccount = { params: accountParams, access: 'account' } as const
export const accountAlerts = endpoints({
  list: {
    ...list,
    ...ofAccount,
    path: '/Accounts/:account_sid/Alerts',
    summary: 'List alerts of an account, newest first',
  },
  unread: {
    ...unread,
    ...ofAccount,
    path: '/Accounts/:account_sid/Alerts/Unread',
    summary: 'Count unread alerts of an account',
  },
  see: {
    ...see,
    ...ofAccount,
    path: '/Accounts/:account_sid/Alerts/Seen',
    summary: 'Mark alerts of an account as read',
  },
})

const ofProvider = { params: serviceProviderParams, access: 'account' } as const
export const providerAlerts = endpoints({
  list: {
    ...list,
    ...ofProvider,
    path: '/ServiceProviders/:service_provider_sid/Alerts',
    summary: 'List alerts of a service provider and its accounts, newest first',
  },
  unread: {
    ...unread,
    ...ofProvider,
    path: '/ServiceProviders/:service_provider_sid/Alerts/Unread',
    summary: 'Count unread alerts of a service provider',
  },
  see: {
    ...see,
    ...ofProvider,
    path: '/ServiceProviders/:service_provider_sid/Alerts/Seen',
    summary: 'Mark alerts of a service provider as read',
  },
})

export const alerts = endpoints({
  list: {
    ...list,
    path: '/Alerts',
    access: 'admin',
    own: true,
    summary: 'List all alerts, newest first',
  },
  unread: {
    ...unread,
    path: '/Alerts/Unread',
    access: 'admin',
    summary: 'Count all unread alerts',
  },
  see: {
    ...see,
    path: '/Alerts/Seen',
    access: 'admin',
    summary: 'Mark all alerts as read',
  },
})

import { z } from 'zod'
import { Alert } from '../calls/calls.ts'
import { CallSpan, recordPage, recordPaging, TimeText } from '../calls/recent-calls.ts'
import { accountParams, NoContent, Sid, serviceProviderParams } from '../wire/common.ts'
import { type Endpoint, endpoints } from '../wire/endpoint.ts'
import { t } from '../wire/text.ts'

export const AlertPage = CallSpan.extend({
  ...recordPaging,
  alert_type: z.string().trim().max(128).optional(),
})

/** The subject of an alert, if `target_sid` names something the reader may see. */
export const AlertTarget = z.object({
  kind: z.enum(['voip_carrier', 'application', 'speech_credential', 'saved_view']),
  name: z.string(),
  /** The console's address of a saved view. */
  path: z.string().optional(),
})
export type AlertTarget = z.infer<typeof AlertTarget>

/** A stock API server does not resolve the target. */
export const AlertItem = Alert.extend({ target: AlertTarget.nullable().optional() })
export type AlertItem = z.infer<typeof AlertItem>
export const Alerts = recordPage(AlertItem)
export type Alerts = z.infer<typeof Alerts>

/** The most alerts that are gathered, the newest first. */
export const GATHERED_MAX = 5_000

/** Alerts that have not recurred for this time are not open any more. */
export const ALERT_OPEN_HOURS = 24
/**
 * What became of alerts of one type and owner, as of failures: they return by themselves when one occurs after they were
 * resolved. `quiet`: none has occurred for a while.
 */
const State = z.enum(['open', 'returned', 'resolved', 'quiet'])
export type AlertState = z.infer<typeof State>

/** Alerts of one type and owner. */
export const AlertGroup = z.object({
  account_sid: z.string().nullable(),
  account_name: z.string().nullable(),
  service_provider_sid: z.string().nullable(),
  alert_type: z.string().nullable(),
  alerts: z.number().int(),
  first_at: z.string(),
  last_at: z.string(),
  state: State,
  latest: AlertItem,
})
export type AlertGroup = z.infer<typeof AlertGroup>

export const GatheredAlerts = z.object({
  /** The latest first. */
  data: z.array(AlertGroup),
  /** How many alerts the span has; only the newest are gathered if they are more than the most. */
  total: z.number().int(),
})

/** Days that count as unread for a user who has not opened the alerts yet. */
export const UNREAD_DAYS = 30
export const Unread = z.object({
  unread: z.number().int(),
  /** Open failures of the same owner, which the menu shows beside them. */
  open_failures: z.number().int(),
})
export type Unread = z.infer<typeof Unread>

/** The same for an account, a provider and everyone. Read marks are per user. */
const list = { method: 'GET', query: AlertPage, response: Alerts } as const
const gathered = {
  method: 'GET',
  own: true,
  costs: 'figures',
  query: CallSpan.extend({
    alert_type: AlertPage.shape.alert_type,
    /** Text within the type, the message or the details, in any case. */
    filter: z.string().trim().max(128).optional(),
    /** Those that are open or have returned. */
    state: z.enum(['open'], t('Enter open')).optional(),
  }),
  response: GatheredAlerts,
} as const satisfies Partial<Endpoint>
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

const Mark = z.object({
  alert_type: z.string().trim().min(1).max(128),
  state: z.enum(['open', 'resolved'], t('Enter open or resolved')),
})
const mark = {
  method: 'PUT',
  own: true,
  body: Mark,
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
  gathered: {
    ...gathered,
    ...ofAccount,
    path: '/Accounts/:account_sid/Alerts/Gathered',
    summary: 'List alerts of an account by type and account, with first, last and count',
  },
  unread: {
    ...unread,
    ...ofAccount,
    path: '/Accounts/:account_sid/Alerts/Unread',
    summary: 'Count unread alerts and open failures of an account',
  },
  see: {
    ...see,
    ...ofAccount,
    path: '/Accounts/:account_sid/Alerts/Seen',
    summary: 'Mark alerts of an account as read',
  },
  mark: {
    ...mark,
    ...ofAccount,
    path: '/Accounts/:account_sid/Alerts/Resolved',
    summary: 'Mark alerts of a type of an account as resolved, or reopen them',
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
  gathered: {
    ...gathered,
    ...ofProvider,
    path: '/ServiceProviders/:service_provider_sid/Alerts/Gathered',
    summary: 'List alerts of a service provider by type and account, with first, last and count',
  },
  unread: {
    ...unread,
    ...ofProvider,
    path: '/ServiceProviders/:service_provider_sid/Alerts/Unread',
    summary: 'Count unread alerts and open failures of a service provider',
  },
  see: {
    ...see,
    ...ofProvider,
    path: '/ServiceProviders/:service_provider_sid/Alerts/Seen',
    summary: 'Mark alerts of a service provider as read',
  },
  mark: {
    ...mark,
    ...ofProvider,
    path: '/ServiceProviders/:service_provider_sid/Alerts/Resolved',
    /** The account whose alerts they are; none for the provider's own. */
    body: Mark.extend({ account_sid: Sid.nullable().optional() }),
    summary: 'Mark alerts of a type of a provider’s account as resolved, or reopen them',
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
  gathered: {
    ...gathered,
    path: '/Alerts/Gathered',
    access: 'admin',
    summary: 'List all alerts by type and account, with first, last and count',
  },
  unread: {
    ...unread,
    path: '/Alerts/Unread',
    access: 'admin',
    summary: 'Count all unread alerts and open failures',
  },
  see: {
    ...see,
    path: '/Alerts/Seen',
    access: 'admin',
    summary: 'Mark all alerts as read',
  },
})

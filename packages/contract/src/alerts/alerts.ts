import { z } from 'zod'
import { Alert } from '../calls/calls.ts'
import { CallSpan, recordPage, recordPaging } from '../calls/recent-calls.ts'
import { accountParams, serviceProviderParams } from '../wire/common.ts'
import { type Endpoint, endpoints } from '../wire/endpoint.ts'
import { Integer, StringOrNull } from '../wire/fields.ts'
import { keysOf } from '../wire/records.ts'
import { t } from '../wire/text.ts'
import { ISSUE_STATES } from './issue-text.ts'

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

/** Alerts of one type and owner. */
export const AlertGroup = z.object({
  account_sid: StringOrNull,
  account_name: StringOrNull,
  service_provider_sid: StringOrNull,
  alert_type: StringOrNull,
  alerts: Integer,
  first_at: z.string(),
  last_at: z.string(),
  state: z.enum(keysOf(ISSUE_STATES)),
  latest: AlertItem,
})
export type AlertGroup = z.infer<typeof AlertGroup>

export const GatheredAlerts = z.object({
  /** The latest first. */
  data: z.array(AlertGroup),
  /** Number of alerts in the span. Only the newest are grouped if there are more than the limit. */
  total: Integer,
})

/** The same for an account, a provider and everyone. */
const list = { method: 'GET', query: AlertPage, response: Alerts } as const
const gathered = {
  method: 'GET',
  own: true,
  costs: 'figures',
  query: CallSpan.extend({
    alert_type: AlertPage.shape.alert_type,
    /** Text within the type, the message or the details, in any case. */
    filter: z.string().trim().max(128).optional(),
    /** Returns only groups that are open or have returned. */
    state: z.enum(['open'], t('Enter open')).optional(),
  }),
  response: GatheredAlerts,
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
})

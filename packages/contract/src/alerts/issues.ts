import { z } from 'zod'
import { CallAnomaly } from '../calls/call-anomalies.ts'
import { TimeText } from '../calls/recent-calls.ts'
import {
  accountParams,
  listQuery,
  NoContent,
  pageOf,
  Sid,
  serviceProviderParams,
  sidOrNull,
} from '../wire/common.ts'
import { type Endpoint, endpoints } from '../wire/endpoint.ts'
import { Integer, IntegerOrNull, StringOrNull } from '../wire/fields.ts'
import { keysOf } from '../wire/records.ts'
import { t } from '../wire/text.ts'
import { AlertGroup } from './alerts.ts'
import { CarrierTrouble } from './carrier-health.ts'
import { Failure } from './failures.ts'
import { ISSUE_KINDS, ISSUE_STATES, SEVERITIES } from './issue-text.ts'

const KeyText = z.string().min(1).max(128)
const Common = z.object({
  /** Names it among those of its kind and account. */
  key: KeyText,
  severity: z.enum(keysOf(SEVERITIES)),
  state: z.enum(keysOf(ISSUE_STATES)),
  /** The carrier, the type of the alerts, or what the calls of an anomaly have in common; null if it is not known. */
  subject: StringOrNull,
  /** All of it in a sentence. */
  text: z.string(),
  /** For a provider's alerts, the account they are about. */
  account_sid: StringOrNull,
  account_name: StringOrNull,
  /** Null if it is not known. */
  first_at: StringOrNull,
  last_at: z.string(),
  /** Failed calls, alerts, or calls that were compared; null of a carrier. */
  count: IntegerOrNull,
  /** Null while muted for good. */
  muted_until: StringOrNull,
  assigned_to: StringOrNull,
  assignee: StringOrNull,
})

/** Something that is wrong: one row of the inbox of an account, or of a provider over all of its accounts. */
export const InboxIssue = z.discriminatedUnion('kind', [
  Common.extend({ kind: z.literal('carrier'), carrier: CarrierTrouble }),
  Common.extend({ kind: z.literal('failure'), failure: Failure }),
  Common.extend({ kind: z.literal('alert'), alerts: AlertGroup }),
  Common.extend({ kind: z.literal('anomaly'), anomaly: CallAnomaly }),
])
export type InboxIssue = z.infer<typeof InboxIssue>

export const IssueCount = z.object({
  /** Open issues that need somebody: all but those for information. */
  issues: Integer,
})
export type IssueCount = z.infer<typeof IssueCount>

/**
 * A change to an issue other than a failure. Omitted members keep their values. Failures are changed by
 * `PUT /Failures/:failure_sid`.
 */
const Mark = z.object({
  kind: z.enum(['carrier', 'alert', 'anomaly'], t('Enter carrier, alert or anomaly')),
  key: KeyText,
  state: z.enum(['open', 'muted', 'resolved'], t('Enter open, muted or resolved')).optional(),
  /** End of the muting, with `muted` only. Null mutes for good. */
  muted_until: TimeText.nullable().optional(),
  assigned_to: sidOrNull(t('Choose a user')).optional(),
})
export type IssueMark = z.output<typeof Mark>

const list = {
  method: 'GET',
  own: true,
  costs: 'figures',
  query: listQuery('severity', 'last_at', 'count').extend({
    severity: z.enum(keysOf(SEVERITIES), t('Enter critical, warning or info')).optional(),
    /** `open` includes those that returned. */
    state: z
      .enum(['open', 'muted', 'resolved', 'quiet'], t('Enter open, muted, resolved or quiet'))
      .optional(),
    kind: z.enum(keysOf(ISSUE_KINDS), t('Enter carrier, failure, alert or anomaly')).optional(),
    assigned: z.enum(['me', 'nobody'], t('Enter me or nobody')).optional(),
  }),
  response: pageOf(InboxIssue),
} as const satisfies Partial<Endpoint>
const count = { method: 'GET', own: true, costs: 'figures', response: IssueCount } as const
const mark = {
  method: 'PUT',
  own: true,
  body: Mark,
  status: 204,
  response: NoContent,
} as const satisfies Partial<Endpoint>

const ofAccount = { params: accountParams, access: 'account' } as const
export const accountIssues = endpoints({
  list: {
    ...list,
    ...ofAccount,
    path: '/Accounts/:account_sid/Issues',
    summary: 'List issues of an account: carriers in trouble, failures, alerts and anomalies',
  },
  count: {
    ...count,
    ...ofAccount,
    path: '/Accounts/:account_sid/Issues/Count',
    summary: 'Count open issues of an account that need somebody',
  },
  mark: {
    ...mark,
    ...ofAccount,
    path: '/Accounts/:account_sid/Issues',
    summary: 'Assign, mute, resolve or reopen an issue of an account',
  },
})

const ofProvider = { params: serviceProviderParams, access: 'account' } as const
export const providerIssues = endpoints({
  list: {
    ...list,
    ...ofProvider,
    path: '/ServiceProviders/:service_provider_sid/Issues',
    summary: 'List issues of a service provider and its accounts',
  },
  count: {
    ...count,
    ...ofProvider,
    path: '/ServiceProviders/:service_provider_sid/Issues/Count',
    summary: 'Count open issues of a service provider that need somebody',
  },
  mark: {
    ...mark,
    ...ofProvider,
    path: '/ServiceProviders/:service_provider_sid/Issues',
    /** The account whose alerts they are; none for the provider's own. */
    body: Mark.extend({ account_sid: Sid.nullable().optional() }),
    summary: 'Assign, mute, resolve or reopen an issue of a service provider',
  },
})

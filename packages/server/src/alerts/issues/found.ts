import {
  type AlertGroup,
  alertTypeOf,
  alertTypeText,
  type CallAnomaly,
  type CarrierTrouble,
  failureText,
  HEALTH_RULES,
  type InboxIssue,
  type IssueState,
  isOpenIssue,
  type Severity,
  THING_STATES,
  type ThingState,
} from '@switchroom/contract'
import { maskedUrls } from '../../secrets/without-secrets.ts'
import { lastHours, readContent } from '../failures/content.ts'
import * as failures from '../failures/queries.ts'
import { FOREVER, type Mark, ongoingState } from './marks.ts'
import { alertSeverity } from './severity.ts'

type Common = Omit<InboxIssue, 'kind'>
type FoundFailure = Common & { kind: 'failure'; row: failures.Row }
export type FoundIssue = Exclude<InboxIssue, { kind: 'failure' }> | FoundFailure

const URGENT: readonly ThingState[] = ['not_registered', 'failing']
const severityOf = (state: ThingState): Severity =>
  URGENT.includes(state) ? 'critical' : 'warning'

/** A mark as the API shows it. */
const markedBy = (mark: Mark | undefined) => ({
  muted_until:
    mark?.muted_until && mark.muted_until !== FOREVER
      ? new Date(mark.muted_until).toISOString()
      : null,
  assigned_to: mark?.assigned_to ?? null,
  assignee: null,
})

const ofInbox = { account_sid: null, account_name: null }

/** A carrier in trouble, unless a failure says why: that one is in the list. */
export function ofCarrier(
  carrier: CarrierTrouble,
  mark: Mark | undefined,
  now: number,
): FoundIssue {
  const { voip_carrier_sid, name, state, since, reason } = carrier
  return {
    ...ofInbox,
    ...markedBy(mark),
    kind: 'carrier',
    key: voip_carrier_sid,
    severity: severityOf(state),
    state: ongoingState(mark, since, now),
    subject: name,
    text: `${name}: ${THING_STATES[state]}. ${reason}`,
    first_at: since,
    last_at: new Date(now).toISOString(),
    count: null,
    carrier,
  }
}

/** A failure matters as much as it does to its carrier. One wrong number needs nobody. */
export function ofFailure(
  row: failures.Row,
  judged: ThingState | undefined,
  now: number,
): FoundFailure {
  const calls = lastHours(readContent(row.content), now).reduce((a, b) => a + b, 0)
  const state = failures.stateOf(row)
  return {
    ...ofInbox,
    kind: 'failure',
    key: row.failure_sid,
    severity: judged ? severityOf(judged) : calls >= HEALTH_RULES.failed_calls ? 'warning' : 'info',
    state: isInState(state, 'open') && calls === 0 ? 'quiet' : state,
    subject: row.trunk,
    text: failureText(row),
    first_at: row.first_at,
    last_at: row.last_at,
    count: Number(row.calls),
    muted_until: row.muted_until,
    assigned_to: row.assigned_to,
    assignee: null,
    row,
  }
}

export function ofAlerts(group: AlertGroup, mark: Mark | undefined, isTold: boolean): FoundIssue {
  const { latest, account_sid, account_name, first_at, last_at, state } = group
  const type = alertTypeOf(latest)
  const { name } = alertTypeText(type)
  return {
    ...markedBy(mark),
    kind: 'alert',
    key: type,
    severity: isTold ? 'info' : alertSeverity(type, group.alerts),
    state,
    subject: name,
    text: latest.message ? `${name}: ${maskedUrls(latest.message)}` : name,
    account_sid,
    account_name,
    first_at,
    last_at,
    count: group.alerts,
    alerts: group,
  }
}

export const anomalyKey = ({ kind, direction, measure, id }: CallAnomaly) =>
  `${kind} ${direction ?? 'any'} ${measure} ${id}`.slice(0, 119)

function anomalySeverity({ measure, value, usual }: CallAnomaly): Severity {
  if (measure === 'more_calls') return 'info'
  const isFailing =
    (measure === 'answered' && value < usual * HEALTH_RULES.failing_below) ||
    (measure === 'fewer_calls' && value === 0)
  return isFailing ? 'critical' : 'warning'
}

export function ofAnomaly(
  anomaly: CallAnomaly,
  mark: Mark | undefined,
  isTold: boolean,
  now: number,
): FoundIssue {
  return {
    ...ofInbox,
    ...markedBy(mark),
    kind: 'anomaly',
    key: anomalyKey(anomaly),
    severity: isTold ? 'info' : anomalySeverity(anomaly),
    state: ongoingState(mark, anomaly.since, now),
    subject: anomaly.name,
    text: anomaly.sentence,
    first_at: anomaly.since,
    last_at: anomaly.end,
    count: anomaly.calls,
    anomaly,
  }
}

export const isInState = (state: IssueState, wanted: NonNullable<Filters['state']>) =>
  wanted === 'open' ? isOpenIssue(state) || state === 'watched' : state === wanted

export type Filters = {
  filter?: string | undefined
  severity?: Severity | undefined
  state?: 'open' | 'muted' | 'resolved' | 'quiet' | undefined
  kind?: InboxIssue['kind'] | undefined
  assigned?: 'me' | 'nobody' | undefined
}

import {
  type Alert,
  type AlertGroup,
  alertTypeOf,
  alertTypeText,
  type CallAnomaly,
  type CarrierTrouble,
  type Failure,
  failureText,
  GATHERED_MAX,
  HEALTH_RULES,
  hasWords,
  type InboxIssue,
  ISSUE_HOURS,
  type IssueState,
  isOpenIssue,
  keysOf,
  needsPerson,
  SEVERITIES,
  type Severity,
  THING_STATES,
  type ThingState,
  UNTYPED,
} from '@switchroom/contract'
import { anomaliesOf } from '../../calls/call-anomalies/queries.ts'
import type { Context } from '../../http/context.ts'
import type { Scope } from '../../http/scope.ts'
import { plainUrls } from '../../secrets/without-secrets.ts'
import type { Owner } from '../../stores/calls/store.ts'
import { HOUR_MS } from '../../stores/calls/sums.ts'
import { troublesOf } from '../carrier-health/troubles.ts'
import { lastHours, readContent } from '../failures/content.ts'
import * as failures from '../failures/queries.ts'
import { gather } from './gather.ts'
import { aboutOf, FOREVER, type Mark, marksIn, ongoingState } from './marks.ts'
import { alertSeverity } from './severity.ts'

// one script, which is loaded when it is first needed
export { gather } from './gather.ts'
export { mark } from './mark.ts'

/** Alerts that were resolved or are quiet are listed for this time. */
const ALERT_DAYS = 7

type Filters = {
  filter?: string | undefined
  severity?: Severity | undefined
  state?: 'open' | 'muted' | 'resolved' | 'quiet' | undefined
  kind?: InboxIssue['kind'] | undefined
  assigned?: 'me' | 'nobody' | undefined
}
type Common = Omit<InboxIssue, 'kind'>
type FoundFailure = Common & { kind: 'failure'; row: failures.Row }
export type FoundIssue = Exclude<InboxIssue, { kind: 'failure' }> | FoundFailure

const URGENT: readonly ThingState[] = ['not_registered', 'failing']
const severityOf = (state: ThingState): Severity =>
  URGENT.includes(state) ? 'critical' : 'warning'

/** What people have set, as it is shown. */
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
function ofCarrier(carrier: CarrierTrouble, mark: Mark | undefined, now: number): FoundIssue {
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
function ofFailure(row: failures.Row, judged: ThingState | undefined, now: number): FoundFailure {
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

function ofAlerts(group: AlertGroup, mark: Mark | undefined, isTold: boolean): FoundIssue {
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
    text: latest.message ? `${name}: ${plainUrls(latest.message)}` : name,
    account_sid,
    account_name,
    first_at,
    last_at,
    count: group.alerts,
    alerts: group,
  }
}

const anomalyKey = ({ kind, direction, measure, id }: CallAnomaly) =>
  `${kind} ${direction ?? 'any'} ${measure} ${id}`.slice(0, 119)

function anomalySeverity({ measure, value, usual }: CallAnomaly): Severity {
  if (measure === 'more_calls') return 'info'
  const isFailing =
    (measure === 'answered' && value < usual * HEALTH_RULES.failing_below) ||
    (measure === 'fewer_calls' && value === 0)
  return isFailing ? 'critical' : 'warning'
}

function ofAnomaly(
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

/** Whether routing its calls to another carrier has ended a failure. */
const worked = ({ state, rerouted }: failures.Row) =>
  state === 'mended' && failures.readRerouted(rerouted)?.worked === true

/** As if somebody had resolved what the calls before tell of the carrier as well. */
const endedBy = ({ mended_at }: failures.Row): Mark => ({
  mended_at: Date.parse(mended_at!),
  muted_until: null,
  assigned_to: null,
})

const isOutbound = ({ findings }: CarrierTrouble) =>
  findings.every(({ direction }) => direction === 'outbound')

/**
 * What is wrong in an inbox, each cause once: what a failure says of a carrier is that failure, and an anomaly of a
 * carrier in trouble is its carrier's. What another issue tells as well is for information. With the alerts of those
 * hours, newest first. The owner is within the caller's scope.
 */
export async function findIssues(
  ctx: Context,
  scope: Scope,
  owner: Owner,
  now: number,
  alertHours: number,
): Promise<{ issues: FoundIssue[]; alerts: Alert[] }> {
  const [markOf, troubles, anomalies, rows, raised] = await Promise.all([
    marksIn(ctx.db, owner),
    troublesOf(ctx, scope, owner, now),
    anomaliesOf(ctx, scope, owner),
    failures.all(ctx.db, scope, owner),
    ctx.stores.alerts.list(
      { ...owner, from: now - alertHours * HOUR_MS, to: now + HOUR_MS },
      { limit: GATHERED_MAX, offset: 0 },
    ),
  ])
  const groups = await gather(ctx.db, scope, owner, raised.data, {})
  const findings = troubles.data.flatMap((carrier) => carrier.findings)
  const judged = new Map(
    findings.flatMap(({ failure_sid, state }) =>
      failure_sid ? [[failure_sid, state] as const] : [],
    ),
  )
  const inTrouble = new Set(troubles.data.map(({ name }) => name))
  const isTold = ({ latest }: AlertGroup) =>
    alertTypeOf(latest) === UNTYPED &&
    !!latest.message &&
    findings.some(({ reason }) => reason.includes(latest.message!.replace(/\.$/, '')))
  const ofRows = rows.map((row) => ofFailure(row, judged.get(row.failure_sid), now))
  const failing = ofRows.flatMap(({ row, state, severity }) =>
    row.prefix && (state === 'watched' || worked(row) || needsPerson({ state, severity }))
      ? row.prefix.replace('+', '')
      : [],
  )
  const ended = new Map(rows.flatMap((row) => (worked(row) ? [[row.trunk, endedBy(row)]] : [])))
  const isOfFailure = ({ kind, id }: CallAnomaly) =>
    kind === 'prefix' && failing.some((digits) => digits.startsWith(id) || id.startsWith(digits))
  const issues = [
    ...troubles.data
      .filter(({ failure_sid }) => !failure_sid)
      .map((c) =>
        ofCarrier(
          c,
          markOf(null, aboutOf('carrier', c.voip_carrier_sid)) ??
            (isOutbound(c) ? ended.get(c.name) : undefined),
          now,
        ),
      ),
    ...ofRows,
    ...groups.map((group) =>
      ofAlerts(group, markOf(group.account_sid, alertTypeOf(group.latest)), isTold(group)),
    ),
    ...anomalies.data
      .filter(
        ({ kind, id, measure }) =>
          kind !== 'carrier' || measure === 'more_calls' || !inTrouble.has(id),
      )
      .map((a) =>
        ofAnomaly(a, markOf(null, aboutOf('anomaly', anomalyKey(a))), isOfFailure(a), now),
      ),
  ]
  return { issues, alerts: raised.data }
}

/** The names of those who see to issues. Who was deleted does not any more. */
async function withAssignees(
  { db }: Pick<Context, 'db'>,
  issues: FoundIssue[],
): Promise<FoundIssue[]> {
  const sids = [...new Set(issues.flatMap(({ assigned_to }) => assigned_to ?? []))]
  const users = await db
    .selectFrom('users')
    .select(['user_sid', 'name'])
    .where('user_sid', 'in', [...sids, ''])
    .execute()
  const names = new Map(users.map(({ user_sid, name }) => [user_sid, name]))
  return issues.map((issue) => {
    const assignee = names.get(issue.assigned_to ?? '') ?? null
    return { ...issue, assignee, assigned_to: assignee === null ? null : issue.assigned_to }
  })
}

const isInState = (state: IssueState, wanted: NonNullable<Filters['state']>) =>
  wanted === 'open' ? isOpenIssue(state) || state === 'watched' : state === wanted

function matches(issue: FoundIssue, { user_sid }: Scope, filters: Filters) {
  const { filter, severity, state, kind, assigned } = filters
  const shown = [issue.text, issue.account_name ?? '', issue.assignee ?? '']
  return (
    (!severity || issue.severity === severity) &&
    (!state || isInState(issue.state, state)) &&
    (!kind || issue.kind === kind) &&
    (!assigned || issue.assigned_to === (assigned === 'me' ? user_sid : null)) &&
    (!filter || hasWords(shown, filter))
  )
}

const ORDER = keysOf(SEVERITIES)
const rank = ({ severity }: FoundIssue) => ORDER.indexOf(severity)
type Compare = (a: FoundIssue, b: FoundIssue) => number
const bySeverity: Compare = (a, b) => rank(a) - rank(b)
const byLast: Compare = (a, b) => (a.last_at < b.last_at ? -1 : a.last_at > b.last_at ? 1 : 0)
const byCount: Compare = (a, b) => (a.count ?? 0) - (b.count ?? 0)
const SORTS: Record<string, Compare> = { severity: bySeverity, last_at: byLast, count: byCount }

/** The most urgent first, and of those the latest. */
function sorted(issues: FoundIssue[], sort = 'severity') {
  const compare = SORTS[sort.replace(/^-/, '')] ?? bySeverity
  const sign = sort.startsWith('-') ? -1 : 1
  return issues.sort((a, b) => sign * compare(a, b) || bySeverity(a, b) || byLast(b, a))
}

export async function list(
  ctx: Context,
  scope: Scope,
  owner: Owner,
  query: Filters & { page?: number | undefined; page_size: number; sort?: string | undefined },
  now = Date.now(),
) {
  const { page = 1, page_size, sort, state } = query
  const hours = state === 'open' ? ISSUE_HOURS : ALERT_DAYS * 24
  const { issues } = await findIssues(ctx, scope, owner, now, hours)
  const found = await withAssignees(ctx, issues)
  const all = sorted(
    found.filter((issue) => matches(issue, scope, query)),
    sort,
  )
  const shown = all.slice((page - 1) * page_size, page * page_size)
  const rows = shown.flatMap((issue) => (issue.kind === 'failure' ? issue.row : []))
  const ofRows = new Map<string, Failure>(
    (await failures.present(ctx.db, scope, rows)).map((f) => [f.failure_sid, f]),
  )
  const data = shown.map((issue): InboxIssue => {
    if (issue.kind !== 'failure') return issue
    const { row, ...rest } = issue
    return { ...rest, failure: ofRows.get(row.failure_sid)! }
  })
  return { data, total: all.length, page, page_size }
}

/** How many open issues need somebody. */
export async function count(ctx: Context, scope: Scope, owner: Owner, now = Date.now()) {
  const { issues } = await findIssues(ctx, scope, owner, now, ISSUE_HOURS)
  return { issues: issues.filter(needsPerson).length }
}

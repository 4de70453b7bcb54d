import {
  type Alert,
  type AlertGroup,
  alertTypeOf,
  type CallAnomaly,
  type CarrierTrouble,
  type Failure,
  GATHERED_MAX,
  hasWords,
  type InboxIssue,
  ISSUE_HOURS,
  keysOf,
  needsPerson,
  SEVERITIES,
  UNTYPED,
} from '@switchroom/contract'
import { anomaliesOf } from '../../calls/call-anomalies/queries.ts'
import type { Context } from '../../http/context.ts'
import type { Scope } from '../../http/scope.ts'
import type { Owner } from '../../stores/calls/store.ts'
import { HOUR_MS } from '../../stores/calls/sums.ts'
import { troublesOf } from '../carrier-health/troubles.ts'
import * as failures from '../failures/queries.ts'
import {
  anomalyKey,
  type Filters,
  type FoundIssue,
  isInState,
  ofAlerts,
  ofAnomaly,
  ofCarrier,
  ofFailure,
} from './found.ts'
import { gather } from './gather.ts'
import { aboutOf, type Mark, marksIn } from './marks.ts'

// one script, which is loaded when it is first needed
export { gather } from './gather.ts'
export { mark } from './mark.ts'

/** Alerts that were resolved or are quiet are listed for this time. */
const ALERT_DAYS = 7

/** True if rerouting the calls to another carrier has ended a failure. */
const worked = ({ state, rerouted }: failures.Row) =>
  state === 'mended' && failures.readRerouted(rerouted)?.worked === true

/** A mark as if somebody had also resolved the carrier's trouble among the calls before. */
const endedBy = ({ mended_at }: failures.Row): Mark => ({
  mended_at: Date.parse(mended_at!),
  muted_until: null,
  assigned_to: null,
})

const isOutbound = ({ findings }: CarrierTrouble) =>
  findings.every(({ direction }) => direction === 'outbound')

/**
 * Issues of an inbox, each cause once: trouble of a carrier that a failure explains is that failure, and an anomaly of
 * a carrier in trouble belongs to the carrier. An issue that repeats another is for information. With the alerts of
 * those hours, newest first. The owner is within the caller's scope.
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

/** Adds the names of assignees. Deleted users are assigned no longer. */
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

/** Number of open issues that need attention. */
export async function count(ctx: Context, scope: Scope, owner: Owner, now = Date.now()) {
  const { issues } = await findIssues(ctx, scope, owner, now, ISSUE_HOURS)
  return { issues: issues.filter(needsPerson).length }
}

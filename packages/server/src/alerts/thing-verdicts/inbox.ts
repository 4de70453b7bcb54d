import {
  type Alert,
  alertTypeOf,
  alertTypeText,
  type Finding,
  HEALTH_RULES,
  ISSUE_HOURS,
  isOpenIssue,
  mendOf,
  needsPerson,
  type Severity,
  t,
} from '@switchroom/contract'
import type { Context } from '../../http/context.ts'
import type { Scope } from '../../http/scope.ts'
import { maskedUrls } from '../../secrets/without-secrets.ts'
import type { Subject } from '../../stores/anomalies/subject-series.ts'
import type { Owner } from '../../stores/calls/store.ts'
import { readContent } from '../failures/content.ts'
import type { FoundIssue } from '../issues/found.ts'
import { findIssues } from '../issues/queries.ts'
import { alertSeverity } from '../issues/severity.ts'

/** An inbox, and the subjects by which its calls are told apart. */
export type Inbox = {
  /** Issues that need attention. */
  issues: FoundIssue[]
  /** Alerts of the last day, newest first, that nobody has muted or resolved. */
  alerts: Alert[]
  /** Subjects with calls that are checked for anomalies. */
  subjects: Subject[]
  unjudged: (Subject & { sentence: string })[]
}

/** Reads the issues, alerts and anomalies of an owner, which is within the caller's scope. */
export async function readInbox(ctx: Context, scope: Scope, owner: Owner, now: number) {
  const [{ issues, alerts }, finder, { UNJUDGED_TEXTS }] = await Promise.all([
    findIssues(ctx, scope, owner, now, ISSUE_HOURS),
    ctx.memory.anomalies(),
    import('../../calls/call-anomalies/sentence.ts'),
  ])
  const { subjects, unjudged } = await finder.find(ctx.stores.calls, owner, now)
  const groupOf = ({ account_sid, alert_type }: Pick<Alert, 'account_sid' | 'alert_type'>) =>
    JSON.stringify([account_sid, alert_type])
  const open = new Set(
    issues.flatMap((issue) =>
      issue.kind === 'alert' && isOpenIssue(issue.state) ? groupOf(issue.alerts.latest) : [],
    ),
  )
  return {
    issues: issues.filter(needsPerson),
    alerts: alerts.filter((alert) => open.has(groupOf(alert))),
    subjects,
    unjudged: unjudged.map((one) => ({ ...one, sentence: UNJUDGED_TEXTS[one.reason] })),
  } satisfies Inbox
}

const STATES = { critical: 'failing', warning: 'degraded', info: 'ok' } as const
const stateOf = (severity: Severity) => STATES[severity]
const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)

const TRY_IT = t('Try the application, and read how its webhook answers.')
const SERVICE = t('Add a speech service of this vendor, or choose another vendor.')
const VENDOR = t('Test the speech service, and read the vendor’s answer.')
/** Fix for the cause of alerts, by type. */
const MENDS: Record<string, string> = {
  'webhook-failure': TRY_IT,
  'webhook-connection-failure': TRY_IT,
  'webhook-auth-failure': t('Compare the username and password with those of the webhook.'),
  'webhook-url-notfound': t('Correct the URL of the webhook.'),
  'invalid-app-payload': TRY_IT,
  'no-tts': SERVICE,
  'no-stt': SERVICE,
  'tts-failure': VENDOR,
  'stt-failure': VENDOR,
  'tts-streaming-connection-failure': VENDOR,
  'no-carrier': t('Add a carrier with an outbound gateway, or a route to one.'),
  'account-call-limit': t('Raise the limit of calls, or find out who makes so many.'),
}

/** In a form that the console has in other languages, with the name of the type. */
function alertReason(type: string, message: string | null) {
  const { name } = alertTypeText(type)
  if (!message) return t('Alert “{name}”.', { name })
  return t('Alert “{name}”: {message}.', { name, message: maskedUrls(message).replace(/\.$/, '') })
}

/** An issue of the inbox as a finding. */
export function findingOf(issue: FoundIssue): Finding {
  if (issue.kind === 'carrier') {
    const { state, since, reason, mend, failure_sid, direction } = issue.carrier
    return { state, since, reason, mend, failure_sid, direction }
  }
  const isFailure = issue.kind === 'failure'
  return {
    state: stateOf(issue.severity),
    since: issue.first_at,
    reason:
      issue.kind === 'alert'
        ? alertReason(issue.key, issue.alerts.latest.message)
        : sentence(issue.text),
    mend: isFailure
      ? mendOf(issue.row).text
      : issue.kind === 'alert'
        ? (MENDS[issue.key] ?? null)
        : null,
    failure_sid: isFailure ? issue.key : null,
    direction: isFailure
      ? issue.row.direction
      : issue.kind === 'anomaly'
        ? issue.anomaly.direction
        : null,
  }
}

/** Alerts of a resource as findings, one per type. A single one that may pass is no finding. */
export function findingsOfAlerts(alerts: readonly Alert[]): Finding[] {
  return [...Map.groupBy(alerts, alertTypeOf)].flatMap(([type, same]) => {
    const severity = alertSeverity(type, same.length)
    if (severity === 'info') return []
    const [{ message }] = same as [Alert]
    return {
      state: stateOf(severity),
      since: same.at(-1)!.time,
      reason: alertReason(type, message),
      mend: MENDS[type] ?? null,
      failure_sid: null,
      direction: null,
    }
  })
}

/**
 * Findings about an account or application from failures and anomalies. A failure to which it contributes the smaller
 * part degrades it.
 */
export const findingsAmongCalls = (
  { issues }: Inbox,
  kind: 'account' | 'application',
  sid: string,
): Finding[] =>
  issues.flatMap((issue) => {
    if (issue.kind === 'anomaly')
      return issue.anomaly.kind === kind && issue.anomaly.id === sid ? findingOf(issue) : []
    if (issue.kind !== 'failure') return []
    const { accounts, applications } = readContent(issue.row.content)
    const { by, others } = kind === 'account' ? accounts : applications
    const own = by[sid] ?? 0
    if (own < HEALTH_RULES.failed_calls) return []
    const all = Object.values(by).reduce((a, b) => a + b, others)
    const finding = findingOf(issue)
    return own < all * HEALTH_RULES.failing_part ? { ...finding, state: 'degraded' } : finding
  })

/** State of an account or application without findings: well, or unknown. */
export function stateWithoutFindings(
  { subjects, unjudged }: Inbox,
  kind: 'account' | 'application',
  sid: string,
): Pick<Finding, 'state' | 'reason'> {
  const isIt = (subject: Subject) => subject.kind === kind && subject.id === sid
  const why = unjudged.find(isIt)
  if (why) return { state: 'too_few_calls', reason: sentence(why.sentence) }
  return subjects.some(isIt)
    ? {
        state: 'ok',
        reason: t('Its calls are normal, and no problems were reported in {hours} h.', {
          hours: ISSUE_HOURS,
        }),
      }
    : { state: 'no_traffic', reason: t('No calls at this hour, today or in the weeks before.') }
}

import { t } from '../wire/text.ts'

/** Severities of issues, the highest first. */
export const SEVERITIES = {
  critical: t('Critical'),
  warning: t('Warning'),
  info: t('Information'),
} as const
export type Severity = keyof typeof SEVERITIES

/**
 * Returned: it occurred again after it was resolved. Watched: calls will show whether a change has ended it. Quiet: it has
 * not occurred for a day, and nobody has resolved it.
 */
export const ISSUE_STATES = {
  open: t('Open'),
  returned: t('Returned'),
  watched: t('Watched'),
  muted: t('Muted'),
  resolved: t('Resolved'),
  quiet: t('Quiet'),
} as const
export type IssueState = keyof typeof ISSUE_STATES

export const ISSUE_KINDS = {
  carrier: t('Carrier'),
  failure: t('Failure'),
  alert: t('Alert'),
  anomaly: t('Anomaly'),
} as const
export type IssueKind = keyof typeof ISSUE_KINDS

/** True if nobody has attended to the issue yet. */
export const isOpenIssue = (state: IssueState) => state === 'open' || state === 'returned'

/** True if the issue is in the number that the menu shows. */
export const needsPerson = ({ state, severity }: { state: IssueState; severity: Severity }) =>
  isOpenIssue(state) && severity !== 'info'

/** Hours without another occurrence after which an issue is quiet, or one that was resolved and goes on has returned. */
export const ISSUE_HOURS = 24

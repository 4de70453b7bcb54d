import type { IssueState, Severity } from '@switchroom/contract'

export const ISSUE_TONES = {
  open: 'bad',
  returned: 'bad',
  watched: 'info',
  muted: 'off',
  resolved: 'ok',
  quiet: 'off',
} as const satisfies Record<IssueState, string>

export const SEVERITY_TONES = {
  critical: 'bad',
  warning: 'warn',
  info: 'info',
} as const satisfies Record<Severity, string>

/** The kinds of alert destination, as people read them. */
export const DESTINATION_NAMES = {
  webhook: 'Webhook',
  slack: 'Slack',
  pagerduty: 'PagerDuty',
  mail: 'Email',
} as const

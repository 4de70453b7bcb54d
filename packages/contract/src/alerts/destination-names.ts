import { t } from '../wire/text.ts'

/** The kinds of alert destination, as people read them. */
export const DESTINATION_NAMES = {
  webhook: t('Webhook'),
  slack: t('Slack'),
  pagerduty: 'PagerDuty',
  mail: t('Email'),
} as const

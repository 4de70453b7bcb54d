import { t } from '../wire/text.ts'

/** The categories of the form, with their labels. */
export const USAGE_LIMITS = [
  { category: 'voice_call_session', label: t('Concurrent call limit') },
  { category: 'voice_call_session_license', label: t('Licensed calls') },
  { category: 'voice_call_minutes', label: t('Call minutes limit') },
  { category: 'voice_call_minutes_license', label: t('Licensed minutes') },
] as const

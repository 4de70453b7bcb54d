/** The categories of the form, with their labels. */
export const USAGE_LIMITS = [
  { category: 'voice_call_session', label: 'Max calls' },
  { category: 'voice_call_session_license', label: 'Licensed calls' },
  { category: 'voice_call_minutes', label: 'Max minutes' },
  { category: 'voice_call_minutes_license', label: 'Licensed minutes' },
] as const

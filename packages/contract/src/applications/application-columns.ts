/** The columns of a file of applications, in their order. */
export const APPLICATION_COLUMNS = [
  'name',
  'account',
  'call_hook',
  'call_status_hook',
  'speech_synthesis_vendor',
  'speech_synthesis_language',
  'speech_synthesis_voice',
  'speech_recognizer_vendor',
  'speech_recognizer_language',
  'record_all_calls',
] as const

/** The columns that an export can have: those of an import, and others that the list shows. */
export const APPLICATION_FILE_COLUMNS = [
  ...APPLICATION_COLUMNS,
  'last_call_at',
  'calls_7d',
  'calls_counted_since',
  'application_sid',
] as const

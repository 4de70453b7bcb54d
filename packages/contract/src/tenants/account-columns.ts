/** The columns of a file of accounts, in their order. */
export const ACCOUNT_COLUMNS = [
  'name',
  'sip_realm',
  'registration_hook',
  'queue_event_hook',
] as const

/** Those that a file can be asked for: also what the list shows and no import takes. */
export const ACCOUNT_FILE_COLUMNS = [
  ...ACCOUNT_COLUMNS,
  'is_active',
  'created_at',
  'account_sid',
] as const

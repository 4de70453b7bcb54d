/** The columns of a file of accounts, in their order. */
export const ACCOUNT_COLUMNS = [
  'name',
  'sip_realm',
  'registration_hook',
  'queue_event_hook',
] as const

/** The columns that an export can have: those of an import, and others that the list shows. */
export const ACCOUNT_FILE_COLUMNS = [
  ...ACCOUNT_COLUMNS,
  'is_active',
  'created_at',
  'account_sid',
] as const

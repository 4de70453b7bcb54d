/** The columns of a file of phone numbers, in their order. */
export const PHONE_NUMBER_COLUMNS = [
  'number',
  'account',
  'carrier',
  'application',
  'description',
] as const

/** The columns that an export can have: those of an import, and others that the list shows. */
export const PHONE_NUMBER_FILE_COLUMNS = [
  ...PHONE_NUMBER_COLUMNS,
  'last_call_at',
  'calls_7d',
  'calls_counted_since',
  'phone_number_sid',
] as const

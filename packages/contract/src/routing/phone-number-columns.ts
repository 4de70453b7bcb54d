/** The columns of a file of phone numbers, in their order. */
export const PHONE_NUMBER_COLUMNS = [
  'number',
  'account',
  'carrier',
  'application',
  'description',
] as const

/** Those that a file can be asked for: also what the list shows and no import takes. */
export const PHONE_NUMBER_FILE_COLUMNS = [...PHONE_NUMBER_COLUMNS, 'phone_number_sid'] as const

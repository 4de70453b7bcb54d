/** The columns of a file of phone numbers, in their order. */
export const PHONE_NUMBER_COLUMNS = [
  'number',
  'account',
  'carrier',
  'application',
  'description',
] as const

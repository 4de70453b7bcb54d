/** The columns of a file of accounts, in their order. */
export const ACCOUNT_COLUMNS = [
  'name',
  'sip_realm',
  'registration_hook',
  'queue_event_hook',
] as const

/** The columns of a file of SIP clients, in their order. */
export const CLIENT_COLUMNS = [
  'username',
  'account',
  'password',
  'is_active',
  'allow_direct_app_calling',
  'allow_direct_queue_calling',
  'allow_direct_user_calling',
] as const

/** The columns that an export can have: those of an import, and others that the list shows. */
export const CLIENT_FILE_COLUMNS = [
  ...CLIENT_COLUMNS,
  'sip_realm',
  'last_call_at',
  'calls_7d',
  'calls_counted_since',
  'client_sid',
] as const

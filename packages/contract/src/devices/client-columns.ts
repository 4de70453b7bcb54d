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

/** Those that a file can be asked for: also what the list shows and no import takes. */
export const CLIENT_FILE_COLUMNS = [...CLIENT_COLUMNS, 'sip_realm', 'client_sid'] as const

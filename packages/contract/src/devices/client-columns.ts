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

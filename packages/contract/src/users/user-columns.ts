/** The columns of a file of users, in their order. */
export const USER_COLUMNS = [
  'name',
  'email',
  'scope',
  'service_provider',
  'account',
  'is_active',
  'is_view_only',
  'password',
  'force_change',
] as const

/** The most users of one file: each password takes a tenth of a second to hash. */
export const USER_IMPORT_MAX_ROWS = 1_000

import { t } from './text.ts'

/** The error codes of the API, with their HTTP status. */
export const ERROR_STATUS = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  // the password was right: `second_factor` says how to go on
  second_factor_required: 403,
  not_found: 404,
  changed: 409,
  too_large: 413,
  bad_range: 416,
  conflict: 422,
  in_use: 422,
  too_many: 429,
  no_feature_server: 480,
  internal: 500,
  vendor_failed: 502,
  unavailable: 503,
  // a store of calls, traces or SIP hangs: an immediate retry would hang as well
  store_timeout: 503,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS

export const SECOND_FACTORS = ['totp', 'passkey', 'recovery_code'] as const
export type SecondFactor = (typeof SECOND_FACTORS)[number]

/** Error for deleting what is in use. */
export const IN_USE = {
  account: t('In order to delete the account it cannot be in use.'),
  application: t('In order to delete the application it cannot be in use.'),
  service_provider: t('In order to delete the service provider it cannot be in use.'),
  voip_carrier: t('In order to delete the carrier it cannot be in use.'),
}

/** Error for saving over someone else's newer change. */
export const EDIT_CONFLICT = t('Someone else changed this while you were editing.')

/** The console's message when a response is unreadable or missing. */
export const GENERIC_ERROR = t('Something went wrong, please try again')
export const NETWORK_ERROR = t('The server cannot be reached')

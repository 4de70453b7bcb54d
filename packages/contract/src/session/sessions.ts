/** How a session began. `stock_server`: at a stock API server beside this one. */
export const SESSION_METHODS = [
  'password',
  'passkey',
  'single_sign_on',
  'github',
  'google',
  'reset_link',
  'registration',
  'stock_server',
] as const
export type SessionMethod = (typeof SESSION_METHODS)[number]

export const USER_DEACTIVATED = 'This user is deactivated. Contact your administrator.'
export const ACCOUNT_DEACTIVATED = 'This account is deactivated. Contact your service provider.'
/** In the hosted variant, where people of an unpaid account may still read and pay. */
export const ACCOUNT_UNPAID =
  'This account is deactivated because a payment is missing. Pay under Billing to use it again.'

/** Too many failed log-ins from one network, whatever the usernames. */
export const NETWORK_FAILURES =
  'Too many failed login attempts from your network. Please try again later.'
/** Too many failed log-ins of one user, from many networks. */
export const SLOWED =
  'Too many failed login attempts for this user. Please try again in a few seconds, or reset your password.'

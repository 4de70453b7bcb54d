import { t } from '../wire/text.ts'

/** Why callers are refused before their request is read. */

export const USER_DEACTIVATED = t('This user is deactivated. Contact your administrator.')
export const ACCOUNT_DEACTIVATED = t('This account is deactivated. Contact your service provider.')
/** In the hosted variant, where people of an unpaid account may still read and pay. */
export const ACCOUNT_UNPAID = t(
  'This account is deactivated because a payment is missing. Pay under Your Subscription to use it again.',
)

/** Too many failed log-ins from one network, whatever the usernames. */
export const NETWORK_FAILURES = t(
  'Too many failed login attempts from your network. Please try again later.',
)
/** Too many failed log-ins of one user, from many networks. */
export const SLOWED = t(
  'Too many failed login attempts for this user. Please try again in a few seconds, or reset your password.',
)
export const MUST_SET_UP_SECOND_FACTOR = t('You must set up a second factor')

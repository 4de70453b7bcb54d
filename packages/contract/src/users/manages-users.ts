import { t } from '../wire/text.ts'

/**
 * True if a user with these platform permissions may manage the other users of its account. On the platform, a user
 * without any permission may do everything.
 */
export const managesUsers = (permissions: string[]) =>
  permissions.length === 0 || permissions.includes('PROVISION_USERS')

export const NOT_THEIR_MANAGER = t('You may not manage other users of your account')

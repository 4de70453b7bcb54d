import { t } from '../wire/text.ts'

/**
 * Whether a user with these permissions of the platform may manage the other users of its account. There, who has none
 * may do everything.
 */
export const managesUsers = (permissions: string[]) =>
  permissions.length === 0 || permissions.includes('PROVISION_USERS')

export const NOT_THEIR_MANAGER = t('You may not manage other users of your account')

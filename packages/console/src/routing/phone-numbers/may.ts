import { t } from '@switchroom/contract'
import { atLeast, mayWrite, refusePage, refuseViewOnly } from '../../lib/access'
import { config } from '../../lib/config'
import { NEEDS_ACCOUNT } from '../../lib/needs-account'

/**
 * True if the user may add and delete numbers. If `ADMIN_CARRIER` is set, accounts may only choose their
 * applications.
 */
export const mayAddAndDelete = () =>
  mayWrite() && (!config.ADMIN_CARRIER || atLeast('service_provider'))

/** The page that adds a number. */
export function refuseAddingNumber() {
  refuseViewOnly()
  if (!mayAddAndDelete())
    refusePage(t('Your service provider manages the phone numbers, so you cannot add any.'))
}

/** Messages on what must exist before a number can be added, worded by the specification. */
export const NEEDED = {
  account: NEEDS_ACCOUNT.phoneNumber,
  carrier: t('You must create a carrier before you can create a phone number.'),
}

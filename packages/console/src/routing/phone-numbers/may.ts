import { atLeast, mayWrite } from '../../lib/access'
import { config } from '../../lib/config'
import { NEEDS_ACCOUNT } from '../../lib/needs-account'

/** Where numbers are the provider's business, an account only chooses what they lead to. */
export const mayAddAndDelete = () =>
  mayWrite() && (!config.ADMIN_CARRIER || atLeast('service_provider'))

/** What has to be there before a number can be added, and what is said while it is not. */
export const NEEDED = {
  account: NEEDS_ACCOUNT.phoneNumber,
  carrier: 'You must create a carrier before you can create a phone number.',
}

import { atLeast, mayWrite } from '../lib/access'
import { config } from '../lib/config'

/** Where numbers are the provider's business, an account only chooses what they lead to. */
export const mayAddAndDelete = () =>
  mayWrite() && (!config.ADMIN_CARRIER || atLeast('service_provider'))

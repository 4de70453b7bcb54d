import { atLeast, mayWrite, ownAccount } from '../../lib/access'
import { config } from '../../lib/config'

/** Where carriers are the provider's business, an account only looks at them. */
export const mayAdd = () => mayWrite() && (!config.ADMIN_CARRIER || atLeast('service_provider'))

/** An account changes its own carriers; those that all accounts share are the provider's. */
export const mayChange = (carrier: { account_sid: string | null }) =>
  mayAdd() && (ownAccount() === undefined || carrier.account_sid === ownAccount())

/** An operator may keep the choice of a carrier's default application to administrators. */
export const mayChooseApplication = () => atLeast('admin') || !config.DISABLE_DEFAULT_TRUNK_ROUTING

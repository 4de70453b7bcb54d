import { atLeast, mayWrite, ownAccount } from '../../lib/access'
import { config } from '../../lib/config'

/** Accounts may only view carriers where providers manage them. */
export const mayAddCarrier = () =>
  mayWrite() && (!config.ADMIN_CARRIER || atLeast('service_provider'))

/** An account may change its own carriers; shared ones belong to the provider. */
export const mayChangeCarrier = (carrier: { account_sid: string | null }) =>
  mayAddCarrier() && (ownAccount() === undefined || carrier.account_sid === ownAccount())

/** Accounts do not see whom their provider tells of its carriers. */
export const maySeeTrunkReports = (carrier: { account_sid: string | null }) =>
  ownAccount() === undefined || carrier.account_sid === ownAccount()

/** An operator may keep the choice of a carrier's default application to administrators. */
export const mayChooseApplication = () => atLeast('admin') || !config.DISABLE_DEFAULT_TRUNK_ROUTING

import { t } from '@switchroom/contract'
import { atLeast, mayWrite, ownAccount, refusePage, refuseViewOnly } from '../../lib/access'
import { config } from '../../lib/config'

export const FORBIDDEN = t('You do not have permissions to make changes to this Carrier')

/** Accounts may only view carriers where providers manage them. */
export const mayAddCarrier = () =>
  mayWrite() && (!config.ADMIN_CARRIER || atLeast('service_provider'))

/** An account may change its own carriers; shared ones belong to the provider. */
export const mayChangeCarrier = (carrier: { account_sid: string | null }) =>
  mayAddCarrier() && (ownAccount() === undefined || carrier.account_sid === ownAccount())

/** The page that adds a carrier. */
export function refuseAddingCarrier() {
  refuseViewOnly()
  if (!mayAddCarrier()) refusePage(FORBIDDEN)
}

/** The page that edits one. View-only users see it without a way to save. */
export function refuseChangingCarrier(carrier: { account_sid: string | null }) {
  if (mayWrite() && !mayChangeCarrier(carrier)) refusePage(FORBIDDEN)
}

/** Accounts do not see whom their provider tells of its carriers. */
export const maySeeTrunkReports = (carrier: { account_sid: string | null }) =>
  ownAccount() === undefined || carrier.account_sid === ownAccount()

/** An operator may keep the choice of a carrier's default application to administrators. */
export const mayChooseApplication = () => atLeast('admin') || !config.DISABLE_DEFAULT_TRUNK_ROUTING

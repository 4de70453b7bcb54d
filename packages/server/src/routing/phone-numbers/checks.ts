import { t } from '@switchroom/contract'
import * as applications from '../../applications/queries.ts'
import * as voipCarriers from '../../carriers/voip-carriers/queries.ts'
import type * as carrierRows from '../../carriers/voip-carriers/readable.ts'
import type { Db } from '../../db/open.ts'
import { invalidField } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'

export type Owner = { account_sid: string; service_provider_sid: string } | undefined

/** Throws 400 unless the application belongs to the number's account. */
export async function checkApplication(
  db: Db,
  scope: Scope,
  owner: Owner,
  sid: string | null | undefined,
) {
  if (!sid) return
  const application = await applications.find(db, scope, sid)
  if (!application || application.account_sid !== owner?.account_sid)
    throw invalidField('application_sid', t('No such application'))
}

/** Throws 400 unless the carrier belongs to the number's account, or is shared by its provider. */
export async function checkCarrier(
  db: Db,
  scope: Scope,
  owner: Owner,
  sid: string | null | undefined,
) {
  // admins give a carrier without an owner its provider later
  if (!sid || (scope.role === 'admin' && (await voipCarriers.isOwnerless(db, sid)))) return
  const carrier = await voipCarriers.find(db, scope, sid)
  if (!carrier)
    throw invalidField('voip_carrier_sid', t('voip_carrier not found for sid {sid}', { sid }))
  if (!fits(carrier, owner))
    throw invalidField('voip_carrier_sid', t('voip_carrier_sid does not belong to the account'))
}

/** True if a number of this owner may use a carrier. */
export async function fitsOwner(db: Db, scope: Scope, owner: Owner, sid: string) {
  const carrier = await voipCarriers.find(db, scope, sid)
  return carrier !== undefined && fits(carrier, owner)
}

/** True if a carrier is its owner's own, or shared by its provider. A number without an account fits any provider's. */
export const fits = (carrier: carrierRows.Row, owner: Owner) =>
  carrier.account_sid
    ? carrier.account_sid === owner?.account_sid
    : !owner || carrier.service_provider_sid === owner.service_provider_sid

/**
 * The provider of a number without an account. With an account it is null: the platform would treat the
 * number as a test number.
 */
export const numberProvider = (scope: Scope, owner: Owner) =>
  owner || scope.role !== 'service_provider' ? null : scope.service_provider_sid

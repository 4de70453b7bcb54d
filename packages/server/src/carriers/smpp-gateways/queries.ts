import type { SmppGateway } from '@switchroom/contract'
import type { Db } from '../../db/open.ts'
import type { Scope } from '../../http/scope.ts'
import { below, type Condition } from '../../http/tenancy.ts'
import * as carrierGateways from '../voip-carriers/gateway-queries.ts'
import * as carriers from '../voip-carriers/queries.ts'

const row = async (db: Db, carrier: Condition, sid: string): Promise<SmppGateway | undefined> => {
  const stored = await db
    .selectFrom('smpp_gateways')
    .selectAll()
    .where('smpp_gateway_sid', '=', sid)
    .where(below('smpp_gateways.voip_carrier_sid', 'voip_carriers', carrier))
    .executeTakeFirst()
  return stored && carrierGateways.readableSmpp(stored)
}

/** A gateway of a carrier that the caller may see. */
export const find = (db: Db, scope: Scope, sid: string) => row(db, carriers.visible(scope), sid)

/** A gateway of a carrier that the caller may change. */
export const findOwn = (db: Db, scope: Scope, sid: string) => row(db, carriers.inScope(scope), sid)

/** Deletes a gateway of a carrier that the caller may change. */
export const remove = (db: Db, scope: Scope, sid: string) =>
  db
    .deleteFrom('smpp_gateways')
    .where('smpp_gateway_sid', '=', sid)
    .where(below('smpp_gateways.voip_carrier_sid', 'voip_carriers', carriers.inScope(scope)))
    .execute()

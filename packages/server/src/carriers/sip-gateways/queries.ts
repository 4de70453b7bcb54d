import type { Db } from '../../db/open.ts'
import type { Scope } from '../../http/scope.ts'
import { below, type Condition } from '../../http/tenancy.ts'
import * as carriers from '../voip-carriers/queries.ts'

const row = (db: Db, carrier: Condition, sid: string) =>
  db
    .selectFrom('sip_gateways')
    .selectAll()
    .where('sip_gateway_sid', '=', sid)
    .where(below('sip_gateways.voip_carrier_sid', 'voip_carriers', carrier))
    .executeTakeFirst()

/** A gateway of a carrier that the caller may see. */
export const find = (db: Db, scope: Scope, sid: string) => row(db, carriers.visible(scope), sid)

/** A gateway of a carrier that the caller may change. */
export const findOwn = (db: Db, scope: Scope, sid: string) => row(db, carriers.inScope(scope), sid)

/** Deletes a gateway of a carrier that the caller may change. */
export const remove = (db: Db, scope: Scope, sid: string) =>
  db
    .deleteFrom('sip_gateways')
    .where('sip_gateway_sid', '=', sid)
    .where(below('sip_gateways.voip_carrier_sid', 'voip_carriers', carriers.inScope(scope)))
    .execute()

import type { SmppGateway } from '@switchroom/contract'
import type { Db } from '../db/open.ts'
import type { Scope } from '../http/scope.ts'
import * as carriers from '../voip-carriers/queries.ts'

const row = async (db: Db, sid: string): Promise<SmppGateway | undefined> => {
  const stored = await db
    .selectFrom('smpp_gateways')
    .selectAll()
    .where('smpp_gateway_sid', '=', sid)
    .executeTakeFirst()
  return stored && carriers.readableSmpp(stored)
}

/** A gateway is seen by whoever sees its carrier. */
export async function find(db: Db, scope: Scope, sid: string) {
  const gateway = await row(db, sid)
  return gateway && (await carriers.find(db, scope, gateway.voip_carrier_sid)) ? gateway : undefined
}

/** And changed by whoever may change its carrier. */
export async function findOwn(db: Db, scope: Scope, sid: string) {
  const gateway = await row(db, sid)
  const own = gateway && (await carriers.findOwn(db, scope, gateway.voip_carrier_sid))
  return own ? gateway : undefined
}

export const remove = (db: Db, sid: string) =>
  db.deleteFrom('smpp_gateways').where('smpp_gateway_sid', '=', sid).execute()

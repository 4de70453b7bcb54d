import type { Usage } from '@switchroom/contract'
import { sql } from 'kysely'
import { batchesOf } from '../../db/batches.ts'
import type { Db } from '../../db/open.ts'
import { usage } from '../../http/used-by.ts'

/** Resources that block the deletion of a carrier. */
export const usedBy = (db: Db, sid: string): Promise<Usage[]> =>
  Promise.all([
    usage(db, 'phone_numbers', sql`voip_carrier_sid = ${sid}`),
    usage(
      db,
      'lcr_routes',
      sql`lcr_route_sid in (select lcr_route_sid from lcr_carrier_set_entry where voip_carrier_sid = ${sid})`,
    ),
  ])

/** Number of uses of each of these carriers, as `usedBy` lists them. Unused carriers are left out. */
export async function countUses(db: Db, sids: string[]) {
  const uses = new Map<string, { numbers: number; routes: number }>()
  const of = (sid: string | null) => {
    const counts = uses.get(sid!) ?? { numbers: 0, routes: 0 }
    uses.set(sid!, counts)
    return counts
  }
  for (const batch of batchesOf(sids)) {
    const numbers = await db
      .selectFrom('phone_numbers')
      .select(['voip_carrier_sid', sql<number>`count(*)`.as('n')])
      .where('voip_carrier_sid', 'in', batch)
      .groupBy('voip_carrier_sid')
      .execute()
    for (const { voip_carrier_sid, n } of numbers) of(voip_carrier_sid).numbers = Number(n)
    const routes = await db
      .selectFrom('lcr_carrier_set_entry')
      .select(['voip_carrier_sid', sql<number>`count(distinct lcr_route_sid)`.as('n')])
      .where('voip_carrier_sid', 'in', batch)
      .groupBy('voip_carrier_sid')
      .execute()
    for (const { voip_carrier_sid, n } of routes) of(voip_carrier_sid).routes = Number(n)
  }
  return uses
}

/** Resources of other providers that use this carrier, and would lose it to this provider. */
export const usedElsewhere = (db: Db, sid: string, provider: string): Promise<Usage[]> => {
  const foreign = sql`(select account_sid from accounts where service_provider_sid <> ${provider})`
  return Promise.all([
    usage(db, 'phone_numbers', sql`voip_carrier_sid = ${sid} and account_sid in ${foreign}`),
    usage(
      db,
      'lcr_routes',
      sql`lcr_route_sid in (select lcr_route_sid from lcr_carrier_set_entry where voip_carrier_sid = ${sid})
        and lcr_sid in (select lcr_sid from lcr
          where service_provider_sid <> ${provider} or account_sid in ${foreign})`,
    ),
  ])
}

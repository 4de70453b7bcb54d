import type { VoipCarrierView } from '@switchroom/contract'
import { sql } from 'kysely'
import { batchesOf } from '../../db/batches.ts'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { readTogether } from '../../http/read-together.ts'
import type { Scope } from '../../http/scope.ts'
import {
  allGateways,
  byCarrier,
  type Gateways,
  gatewaysIn,
  IN_ORDER,
  JOINED,
  joinedGateway,
  OF_GATEWAY,
  type OfEither,
} from './gateway-queries.ts'
import { findAll, type Has, isShared, visible } from './queries.ts'
import type { Row } from './readable.ts'
import { masked, readable } from './readable.ts'

type Ctx = Pick<Context, 'db' | 'schemaHas'>

/**
 * A carrier with its gateways, as its single read shows it; passwords in clear text for callers who may
 * change it.
 */
export const view = readTogether(views, ({ voip_carrier_sid }) => voip_carrier_sid)

/** In one statement: a row for each gateway of each carrier. */
async function views({ db, schemaHas }: Ctx, scope: Scope, sids: readonly string[]) {
  const rows = await db
    .selectFrom('voip_carriers')
    .selectAll('voip_carriers')
    .where('voip_carriers.voip_carrier_sid', 'in', sids)
    .where(visible(scope))
    .leftJoin(sql<OfEither>`(${gatewaysIn(schemaHas, sids)})`.as('gateway'), (join) =>
      join.onRef('gateway.voip_carrier_sid', '=', 'voip_carriers.voip_carrier_sid'),
    )
    .select(JOINED)
    .orderBy(IN_ORDER)
    .execute()
  const gateways = byCarrier(rows.flatMap(joinedGateway))
  const byItsSid = new Map(rows.map((row) => [row.voip_carrier_sid, row]))
  return Array.from(byItsSid.values(), (row) => {
    const own = Object.entries(row).filter(([name]) => !name.startsWith(OF_GATEWAY))
    return viewOf(scope, Object.fromEntries(own) as Row, gateways)
  })
}

/** The same of several carriers that this caller can see, in any order. */
export async function viewAll(db: Db, has: Has, scope: Scope, sids: string[]) {
  const found: VoipCarrierWhole[] = []
  for (const batch of batchesOf(sids))
    found.push(...(await viewsOf(db, has, scope, await findAll(db, scope, batch))))
  return found
}

async function viewsOf(db: Db, has: Has, scope: Scope, rows: Row[]): Promise<VoipCarrierWhole[]> {
  const gateways = await allGateways(
    db,
    has,
    rows.map((c) => c.voip_carrier_sid),
  )
  return rows.map((row) => viewOf(scope, row, gateways))
}

const viewOf = (scope: Scope, row: Row, gateways: Gateways): VoipCarrierWhole => ({
  ...readable(isShared(scope, row) ? masked(row) : row),
  ...gateways(row.voip_carrier_sid),
})

/** A carrier with its gateways. */
export type VoipCarrierWhole = Omit<VoipCarrierView, 'version'>

/** A carrier that its owner just added, as `view`. */
export async function viewOfNew(db: Db, has: Has, row: Row, hasGateways: boolean) {
  const gateways = await allGateways(db, has, hasGateways ? [row.voip_carrier_sid] : [])
  return { ...readable(row), ...gateways(row.voip_carrier_sid) }
}

import type { VoipCarrierView } from '@switchroom/contract'
import { sql } from 'kysely'
import { batchesOf } from '../../db/batches.ts'
import type { Db } from '../../db/open.ts'
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
import { findAll, type Has, isShared, visible, withSid } from './queries.ts'
import type { Row } from './readable.ts'
import { masked, readable } from './readable.ts'

/**
 * A carrier with its gateways, as its single read shows it; passwords in clear text for callers who may
 * change it.
 */
export async function view(db: Db, has: Has, scope: Scope, sid: string) {
  // in one statement: a row for each of its gateways
  const rows = await withSid(db, sid)
    .where(visible(scope))
    .leftJoin(sql<OfEither>`(${gatewaysIn(has, [sid])})`.as('gateway'), (join) => join.onTrue())
    .select(JOINED)
    .orderBy(IN_ORDER)
    .execute()
  const [first] = rows
  if (!first) return undefined
  const row = Object.fromEntries(
    Object.entries(first).filter(([name]) => !name.startsWith(OF_GATEWAY)),
  ) as Row
  return viewOf(scope, row, byCarrier(rows.flatMap(joinedGateway)))
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

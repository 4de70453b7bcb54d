import type { TrunkReportLink } from '@switchroom/contract'
import { type Insertable, type Selectable, type SqlBool, sql } from 'kysely'
import type { Db, Tables } from '../../db/open.ts'
import { isToken, openedAt, shownLink, tokenDigest } from '../../http/report-links.ts'
import type { Scope } from '../../http/scope.ts'
import { ownedBy } from '../../http/tenancy.ts'
import type { Row as Carrier } from '../voip-carriers/queries.ts'

type Table = Tables['switchroom_trunk_report_links']
export type Row = Selectable<Table>

const inScope = (scope: Scope) => ownedBy('switchroom_trunk_report_links', scope)

/** True unless the carrier has been given to another owner, whose calls the link must not show. */
const SAME_OWNER = sql<SqlBool>`case
  when link.account_sid is not null then carrier.account_sid = link.account_sid
  when link.service_provider_sid is not null
    then carrier.account_sid is null and carrier.service_provider_sid = link.service_provider_sid
  else carrier.account_sid is null and carrier.service_provider_sid is null end`

const links = (db: Db) =>
  db
    .selectFrom('switchroom_trunk_report_links as link')
    .innerJoin('voip_carriers as carrier', 'carrier.voip_carrier_sid', 'link.voip_carrier_sid')
    .where(SAME_OWNER)

/** The links of a carrier. Look it up within scope first. */
export const ofCarrier = async (db: Db, voip_carrier_sid: string): Promise<TrunkReportLink[]> =>
  (
    await links(db)
      .selectAll('link')
      .where('link.voip_carrier_sid', '=', voip_carrier_sid)
      .orderBy('link.created_at', 'desc')
      .orderBy('link.trunk_report_link_sid')
      .execute()
  ).map(readable)

const readable = (row: Row): TrunkReportLink => ({
  trunk_report_link_sid: row.trunk_report_link_sid,
  voip_carrier_sid: row.voip_carrier_sid,
  ...shownLink(row),
})

/** Undefined when this caller may not change it. */
export const find = (db: Db, scope: Scope, sid: string): Promise<Row | undefined> =>
  db
    .selectFrom('switchroom_trunk_report_links')
    .selectAll()
    .where('trunk_report_link_sid', '=', sid)
    .where(inScope(scope))
    .executeTakeFirst()

/** A valid link, with its carrier. Takes no scope: a holder of the token may see the report. */
export async function withToken(
  db: Db,
  token: string,
): Promise<{ link: Row; carrier: Carrier } | undefined> {
  if (!isToken(token)) return undefined
  const link = await links(db)
    .selectAll('link')
    .where('link.token_digest', '=', tokenDigest(token))
    .where('link.ends_at', '>', new Date().toISOString())
    .executeTakeFirst()
  if (!link) return undefined
  const carrier = await db
    .selectFrom('voip_carriers')
    .selectAll()
    .where('voip_carrier_sid', '=', link.voip_carrier_sid)
    .executeTakeFirst()
  return carrier && { link, carrier }
}

/** How many of a carrier work. */
export const countLive = async (db: Db, voip_carrier_sid: string) =>
  Number(
    (
      await links(db)
        .select((eb) => eb.fn.countAll().as('n'))
        .where('link.voip_carrier_sid', '=', voip_carrier_sid)
        .where('link.ends_at', '>', new Date().toISOString())
        .executeTakeFirstOrThrow()
    ).n,
  )

export const insert = (db: Db, row: Insertable<Table>) =>
  db.insertInto('switchroom_trunk_report_links').values(row).execute()

/** Deletes links that have ended. Those shown are then never many. */
export const removeEnded = (db: Db, voip_carrier_sid: string) =>
  db
    .deleteFrom('switchroom_trunk_report_links')
    .where('voip_carrier_sid', '=', voip_carrier_sid)
    .where('ends_at', '<=', new Date().toISOString())
    .execute()

export const remove = (db: Db, scope: Scope, sid: string) =>
  db
    .deleteFrom('switchroom_trunk_report_links')
    .where('trunk_report_link_sid', '=', sid)
    .where(inScope(scope))
    .execute()

/** Counts that a link was opened. */
export async function countOpen(db: Db, row: Row) {
  const last_opened_at = openedAt(row)
  if (!last_opened_at) return
  await db
    .updateTable('switchroom_trunk_report_links')
    .set((eb) => ({ last_opened_at, opens: eb('opens', '+', 1) }))
    .where('trunk_report_link_sid', '=', row.trunk_report_link_sid)
    .execute()
}

import type { Insertable, Selectable } from 'kysely'
import type { Db, Tables } from '../../db/open.ts'
import type { Scope } from '../../http/scope.ts'
import { type Condition, ownedBy } from '../../http/tenancy.ts'
import { isToken, type LinkColumns, openedAt, tokenDigest } from './tokens.ts'

export type Table = 'switchroom_trunk_report_links' | 'switchroom_customer_report_links'
export type Row<T extends Table> = Selectable<Tables[T]>
export type NewRow<T extends Table> = Insertable<Tables[T]>

type Kind = {
  table: Table
  kind: 'trunk_report_link' | 'customer_report_link'
  /** The column of what the report is about. */
  about: 'voip_carrier_sid' | 'account_sid'
  /** Of a `link`: whether what it is about is still whose it was. Otherwise it tells nothing. */
  holds: Condition
  /** Of a `link`: whether somebody made it, so that it counts. */
  isMade?: Condition
  /** How many may work at once, and what a caller is told who makes more. */
  most: number
  tooMany: string
}
/** The links to one kind of report. */
export type Links<T extends Table> = Kind & {
  table: T
  /** What the audit log keeps of a link: not the token, not even its digest, and nothing that opening it changes. */
  logged(row: Row<T>): object
}

/** The same, as Kysely types one of the tables. */
function typed(links: Kind) {
  const table = links.table as 'switchroom_trunk_report_links'
  const key = `${links.kind}_sid` as 'trunk_report_link_sid'
  return { table, key, about: links.about as 'voip_carrier_sid' }
}

const holding = (db: Db, links: Kind) =>
  db.selectFrom(`${typed(links).table} as link`).where(links.holds)

/** The links to reports about this, the newest first. Look it up within scope first. */
export async function listLinks<T extends Table>(db: Db, links: Links<T>, about: string) {
  const rows = await holding(db, links)
    .selectAll()
    .where(`link.${typed(links).about}`, '=', about)
    .orderBy('link.created_at', 'desc')
    .orderBy(`link.${typed(links).key}`)
    .execute()
  return rows as unknown as Row<T>[]
}

/** Undefined when this caller may not change it. */
export async function findLink<T extends Table>(
  db: Db,
  scope: Scope,
  links: Links<T>,
  sid: string,
) {
  const { table, key } = typed(links)
  const row = await db
    .selectFrom(table)
    .selectAll()
    .where(key, '=', sid)
    .where(ownedBy(table, scope))
    .executeTakeFirst()
  return row as unknown as Row<T> | undefined
}

/** A link that works. Takes no scope: whoever has the token may see the report. */
export async function withToken<T extends Table>(db: Db, links: Links<T>, token: string) {
  if (!isToken(token)) return undefined
  const row = await holding(db, links)
    .selectAll()
    .where('link.token_digest', '=', tokenDigest(token))
    .where('link.ends_at', '>', new Date().toISOString())
    .executeTakeFirst()
  return row as unknown as Row<T> | undefined
}

/** How many links that people have made work. */
export async function countLive(db: Db, links: Kind, about: string) {
  const { n } = await holding(db, links)
    .select((eb) => eb.fn.countAll().as('n'))
    .where(`link.${typed(links).about}`, '=', about)
    .where('link.ends_at', '>', new Date().toISOString())
    .$if(!!links.isMade, (made) => made.where(links.isMade!))
    .executeTakeFirstOrThrow()
  return Number(n)
}

export const insertLink = <T extends Table>(db: Db, links: Links<T>, row: NewRow<T>) =>
  db
    .insertInto(typed(links).table)
    .values(row as NewRow<'switchroom_trunk_report_links'>)
    .execute()

/** Deletes links that have ended. Those shown are then never many. */
export const removeEnded = (db: Db, links: Kind, about: string) =>
  db
    .deleteFrom(typed(links).table)
    .where(typed(links).about, '=', about)
    .where('ends_at', '<=', new Date().toISOString())
    .execute()

export const remove = (db: Db, scope: Scope, links: Kind, sid: string) =>
  db
    .deleteFrom(typed(links).table)
    .where(typed(links).key, '=', sid)
    .where(ownedBy(links.table, scope))
    .execute()

/** Counts that a link was opened. */
export async function countOpen(db: Db, links: Kind, row: LinkColumns) {
  const last_opened_at = openedAt(row)
  if (!last_opened_at) return
  await db
    .updateTable(typed(links).table)
    .set((eb) => ({ last_opened_at, opens: eb('opens', '+', 1) }))
    .where('token_digest', '=', row.token_digest)
    .execute()
}

import {
  defaultRouteOf,
  type Flag,
  type LcrItem,
  type LcrRoute,
  type LcrView,
  type PageQuery,
} from '@switchroom/contract'
import { type Insertable, type RawBuilder, type SqlBool, sql, type Updateable } from 'kysely'
import { insertMany } from '../../db/insert-many.ts'
import { listing } from '../../db/listing.ts'
import type { Db, Tables } from '../../db/open.ts'
import type { Scope } from '../../http/scope.ts'
import { besideAccount, matchesFilter, type Shown } from '../../http/search.ts'
import { below, ownedBy } from '../../http/tenancy.ts'

/** A provider's own tables and those of its accounts; an account sees only its own. */
const inScope = (scope: Scope) => ownedBy('lcr', scope)

const numberOfRoutes =
  sql<number>`(select count(*) from lcr_routes r where r.lcr_sid = lcr.lcr_sid)`.as('number_routes')

type Query = PageQuery & {
  account_sid?: string | undefined
  service_provider_sid?: string | undefined
}

/** Columns that a search finds a routing table by: those of its routes and their carriers too. */
export const shown: Shown = {
  sid: 'lcr.lcr_sid',
  names: ['lcr.name'],
  is_active: 'lcr.is_active',
  beside: [
    besideAccount('lcr'),
    {
      rows: sql`lcr_routes as route where route.lcr_sid = lcr.lcr_sid`,
      names: ['route.regex', 'route.description'],
    },
    {
      rows: sql`lcr_routes as route
        join lcr_carrier_set_entry as entry on entry.lcr_route_sid = route.lcr_route_sid
        join voip_carriers as carrier on carrier.voip_carrier_sid = entry.voip_carrier_sid
        where route.lcr_sid = lcr.lcr_sid`,
      names: ['carrier.name'],
    },
  ],
}

export function list(db: Db, scope: Scope, query: Query) {
  const { filter, account_sid, service_provider_sid } = query
  // tables without a name come first
  const named = db
    .selectFrom('lcr')
    .select(['lcr_sid', 'account_sid', 'service_provider_sid', 'is_active'])
    .select(sql<string>`coalesce(name, '')`.as('name'))
    .as('lcr')
  let matching = db.selectFrom(named).where(inScope(scope))
  if (filter) matching = matching.where(matchesFilter(db, shown, filter))
  if (account_sid) matching = matching.where('lcr.account_sid', '=', account_sid)
  // clients take the first row as the provider's own, so its accounts' tables are listed only on request
  else if (scope.role === 'service_provider')
    matching = matching.where('lcr.account_sid', 'is', null)
  if (service_provider_sid) matching = matching.where(ownedBy('lcr', { service_provider_sid }))
  return listing({
    db,
    table: 'lcr',
    sid: 'lcr_sid',
    sortable: ['name'],
    query,
    matching,
    rows: db.selectFrom('lcr').selectAll('lcr').select(numberOfRoutes),
    names: { account_name: 'accounts', service_provider_name: 'service_providers' },
    present: (rows): LcrItem[] => rows.map((row) => ({ ...row, ...readable(row) })),
  })
}

const readable = (row: { is_active: Flag; number_routes: number }) => ({
  is_active: row.is_active,
  number_routes: Number(row.number_routes),
})

/** True if the caller may see a table. */
export const isVisible = async (db: Db, scope: Scope, sid: string) =>
  (await db
    .selectFrom('lcr')
    .select('lcr_sid')
    .where('lcr_sid', '=', sid)
    .where(inScope(scope))
    .executeTakeFirst()) !== undefined

/** A table with its routes, as its single read shows it. */
export async function view(db: Db, scope: Scope, sid: string): Promise<LcrView | undefined> {
  const row = await db
    .selectFrom('lcr')
    .selectAll()
    .select(numberOfRoutes)
    .where('lcr_sid', '=', sid)
    .where(inScope(scope))
    .executeTakeFirst()
  if (!row) return undefined
  const all = await routes(db, sid)
  const last = defaultRouteOf(all, row.default_carrier_set_entry_sid)
  return {
    ...row,
    ...readable(row),
    routes: all.filter((r) => r !== last),
    default_carrier: last?.lcr_carrier_set_entries[0]?.voip_carrier_sid ?? null,
  }
}

/** All routes of a table in order, with their carriers. Check first that the caller may see the table. */
export async function routes(db: Db, lcr_sid: string): Promise<LcrRoute[]> {
  const rows = await db
    .selectFrom('lcr_routes as r')
    .leftJoin('lcr_carrier_set_entry as e', 'e.lcr_route_sid', 'r.lcr_route_sid')
    .selectAll('r')
    .select([
      'e.lcr_carrier_set_entry_sid',
      'e.voip_carrier_sid',
      'e.workload',
      'e.priority as entry_priority',
    ])
    .where('r.lcr_sid', '=', lcr_sid)
    .orderBy('r.priority')
    .orderBy('r.lcr_route_sid')
    .orderBy('e.priority')
    .orderBy('e.lcr_carrier_set_entry_sid')
    .execute()
  const found = new Map<string, LcrRoute>()
  for (const row of rows) {
    const { lcr_carrier_set_entry_sid, voip_carrier_sid, workload, entry_priority, ...own } = row
    const { lcr_route_sid } = own
    const route = found.get(lcr_route_sid) ?? { ...own, lcr_carrier_set_entries: [] }
    found.set(lcr_route_sid, route)
    // a route without carriers is one row
    if (lcr_carrier_set_entry_sid !== null && voip_carrier_sid !== null)
      route.lcr_carrier_set_entries.push({
        lcr_carrier_set_entry_sid,
        lcr_route_sid,
        voip_carrier_sid,
        workload: workload ?? 1,
        priority: entry_priority ?? 0,
      })
  }
  return [...found.values()]
}

/** The table of a route, if the caller may see it. */
export const tableOfRoute = async (db: Db, scope: Scope, lcr_route_sid: string) =>
  (
    await db
      .selectFrom('lcr_routes as r')
      .innerJoin('lcr', 'lcr.lcr_sid', 'r.lcr_sid')
      .select('lcr.lcr_sid')
      .where('r.lcr_route_sid', '=', lcr_route_sid)
      .where(inScope(scope))
      .executeTakeFirst()
  )?.lcr_sid

/** The table of a carrier set entry, if the caller may see it. */
export const tableOfEntry = async (db: Db, scope: Scope, lcr_carrier_set_entry_sid: string) =>
  (
    await db
      .selectFrom('lcr_carrier_set_entry as e')
      .innerJoin('lcr_routes as r', 'r.lcr_route_sid', 'e.lcr_route_sid')
      .innerJoin('lcr', 'lcr.lcr_sid', 'r.lcr_sid')
      .select('lcr.lcr_sid')
      .where('e.lcr_carrier_set_entry_sid', '=', lcr_carrier_set_entry_sid)
      .where(inScope(scope))
      .executeTakeFirst()
  )?.lcr_sid

type Owner = { account_sid: string | null; service_provider_sid: string | null }

/** True if an owner has another table. With two, the platform would use either one. */
export const hasAnother = async (
  db: Db,
  { account_sid, service_provider_sid }: Owner,
  but: string,
) =>
  (await db
    .selectFrom('lcr')
    .select('lcr_sid')
    .where('lcr_sid', '!=', but)
    .$if(account_sid !== null, (q) => q.where('account_sid', '=', account_sid))
    .$if(account_sid === null, (q) =>
      q.where('account_sid', 'is', null).where('service_provider_sid', '=', service_provider_sid),
    )
    .executeTakeFirst()) !== undefined

export const insert = (db: Db, row: Insertable<Tables['lcr']>) =>
  db.insertInto('lcr').values(row).execute()

export const update = (db: Db, sid: string, change: Updateable<Tables['lcr']>) =>
  db.updateTable('lcr').set(change).where('lcr_sid', '=', sid).execute()

export const insertRoute = (db: Db, row: Insertable<Tables['lcr_routes']>) =>
  db.insertInto('lcr_routes').values(row).execute()

const routesInScope = (scope: Scope) => below('lcr_routes.lcr_sid', 'lcr', inScope(scope))
const entriesInScope = (scope: Scope) =>
  sql<SqlBool>`lcr_carrier_set_entry.lcr_route_sid in
    (select lcr_routes.lcr_route_sid from lcr_routes where ${routesInScope(scope)})`

/** Changes a route of a table that the caller may change. */
export const updateRoute = (
  db: Db,
  scope: Scope,
  sid: string,
  change: Updateable<Tables['lcr_routes']>,
) =>
  db
    .updateTable('lcr_routes')
    .set(change)
    .where('lcr_route_sid', '=', sid)
    .where(routesInScope(scope))
    .execute()

/** Deletes routes of tables that the caller may change. */
export async function removeRoutes(db: Db, scope: Scope, sids: string[]) {
  if (sids.length === 0) return
  await db
    .deleteFrom('lcr_carrier_set_entry')
    .where('lcr_route_sid', 'in', sids)
    .where(entriesInScope(scope))
    .execute()
  await db
    .deleteFrom('lcr_routes')
    .where('lcr_route_sid', 'in', sids)
    .where(routesInScope(scope))
    .execute()
}

export const insertEntry = (db: Db, row: Insertable<Tables['lcr_carrier_set_entry']>) =>
  db.insertInto('lcr_carrier_set_entry').values(row).execute()

/** Adds routes with their carriers. */
export async function insertAll(
  db: Db,
  routes: readonly Insertable<Tables['lcr_routes']>[],
  entries: readonly Insertable<Tables['lcr_carrier_set_entry']>[],
) {
  await insertMany(db, 'lcr_routes', routes)
  await insertMany(db, 'lcr_carrier_set_entry', entries)
}

/** Changes an entry of a table that the caller may change. */
export const updateEntry = (
  db: Db,
  scope: Scope,
  sid: string,
  change: Updateable<Tables['lcr_carrier_set_entry']>,
) =>
  db
    .updateTable('lcr_carrier_set_entry')
    .set(change)
    .where('lcr_carrier_set_entry_sid', '=', sid)
    .where(entriesInScope(scope))
    .execute()

/** Deletes an entry of a table that the caller may change. */
export const removeEntry = (db: Db, scope: Scope, sid: string) =>
  db
    .deleteFrom('lcr_carrier_set_entry')
    .where('lcr_carrier_set_entry_sid', '=', sid)
    .where(entriesInScope(scope))
    .execute()

/** Deletes a table, with its routes and entries, that the caller may change. */
export const remove = (db: Db, scope: Scope, sid: string) =>
  removeAll(db, sql`lcr.lcr_sid = ${sid} and ${inScope(scope)}`)

/** Deletes the routing tables of an account that is being deleted. Call in its transaction. */
export const removeOfAccount = (tx: Db, { account_sid }: { account_sid: string }) =>
  removeAll(tx, sql`account_sid = ${account_sid}`)
export const removeOfProvider = (tx: Db, service_provider_sid: string) =>
  removeAll(tx, sql`service_provider_sid = ${service_provider_sid}`)

/** Deletes tables with their routes and entries, in foreign key order. */
async function removeAll(db: Db, tables: RawBuilder<unknown>) {
  const routes = sql`select lcr_route_sid from lcr_routes where lcr_sid in (select lcr_sid from lcr where ${tables})`
  for (const step of [
    sql`update lcr set default_carrier_set_entry_sid = null where ${tables}`,
    sql`delete from lcr_carrier_set_entry where lcr_route_sid in (${routes})`,
    sql`delete from lcr_routes where lcr_sid in (select lcr_sid from lcr where ${tables})`,
    sql`delete from lcr where ${tables}`,
  ])
    await step.execute(db)
}

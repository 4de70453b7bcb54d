import {
  type Client,
  type ClientItem,
  type LatestCalls,
  MASK,
  type PageQuery,
  type Unused,
} from '@switchroom/contract'
import { type Insertable, sql, type Updateable } from 'kysely'
import { batchesOf } from '../../db/batches.ts'
import { lockRows } from '../../db/dialect.ts'
import { insertOne } from '../../db/insert-many.ts'
import { listing } from '../../db/listing.ts'
import type { Db, Tables } from '../../db/open.ts'
import {
  byCalls,
  isUnused,
  presentCalls,
  withCalls,
  withoutCalls,
} from '../../http/latest-calls.ts'
import type { Scope } from '../../http/scope.ts'
import { matchesFilter, type Shown } from '../../http/search.ts'
import { type OwnerQuery, ownedBy, ownerFilter } from '../../http/tenancy.ts'

const inScope = (scope: Scope) => ownedBy('clients', scope)

const visible = (db: Db, scope: Scope) => db.selectFrom('clients').where(inScope(scope))

export type Filters = OwnerQuery & Pick<PageQuery, 'filter'> & { unused?: Unused | undefined }

/** Columns that a search finds a client by. */
export const shown: Shown = {
  sid: 'clients.client_sid',
  names: [],
  numbers: ['clients.username'],
  is_active: 'clients.is_active',
  beside: [
    {
      rows: sql`accounts as of_account where of_account.account_sid = clients.account_sid`,
      names: ['of_account.name', 'of_account.sip_realm'],
    },
  ],
}

/** The clients that match a list's filters. */
function matching(db: Db, scope: Scope, filters: Filters) {
  const { filter, unused } = filters
  let query = visible(db, scope).where(ownerFilter('clients', filters))
  if (unused) query = query.where(isUnused('clients', unused))
  if (filter) query = query.where(matchesFilter(db, shown, filter))
  return query
}

const withAccounts = (db: Db) =>
  db
    .selectFrom('clients')
    .leftJoin('accounts', 'accounts.account_sid', 'clients.account_sid')
    .selectAll('clients')
    .select(['accounts.name as account_name', 'accounts.sip_realm'])

export const list = (db: Db, scope: Scope, query: Pick<PageQuery, 'sort'> & Filters) =>
  listing({
    db,
    table: 'clients',
    sid: 'client_sid',
    sortable: ['username'],
    sortedAs: byCalls('clients', query.sort),
    query,
    matching: matching(db, scope, query),
    rows: withAccounts(db).$call(withCalls('clients')),
    unjoined: withoutCalls(db, 'clients', withAccounts(db)),
    present: (rows): ClientItem[] => rows.map((row) => presentCalls(readable(row))),
  })

/** At most `most` clients that match a list's filters. */
export const sidsMatching = async (db: Db, scope: Scope, filters: Filters, most: number) =>
  (await matching(db, scope, filters).select('clients.client_sid').limit(most).execute()).map(
    (c) => c.client_sid,
  )

/** The row that the audit log compares: with the encrypted password, so that it can tell when that changed. */
export const compared = (row: Row) => ({ ...readable(row), sealed_password: row.password })
export type Compared = ReturnType<typeof compared>

/** The clients with these sids that the caller may see, in any order. Nobody else changes them in this transaction. */
export async function findAll(db: Db, scope: Scope, sids: string[]) {
  const found: Compared[] = []
  // in the same order everywhere, so that no two transactions wait for each other
  for (const batch of batchesOf(sids.toSorted())) {
    const rows = await visible(db, scope)
      .selectAll()
      .where('client_sid', 'in', batch)
      .$if(db.isTransaction, lockRows(db))
      .execute()
    for (const row of rows) found.push(compared(row))
  }
  return found
}

/** The clients among these that the caller may see, in batches, with the names of their accounts. */
export async function* withNames(
  db: Db,
  scope: Scope,
  sids: string[],
): AsyncIterable<Omit<ClientItem, keyof LatestCalls>[]> {
  for (const batch of batchesOf(sids))
    yield (
      await withAccounts(db)
        .where('clients.client_sid', 'in', batch)
        .where(inScope(scope))
        .orderBy('clients.username')
        .execute()
    ).map(readable)
}

/** The row as stored; undefined when this caller cannot see it. */
export const find = (db: Db, scope: Scope, sid: string) =>
  visible(db, scope).selectAll().where('client_sid', '=', sid).executeTakeFirst()

type Row = NonNullable<Awaited<ReturnType<typeof find>>>

/** Shows whether there is a password, but not the password. */
export const readable = <R extends Row>(row: R): R & Client => ({
  ...row,
  username: row.username ?? '',
  password: row.password && MASK,
})

export const isTaken = async (db: Db, account_sid: string, username: string) =>
  (await db
    .selectFrom('clients')
    .select('client_sid')
    .where('account_sid', '=', account_sid)
    .where('username', '=', username)
    .executeTakeFirst()) !== undefined

/** The usernames among these that exist, with their accounts. */
export async function takenUsernames(db: Db, usernames: string[]) {
  const rows = await db
    .selectFrom('clients')
    .select(['account_sid', 'username'])
    .where('username', 'in', usernames)
    .execute()
  const existing = new Set(rows.map((r) => `${r.account_sid} ${r.username?.toLowerCase()}`))
  return (account_sid: string, username: string) =>
    existing.has(`${account_sid} ${username.toLowerCase()}`)
}

export const insert = (db: Db, row: Insertable<Tables['clients']>): Promise<Row> =>
  insertOne(db, 'clients', 'client_sid', row)

export async function updateAll(
  db: Db,
  scope: Scope,
  sids: string[],
  change: Updateable<Tables['clients']>,
) {
  for (const batch of batchesOf(sids))
    await db
      .updateTable('clients')
      .set(change)
      .where('client_sid', 'in', batch)
      .where(inScope(scope))
      .execute()
}

export async function removeAll(db: Db, scope: Scope, sids: string[]) {
  for (const batch of batchesOf(sids))
    await db.deleteFrom('clients').where('client_sid', 'in', batch).where(inScope(scope)).execute()
}

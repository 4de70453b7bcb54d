import { type Client, type ClientItem, MASK, type PageQuery } from '@switchroom/contract'
import type { Insertable, Updateable } from 'kysely'
import { listing } from '../../db/listing.ts'
import type { Db, Tables } from '../../db/open.ts'
import type { Scope } from '../../http/scope.ts'
import { matchesFilter } from '../../http/search.ts'
import { type OwnerQuery, ownedBy, ownerFilter } from '../../http/tenancy.ts'

const inScope = (scope: Scope) => ownedBy('clients', scope)

const visible = (db: Db, scope: Scope) => db.selectFrom('clients').where(inScope(scope))

export function list(db: Db, scope: Scope, query: PageQuery & OwnerQuery) {
  let matching = visible(db, scope).where(ownerFilter('clients', query))
  if (query.filter)
    matching = matching.where(
      matchesFilter(
        { sid: 'clients.client_sid', names: [], numbers: ['clients.username'] },
        query.filter,
      ),
    )
  return listing({
    db,
    table: 'clients',
    sid: 'client_sid',
    sortable: ['username'],
    query,
    matching,
    rows: db
      .selectFrom('clients')
      .leftJoin('accounts', 'accounts.account_sid', 'clients.account_sid')
      .selectAll('clients')
      .select(['accounts.name as account_name', 'accounts.sip_realm']),
    present: (rows): ClientItem[] => rows.map(readable),
  })
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

/** Which of these usernames exist, with their accounts. */
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

export const insert = (db: Db, row: Insertable<Tables['clients']>) =>
  db.insertInto('clients').values(row).execute()

export const update = (db: Db, scope: Scope, sid: string, change: Updateable<Tables['clients']>) =>
  db
    .updateTable('clients')
    .set(change)
    .where('client_sid', '=', sid)
    .where(inScope(scope))
    .execute()

export const remove = (db: Db, scope: Scope, sid: string) =>
  db.deleteFrom('clients').where('client_sid', '=', sid).where(inScope(scope)).execute()

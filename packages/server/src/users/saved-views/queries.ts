import { SavedView, type ViewList } from '@switchroom/contract'
import { type Insertable, type Selectable, type SqlBool, sql, type Updateable } from 'kysely'
import type { Db, Tables } from '../../db/open.ts'
import type { Scope } from '../../http/scope.ts'

type Table = Tables['switchroom_saved_views']
export type Row = Selectable<Table>

/** Scope of a caller's shared views: the account, the provider, or (empty) all administrators. */
export const sharedWith = (scope: Scope) => {
  if (scope.role === 'admin') return ''
  return scope.role === 'account' ? scope.account_sid : scope.service_provider_sid
}

const personal = (scope: Scope) =>
  sql<SqlBool>`(shared_with is null and user_sid = ${scope.user_sid ?? null})`
const shared = (scope: Scope) => sql<SqlBool>`shared_with = ${sharedWith(scope)}`

/**
 * The caller's own views, and those of exactly their scope: a provider's people do not see views that its accounts
 * share.
 */
const inScope = (scope: Scope) => sql<SqlBool>`(${personal(scope)} or ${shared(scope)})`

const visible = (db: Db, scope: Scope) =>
  db.selectFrom('switchroom_saved_views').where(inScope(scope))

const Content = SavedView.pick({ search: true, view: true })

export const readable = (scope: Scope, row: Row): SavedView => ({
  saved_view_sid: row.saved_view_sid,
  list: row.list,
  name: row.name,
  ...Content.parse(JSON.parse(row.content)),
  is_shared: row.shared_with !== null,
  is_own: row.user_sid === scope.user_sid,
})

export const list = async (db: Db, scope: Scope, of: ViewList) => {
  const rows = await visible(db, scope)
    .selectAll()
    .where('list', '=', of)
    .orderBy('name')
    .orderBy('saved_view_sid')
    .execute()
  return rows.map((row) => readable(scope, row))
}

/** Subquery: the sids of a list's views that the caller sees. */
export const sidsOf = (db: Db, scope: Scope, of: ViewList) =>
  visible(db, scope).select('saved_view_sid').where('list', '=', of)

/** Undefined when this caller cannot see it. */
export const find = (db: Db, scope: Scope, sid: string): Promise<Row | undefined> =>
  visible(db, scope).selectAll().where('saved_view_sid', '=', sid).executeTakeFirst()

/** The views among these that the caller sees. */
export const findAll = async (db: Db, scope: Scope, sids: string[]): Promise<SavedView[]> =>
  (await visible(db, scope).selectAll().where('saved_view_sid', 'in', sids).execute()).map((row) =>
    readable(scope, row),
  )

/** True if the view exists, whoever sees it. For the jobs of this server only. */
export const exists = async (db: Db, sid: string) =>
  (await db
    .selectFrom('switchroom_saved_views')
    .select('saved_view_sid')
    .where('saved_view_sid', '=', sid)
    .executeTakeFirst()) !== undefined

/** Views among which names are unique and counted: a person's own, or those of a scope. */
const among = (db: Db, scope: Scope, isShared: boolean) =>
  db.selectFrom('switchroom_saved_views').where(isShared ? shared(scope) : personal(scope))

export const count = async (db: Db, scope: Scope, isShared: boolean) =>
  Number(
    (
      await among(db, scope, isShared)
        .select((eb) => eb.fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  )

/** True if another view of the list has this name. */
export const isTaken = async (
  db: Db,
  scope: Scope,
  { saved_view_sid, list, name }: Pick<Row, 'saved_view_sid' | 'list' | 'name'>,
  isShared: boolean,
) => {
  const other = await among(db, scope, isShared)
    .select('saved_view_sid')
    .where('list', '=', list)
    .where('name', '=', name)
    .where('saved_view_sid', '!=', saved_view_sid)
    .executeTakeFirst()
  return other !== undefined
}

export const insert = (db: Db, row: Insertable<Table>) =>
  db.insertInto('switchroom_saved_views').values(row).execute()

export const update = (db: Db, scope: Scope, sid: string, change: Updateable<Table>) =>
  db
    .updateTable('switchroom_saved_views')
    .set(change)
    .where('saved_view_sid', '=', sid)
    .where(inScope(scope))
    .execute()

/** Deletes a view with its alert. Call in a transaction. */
export async function remove(db: Db, scope: Scope, sid: string) {
  await db
    .deleteFrom('switchroom_view_alerts')
    .where('saved_view_sid', '=', sid)
    .where((eb) => eb('saved_view_sid', 'in', visible(db, scope).select('saved_view_sid')))
    .execute()
  await db
    .deleteFrom('switchroom_saved_views')
    .where('saved_view_sid', '=', sid)
    .where(inScope(scope))
    .execute()
}

/** Deletes people's own views. Views that they shared stay, as they are others' too. */
export const removeOfUsers = (db: Db, users: string[]) =>
  db
    .deleteFrom('switchroom_saved_views')
    .where('user_sid', 'in', users)
    .where('shared_with', 'is', null)
    .execute()

/** Deletes the views shared with the account, and its users' own. Call it before the users are deleted. */
export async function removeOfAccount(db: Db, { account_sid }: { account_sid: string }) {
  await removeShared(db, account_sid)
  await db
    .deleteFrom('switchroom_saved_views')
    .where('shared_with', 'is', null)
    .where(
      sql<SqlBool>`user_sid in (select user_sid from users where account_sid = ${account_sid})`,
    )
    .execute()
}

/** Deletes the views shared with a provider. A deleted provider has no users. */
export const removeOfProvider = (db: Db, service_provider_sid: string) =>
  removeShared(db, service_provider_sid)

async function removeShared(db: Db, shared_with: string) {
  await db.deleteFrom('switchroom_saved_views').where('shared_with', '=', shared_with).execute()
}

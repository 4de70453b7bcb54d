import { type LanguageModel, MASK } from '@switchroom/contract'
import type { Insertable } from 'kysely'
import type { Db, Tables } from '../../db/open.ts'
import type { Scope } from '../../http/scope.ts'
import { below, ownedBy } from '../../http/tenancy.ts'

const TABLE = 'switchroom_language_models'
type Row = Insertable<Tables[typeof TABLE]>

/** As stored; undefined without one. Look up the account within the caller's scope first. */
export const stored = (db: Db, account_sid: string): Promise<Row | undefined> =>
  db.selectFrom(TABLE).selectAll().where('account_sid', '=', account_sid).executeTakeFirst()

export const shown = (row: Row | undefined): LanguageModel => ({
  url: row?.url ?? null,
  model: row?.model ?? null,
  api_key: row?.sealed_key ? MASK : null,
})

const own = (scope: Scope) => below(`${TABLE}.account_sid`, 'accounts', ownedBy('accounts', scope))

/** Look up the account within the caller's scope first. */
export const insert = (db: Db, row: Row) => db.insertInto(TABLE).values(row).execute()

export const update = (
  db: Db,
  scope: Scope,
  account_sid: string,
  change: Omit<Row, 'account_sid'>,
) =>
  db
    .updateTable(TABLE)
    .set(change)
    .where('account_sid', '=', account_sid)
    .where(own(scope))
    .execute()

export const remove = async (db: Db, scope: Scope, account_sid: string) => {
  await db.deleteFrom(TABLE).where('account_sid', '=', account_sid).where(own(scope)).execute()
}

export const removeOfAccount = async (db: Db, { account_sid }: { account_sid: string }) => {
  await db.deleteFrom(TABLE).where('account_sid', '=', account_sid).execute()
}

import { type Flag, Preferences } from '@switchroom/contract'
import { type SqlBool, sql } from 'kysely'
import { definedFields, isEmpty } from '../../db/defined-fields.ts'
import { skipExisting } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import { transaction } from '../../db/transaction.ts'
import type { Scope } from '../../http/scope.ts'

const NONE: Preferences = {
  time_zone: null,
  language: null,
  theme: null,
  hides_getting_started: null,
  file_separator: null,
  file_times: null,
  import_columns: null,
}

const stored = (db: Db, user_sid: string | undefined) =>
  db
    .selectFrom('switchroom_preferences')
    .select([
      'time_zone',
      'language',
      'theme',
      'hides_getting_started',
      'file_separator',
      'file_times',
      'import_columns',
    ])
    .where('user_sid', '=', user_sid ?? null)
    .executeTakeFirst()

const columnsIn = (text: string | null) =>
  text === null ? null : (Preferences.shape.import_columns.safeParse(JSON.parse(text)).data ?? null)

/** The caller's own. API keys have none. */
export async function find(
  db: Db,
  { user_sid }: { user_sid?: string | undefined },
): Promise<Preferences> {
  const row = await stored(db, user_sid)
  if (!row) return NONE
  const { hides_getting_started: hides, import_columns } = row
  return {
    ...row,
    hides_getting_started: hides === null ? null : hides === 1,
    import_columns: columnsIn(import_columns),
  }
}

/** Updates preferences. Undefined ones stay as they are. */
export async function update(
  db: Db,
  { user_sid }: Scope,
  {
    hides_getting_started: hides,
    import_columns,
    ...rest
  }: { [K in keyof Preferences]?: Preferences[K] | undefined },
) {
  const flag: Flag | null | undefined = typeof hides === 'boolean' ? (hides ? 1 : 0) : hides
  const change = definedFields({ ...rest, hides_getting_started: flag })
  if (user_sid === undefined || (isEmpty(change) && import_columns === undefined)) return
  await transaction(db, async (tx) => {
    await tx
      .insertInto('switchroom_preferences')
      .values({ ...NONE, hides_getting_started: null, import_columns: null, user_sid })
      .$call(skipExisting(tx))
      .execute()
    const columns =
      import_columns &&
      JSON.stringify({
        ...columnsIn((await stored(tx, user_sid))?.import_columns ?? null),
        ...import_columns,
      })
    await tx
      .updateTable('switchroom_preferences')
      .set({ ...change, ...definedFields({ import_columns: columns }) })
      .where('user_sid', '=', user_sid)
      .execute()
  })
}

export const removeOfUsers = (db: Db, users: string[]) =>
  db.deleteFrom('switchroom_preferences').where('user_sid', 'in', users).execute()

/** Call before the account's users are deleted. */
export const removeOfAccount = async (db: Db, { account_sid }: { account_sid: string }) => {
  await db
    .deleteFrom('switchroom_preferences')
    .where(
      sql<SqlBool>`user_sid in (select user_sid from users where account_sid = ${account_sid})`,
    )
    .execute()
}

import { sql } from 'kysely'
import type { Db } from '../open.ts'

/** Repeatable, because MySQL keeps half a migration after a crash. */
export async function up(db: Db) {
  const tables = await db.introspection.getTables()
  const table = tables.find(({ name }) => name === 'switchroom_preferences')
  const isThere = new Set(table?.columns.map(({ name }) => name))
  const types = {
    file_separator: 'varchar(9)',
    file_times: 'varchar(8)',
    import_columns: sql`mediumtext`,
  } as const
  for (const [column, type] of Object.entries(types))
    if (!isThere.has(column))
      await db.schema.alterTable('switchroom_preferences').addColumn(column, type).execute()
}

import type { Db } from '../open.ts'

/** Adds the version of its application to a scored call. Repeatable: MySQL keeps half a migration after a crash. */
export async function up(db: Db) {
  const tables = await db.introspection.getTables()
  const table = tables.find(({ name }) => name === 'switchroom_call_scores')
  if (table?.columns.some(({ name }) => name === 'version')) return
  await db.schema
    .alterTable('switchroom_call_scores')
    .addColumn('version', 'varchar(128)')
    .execute()
}

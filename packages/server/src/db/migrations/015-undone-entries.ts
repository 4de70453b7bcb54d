import type { Db } from '../open.ts'

/** Repeatable, because MySQL keeps half a migration after a crash. */
export async function up(db: Db) {
  const tables = await db.introspection.getTables()
  const audit = tables.find((table) => table.name === 'switchroom_audit')
  if (audit?.columns.some((column) => column.name === 'undoes')) return
  await db.schema.alterTable('switchroom_audit').addColumn('undoes', 'integer').execute()
}

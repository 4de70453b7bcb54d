import type { Db } from '../open.ts'

/** Repeatable, because MySQL keeps half a migration after a crash. Servers of the version before do not read the column. */
export async function up(db: Db) {
  const tables = await db.introspection.getTables()
  const table = tables.find(({ name }) => name === 'switchroom_failures')
  if (!table?.columns.some(({ name }) => name === 'rerouted'))
    await db.schema.alterTable('switchroom_failures').addColumn('rerouted', 'text').execute()
}

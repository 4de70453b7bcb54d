import type { Db } from '../open.ts'

/** What an account splits the figures of its conversations by. Repeatable: MySQL keeps half a migration after a crash. */
export async function up(db: Db) {
  const tables = await db.introspection.getTables()
  const table = tables.find(({ name }) => name === 'switchroom_transcript_settings')
  const isThere = new Set(table?.columns.map(({ name }) => name))
  const alter = () => db.schema.alterTable('switchroom_transcript_settings')
  if (!isThere.has('split_source')) await alter().addColumn('split_source', 'varchar(8)').execute()
  if (!isThere.has('split_name')) await alter().addColumn('split_name', 'varchar(100)').execute()
}

import type { Db } from '../open.ts'

/**
 * Repeatable, because MySQL keeps half a migration after a crash. Servers of the previous version keep running beside
 * this one, and resolve alerts as before.
 */
export async function up(db: Db) {
  const tables = await db.introspection.getTables()
  const table = tables.find(({ name }) => name === 'switchroom_alert_matters')
  const isThere = new Set(table?.columns.map(({ name }) => name))
  const alter = () => db.schema.alterTable('switchroom_alert_matters')
  if (!isThere.has('muted_until')) await alter().addColumn('muted_until', 'bigint').execute()
  if (!isThere.has('assigned_to')) await alter().addColumn('assigned_to', 'varchar(36)').execute()
  if (!isThere.has('changed_at'))
    await alter()
      .addColumn('changed_at', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute()
}

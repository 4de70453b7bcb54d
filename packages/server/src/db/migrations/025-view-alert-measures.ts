import type { Db } from '../open.ts'

/**
 * Adds measures to view alerts. Repeatable, because MySQL keeps half a migration after a crash. Servers of the previous
 * version keep running beside this one: their alerts are measured by rows, and they leave percentages alone, which have
 * `next_measured_at` in place of `next_at`.
 */
export async function up(db: Db) {
  const tables = await db.introspection.getTables()
  const table = tables.find(({ name }) => name === 'switchroom_view_alerts')
  const isThere = new Set(table?.columns.map(({ name }) => name))
  const alter = () => db.schema.alterTable('switchroom_view_alerts')
  if (!isThere.has('measure'))
    await alter()
      .addColumn('measure', 'varchar(8)', (c) => c.notNull().defaultTo('rows'))
      .execute()
  if (!isThere.has('whole')) await alter().addColumn('whole', 'integer').execute()
  for (const column of ['judged_at', 'next_measured_at'])
    if (!isThere.has(column)) await alter().addColumn(column, 'bigint').execute()
}

import type { Db } from '../open.ts'

/**
 * Adds the version of its application to a scored call, and its suite to a run. Repeatable: MySQL keeps half a migration
 * after a crash.
 */
export async function up(db: Db) {
  const tables = await db.introspection.getTables()
  const isThere = (table: string, column: string) =>
    tables.find(({ name }) => name === table)?.columns.some(({ name }) => name === column)
  if (!isThere('switchroom_call_scores', 'version'))
    await db.schema
      .alterTable('switchroom_call_scores')
      .addColumn('version', 'varchar(128)')
      .execute()
  if (!isThere('switchroom_runs', 'suite_sid'))
    await db.schema.alterTable('switchroom_runs').addColumn('suite_sid', 'varchar(36)').execute()
  const suites = await db.selectFrom('switchroom_suites').select(['suite_sid', 'content']).execute()
  for (const { suite_sid, content } of suites) {
    const { calls } = JSON.parse(content) as { calls: { run_sid: string }[] }
    for (const { run_sid } of calls)
      await db
        .updateTable('switchroom_runs')
        .set({ suite_sid })
        .where('run_sid', '=', run_sid)
        .execute()
  }
}

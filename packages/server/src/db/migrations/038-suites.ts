import { sql } from 'kysely'
import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

/** Calls of applications that were played again, each with its run. */
export async function up(db: Db) {
  await createOwnTable(
    db,
    'switchroom_suites',
    (table) =>
      table
        .addColumn('suite_sid', 'varchar(36)', (c) => c.primaryKey())
        .addColumn('application_sid', 'varchar(36)', (c) => c.notNull())
        .addColumn('account_sid', 'varchar(36)')
        .addColumn('begun_at', 'varchar(24)', (c) => c.notNull())
        .addColumn('content', sql`mediumtext`, (c) => c.notNull()),
    ['application_sid', 'account_sid'],
  )
}

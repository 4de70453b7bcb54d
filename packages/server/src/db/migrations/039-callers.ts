import { sql } from 'kysely'
import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

/** Language models of accounts, the callers that they play, and what came of each of their conversations. */
export async function up(db: Db) {
  await createOwnTable(db, 'switchroom_language_models', (table) =>
    table
      .addColumn('account_sid', 'varchar(36)', (c) => c.primaryKey())
      .addColumn('url', 'varchar(500)', (c) => c.notNull())
      .addColumn('model', 'varchar(200)', (c) => c.notNull())
      .addColumn('sealed_key', 'text'),
  )
  await createOwnTable(
    db,
    'switchroom_simulated_callers',
    (table) =>
      table
        .addColumn('simulated_caller_sid', 'varchar(36)', (c) => c.primaryKey())
        .addColumn('application_sid', 'varchar(36)', (c) => c.notNull())
        .addColumn('account_sid', 'varchar(36)')
        .addColumn('name', 'varchar(100)', (c) => c.notNull())
        .addColumn('content', sql`mediumtext`, (c) => c.notNull())
        .addColumn('created_at', 'varchar(24)', (c) => c.notNull())
        .addColumn('updated_at', 'varchar(24)', (c) => c.notNull())
        .addUniqueConstraint('switchroom_simulated_callers_name', ['application_sid', 'name']),
    ['account_sid'],
  )
  await createOwnTable(
    db,
    'switchroom_simulated_runs',
    (table) =>
      table
        .addColumn('run_sid', 'varchar(36)', (c) => c.primaryKey())
        .addColumn('simulated_caller_sid', 'varchar(36)', (c) => c.notNull())
        .addColumn('caller', sql`mediumtext`, (c) => c.notNull())
        .addColumn('turns', 'integer', (c) => c.notNull())
        .addColumn('tokens', 'integer', (c) => c.notNull())
        .addColumn('outcome', 'varchar(16)')
        .addColumn('reason', 'text')
        .addColumn('is_reached', 'integer')
        .addColumn('scores', sql`mediumtext`),
    ['simulated_caller_sid'],
  )
}

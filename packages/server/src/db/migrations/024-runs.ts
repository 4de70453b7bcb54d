import { sql } from 'kysely'
import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

/** Calls to applications that are played without a telephone, their steps, and those that are saved as test cases. */
export async function up(db: Db) {
  await createOwnTable(
    db,
    'switchroom_runs',
    (table) =>
      table
        .addColumn('run_sid', 'varchar(36)', (c) => c.primaryKey())
        .addColumn('application_sid', 'varchar(36)', (c) => c.notNull())
        .addColumn('account_sid', 'varchar(36)')
        .addColumn('repeats', 'varchar(36)')
        .addColumn('test_case_sid', 'varchar(36)')
        .addColumn('begun_at', 'varchar(24)', (c) => c.notNull())
        .addColumn('seen_at', 'bigint')
        .addColumn('start', sql`mediumtext`, (c) => c.notNull())
        .addColumn('step_count', 'integer', (c) => c.notNull())
        .addColumn('problems', 'integer', (c) => c.notNull())
        .addColumn('question', 'integer')
        .addColumn('answer', sql`mediumtext`)
        .addColumn('is_stopped', 'integer', (c) => c.notNull())
        .addColumn('ended', 'text')
        .addColumn('expectations', sql`mediumtext`)
        .addColumn('outcomes', sql`mediumtext`)
        .addColumn('is_passed', 'integer'),
    ['application_sid', 'account_sid', 'seen_at'],
  )
  await createOwnTable(db, 'switchroom_run_steps', (table) =>
    table
      .addColumn('run_sid', 'varchar(36)', (c) => c.notNull())
      .addColumn('number', 'integer', (c) => c.notNull())
      .addColumn('step', sql`mediumtext`, (c) => c.notNull())
      .addPrimaryKeyConstraint('switchroom_run_steps_key', ['run_sid', 'number']),
  )
  await createOwnTable(
    db,
    'switchroom_test_cases',
    (table) =>
      table
        .addColumn('test_case_sid', 'varchar(36)', (c) => c.primaryKey())
        .addColumn('application_sid', 'varchar(36)', (c) => c.notNull())
        .addColumn('account_sid', 'varchar(36)')
        .addColumn('name', 'varchar(100)', (c) => c.notNull())
        .addColumn('content', sql`mediumtext`, (c) => c.notNull())
        .addColumn('latest_run_sid', 'varchar(36)')
        .addColumn('created_at', 'varchar(24)', (c) => c.notNull())
        .addColumn('updated_at', 'varchar(24)', (c) => c.notNull())
        .addUniqueConstraint('switchroom_test_cases_name', ['application_sid', 'name']),
    ['account_sid'],
  )
}

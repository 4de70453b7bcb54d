import { sql } from 'kysely'
import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

/** Score cards of applications, the scores of their calls, and who scores. */
export async function up(db: Db) {
  await createOwnTable(
    db,
    'switchroom_score_cards',
    (table) =>
      table
        .addColumn('application_sid', 'varchar(36)', (c) => c.primaryKey())
        .addColumn('account_sid', 'varchar(36)', (c) => c.notNull())
        .addColumn('is_active', 'integer', (c) => c.notNull())
        .addColumn('content', sql`mediumtext`, (c) => c.notNull())
        .addColumn('seen_until', 'bigint')
        .addColumn('day', 'varchar(10)', (c) => c.notNull())
        .addColumn('used_calls', 'integer', (c) => c.notNull())
        .addColumn('used_tokens', 'bigint', (c) => c.notNull())
        .addColumn('failures', 'integer', (c) => c.notNull())
        .addColumn('paused_until', 'bigint', (c) => c.notNull())
        .addColumn('updated_at', 'varchar(24)', (c) => c.notNull()),
    ['account_sid'],
  )
  await createOwnTable(
    db,
    'switchroom_call_scores',
    (table) =>
      table
        .addColumn('account_sid', 'varchar(36)', (c) => c.notNull())
        .addColumn('call_sid', 'varchar(64)', (c) => c.notNull())
        .addColumn('application_sid', 'varchar(36)', (c) => c.notNull())
        .addColumn('trace_id', 'varchar(32)', (c) => c.notNull())
        .addColumn('called_at', 'varchar(24)', (c) => c.notNull())
        .addColumn('found_at', 'bigint', (c) => c.notNull())
        .addColumn('tries', 'integer', (c) => c.notNull())
        .addColumn('result', 'varchar(6)')
        .addColumn('tokens', 'integer', (c) => c.notNull())
        .addColumn('content', sql`mediumtext`)
        .addColumn('scored_at', 'varchar(24)')
        .addPrimaryKeyConstraint('switchroom_call_scores_key', ['account_sid', 'call_sid']),
    ['application_sid', 'called_at', 'result'],
  )
  await createOwnTable(db, 'switchroom_score_items', (table) =>
    table
      .addColumn('account_sid', 'varchar(36)', (c) => c.notNull())
      .addColumn('call_sid', 'varchar(64)', (c) => c.notNull())
      .addColumn('number', 'integer', (c) => c.notNull())
      .addColumn('kind', 'varchar(9)', (c) => c.notNull())
      .addColumn('name', 'varchar(300)', (c) => c.notNull())
      .addColumn('is_passed', 'integer')
      .addColumn('score', 'integer')
      .addPrimaryKeyConstraint('switchroom_score_items_key', ['account_sid', 'call_sid', 'number']),
  )
  await createOwnTable(db, 'switchroom_score_watch', (table) =>
    table
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('holder', 'varchar(36)', (c) => c.notNull())
      .addColumn('leased_until', 'bigint', (c) => c.notNull()),
  )
}

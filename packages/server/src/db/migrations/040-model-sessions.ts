import { sql } from 'kysely'
import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

/** Events of model sessions, by call, who may send them, how many were refused, and what models cost. */
export async function up(db: Db) {
  await createOwnTable(db, 'switchroom_model_sessions', (table) =>
    table
      .addColumn('account_sid', 'varchar(36)', (c) => c.primaryKey())
      .addColumn('token_digest', 'varchar(64)')
      .addColumn('open_since', 'varchar(24)')
      .addColumn('currency', 'varchar(3)', (c) => c.notNull())
      .addColumn('prices', 'text', (c) => c.notNull()),
  )
  await createOwnTable(
    db,
    'switchroom_model_calls',
    (table) =>
      table
        .addColumn('account_sid', 'varchar(36)', (c) => c.notNull())
        .addColumn('call_sid', 'varchar(64)', (c) => c.notNull())
        .addColumn('events', 'integer', (c) => c.notNull())
        .addColumn('checked_at', 'bigint', (c) => c.notNull())
        .addColumn('seen_at', 'bigint', (c) => c.notNull())
        .addColumn('is_found', 'integer', (c) => c.notNull())
        .addPrimaryKeyConstraint('switchroom_model_calls_key', ['account_sid', 'call_sid']),
    ['is_found', 'seen_at'],
  )
  await createOwnTable(db, 'switchroom_model_events', (table) =>
    table
      .addColumn('account_sid', 'varchar(36)', (c) => c.notNull())
      .addColumn('call_sid', 'varchar(64)', (c) => c.notNull())
      .addColumn('event', 'varchar(64)', (c) => c.notNull())
      .addColumn('number', 'integer', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('parts', sql`mediumtext`, (c) => c.notNull())
      .addPrimaryKeyConstraint('switchroom_model_events_key', ['account_sid', 'call_sid', 'event']),
  )
  await createOwnTable(db, 'switchroom_model_refusals', (table) =>
    table
      .addColumn('account_sid', 'varchar(36)', (c) => c.notNull())
      .addColumn('day', 'varchar(10)', (c) => c.notNull())
      .addColumn('reason', 'varchar(16)', (c) => c.notNull())
      .addColumn('count', 'integer', (c) => c.notNull())
      .addColumn('last_at', 'varchar(24)', (c) => c.notNull())
      .addPrimaryKeyConstraint('switchroom_model_refusals_key', ['account_sid', 'day', 'reason']),
  )
}

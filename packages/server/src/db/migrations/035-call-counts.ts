import { sql } from 'kysely'
import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

/** Calls of phone numbers, applications and SIP clients, and the progress of counting. */
export async function up(db: Db) {
  await createOwnTable(db, 'switchroom_call_counts', (table) =>
    table
      .addColumn('thing_sid', 'varchar(36)', (c) => c.notNull())
      .addColumn('account_sid', 'varchar(36)', (c) => c.notNull())
      .addColumn('last_call_at', 'bigint', (c) => c.notNull())
      .addColumn('calls_7d', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('switchroom_call_counts_key', ['thing_sid', 'account_sid']),
  )
  await createOwnTable(db, 'switchroom_call_days', (table) =>
    table
      .addColumn('day', 'integer', (c) => c.notNull())
      .addColumn('thing_sid', 'varchar(36)', (c) => c.notNull())
      .addColumn('account_sid', 'varchar(36)', (c) => c.notNull())
      .addColumn('calls', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('switchroom_call_days_key', ['day', 'thing_sid', 'account_sid']),
  )
  await createOwnTable(db, 'switchroom_call_slices', (table) =>
    table
      .addColumn('slice', 'bigint', (c) => c.primaryKey())
      .addColumn('calls', 'integer', (c) => c.notNull())
      .addColumn('counted', sql`mediumtext`, (c) => c.notNull()),
  )
  await createOwnTable(db, 'switchroom_call_watch', (table) =>
    table
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('counted_since', 'bigint', (c) => c.notNull())
      .addColumn('read_until', 'bigint', (c) => c.notNull())
      .addColumn('is_caught_up', 'integer', (c) => c.notNull())
      .addColumn('first_day', 'integer', (c) => c.notNull())
      .addColumn('late_slice', 'integer', (c) => c.notNull())
      .addColumn('swept_to', 'varchar(36)', (c) => c.notNull())
      .addColumn('holder', 'varchar(36)', (c) => c.notNull())
      .addColumn('leased_until', 'bigint', (c) => c.notNull()),
  )
}

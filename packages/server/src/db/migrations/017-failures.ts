import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export async function up(db: Db) {
  await createOwnTable(
    db,
    'switchroom_failures',
    (table) =>
      table
        .addColumn('failure_sid', 'varchar(36)', (c) => c.primaryKey())
        .addColumn('failure_key', 'varchar(43)', (c) => c.notNull().unique())
        .addColumn('account_sid', 'varchar(36)')
        .addColumn('service_provider_sid', 'varchar(36)')
        .addColumn('direction', 'varchar(8)', (c) => c.notNull())
        .addColumn('trunk', 'varchar(128)')
        .addColumn('sip_status', 'integer', (c) => c.notNull())
        .addColumn('reason', 'varchar(100)')
        .addColumn('prefix', 'varchar(16)')
        .addColumn('state', 'varchar(8)', (c) => c.notNull())
        .addColumn('muted_until', 'varchar(24)')
        .addColumn('mended_at', 'varchar(24)')
        .addColumn('assigned_to', 'varchar(36)')
        .addColumn('calls', 'bigint', (c) => c.notNull())
        .addColumn('first_at', 'varchar(24)', (c) => c.notNull())
        .addColumn('last_at', 'varchar(24)', (c) => c.notNull())
        .addColumn('news_at', 'bigint', (c) => c.notNull())
        .addColumn('content', 'text', (c) => c.notNull()),
    ['account_sid', 'service_provider_sid', 'last_at', 'muted_until', 'news_at'],
  )
  await createOwnTable(
    db,
    'switchroom_failure_calls',
    (table) =>
      table
        .addColumn('call_key', 'varchar(43)', (c) => c.primaryKey())
        .addColumn('attempted_at', 'bigint', (c) => c.notNull()),
    ['attempted_at'],
  )
  await createOwnTable(db, 'switchroom_failure_watch', (table) =>
    table
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('read_until', 'bigint', (c) => c.notNull())
      .addColumn('late_slice', 'integer', (c) => c.notNull())
      .addColumn('holder', 'varchar(36)', (c) => c.notNull())
      .addColumn('leased_until', 'bigint', (c) => c.notNull()),
  )
}

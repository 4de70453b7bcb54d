import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export async function up(db: Db) {
  await createOwnTable(
    db,
    'switchroom_view_alerts',
    (table) =>
      table
        .addColumn('saved_view_sid', 'varchar(36)', (c) => c.primaryKey())
        .addColumn('account_sid', 'varchar(36)')
        .addColumn('service_provider_sid', 'varchar(36)')
        .addColumn('user_sid', 'varchar(36)', (c) => c.notNull())
        .addColumn('of_scope', 'varchar(36)', (c) => c.notNull())
        .addColumn('view_name', 'varchar(100)', (c) => c.notNull())
        .addColumn('comparison', 'varchar(8)', (c) => c.notNull())
        .addColumn('threshold', 'integer', (c) => c.notNull())
        .addColumn('minutes', 'integer', (c) => c.notNull())
        .addColumn('quiet_minutes', 'integer', (c) => c.notNull())
        .addColumn('destinations', 'text', (c) => c.notNull())
        .addColumn('holder', 'varchar(36)', (c) => c.notNull())
        .addColumn('next_at', 'bigint')
        .addColumn('checked_at', 'bigint')
        .addColumn('counted', 'integer')
        .addColumn('firing_since', 'bigint')
        .addColumn('fired_at', 'bigint')
        .addColumn('error', 'varchar(400)')
        .addColumn('stopped', 'varchar(400)'),
    ['account_sid', 'service_provider_sid', 'next_at'],
  )
  await createOwnTable(
    db,
    'switchroom_alert_matters',
    (table) =>
      table
        .addColumn('alert_matter_sid', 'varchar(36)', (c) => c.primaryKey())
        .addColumn('inbox', 'varchar(36)', (c) => c.notNull())
        .addColumn('account_sid', 'varchar(36)', (c) => c.notNull())
        .addColumn('alert_type', 'varchar(128)', (c) => c.notNull())
        .addColumn('mended_at', 'bigint', (c) => c.notNull())
        .addUniqueConstraint('switchroom_alert_matters_key', [
          'inbox',
          'account_sid',
          'alert_type',
        ]),
    ['account_sid'],
  )
}

import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export async function up(db: Db) {
  await createOwnTable(db, 'switchroom_alert_marks', (table) =>
    table
      .addColumn('user_sid', 'varchar(36)', (c) => c.notNull())
      .addColumn('owner', 'varchar(36)', (c) => c.notNull())
      .addColumn('seen_until', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('switchroom_alert_marks_key', ['user_sid', 'owner']),
  )
  await createOwnTable(
    db,
    'switchroom_alert_destinations',
    (table) =>
      table
        .addColumn('alert_destination_sid', 'varchar(36)', (c) => c.primaryKey())
        .addColumn('account_sid', 'varchar(36)')
        .addColumn('service_provider_sid', 'varchar(36)')
        .addColumn('name', 'varchar(64)', (c) => c.notNull())
        .addColumn('kind', 'varchar(16)', (c) => c.notNull())
        .addColumn('address', 'varchar(500)')
        .addColumn('sealed_secret', 'text')
        .addColumn('alert_types', 'text', (c) => c.notNull())
        .addColumn('is_active', 'integer', (c) => c.notNull())
        .addColumn('active_since', 'bigint', (c) => c.notNull())
        .addColumn('last_tried_at', 'varchar(24)')
        .addColumn('last_error', 'varchar(400)'),
    ['account_sid', 'service_provider_sid', 'name'],
  )
  await createOwnTable(
    db,
    'switchroom_alert_deliveries',
    (table) =>
      table
        .addColumn('alert_destination_sid', 'varchar(36)', (c) => c.notNull())
        .addColumn('account_sid', 'varchar(36)', (c) => c.notNull())
        .addColumn('alert_type', 'varchar(128)', (c) => c.notNull())
        .addColumn('delivery_sid', 'varchar(36)', (c) => c.notNull())
        .addColumn('claimed_at', 'bigint', (c) => c.notNull())
        .addColumn('alert_at', 'bigint', (c) => c.notNull())
        .addColumn('alert', 'text', (c) => c.notNull())
        .addColumn('attempts', 'integer', (c) => c.notNull())
        .addColumn('next_at', 'bigint')
        .addPrimaryKeyConstraint('switchroom_alert_deliveries_key', [
          'alert_destination_sid',
          'account_sid',
          'alert_type',
        ]),
    ['next_at', 'claimed_at'],
  )
  await createOwnTable(db, 'switchroom_alert_watch', (table) =>
    table
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('watermark', 'bigint', (c) => c.notNull())
      .addColumn('leased_until', 'bigint', (c) => c.notNull()),
  )
}

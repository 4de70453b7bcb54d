import { sql } from 'kysely'
import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

/** Events for programs: their sequence, their readers, and webhooks. */
export async function up(db: Db) {
  await createOwnTable(
    db,
    'switchroom_events',
    (table) =>
      table
        .addColumn('seq', 'bigint', (c) => c.primaryKey())
        .addColumn('kind', 'varchar(32)', (c) => c.notNull())
        .addColumn('thing', 'varchar(200)', (c) => c.notNull())
        .addColumn('account_sid', 'varchar(36)')
        .addColumn('service_provider_sid', 'varchar(36)')
        .addColumn('happened_at', 'varchar(24)', (c) => c.notNull())
        .addColumn('added_at', 'bigint', (c) => c.notNull())
        .addColumn('data', sql`mediumtext`, (c) => c.notNull()),
    ['account_sid', 'service_provider_sid', 'added_at'],
  )
  await createOwnTable(db, 'switchroom_event_watch', (table) =>
    table
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('seq', 'bigint', (c) => c.notNull())
      .addColumn('audit_seq', 'bigint', (c) => c.notNull())
      .addColumn('read_until', 'bigint', (c) => c.notNull())
      .addColumn('late_slice', 'integer', (c) => c.notNull())
      .addColumn('holder', 'varchar(36)', (c) => c.notNull())
      .addColumn('leased_until', 'bigint', (c) => c.notNull()),
  )
  await createOwnTable(
    db,
    'switchroom_event_calls',
    (table) =>
      table
        .addColumn('call_key', 'varchar(64)', (c) => c.primaryKey())
        .addColumn('attempted_at', 'bigint', (c) => c.notNull()),
    ['attempted_at'],
  )
  await createOwnTable(db, 'switchroom_event_notes', (table) =>
    table
      .addColumn('event_note_sid', 'varchar(36)', (c) => c.primaryKey())
      .addColumn('kind', 'varchar(32)', (c) => c.notNull())
      .addColumn('account_sid', 'varchar(36)', (c) => c.notNull())
      .addColumn('thing', 'varchar(200)', (c) => c.notNull())
      .addColumn('happened_at', 'varchar(24)', (c) => c.notNull())
      .addColumn('data', 'text', (c) => c.notNull()),
  )
  await createOwnTable(
    db,
    'switchroom_event_states',
    (table) =>
      table
        .addColumn('state_key', 'varchar(64)', (c) => c.primaryKey())
        .addColumn('owner', 'varchar(36)', (c) => c.notNull())
        .addColumn('data', sql`mediumtext`)
        .addColumn('seen_at', 'bigint', (c) => c.notNull()),
    ['owner'],
  )
  await createOwnTable(db, 'switchroom_event_readers', (table) =>
    table
      .addColumn('owner', 'varchar(36)', (c) => c.primaryKey())
      .addColumn('since', 'bigint', (c) => c.notNull())
      .addColumn('audit_seq', 'bigint', (c) => c.notNull())
      .addColumn('read_at', 'bigint', (c) => c.notNull()),
  )
  await createOwnTable(
    db,
    'switchroom_event_subscriptions',
    (table) =>
      table
        .addColumn('event_subscription_sid', 'varchar(36)', (c) => c.primaryKey())
        .addColumn('account_sid', 'varchar(36)')
        .addColumn('service_provider_sid', 'varchar(36)')
        .addColumn('name', 'varchar(64)', (c) => c.notNull())
        .addColumn('url', 'varchar(500)', (c) => c.notNull())
        .addColumn('sealed_secret', 'text', (c) => c.notNull())
        .addColumn('sealed_previous', 'text')
        .addColumn('previous_until', 'bigint')
        .addColumn('kinds', 'text', (c) => c.notNull())
        .addColumn('is_active', 'integer', (c) => c.notNull())
        .addColumn('since', 'bigint', (c) => c.notNull())
        .addColumn('audit_seq', 'bigint', (c) => c.notNull())
        .addColumn('created_by', 'varchar(36)')
        .addColumn('last_tried_at', 'varchar(24)')
        .addColumn('last_error', 'varchar(400)')
        .addColumn('failing_since', 'bigint')
        .addColumn('failures', 'integer', (c) => c.notNull())
        .addColumn('paused_until', 'bigint', (c) => c.notNull())
        .addColumn('disabled_reason', 'varchar(400)')
        .addColumn('holder', 'varchar(36)', (c) => c.notNull())
        .addColumn('leased_until', 'bigint', (c) => c.notNull()),
    ['account_sid', 'service_provider_sid'],
  )
  await createOwnTable(
    db,
    'switchroom_event_deliveries',
    (table) =>
      table
        .addColumn('event_delivery_sid', 'varchar(36)', (c) => c.primaryKey())
        .addColumn('event_subscription_sid', 'varchar(36)', (c) => c.notNull())
        .addColumn('seq', 'bigint', (c) => c.notNull())
        .addColumn('thing', 'varchar(200)', (c) => c.notNull())
        .addColumn('state', 'varchar(16)', (c) => c.notNull())
        .addColumn('attempts', 'integer', (c) => c.notNull())
        .addColumn('next_at', 'bigint')
        .addColumn('tried_at', 'varchar(24)')
        .addColumn('status', 'integer')
        .addColumn('error', 'varchar(400)')
        .addColumn('duration_ms', 'integer')
        .addColumn('added_at', 'bigint', (c) => c.notNull()),
    ['event_subscription_sid', 'seq', 'next_at'],
  )
}

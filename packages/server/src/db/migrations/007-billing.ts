import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export async function up(db: Db) {
  await createOwnTable(
    db,
    'switchroom_billing_accounts',
    (table) =>
      table
        .addColumn('account_sid', 'varchar(36)', (c) => c.primaryKey())
        .addColumn('leased_until', 'bigint', (c) => c.notNull())
        .addColumn('next_at', 'bigint')
        .addColumn('failures', 'integer', (c) => c.notNull())
        .addColumn('ends_at', 'bigint')
        .addColumn('problem', 'varchar(400)'),
    ['next_at'],
  )
  await createOwnTable(
    db,
    'switchroom_billing_intents',
    (table) =>
      table
        .addColumn('billing_intent_sid', 'varchar(36)', (c) => c.primaryKey())
        .addColumn('account_sid', 'varchar(36)', (c) => c.notNull())
        .addColumn('action', 'varchar(32)', (c) => c.notNull())
        .addColumn('wish', 'text', (c) => c.notNull())
        .addColumn('status', 'varchar(16)', (c) => c.notNull())
        .addColumn('stripe_customer_id', 'varchar(255)')
        .addColumn('account_subscription_sid', 'varchar(36)')
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addColumn('asked_at', 'bigint'),
    ['account_sid'],
  )
  await createOwnTable(
    db,
    'switchroom_billing_events',
    (table) =>
      table
        .addColumn('event_id', 'varchar(255)', (c) => c.primaryKey())
        .addColumn('type', 'varchar(100)', (c) => c.notNull())
        .addColumn('received_at', 'bigint', (c) => c.notNull()),
    ['received_at'],
  )
}

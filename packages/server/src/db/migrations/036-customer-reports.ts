import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export async function up(db: Db) {
  await createOwnTable(
    db,
    'switchroom_customer_report_links',
    (table) =>
      table
        .addColumn('customer_report_link_sid', 'varchar(36)', (c) => c.primaryKey())
        .addColumn('account_sid', 'varchar(36)', (c) => c.notNull())
        .addColumn('service_provider_sid', 'varchar(36)', (c) => c.notNull())
        .addColumn('token_digest', 'varchar(64)', (c) => c.notNull().unique())
        .addColumn('label', 'varchar(254)', (c) => c.notNull())
        .addColumn('made_by', 'varchar(255)', (c) => c.notNull())
        .addColumn('created_at', 'varchar(24)', (c) => c.notNull())
        .addColumn('ends_at', 'varchar(24)', (c) => c.notNull())
        .addColumn('last_opened_at', 'varchar(24)')
        .addColumn('opens', 'integer', (c) => c.notNull())
        .addColumn('from_day', 'varchar(10)', (c) => c.notNull())
        .addColumn('until_day', 'varchar(10)', (c) => c.notNull())
        .addColumn('time_zone', 'varchar(64)', (c) => c.notNull())
        .addColumn('hides_numbers', 'integer', (c) => c.notNull())
        .addColumn('mailed_to', 'varchar(254)'),
    ['account_sid'],
  )
  await createOwnTable(
    db,
    'switchroom_report_mails',
    (table) =>
      table
        .addColumn('account_sid', 'varchar(36)', (c) => c.primaryKey())
        .addColumn('time_zone', 'varchar(64)', (c) => c.notNull())
        .addColumn('language', 'varchar(8)', (c) => c.notNull())
        .addColumn('hides_numbers', 'integer', (c) => c.notNull())
        .addColumn('month', 'varchar(10)', (c) => c.notNull())
        .addColumn('next_at', 'bigint')
        .addColumn('attempts', 'integer', (c) => c.notNull())
        .addColumn('holder', 'varchar(36)', (c) => c.notNull()),
    ['next_at'],
  )
  await createOwnTable(db, 'switchroom_report_recipients', (table) =>
    table
      .addColumn('account_sid', 'varchar(36)', (c) => c.notNull())
      .addColumn('email', 'varchar(254)', (c) => c.notNull())
      .addColumn('unsubscribe_token', 'varchar(43)', (c) => c.notNull().unique())
      .addColumn('sending', 'varchar(10)')
      .addColumn('month', 'varchar(10)')
      .addColumn('sent_at', 'varchar(24)')
      .addColumn('problem', 'varchar(400)')
      .addPrimaryKeyConstraint('switchroom_report_recipients_key', ['account_sid', 'email']),
  )
}

import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export async function up(db: Db) {
  await createOwnTable(db, 'switchroom_billing_accounts', {
    account_sid: 'varchar(36) primary key',
    leased_until: 'bigint not null',
    next_at: 'bigint indexed',
    failures: 'integer not null',
    ends_at: 'bigint',
    problem: 'varchar(400)',
  })
  await createOwnTable(db, 'switchroom_billing_intents', {
    billing_intent_sid: 'varchar(36) primary key',
    account_sid: 'varchar(36) not null indexed',
    action: 'varchar(32) not null',
    wish: 'text not null',
    status: 'varchar(16) not null',
    stripe_customer_id: 'varchar(255)',
    account_subscription_sid: 'varchar(36)',
    created_at: 'bigint not null',
    asked_at: 'bigint',
  })
  await createOwnTable(db, 'switchroom_billing_events', {
    event_id: 'varchar(255) primary key',
    type: 'varchar(100) not null',
    received_at: 'bigint not null indexed',
  })
}

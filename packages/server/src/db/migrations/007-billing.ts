import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export async function up(db: Db) {
  await createOwnTable(
    db,
    'switchroom_billing_accounts',
    {
      account_sid: 'varchar(36) primary key',
      leased_until: 'bigint not null',
      next_at: 'bigint',
      failures: 'integer not null',
      ends_at: 'bigint',
      problem: 'varchar(400)',
    },
    { indexes: ['next_at'] },
  )
  await createOwnTable(
    db,
    'switchroom_billing_intents',
    {
      billing_intent_sid: 'varchar(36) primary key',
      account_sid: 'varchar(36) not null',
      action: 'varchar(32) not null',
      wish: 'text not null',
      status: 'varchar(16) not null',
      stripe_customer_id: 'varchar(255)',
      account_subscription_sid: 'varchar(36)',
      created_at: 'bigint not null',
      asked_at: 'bigint',
    },
    { indexes: ['account_sid'] },
  )
  await createOwnTable(
    db,
    'switchroom_billing_events',
    {
      event_id: 'varchar(255) primary key',
      type: 'varchar(100) not null',
      received_at: 'bigint not null',
    },
    { indexes: ['received_at'] },
  )
}

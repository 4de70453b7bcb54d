import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

/** Events of model sessions, by call, who may send them, how many were refused, and what models cost. */
export async function up(db: Db) {
  await createOwnTable(db, 'switchroom_model_sessions', {
    account_sid: 'varchar(36) primary key',
    token_digest: 'varchar(64)',
    open_since: 'varchar(24)',
    currency: 'varchar(3) not null',
    prices: 'text not null',
  })
  await createOwnTable(
    db,
    'switchroom_model_calls',
    {
      account_sid: 'varchar(36) not null',
      call_sid: 'varchar(64) not null',
      events: 'integer not null',
      checked_at: 'bigint not null',
      seen_at: 'bigint not null indexed',
      is_found: 'integer not null indexed',
    },
    { primary: ['account_sid', 'call_sid'] },
  )
  await createOwnTable(
    db,
    'switchroom_model_events',
    {
      account_sid: 'varchar(36) not null',
      call_sid: 'varchar(64) not null',
      event: 'varchar(64) not null',
      number: 'integer not null',
      at: 'bigint not null',
      parts: 'mediumtext not null',
    },
    { primary: ['account_sid', 'call_sid', 'event'] },
  )
  await createOwnTable(
    db,
    'switchroom_model_refusals',
    {
      account_sid: 'varchar(36) not null',
      day: 'varchar(10) not null',
      reason: 'varchar(16) not null',
      count: 'integer not null',
      last_at: 'varchar(24) not null',
    },
    { primary: ['account_sid', 'day', 'reason'] },
  )
}

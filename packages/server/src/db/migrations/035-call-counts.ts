import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

/** Calls of phone numbers, applications and SIP clients, and the progress of counting. */
export async function up(db: Db) {
  await createOwnTable(
    db,
    'switchroom_call_counts',
    {
      thing_sid: 'varchar(36) not null',
      account_sid: 'varchar(36) not null',
      last_call_at: 'bigint not null',
      calls_7d: 'integer not null',
    },
    { primary: ['thing_sid', 'account_sid'] },
  )
  await createOwnTable(
    db,
    'switchroom_call_days',
    {
      day: 'integer not null',
      thing_sid: 'varchar(36) not null',
      account_sid: 'varchar(36) not null',
      calls: 'integer not null',
    },
    { primary: ['day', 'thing_sid', 'account_sid'] },
  )
  await createOwnTable(db, 'switchroom_call_slices', {
    slice: 'bigint primary key',
    calls: 'integer not null',
    counted: 'mediumtext not null',
  })
  await createOwnTable(db, 'switchroom_call_watch', {
    id: 'integer primary key',
    counted_since: 'bigint not null',
    read_until: 'bigint not null',
    is_caught_up: 'integer not null',
    first_day: 'integer not null',
    late_slice: 'integer not null',
    swept_to: 'varchar(36) not null',
    holder: 'varchar(36) not null',
    leased_until: 'bigint not null',
  })
}

import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export async function up(db: Db) {
  await createOwnTable(db, 'switchroom_failures', {
    failure_sid: 'varchar(36) primary key',
    failure_key: 'varchar(43) not null unique',
    account_sid: 'varchar(36) indexed',
    service_provider_sid: 'varchar(36) indexed',
    direction: 'varchar(8) not null',
    trunk: 'varchar(128)',
    sip_status: 'integer not null',
    reason: 'varchar(100)',
    prefix: 'varchar(16)',
    state: 'varchar(8) not null',
    muted_until: 'varchar(24) indexed',
    mended_at: 'varchar(24)',
    assigned_to: 'varchar(36)',
    calls: 'bigint not null',
    first_at: 'varchar(24) not null',
    last_at: 'varchar(24) not null indexed',
    news_at: 'bigint not null indexed',
    content: 'text not null',
  })
  await createOwnTable(db, 'switchroom_failure_calls', {
    call_key: 'varchar(43) primary key',
    attempted_at: 'bigint not null indexed',
  })
  await createOwnTable(db, 'switchroom_failure_watch', {
    id: 'integer primary key',
    read_until: 'bigint not null',
    late_slice: 'integer not null',
    holder: 'varchar(36) not null',
    leased_until: 'bigint not null',
  })
}

import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export async function up(db: Db) {
  await createOwnTable(db, 'switchroom_sessions', {
    session_sid: 'varchar(36) primary key',
    user_sid: 'varchar(36) not null indexed',
    method: 'varchar(24) not null',
    began_at: 'bigint not null',
    ip: 'varchar(64) not null',
    user_agent: 'varchar(400) not null',
    last_seen_at: 'bigint not null',
    last_ip: 'varchar(64) not null',
    ends_at: 'bigint not null indexed',
    ended_at: 'bigint',
    force_change: 'integer not null',
  })
  await createOwnTable(db, 'switchroom_session_ends', {
    user_sid: 'varchar(36) primary key',
    ended_at: 'bigint not null',
  })
}

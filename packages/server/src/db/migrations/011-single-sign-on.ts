import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export async function up(db: Db) {
  await createOwnTable(db, 'switchroom_single_sign_on', {
    id: 'integer primary key',
    settings: 'text not null',
    sealed_secret: 'text',
    tested_at: 'varchar(24)',
    tested_with: 'varchar(64)',
  })
  await createOwnTable(db, 'switchroom_break_glass', {
    user_sid: 'varchar(36) primary key',
  })
  await createOwnTable(db, 'switchroom_identities', {
    user_sid: 'varchar(36) primary key',
    subject_digest: 'varchar(64) unique',
    issuer: 'varchar(500)',
    subject: 'varchar(255)',
    external_id: 'varchar(255) indexed',
    directory_sid: 'varchar(36) indexed',
    details: 'text not null',
    ended_by_provider: 'integer not null',
    created_at: 'bigint not null',
    changed_at: 'bigint not null',
  })
  await createOwnTable(db, 'switchroom_provider_sessions', {
    provider_session_sid: 'varchar(36) primary key',
    session_sid: 'varchar(64)',
    user_sid: 'varchar(36) not null indexed',
    provider_session: 'varchar(64) indexed',
    sealed_id_token: 'text not null',
    begun_at: 'bigint not null indexed',
  })
  await createOwnTable(db, 'switchroom_directories', {
    directory_sid: 'varchar(36) primary key',
    name: 'varchar(64) not null',
    service_provider_sid: 'varchar(36) indexed',
    default_access: 'text',
    token_digest: 'varchar(64) not null unique',
    created_at: 'varchar(24) not null',
    last_used: 'varchar(24)',
  })
}

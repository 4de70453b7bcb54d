import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export async function up(db: Db) {
  await createOwnTable(db, 'switchroom_audit', {
    seq: 'integer primary key',
    at: 'varchar(24) not null',
    request_id: 'varchar(64) not null',
    user_sid: 'varchar(36) indexed',
    api_key_sid: 'varchar(36)',
    actor: 'varchar(255) not null',
    actor_scope: 'varchar(16) not null',
    ip: 'varchar(64) not null',
    action: 'varchar(16) not null',
    kind: 'varchar(32) not null',
    sid: 'varchar(64) not null indexed',
    name: 'varchar(255) not null',
    service_provider_sid: 'varchar(36) indexed',
    account_sid: 'varchar(36) indexed',
    before_values: 'mediumtext',
    after_values: 'mediumtext',
    hash: 'varchar(64) not null',
  })
  // the newest entry's sequence number and hash, locked while an entry is added
  await createOwnTable(db, 'switchroom_audit_head', {
    id: 'integer primary key',
    seq: 'integer not null',
    hash: 'varchar(64) not null',
  })
}

import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

/** Programs that act for people, their grants, and their codes and tokens. */
export async function up(db: Db) {
  await createOwnTable(db, 'switchroom_programs', {
    program_sid: 'varchar(36) primary key',
    name: 'varchar(100) not null',
    redirect_uris: 'text not null',
    is_self_registered: 'integer not null',
    created_at: 'varchar(24) not null',
  })
  await createOwnTable(db, 'switchroom_program_grants', {
    session_sid: 'varchar(36) primary key',
    client_id: 'varchar(500) not null indexed',
    name: 'varchar(100) not null',
    program_use: 'varchar(8) not null',
    access: 'varchar(8) not null',
    claims: 'text not null',
  })
  await createOwnTable(db, 'switchroom_program_tokens', {
    token_digest: 'varchar(64) primary key',
    session_sid: 'varchar(36) indexed',
    sealed: 'mediumtext not null',
    consumed_at: 'bigint',
    expires_at: 'bigint not null indexed',
  })
}

import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export async function up(db: Db) {
  await createOwnTable(db, 'switchroom_totp', {
    user_sid: 'varchar(36) primary key',
    sealed_secret: 'text not null',
    last_step: 'bigint not null',
    created_at: 'varchar(24) not null',
  })
  await createOwnTable(db, 'switchroom_passkeys', {
    passkey_sid: 'varchar(36) primary key',
    user_sid: 'varchar(36) not null indexed',
    name: 'varchar(64) not null',
    // credential IDs are longer than a unique key may be
    credential_hash: 'varchar(64) not null unique',
    credential_id: 'text not null',
    public_key: 'text not null',
    counter: 'bigint not null',
    transports: 'varchar(255) not null',
    created_at: 'varchar(24) not null',
    last_used_at: 'varchar(24)',
  })
  await createOwnTable(
    db,
    'switchroom_recovery_codes',
    {
      user_sid: 'varchar(36) not null',
      code_digest: 'varchar(64) not null',
      created_at: 'varchar(24) not null',
    },
    { primary: ['user_sid', 'code_digest'] },
  )
  await createOwnTable(db, 'switchroom_second_factor_policies', {
    owner: 'varchar(36) primary key',
    is_required: 'integer not null',
  })
}

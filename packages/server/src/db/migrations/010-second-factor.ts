import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export async function up(db: Db) {
  await createOwnTable(db, 'switchroom_totp', (table) =>
    table
      .addColumn('user_sid', 'varchar(36)', (c) => c.primaryKey())
      .addColumn('sealed_secret', 'text', (c) => c.notNull())
      .addColumn('last_step', 'bigint', (c) => c.notNull())
      .addColumn('created_at', 'varchar(24)', (c) => c.notNull()),
  )
  await createOwnTable(
    db,
    'switchroom_passkeys',
    (table) =>
      table
        .addColumn('passkey_sid', 'varchar(36)', (c) => c.primaryKey())
        .addColumn('user_sid', 'varchar(36)', (c) => c.notNull())
        .addColumn('name', 'varchar(64)', (c) => c.notNull())
        // credential IDs are longer than a unique key may be
        .addColumn('credential_hash', 'varchar(64)', (c) => c.notNull().unique())
        .addColumn('credential_id', 'text', (c) => c.notNull())
        .addColumn('public_key', 'text', (c) => c.notNull())
        .addColumn('counter', 'bigint', (c) => c.notNull())
        .addColumn('transports', 'varchar(255)', (c) => c.notNull())
        .addColumn('created_at', 'varchar(24)', (c) => c.notNull())
        .addColumn('last_used_at', 'varchar(24)'),
    ['user_sid'],
  )
  await createOwnTable(db, 'switchroom_recovery_codes', (table) =>
    table
      .addColumn('user_sid', 'varchar(36)', (c) => c.notNull())
      .addColumn('code_digest', 'varchar(64)', (c) => c.notNull())
      .addColumn('created_at', 'varchar(24)', (c) => c.notNull())
      .addPrimaryKeyConstraint('switchroom_recovery_codes_key', ['user_sid', 'code_digest']),
  )
  await createOwnTable(db, 'switchroom_second_factor_policies', (table) =>
    table
      .addColumn('owner', 'varchar(36)', (c) => c.primaryKey())
      .addColumn('is_required', 'integer', (c) => c.notNull()),
  )
}

import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export async function up(db: Db) {
  await createOwnTable(db, 'switchroom_single_sign_on', (table) =>
    table
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('settings', 'text', (c) => c.notNull())
      .addColumn('sealed_secret', 'text')
      .addColumn('tested_at', 'varchar(24)')
      .addColumn('tested_with', 'varchar(64)'),
  )
  await createOwnTable(db, 'switchroom_break_glass', (table) =>
    table.addColumn('user_sid', 'varchar(36)', (c) => c.primaryKey()),
  )
  await createOwnTable(
    db,
    'switchroom_identities',
    (table) =>
      table
        .addColumn('user_sid', 'varchar(36)', (c) => c.primaryKey())
        .addColumn('subject_digest', 'varchar(64)', (c) => c.unique())
        .addColumn('issuer', 'varchar(500)')
        .addColumn('subject', 'varchar(255)')
        .addColumn('external_id', 'varchar(255)')
        .addColumn('directory_sid', 'varchar(36)')
        .addColumn('details', 'text', (c) => c.notNull())
        .addColumn('ended_by_provider', 'integer', (c) => c.notNull())
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addColumn('changed_at', 'bigint', (c) => c.notNull()),
    ['external_id', 'directory_sid'],
  )
  await createOwnTable(
    db,
    'switchroom_provider_sessions',
    (table) =>
      table
        .addColumn('provider_session_sid', 'varchar(36)', (c) => c.primaryKey())
        .addColumn('session_sid', 'varchar(64)')
        .addColumn('user_sid', 'varchar(36)', (c) => c.notNull())
        .addColumn('provider_session', 'varchar(64)')
        .addColumn('sealed_id_token', 'text', (c) => c.notNull())
        .addColumn('begun_at', 'bigint', (c) => c.notNull()),
    ['user_sid', 'provider_session', 'begun_at'],
  )
  await createOwnTable(
    db,
    'switchroom_directories',
    (table) =>
      table
        .addColumn('directory_sid', 'varchar(36)', (c) => c.primaryKey())
        .addColumn('name', 'varchar(64)', (c) => c.notNull())
        .addColumn('service_provider_sid', 'varchar(36)')
        .addColumn('default_access', 'text')
        .addColumn('token_digest', 'varchar(64)', (c) => c.notNull().unique())
        .addColumn('created_at', 'varchar(24)', (c) => c.notNull())
        .addColumn('last_used', 'varchar(24)'),
    ['service_provider_sid'],
  )
}

import { sql } from 'kysely'
import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export async function up(db: Db) {
  await createOwnTable(
    db,
    'switchroom_audit',
    (table) =>
      table
        .addColumn('seq', 'integer', (c) => c.primaryKey())
        .addColumn('at', 'varchar(24)', (c) => c.notNull())
        .addColumn('request_id', 'varchar(64)', (c) => c.notNull())
        .addColumn('user_sid', 'varchar(36)')
        .addColumn('api_key_sid', 'varchar(36)')
        .addColumn('actor', 'varchar(255)', (c) => c.notNull())
        .addColumn('actor_scope', 'varchar(16)', (c) => c.notNull())
        .addColumn('ip', 'varchar(64)', (c) => c.notNull())
        .addColumn('action', 'varchar(16)', (c) => c.notNull())
        .addColumn('kind', 'varchar(32)', (c) => c.notNull())
        .addColumn('sid', 'varchar(64)', (c) => c.notNull())
        .addColumn('name', 'varchar(255)', (c) => c.notNull())
        .addColumn('service_provider_sid', 'varchar(36)')
        .addColumn('account_sid', 'varchar(36)')
        .addColumn('before_values', sql`mediumtext`)
        .addColumn('after_values', sql`mediumtext`)
        .addColumn('hash', 'varchar(64)', (c) => c.notNull()),
    ['sid', 'user_sid', 'service_provider_sid', 'account_sid'],
  )
  // the newest entry's sequence number and hash, locked while an entry is added
  await createOwnTable(db, 'switchroom_audit_head', (table) =>
    table
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('seq', 'integer', (c) => c.notNull())
      .addColumn('hash', 'varchar(64)', (c) => c.notNull()),
  )
}

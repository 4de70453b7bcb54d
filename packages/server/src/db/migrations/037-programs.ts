import { sql } from 'kysely'
import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

/** Programs that act for people, their grants, and their codes and tokens. */
export async function up(db: Db) {
  await createOwnTable(db, 'switchroom_programs', (table) =>
    table
      .addColumn('program_sid', 'varchar(36)', (c) => c.primaryKey())
      .addColumn('name', 'varchar(100)', (c) => c.notNull())
      .addColumn('redirect_uris', 'text', (c) => c.notNull())
      .addColumn('is_self_registered', 'integer', (c) => c.notNull())
      .addColumn('created_at', 'varchar(24)', (c) => c.notNull()),
  )
  await createOwnTable(
    db,
    'switchroom_program_grants',
    (table) =>
      table
        .addColumn('session_sid', 'varchar(36)', (c) => c.primaryKey())
        .addColumn('client_id', 'varchar(500)', (c) => c.notNull())
        .addColumn('name', 'varchar(100)', (c) => c.notNull())
        .addColumn('program_use', 'varchar(8)', (c) => c.notNull())
        .addColumn('access', 'varchar(8)', (c) => c.notNull())
        .addColumn('claims', 'text', (c) => c.notNull()),
    ['client_id'],
  )
  await createOwnTable(
    db,
    'switchroom_program_tokens',
    (table) =>
      table
        .addColumn('token_digest', 'varchar(64)', (c) => c.primaryKey())
        .addColumn('session_sid', 'varchar(36)')
        .addColumn('sealed', sql`mediumtext`, (c) => c.notNull())
        .addColumn('consumed_at', 'bigint')
        .addColumn('expires_at', 'bigint', (c) => c.notNull()),
    ['session_sid', 'expires_at'],
  )
}

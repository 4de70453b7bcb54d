import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export async function up(db: Db) {
  await createOwnTable(
    db,
    'switchroom_sessions',
    (table) =>
      table
        .addColumn('session_sid', 'varchar(36)', (c) => c.primaryKey())
        .addColumn('user_sid', 'varchar(36)', (c) => c.notNull())
        .addColumn('method', 'varchar(24)', (c) => c.notNull())
        .addColumn('began_at', 'bigint', (c) => c.notNull())
        .addColumn('ip', 'varchar(64)', (c) => c.notNull())
        .addColumn('user_agent', 'varchar(400)', (c) => c.notNull())
        .addColumn('last_seen_at', 'bigint', (c) => c.notNull())
        .addColumn('last_ip', 'varchar(64)', (c) => c.notNull())
        .addColumn('ends_at', 'bigint', (c) => c.notNull())
        .addColumn('ended_at', 'bigint')
        .addColumn('force_change', 'integer', (c) => c.notNull()),
    ['user_sid', 'ends_at'],
  )
  await createOwnTable(db, 'switchroom_session_ends', (table) =>
    table
      .addColumn('user_sid', 'varchar(36)', (c) => c.primaryKey())
      .addColumn('ended_at', 'bigint', (c) => c.notNull()),
  )
}

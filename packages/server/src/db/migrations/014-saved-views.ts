import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export const up = (db: Db) =>
  createOwnTable(
    db,
    'switchroom_saved_views',
    (table) =>
      table
        .addColumn('saved_view_sid', 'varchar(36)', (c) => c.primaryKey())
        .addColumn('list', 'varchar(32)', (c) => c.notNull())
        .addColumn('name', 'varchar(100)', (c) => c.notNull())
        .addColumn('content', 'text', (c) => c.notNull())
        .addColumn('user_sid', 'varchar(36)', (c) => c.notNull())
        .addColumn('shared_with', 'varchar(36)')
        .addColumn('created_at', 'varchar(24)', (c) => c.notNull())
        .addColumn('updated_at', 'varchar(24)', (c) => c.notNull()),
    ['user_sid', 'shared_with'],
  )

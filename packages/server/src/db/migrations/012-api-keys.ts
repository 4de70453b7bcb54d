import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export const up = (db: Db) =>
  createOwnTable(db, 'switchroom_api_keys', (table) =>
    table
      .addColumn('api_key_sid', 'varchar(36)', (c) => c.primaryKey())
      .addColumn('name', 'varchar(64)')
      .addColumn('created_by', 'varchar(255)')
      .addColumn('view_only', 'integer', (c) => c.notNull())
      .addColumn('kinds', 'varchar(1000)')
      .addColumn('networks', 'varchar(2000)')
      .addColumn('last_used_ip', 'varchar(64)')
      .addColumn('replaced_by', 'varchar(36)'),
  )

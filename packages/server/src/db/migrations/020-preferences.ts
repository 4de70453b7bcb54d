import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export const up = (db: Db) =>
  createOwnTable(db, 'switchroom_preferences', (table) =>
    table
      .addColumn('user_sid', 'varchar(36)', (c) => c.primaryKey())
      .addColumn('time_zone', 'varchar(64)')
      .addColumn('language', 'varchar(8)')
      .addColumn('theme', 'varchar(8)')
      .addColumn('hides_getting_started', 'integer'),
  )

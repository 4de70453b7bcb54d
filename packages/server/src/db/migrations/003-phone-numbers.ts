import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export const up = (db: Db) =>
  createOwnTable(db, 'switchroom_phone_numbers', (table) =>
    table
      .addColumn('phone_number_sid', 'varchar(36)', (c) => c.primaryKey())
      .addColumn('description', 'varchar(255)', (c) => c.notNull()),
  )

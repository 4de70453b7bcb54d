import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export const up = (db: Db) =>
  createOwnTable(
    db,
    'switchroom_live',
    (table) =>
      table
        .addColumn('key', 'varchar(255)', (c) => c.primaryKey())
        .addColumn('value', 'text', (c) => c.notNull())
        .addColumn('expires_at', 'bigint'),
    ['expires_at'],
  )

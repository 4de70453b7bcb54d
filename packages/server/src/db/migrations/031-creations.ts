import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export const up = (db: Db) =>
  createOwnTable(
    db,
    'switchroom_creations',
    (table) =>
      table
        .addColumn('key_digest', 'varchar(64)', (c) => c.primaryKey())
        .addColumn('request_digest', 'varchar(64)', (c) => c.notNull())
        .addColumn('sealed_answer', 'text', (c) => c.notNull())
        .addColumn('created_at', 'bigint', (c) => c.notNull()),
    ['created_at'],
  )

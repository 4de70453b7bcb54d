import { sql } from 'kysely'
import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export const up = (db: Db) =>
  createOwnTable(db, 'switchroom_audit_pending', (table) =>
    table
      .addColumn('batch_sid', 'varchar(36)', (c) => c.primaryKey())
      .addColumn('entries', sql`mediumtext`, (c) => c.notNull()),
  )

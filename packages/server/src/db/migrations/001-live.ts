import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export const up = (db: Db) =>
  createOwnTable(db, 'switchroom_live', {
    key: 'varchar(255) primary key',
    value: 'text not null',
    expires_at: 'bigint indexed',
  })

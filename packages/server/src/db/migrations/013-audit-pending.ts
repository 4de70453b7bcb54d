import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export const up = (db: Db) =>
  createOwnTable(db, 'switchroom_audit_pending', {
    batch_sid: 'varchar(36) primary key',
    entries: 'mediumtext not null',
  })

import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export const up = (db: Db) =>
  createOwnTable(db, 'switchroom_saved_views', {
    saved_view_sid: 'varchar(36) primary key',
    list: 'varchar(32) not null',
    name: 'varchar(100) not null',
    content: 'text not null',
    user_sid: 'varchar(36) not null indexed',
    shared_with: 'varchar(36) indexed',
    created_at: 'varchar(24) not null',
    updated_at: 'varchar(24) not null',
  })

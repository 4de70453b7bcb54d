import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export const up = (db: Db) =>
  createOwnTable(db, 'switchroom_preferences', {
    user_sid: 'varchar(36) primary key',
    time_zone: 'varchar(64)',
    language: 'varchar(8)',
    theme: 'varchar(8)',
    hides_getting_started: 'integer',
  })

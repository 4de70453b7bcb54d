import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export const up = (db: Db) =>
  createOwnTable(db, 'switchroom_phone_numbers', {
    phone_number_sid: 'varchar(36) primary key',
    description: 'varchar(255) not null',
  })

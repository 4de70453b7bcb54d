import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export const up = (db: Db) =>
  createOwnTable(db, 'switchroom_creations', {
    key_digest: 'varchar(64) primary key',
    request_digest: 'varchar(64) not null',
    sealed_answer: 'text not null',
    created_at: 'bigint not null indexed',
  })

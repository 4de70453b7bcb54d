import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export const up = (db: Db) =>
  createOwnTable(db, 'switchroom_api_keys', {
    api_key_sid: 'varchar(36) primary key',
    name: 'varchar(64)',
    created_by: 'varchar(255)',
    view_only: 'integer not null',
    kinds: 'varchar(1000)',
    networks: 'varchar(2000)',
    last_used_ip: 'varchar(64)',
    replaced_by: 'varchar(36)',
  })

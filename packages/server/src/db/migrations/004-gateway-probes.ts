import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export const up = (db: Db) =>
  createOwnTable(db, 'switchroom_gateway_probes', {
    gateway_probe_sid: 'varchar(36) primary key',
    sip_gateway_sid: 'varchar(36) not null indexed',
    at: 'varchar(24) not null',
    outcome: 'varchar(16) not null',
    status: 'integer',
    reason: 'varchar(255)',
    rtt_ms: 'integer',
    transport: 'varchar(8) not null',
    address: 'varchar(255) not null',
  })

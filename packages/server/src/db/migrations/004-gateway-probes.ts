import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export const up = (db: Db) =>
  createOwnTable(
    db,
    'switchroom_gateway_probes',
    (table) =>
      table
        .addColumn('gateway_probe_sid', 'varchar(36)', (c) => c.primaryKey())
        .addColumn('sip_gateway_sid', 'varchar(36)', (c) => c.notNull())
        .addColumn('at', 'varchar(24)', (c) => c.notNull())
        .addColumn('outcome', 'varchar(16)', (c) => c.notNull())
        .addColumn('status', 'integer')
        .addColumn('reason', 'varchar(255)')
        .addColumn('rtt_ms', 'integer')
        .addColumn('transport', 'varchar(8)', (c) => c.notNull())
        .addColumn('address', 'varchar(255)', (c) => c.notNull()),
    ['sip_gateway_sid'],
  )

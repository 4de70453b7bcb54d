import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export const up = (db: Db) =>
  createOwnTable(
    db,
    'switchroom_trunk_report_links',
    (table) =>
      table
        .addColumn('trunk_report_link_sid', 'varchar(36)', (c) => c.primaryKey())
        .addColumn('voip_carrier_sid', 'varchar(36)', (c) => c.notNull())
        .addColumn('account_sid', 'varchar(36)')
        .addColumn('service_provider_sid', 'varchar(36)')
        .addColumn('token_digest', 'varchar(64)', (c) => c.notNull().unique())
        .addColumn('label', 'varchar(100)', (c) => c.notNull())
        .addColumn('made_by', 'varchar(255)', (c) => c.notNull())
        .addColumn('created_at', 'varchar(24)', (c) => c.notNull())
        .addColumn('ends_at', 'varchar(24)', (c) => c.notNull())
        .addColumn('last_opened_at', 'varchar(24)')
        .addColumn('opens', 'integer', (c) => c.notNull()),
    ['voip_carrier_sid'],
  )

import { sql } from 'kysely'
import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export async function up(db: Db) {
  await createOwnTable(
    db,
    'switchroom_brands',
    (table) =>
      table
        .addColumn('service_provider_sid', 'varchar(36)', (c) => c.primaryKey())
        .addColumn('name', 'varchar(64)')
        .addColumn('color', 'varchar(7)')
        .addColumn('logo_light', sql`mediumtext`)
        .addColumn('logo_light_type', 'varchar(16)')
        .addColumn('logo_light_digest', 'varchar(64)')
        .addColumn('logo_dark', sql`mediumtext`)
        .addColumn('logo_dark_type', 'varchar(16)')
        .addColumn('logo_dark_digest', 'varchar(64)'),
    ['logo_light_digest', 'logo_dark_digest'],
  )
  await createOwnTable(
    db,
    'switchroom_brand_hosts',
    (table) =>
      table
        .addColumn('host', 'varchar(253)', (c) => c.primaryKey())
        .addColumn('service_provider_sid', 'varchar(36)', (c) => c.notNull()),
    ['service_provider_sid'],
  )
}

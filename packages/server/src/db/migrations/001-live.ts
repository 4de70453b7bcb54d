import type { Db } from '../open.ts'
import { ownTable } from './own-table.ts'

export async function up(db: Db) {
  await ownTable(db, 'switchroom_live')
    .addColumn('key', 'varchar(255)', (c) => c.primaryKey())
    .addColumn('value', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'bigint')
    .execute()
  await db.schema
    .createIndex('switchroom_live_expires_at')
    .on('switchroom_live')
    .column('expires_at')
    .execute()
}

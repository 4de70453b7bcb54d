import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export async function up(db: Db) {
  await createOwnTable(db, 'switchroom_brands', {
    service_provider_sid: 'varchar(36) primary key',
    name: 'varchar(64)',
    color: 'varchar(7)',
    logo_light: 'mediumtext',
    logo_light_type: 'varchar(16)',
    logo_light_digest: 'varchar(64) indexed',
    logo_dark: 'mediumtext',
    logo_dark_type: 'varchar(16)',
    logo_dark_digest: 'varchar(64) indexed',
  })
  await createOwnTable(db, 'switchroom_brand_hosts', {
    host: 'varchar(253) primary key',
    service_provider_sid: 'varchar(36) not null indexed',
  })
}

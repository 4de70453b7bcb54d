import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export async function up(db: Db) {
  await createOwnTable(db, 'switchroom_view_alerts', {
    saved_view_sid: 'varchar(36) primary key',
    account_sid: 'varchar(36) indexed',
    service_provider_sid: 'varchar(36) indexed',
    user_sid: 'varchar(36) not null',
    of_scope: 'varchar(36) not null',
    view_name: 'varchar(100) not null',
    comparison: 'varchar(8) not null',
    threshold: 'integer not null',
    minutes: 'integer not null',
    quiet_minutes: 'integer not null',
    destinations: 'text not null',
    holder: 'varchar(36) not null',
    next_at: 'bigint indexed',
    checked_at: 'bigint',
    counted: 'integer',
    firing_since: 'bigint',
    fired_at: 'bigint',
    error: 'varchar(400)',
    stopped: 'varchar(400)',
  })
  await createOwnTable(
    db,
    'switchroom_alert_matters',
    {
      alert_matter_sid: 'varchar(36) primary key',
      inbox: 'varchar(36) not null',
      account_sid: 'varchar(36) not null indexed',
      alert_type: 'varchar(128) not null',
      mended_at: 'bigint not null',
    },
    { unique: { key: ['inbox', 'account_sid', 'alert_type'] } },
  )
}

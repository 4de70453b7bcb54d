import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export async function up(db: Db) {
  await createOwnTable(
    db,
    'switchroom_alert_marks',
    {
      user_sid: 'varchar(36) not null',
      owner: 'varchar(36) not null',
      seen_until: 'bigint not null',
    },
    { primary: ['user_sid', 'owner'] },
  )
  await createOwnTable(db, 'switchroom_alert_destinations', {
    alert_destination_sid: 'varchar(36) primary key',
    account_sid: 'varchar(36) indexed',
    service_provider_sid: 'varchar(36) indexed',
    name: 'varchar(64) not null indexed',
    kind: 'varchar(16) not null',
    address: 'varchar(500)',
    sealed_secret: 'text',
    alert_types: 'text not null',
    is_active: 'integer not null',
    active_since: 'bigint not null',
    last_tried_at: 'varchar(24)',
    last_error: 'varchar(400)',
  })
  await createOwnTable(
    db,
    'switchroom_alert_deliveries',
    {
      alert_destination_sid: 'varchar(36) not null',
      account_sid: 'varchar(36) not null',
      alert_type: 'varchar(128) not null',
      delivery_sid: 'varchar(36) not null',
      claimed_at: 'bigint not null indexed',
      alert_at: 'bigint not null',
      alert: 'text not null',
      attempts: 'integer not null',
      next_at: 'bigint indexed',
    },
    {
      primary: ['alert_destination_sid', 'account_sid', 'alert_type'],
    },
  )
  await createOwnTable(db, 'switchroom_alert_watch', {
    id: 'integer primary key',
    watermark: 'bigint not null',
    leased_until: 'bigint not null',
  })
}

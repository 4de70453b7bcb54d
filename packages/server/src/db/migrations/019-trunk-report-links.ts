import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export const up = (db: Db) =>
  createOwnTable(db, 'switchroom_trunk_report_links', {
    trunk_report_link_sid: 'varchar(36) primary key',
    voip_carrier_sid: 'varchar(36) not null indexed',
    account_sid: 'varchar(36)',
    service_provider_sid: 'varchar(36)',
    token_digest: 'varchar(64) not null unique',
    label: 'varchar(100) not null',
    made_by: 'varchar(255) not null',
    created_at: 'varchar(24) not null',
    ends_at: 'varchar(24) not null',
    last_opened_at: 'varchar(24)',
    opens: 'integer not null',
  })

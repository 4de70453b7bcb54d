import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export async function up(db: Db) {
  await createOwnTable(db, 'switchroom_customer_report_links', {
    customer_report_link_sid: 'varchar(36) primary key',
    account_sid: 'varchar(36) not null indexed',
    service_provider_sid: 'varchar(36) not null',
    token_digest: 'varchar(64) not null unique',
    label: 'varchar(254) not null',
    made_by: 'varchar(255) not null',
    created_at: 'varchar(24) not null',
    ends_at: 'varchar(24) not null',
    last_opened_at: 'varchar(24)',
    opens: 'integer not null',
    from_day: 'varchar(10) not null',
    until_day: 'varchar(10) not null',
    time_zone: 'varchar(64) not null',
    hides_numbers: 'integer not null',
    mailed_to: 'varchar(254)',
  })
  await createOwnTable(db, 'switchroom_report_mails', {
    account_sid: 'varchar(36) primary key',
    time_zone: 'varchar(64) not null',
    language: 'varchar(8) not null',
    hides_numbers: 'integer not null',
    month: 'varchar(10) not null',
    next_at: 'bigint indexed',
    attempts: 'integer not null',
    holder: 'varchar(36) not null',
  })
  await createOwnTable(
    db,
    'switchroom_report_recipients',
    {
      account_sid: 'varchar(36) not null',
      email: 'varchar(254) not null',
      unsubscribe_token: 'varchar(43) not null unique',
      sending: 'varchar(10)',
      month: 'varchar(10)',
      sent_at: 'varchar(24)',
      problem: 'varchar(400)',
    },
    { primary: ['account_sid', 'email'] },
  )
}

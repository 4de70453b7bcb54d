import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

/** Events for programs: their sequence, their readers, and webhooks. */
export async function up(db: Db) {
  await createOwnTable(db, 'switchroom_events', {
    seq: 'bigint primary key',
    kind: 'varchar(32) not null',
    thing: 'varchar(200) not null',
    account_sid: 'varchar(36) indexed',
    service_provider_sid: 'varchar(36) indexed',
    happened_at: 'varchar(24) not null',
    added_at: 'bigint not null indexed',
    data: 'mediumtext not null',
  })
  await createOwnTable(db, 'switchroom_event_watch', {
    id: 'integer primary key',
    seq: 'bigint not null',
    audit_seq: 'bigint not null',
    read_until: 'bigint not null',
    late_slice: 'integer not null',
    holder: 'varchar(36) not null',
    leased_until: 'bigint not null',
  })
  await createOwnTable(db, 'switchroom_event_calls', {
    call_key: 'varchar(64) primary key',
    attempted_at: 'bigint not null indexed',
  })
  await createOwnTable(db, 'switchroom_event_notes', {
    event_note_sid: 'varchar(36) primary key',
    kind: 'varchar(32) not null',
    account_sid: 'varchar(36) not null',
    thing: 'varchar(200) not null',
    happened_at: 'varchar(24) not null',
    data: 'text not null',
  })
  await createOwnTable(db, 'switchroom_event_states', {
    state_key: 'varchar(64) primary key',
    owner: 'varchar(36) not null indexed',
    data: 'mediumtext',
    seen_at: 'bigint not null',
  })
  await createOwnTable(db, 'switchroom_event_readers', {
    owner: 'varchar(36) primary key',
    since: 'bigint not null',
    audit_seq: 'bigint not null',
    read_at: 'bigint not null',
  })
  await createOwnTable(db, 'switchroom_event_subscriptions', {
    event_subscription_sid: 'varchar(36) primary key',
    account_sid: 'varchar(36) indexed',
    service_provider_sid: 'varchar(36) indexed',
    name: 'varchar(64) not null',
    url: 'varchar(500) not null',
    sealed_secret: 'text not null',
    sealed_previous: 'text',
    previous_until: 'bigint',
    kinds: 'text not null',
    is_active: 'integer not null',
    since: 'bigint not null',
    audit_seq: 'bigint not null',
    created_by: 'varchar(36)',
    last_tried_at: 'varchar(24)',
    last_error: 'varchar(400)',
    failing_since: 'bigint',
    failures: 'integer not null',
    paused_until: 'bigint not null',
    disabled_reason: 'varchar(400)',
    holder: 'varchar(36) not null',
    leased_until: 'bigint not null',
  })
  await createOwnTable(db, 'switchroom_event_deliveries', {
    event_delivery_sid: 'varchar(36) primary key',
    event_subscription_sid: 'varchar(36) not null indexed',
    seq: 'bigint not null indexed',
    thing: 'varchar(200) not null',
    state: 'varchar(16) not null',
    attempts: 'integer not null',
    next_at: 'bigint indexed',
    tried_at: 'varchar(24)',
    status: 'integer',
    error: 'varchar(400)',
    duration_ms: 'integer',
    added_at: 'bigint not null',
  })
}

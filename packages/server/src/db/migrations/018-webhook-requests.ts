import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export const up = (db: Db) =>
  createOwnTable(db, 'switchroom_webhook_requests', {
    webhook_request_sid: 'varchar(36) primary key',
    owner: 'varchar(36) not null indexed',
    account_sid: 'varchar(36) indexed',
    service_provider_sid: 'varchar(36) indexed',
    kind: 'varchar(16) not null',
    application_sid: 'varchar(36)',
    hook: 'varchar(24)',
    alert_destination_sid: 'varchar(36)',
    repeats: 'varchar(36)',
    at: 'varchar(24) not null indexed',
    method: 'varchar(8) not null',
    url: 'text not null',
    host: 'varchar(255) not null',
    outcome: 'varchar(16) not null',
    status: 'integer',
    error: 'varchar(400)',
    duration_ms: 'integer not null',
    attempt: 'integer not null',
    request_headers: 'text not null',
    response_headers: 'text not null',
    request_body: 'mediumtext',
    response_body: 'mediumtext',
    verdict: 'text',
    digest: 'varchar(64) not null',
  })

import { sql } from 'kysely'
import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export const up = (db: Db) =>
  createOwnTable(
    db,
    'switchroom_webhook_requests',
    (table) =>
      table
        .addColumn('webhook_request_sid', 'varchar(36)', (c) => c.primaryKey())
        .addColumn('owner', 'varchar(36)', (c) => c.notNull())
        .addColumn('account_sid', 'varchar(36)')
        .addColumn('service_provider_sid', 'varchar(36)')
        .addColumn('kind', 'varchar(16)', (c) => c.notNull())
        .addColumn('application_sid', 'varchar(36)')
        .addColumn('hook', 'varchar(24)')
        .addColumn('alert_destination_sid', 'varchar(36)')
        .addColumn('repeats', 'varchar(36)')
        .addColumn('at', 'varchar(24)', (c) => c.notNull())
        .addColumn('method', 'varchar(8)', (c) => c.notNull())
        .addColumn('url', 'text', (c) => c.notNull())
        .addColumn('host', 'varchar(255)', (c) => c.notNull())
        .addColumn('outcome', 'varchar(16)', (c) => c.notNull())
        .addColumn('status', 'integer')
        .addColumn('error', 'varchar(400)')
        .addColumn('duration_ms', 'integer', (c) => c.notNull())
        .addColumn('attempt', 'integer', (c) => c.notNull())
        .addColumn('request_headers', 'text', (c) => c.notNull())
        .addColumn('response_headers', 'text', (c) => c.notNull())
        .addColumn('request_body', sql`mediumtext`)
        .addColumn('response_body', sql`mediumtext`)
        .addColumn('verdict', 'text')
        .addColumn('digest', 'varchar(64)', (c) => c.notNull()),
    ['owner', 'account_sid', 'service_provider_sid', 'at'],
  )

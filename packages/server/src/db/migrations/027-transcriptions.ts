import { sql } from 'kysely'
import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

/** Transcriptions of recordings, and the progress of each account's automatic transcription. */
export async function up(db: Db) {
  await createOwnTable(
    db,
    'switchroom_transcriptions',
    (table) =>
      table
        .addColumn('account_sid', 'varchar(36)', (c) => c.notNull())
        .addColumn('call_sid', 'varchar(64)', (c) => c.notNull())
        .addColumn('work_sid', 'varchar(36)', (c) => c.notNull())
        .addColumn('state', 'varchar(16)', (c) => c.notNull())
        .addColumn('seen_at', 'bigint')
        .addColumn('speech_credential_sid', 'varchar(36)', (c) => c.notNull())
        .addColumn('vendor', 'varchar(255)', (c) => c.notNull())
        .addColumn('language', 'varchar(20)', (c) => c.notNull())
        .addColumn('is_automatic', 'integer', (c) => c.notNull())
        .addColumn('called_at', 'varchar(24)', (c) => c.notNull())
        .addColumn('begun_at', 'varchar(24)', (c) => c.notNull())
        .addColumn('ended_at', 'varchar(24)')
        .addColumn('message', 'text')
        .addColumn('tries', 'integer', (c) => c.notNull())
        .addPrimaryKeyConstraint('switchroom_transcriptions_key', ['account_sid', 'call_sid']),
    ['state', 'called_at'],
  )
  await createOwnTable(db, 'switchroom_transcription_parts', (table) =>
    table
      .addColumn('account_sid', 'varchar(36)', (c) => c.notNull())
      .addColumn('call_sid', 'varchar(64)', (c) => c.notNull())
      .addColumn('number', 'integer', (c) => c.notNull())
      .addColumn('side', 'varchar(8)', (c) => c.notNull())
      .addColumn('from_ms', 'integer', (c) => c.notNull())
      .addColumn('to_ms', 'integer', (c) => c.notNull())
      .addColumn('text', sql`mediumtext`)
      .addColumn('error', 'text')
      .addPrimaryKeyConstraint('switchroom_transcription_parts_key', [
        'account_sid',
        'call_sid',
        'number',
      ]),
  )
  await createOwnTable(db, 'switchroom_transcribing', (table) =>
    table
      .addColumn('account_sid', 'varchar(36)', (c) => c.primaryKey())
      .addColumn('seen_until', 'bigint')
      .addColumn('day', 'varchar(10)', (c) => c.notNull())
      .addColumn('used_ms', 'bigint', (c) => c.notNull())
      .addColumn('failures', 'integer', (c) => c.notNull())
      .addColumn('paused_until', 'bigint', (c) => c.notNull()),
  )
}

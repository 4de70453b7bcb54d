import { sql } from 'kysely'
import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export async function up(db: Db) {
  await createOwnTable(db, 'switchroom_speech_tests', (table) =>
    table
      .addColumn('speech_credential_sid', 'varchar(36)', (c) => c.primaryKey())
      .addColumn('fingerprint', 'varchar(64)', (c) => c.notNull())
      .addColumn('at', 'varchar(24)', (c) => c.notNull())
      .addColumn('is_real', 'integer', (c) => c.notNull())
      .addColumn('tts_status', 'varchar(16)', (c) => c.notNull())
      .addColumn('tts_reason', 'varchar(400)')
      .addColumn('stt_status', 'varchar(16)', (c) => c.notNull())
      .addColumn('stt_reason', 'varchar(400)'),
  )
  await createOwnTable(db, 'switchroom_speech_catalogues', (table) =>
    table
      .addColumn('speech_credential_sid', 'varchar(36)', (c) => c.primaryKey())
      .addColumn('fingerprint', 'varchar(64)', (c) => c.notNull())
      .addColumn('fetched_at', 'varchar(24)', (c) => c.notNull())
      .addColumn('catalogue', sql`mediumtext`, (c) => c.notNull()),
  )
}

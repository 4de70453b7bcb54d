import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

/** Transcript settings of an account. Accounts without a row keep everything. */
export async function up(db: Db) {
  await createOwnTable(
    db,
    'switchroom_transcript_settings',
    (table) =>
      table
        .addColumn('account_sid', 'varchar(36)', (c) => c.primaryKey())
        .addColumn('words', 'varchar(9)', (c) => c.notNull())
        .addColumn('words_since', 'varchar(24)')
        .addColumn('speech_credential_sid', 'varchar(36)')
        .addColumn('language', 'varchar(20)')
        .addColumn('minutes_a_day', 'integer'),
    ['speech_credential_sid'],
  )
}

import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

/** Transcript settings of an account. Accounts without a row keep everything. */
export async function up(db: Db) {
  await createOwnTable(db, 'switchroom_transcript_settings', {
    account_sid: 'varchar(36) primary key',
    words: 'varchar(9) not null',
    words_since: 'varchar(24)',
    speech_credential_sid: 'varchar(36) indexed',
    language: 'varchar(20)',
    minutes_a_day: 'integer',
  })
}

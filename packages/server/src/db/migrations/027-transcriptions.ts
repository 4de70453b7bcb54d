import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

/** Transcriptions of recordings, and the progress of each account's automatic transcription. */
export async function up(db: Db) {
  await createOwnTable(
    db,
    'switchroom_transcriptions',
    {
      account_sid: 'varchar(36) not null',
      call_sid: 'varchar(64) not null',
      work_sid: 'varchar(36) not null',
      state: 'varchar(16) not null indexed',
      seen_at: 'bigint',
      speech_credential_sid: 'varchar(36) not null',
      vendor: 'varchar(255) not null',
      language: 'varchar(20) not null',
      is_automatic: 'integer not null',
      called_at: 'varchar(24) not null indexed',
      begun_at: 'varchar(24) not null',
      ended_at: 'varchar(24)',
      message: 'text',
      tries: 'integer not null',
    },
    { primary: ['account_sid', 'call_sid'] },
  )
  await createOwnTable(
    db,
    'switchroom_transcription_parts',
    {
      account_sid: 'varchar(36) not null',
      call_sid: 'varchar(64) not null',
      number: 'integer not null',
      side: 'varchar(8) not null',
      from_ms: 'integer not null',
      to_ms: 'integer not null',
      text: 'mediumtext',
      error: 'text',
    },
    { primary: ['account_sid', 'call_sid', 'number'] },
  )
  await createOwnTable(db, 'switchroom_transcribing', {
    account_sid: 'varchar(36) primary key',
    seen_until: 'bigint',
    day: 'varchar(10) not null',
    used_ms: 'bigint not null',
    failures: 'integer not null',
    paused_until: 'bigint not null',
  })
}

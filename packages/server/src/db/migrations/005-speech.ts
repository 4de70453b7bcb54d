import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

export async function up(db: Db) {
  await createOwnTable(db, 'switchroom_speech_tests', {
    speech_credential_sid: 'varchar(36) primary key',
    fingerprint: 'varchar(64) not null',
    at: 'varchar(24) not null',
    is_real: 'integer not null',
    tts_status: 'varchar(16) not null',
    tts_reason: 'varchar(400)',
    stt_status: 'varchar(16) not null',
    stt_reason: 'varchar(400)',
  })
  await createOwnTable(db, 'switchroom_speech_catalogues', {
    speech_credential_sid: 'varchar(36) primary key',
    fingerprint: 'varchar(64) not null',
    fetched_at: 'varchar(24) not null',
    catalogue: 'mediumtext not null',
  })
}

import type { Flag, LastTestResult, TestResult, UseResult } from '@switchroom/contract'
import { type Db, timestamp } from '../../db/open.ts'
import { transaction } from '../../db/transaction.ts'
import { fingerprint } from '../stored.ts'

type Tested = { speech_credential_sid: string; credential: string }

const CLEANED = 100

const flagOf = ({ status }: UseResult): Flag | null =>
  status === 'not tested' ? null : status === 'ok' ? 1 : 0

/**
 * Stores a test result, unless the credential has been changed or deleted since. Deletes results of deleted
 * credentials.
 */
export const remember = (
  db: Db,
  row: Tested,
  result: TestResult,
  real: boolean,
  now = new Date(),
) =>
  transaction(
    db,
    async (tx) => {
      const { speech_credential_sid: sid } = row
      const { numUpdatedRows } = await tx
        .updateTable('speech_credentials')
        .set({
          last_tested: timestamp(now),
          tts_tested_ok: flagOf(result.tts),
          stt_tested_ok: flagOf(result.stt),
        })
        .where('speech_credential_sid', '=', sid)
        .where('credential', '=', row.credential)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return
      const ofSid = tx
        .deleteFrom('switchroom_speech_tests')
        .where('speech_credential_sid', '=', sid)
      await ofSid.execute()
      await tx
        .insertInto('switchroom_speech_tests')
        .values({
          speech_credential_sid: sid,
          fingerprint: fingerprint(row),
          at: now.toISOString(),
          is_real: Number(real),
          tts_status: result.tts.status,
          tts_reason: result.tts.reason ?? null,
          stt_status: result.stt.status,
          stt_reason: result.stt.reason ?? null,
        })
        .execute()
      await forgetDeleted(tx)
    },
    // two concurrent first inserts would deadlock on the gap
    { lock: 'speech_tests' },
  )

async function forgetDeleted(tx: Db) {
  const gone = await tx
    .selectFrom('switchroom_speech_tests as test')
    .leftJoin('speech_credentials as c', 'c.speech_credential_sid', 'test.speech_credential_sid')
    .where('c.speech_credential_sid', 'is', null)
    .select('test.speech_credential_sid')
    .limit(CLEANED)
    .execute()
  if (gone.length === 0) return
  const sids = gone.map((t) => t.speech_credential_sid)
  await tx
    .deleteFrom('switchroom_speech_tests')
    .where('speech_credential_sid', 'in', sids)
    .execute()
}

/** The last test results by sid, for credentials that have not changed since. */
export async function lastResults(db: Db, rows: Tested[]): Promise<Map<string, LastTestResult>> {
  if (rows.length === 0) return new Map()
  const tests = await db
    .selectFrom('switchroom_speech_tests')
    .selectAll()
    .where(
      'speech_credential_sid',
      'in',
      rows.map((r) => r.speech_credential_sid),
    )
    .execute()
  const now = new Map(rows.map((r) => [r.speech_credential_sid, fingerprint(r)]))
  return new Map(
    tests
      .filter((t) => now.get(t.speech_credential_sid) === t.fingerprint)
      .map((t) => [
        t.speech_credential_sid,
        {
          at: t.at,
          real: t.is_real === 1,
          tts: { status: t.tts_status, ...(t.tts_reason && { reason: t.tts_reason }) },
          stt: { status: t.stt_status, ...(t.stt_reason && { reason: t.stt_reason }) },
        },
      ]),
  )
}

/** A custom voice of this credential; undefined for voices of others. */
export const customVoice = (db: Db, speech_credential_sid: string, sid: string) =>
  db
    .selectFrom('google_custom_voices')
    .selectAll()
    .where('google_custom_voice_sid', '=', sid)
    .where('speech_credential_sid', '=', speech_credential_sid)
    .executeTakeFirst()

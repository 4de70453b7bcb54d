import type { Transcription, WordsKept } from '@switchroom/contract'
import { type Insertable, sql } from 'kysely'
import { forgetScores } from '../../calls/forget-scores.ts'
import { nowIn } from '../../db/clock.ts'
import type { Db, Tables } from '../../db/open.ts'
import { transaction } from '../../db/transaction.ts'
import type { Scope } from '../../http/scope.ts'
import { ownedBy } from '../../http/tenancy.ts'
import { masked } from '../../talk/masked.ts'
import { settingsOf } from '../transcript-settings/queries.ts'

type Table = Tables['switchroom_transcriptions']
export type PartRow = Tables['switchroom_transcription_parts']

/** A call of an account. */
export type CallKey = { account_sid: string; call_sid: string }
/** A call, and who works at its transcription. */
export type Work = CallKey & { work_sid: string }

/** A transcription without a sign of life from its process for this long was interrupted. */
export const LOST_MS = 30_000
/** Transcriptions deleted in one transaction. */
const BATCH = 200

const at = ({ account_sid, call_sid }: CallKey) => ({ account_sid, call_sid })

const whileRunning = (db: Db) =>
  sql<boolean>`(state = 'running' and seen_at > ${nowIn(db)} - ${LOST_MS})`

/** The row of a call, and what time it is; undefined without one. Expects a call that the caller may see. */
export const find = (db: Db, key: CallKey) =>
  db
    .selectFrom('switchroom_transcriptions')
    .selectAll()
    .select(nowIn(db).as('now'))
    .where((eb) => eb.and(at(key)))
    .executeTakeFirst()
export type Row = NonNullable<Awaited<ReturnType<typeof find>>>

/** Null for one that nobody has begun. */
export function stateOf({ state, seen_at, now }: Pick<Row, 'state' | 'seen_at' | 'now'>) {
  if (state === 'waiting') return null
  if (state !== 'running') return state
  return seen_at !== null && seen_at > Number(now) - LOST_MS ? 'running' : 'interrupted'
}

/** In order of time. */
export const partsOf = (db: Db, key: CallKey) =>
  db
    .selectFrom('switchroom_transcription_parts')
    .selectAll()
    .where((eb) => eb.and(at(key)))
    .orderBy('number')
    .execute()

const shownText = (text: string | null, words: WordsKept) =>
  text !== null && words === 'mask' ? masked(text) : text

/** Transcription of a call, as the account's setting leaves it; undefined if there is nothing to show. */
export async function view(db: Db, key: CallKey): Promise<Transcription | undefined> {
  const { words } = await settingsOf(db, key.account_sid)
  const row = words === 'leave_out' ? undefined : await find(db, key)
  const state = row && stateOf(row)
  if (!state) return undefined
  const credential = await db
    .selectFrom('speech_credentials')
    .select('speech_credential_sid')
    .where('speech_credential_sid', '=', row.speech_credential_sid)
    .executeTakeFirst()
  return {
    call_sid: row.call_sid,
    state,
    speech_credential_sid: credential?.speech_credential_sid ?? null,
    vendor: row.vendor,
    language: row.language,
    is_automatic: row.is_automatic === 1,
    begun_at: row.begun_at,
    ended_at: row.ended_at,
    message: row.message,
    parts: (await partsOf(db, key)).map(({ side, from_ms, to_ms, text, error }) => ({
      ...{ side, from: from_ms, to: to_ms },
      text: shownText(text, words),
      error,
    })),
  }
}

/** Columns of a transcription for the audit log: none of its words. */
export const logged = async (db: Db, key: CallKey) =>
  db
    .selectFrom('switchroom_transcriptions')
    .select(['account_sid', 'call_sid', 'speech_credential_sid', 'language', 'begun_at'])
    .where((eb) => eb.and(at(key)))
    .where('state', '!=', 'waiting')
    .executeTakeFirst()

/** Number of transcriptions of an account in progress. */
export const countRunning = async (db: Db, account_sid: string) =>
  Number(
    (
      await db
        .selectFrom('switchroom_transcriptions')
        .select((eb) => eb.fn.countAll().as('n'))
        .where('account_sid', '=', account_sid)
        .where(whileRunning(db))
        .executeTakeFirstOrThrow()
    ).n,
  )

export type NewWork = Pick<
  Insertable<Table>,
  'account_sid' | 'call_sid' | 'work_sid' | 'vendor' | 'language' | 'is_automatic' | 'called_at'
> & { speech_credential_sid: string }

/**
 * Stores that a transcription begins now. Text from the same service and language is kept. Call it in a transaction
 * that has made sure that nobody else works on it.
 */
export async function begin(db: Db, work: NewWork, before: Row | undefined) {
  const isSame =
    before?.speech_credential_sid === work.speech_credential_sid &&
    before.language === work.language
  const row = {
    ...work,
    state: 'running' as const,
    seen_at: nowIn(db),
    begun_at: new Date().toISOString(),
    ended_at: null,
    message: null,
    tries: (isSame ? before.tries : 0) + 1,
  }
  if (!isSame) await removeParts(db, work)
  else
    await db
      .updateTable('switchroom_transcription_parts')
      .set({ error: null })
      .where((eb) => eb.and(at(work)))
      .execute()
  if (!before) return db.insertInto('switchroom_transcriptions').values(row).execute()
  return db
    .updateTable('switchroom_transcriptions')
    .set(row)
    .where((eb) => eb.and(at(work)))
    .execute()
}

const removeParts = (db: Db, key: CallKey) =>
  db
    .deleteFrom('switchroom_transcription_parts')
    .where((eb) => eb.and(at(key)))
    .execute()

/** Resolves to whether there was one. Its parts go with it, and scores that may quote it. Call in a transaction. */
export async function remove(db: Db, scope: Scope, key: CallKey) {
  const { numDeletedRows } = await db
    .deleteFrom('switchroom_transcriptions')
    .where((eb) => eb.and(at(key)))
    .where('state', '!=', 'waiting')
    .where(ownedBy('switchroom_transcriptions', scope))
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) return false
  await removeParts(db, key)
  await forgetScores(db, key)
  return true
}

/** Deletes the transcription of a recording that is deleted, or whose words are no longer kept, and scores that may quote it. */
export const forget = (db: Db, key: CallKey) =>
  transaction(db, async (tx) => {
    await removeParts(tx, key)
    await forgetScores(tx, key)
    await tx
      .deleteFrom('switchroom_transcriptions')
      .where((eb) => eb.and(at(key)))
      .execute()
  })

export const setTries = (db: Db, key: CallKey, tries: number) =>
  db
    .updateTable('switchroom_transcriptions')
    .set({ tries })
    .where((eb) => eb.and(at(key)))
    .execute()

/** Call in a transaction. */
export async function removeOfAccount(db: Db, { account_sid }: { account_sid: string }) {
  for (const table of [
    'switchroom_transcription_parts',
    'switchroom_transcriptions',
    'switchroom_transcribing',
  ] as const)
    await db.deleteFrom(table).where('account_sid', '=', account_sid).execute()
}

/** Deletes transcriptions of calls before this time, a bounded number. Resolves to how many there were. */
export async function removeBefore(db: Db, time: string) {
  const old = await db
    .selectFrom('switchroom_transcriptions')
    .select(['account_sid', 'call_sid'])
    .where('called_at', '<', time)
    .orderBy('called_at')
    .limit(BATCH)
    .execute()
  for (const key of old) await forget(db, key)
  return old.length
}

/** True if an automatic transcription is under way. */
export const isAnyAutomatic = async (db: Db, account_sid: string) =>
  (await db
    .selectFrom('switchroom_transcriptions')
    .select('call_sid')
    .where('account_sid', '=', account_sid)
    .where('is_automatic', '=', 1)
    .where(whileRunning(db))
    .limit(1)
    .executeTakeFirst()) !== undefined

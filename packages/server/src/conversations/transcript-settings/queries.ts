import { randomUUID } from 'node:crypto'
import type { TranscriptSettings } from '@switchroom/contract'
import { skipExisting } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import type { Scope } from '../../http/scope.ts'
import { below, ownedBy, visibleTo } from '../../http/tenancy.ts'

const TABLE = 'switchroom_transcript_settings'

/**
 * Transcript settings of an account. A credential that is gone, or that the account may no longer use, transcribes
 * nothing.
 */
export async function settingsOf(db: Db, account_sid: string): Promise<TranscriptSettings> {
  const row = await db
    .selectFrom(TABLE)
    .selectAll()
    .where('account_sid', '=', account_sid)
    .executeTakeFirst()
  if (!row) return { words: 'keep', automatic: null, split: null, words_since: null }
  const { words, words_since, speech_credential_sid, language, minutes_a_day } = row
  const { split_source: source, split_name: name } = row
  const isUsable =
    speech_credential_sid !== null &&
    (await credentialOf(db, account_sid, speech_credential_sid)) !== undefined
  return {
    words,
    automatic:
      isUsable && minutes_a_day !== null
        ? { speech_credential_sid, language, minutes_a_day }
        : null,
    split: source !== null && name !== null ? { source, name } : null,
    words_since,
  }
}

/** Remembers the setting until now, for words written under it. Call it before the setting changes. */
export async function rememberKept(
  db: Db,
  account_sid: string,
  { words, words_since }: Pick<TranscriptSettings, 'words' | 'words_since'>,
  until: string,
) {
  if (words === 'keep') return
  await db
    .insertInto('switchroom_words_kept_before')
    .values({ kept_sid: randomUUID(), account_sid, words, since: words_since, until })
    .execute()
}

/** A speech credential that an account may use, which is its own or its provider's. */
export const credentialOf = (db: Db, account_sid: string, speech_credential_sid: string) =>
  db
    .selectFrom('speech_credentials')
    .select(['vendor', 'use_for_stt'])
    .where('speech_credential_sid', '=', speech_credential_sid)
    .where(visibleTo('speech_credentials', { account_sid }))
    .executeTakeFirst()

/** Look up the account within the caller's scope first. */
export const insert = (db: Db, account_sid: string) =>
  db.insertInto(TABLE).values({ account_sid, words: 'keep' }).$call(skipExisting(db)).execute()

export const update = (
  db: Db,
  scope: Scope,
  account_sid: string,
  { words, automatic, split, words_since }: TranscriptSettings,
) =>
  db
    .updateTable(TABLE)
    .set({
      words,
      words_since,
      speech_credential_sid: automatic?.speech_credential_sid ?? null,
      language: automatic?.language ?? null,
      minutes_a_day: automatic?.minutes_a_day ?? null,
      split_source: split?.source ?? null,
      split_name: split?.name ?? null,
    })
    .where('account_sid', '=', account_sid)
    .where(below(`${TABLE}.account_sid`, 'accounts', ownedBy('accounts', scope)))
    .execute()

/**
 * Deletes an account's settings, but not those that keep less than all words: calls outlive their account, for its
 * provider, and must not show them later.
 */
export const removeOfAccount = async (db: Db, { account_sid }: { account_sid: string }) => {
  const own = db.deleteFrom(TABLE).where('account_sid', '=', account_sid)
  await own.where('words', '=', 'keep').execute()
  await db
    .updateTable(TABLE)
    .set({
      ...{ speech_credential_sid: null, language: null, minutes_a_day: null },
      ...{ split_source: null, split_name: null },
    })
    .where('account_sid', '=', account_sid)
    .execute()
}

/** Calling webhooks of an account's applications, each once. */
export async function hooksOf(db: Db, scope: Scope, account_sid: string, limit: number) {
  const rows = await db
    .selectFrom('applications')
    .innerJoin('webhooks', 'webhooks.webhook_sid', 'applications.call_hook_sid')
    .select('webhooks.url')
    .distinct()
    .where('applications.account_sid', '=', account_sid)
    .where(ownedBy('applications', scope))
    .limit(limit)
    .execute()
  return rows.map(({ url }) => url)
}

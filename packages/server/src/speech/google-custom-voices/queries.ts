import type { GoogleCustomVoice } from '@switchroom/contract'
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, Tables } from '../../db/open.ts'
import type { Scope } from '../../http/scope.ts'
import { below, visibleTo } from '../../http/tenancy.ts'
import { visible } from '../speech-credentials/queries.ts'

type Row = Selectable<Tables['google_custom_voices']>

/** A voice has the owner of its credential. */
const visibleVoices = (db: Db, scope: Scope) =>
  db
    .selectFrom('google_custom_voices')
    .innerJoin(
      'speech_credentials',
      'speech_credentials.speech_credential_sid',
      'google_custom_voices.speech_credential_sid',
    )
    .where(visible(scope))
    .selectAll('google_custom_voices')

const SHOWN = 100

/** The voice as returned by the API, with only the start of its key. */
export function readable({ voice_cloning_key: key, ...row }: Row): GoogleCustomVoice {
  return {
    ...row,
    use_voice_cloning_key: row.use_voice_cloning_key ? 1 : 0,
    ...(key && { voice_cloning_key: `${key.slice(0, SHOWN)}...` }),
  }
}

export async function ofCredential(db: Db, scope: Scope, speech_credential_sid: string) {
  const rows = await visibleVoices(db, scope)
    .where('google_custom_voices.speech_credential_sid', '=', speech_credential_sid)
    .orderBy('google_custom_voices.name')
    .execute()
  return rows.map(readable)
}

/**
 * Voices of the Google credentials with this label, or without one: an account's own and those its provider
 * shares, or only those a provider shares.
 */
export async function ofLabel(
  db: Db,
  scope: Scope,
  owner: { account_sid?: string | undefined; service_provider_sid?: string | undefined },
  label: string | undefined,
) {
  const rows = await visibleVoices(db, scope)
    .where('speech_credentials.vendor', '=', 'google')
    .where('speech_credentials.label', label ? '=' : 'is', label || null)
    .where(visibleTo('speech_credentials', owner))
    .orderBy('google_custom_voices.name')
    .execute()
  return rows.map(readable)
}

/** A voice with the owner of its credential; undefined if this caller may not see it. */
export const find = (db: Db, scope: Scope, sid: string) =>
  visibleVoices(db, scope)
    .select(['speech_credentials.account_sid', 'speech_credentials.service_provider_sid'])
    .where('google_custom_voice_sid', '=', sid)
    .executeTakeFirst()

export const insert = (db: Db, row: Insertable<Tables['google_custom_voices']>) =>
  db.insertInto('google_custom_voices').values(row).execute()

const ofVisible = (scope: Scope) =>
  below('google_custom_voices.speech_credential_sid', 'speech_credentials', visible(scope))

export const update = (
  db: Db,
  scope: Scope,
  sid: string,
  change: Updateable<Tables['google_custom_voices']>,
) =>
  db
    .updateTable('google_custom_voices')
    .set(change)
    .where('google_custom_voice_sid', '=', sid)
    .where(ofVisible(scope))
    .execute()

export const remove = (db: Db, scope: Scope, sid: string) =>
  db
    .deleteFrom('google_custom_voices')
    .where('google_custom_voice_sid', '=', sid)
    .where(ofVisible(scope))
    .execute()

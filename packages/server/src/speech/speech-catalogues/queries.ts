import { SpeechCatalogue, type VendorId } from '@switchroom/contract'
import type { Db } from '../../db/open.ts'
import { transaction } from '../../db/transaction.ts'
import type { Scope } from '../../http/scope.ts'
import { providerOf } from '../../http/tenancy.ts'
import { protocolOf } from '../protocol.ts'
import type { Owner, Row } from '../speech-credentials/queries.ts'
import { fingerprint } from '../stored.ts'

/** The built-in catalogue of a vendor, if there is one. */
export const fallbackOf = async (id: VendorId): Promise<SpeechCatalogue | undefined> =>
  (await protocolOf(id)).fallback

/**
 * The credential with this vendor and exact label that an owner's calls would use: its own before its
 * provider's, never another account's. Expects an owner that the caller may see.
 */
export async function labelled(
  db: Db,
  scope: Scope,
  owner: Owner,
  vendor: string,
  label: string | null,
): Promise<Row | undefined> {
  const findLabelled = async (
    where: { account_sid: string } | { service_provider_sid: string },
  ) => {
    const rows = await db
      .selectFrom('speech_credentials')
      .selectAll()
      .where('vendor', '=', vendor)
      .where('label', label === null ? 'is' : '=', label)
      .$call((q) =>
        'account_sid' in where
          ? q.where('account_sid', '=', where.account_sid)
          : q
              .where('account_sid', 'is', null)
              .where('service_provider_sid', '=', where.service_provider_sid),
      )
      .orderBy('speech_credential_sid')
      .execute()
    // the database's comparison may ignore case and accents
    return rows.find((row) => row.vendor === vendor && row.label === label)
  }
  const account_sid =
    'account_sid' in owner
      ? owner.account_sid
      : scope.role === 'account'
        ? scope.account_sid
        : undefined
  const own = account_sid && (await findLabelled({ account_sid }))
  if (own) return own
  const service_provider_sid =
    'service_provider_sid' in owner
      ? owner.service_provider_sid
      : await providerOf(db, owner.account_sid)
  return service_provider_sid ? findLabelled({ service_provider_sid }) : undefined
}

type SavedCatalogue = { offered: SpeechCatalogue; fetched_at: string }

/** The last catalogue for this credential; undefined if the credential has changed since. */
export async function savedCatalogue(db: Db, row: Row): Promise<SavedCatalogue | undefined> {
  const stored = await db
    .selectFrom('switchroom_speech_catalogues')
    .select(['catalogue', 'fetched_at'])
    .where('speech_credential_sid', '=', row.speech_credential_sid)
    .where('fingerprint', '=', fingerprint(row))
    .executeTakeFirst()
  if (!stored) return undefined
  // possibly written by another version
  const { data } = SpeechCatalogue.safeParse(JSON.parse(stored.catalogue))
  return data && { offered: data, fetched_at: stored.fetched_at }
}

/** Longer catalogues are not stored, and are fetched again each time. */
const MAX_CHARACTERS = 4_000_000
const CLEANED = 100

/** Stores a catalogue, and deletes those of deleted credentials. */
export async function saveCatalogue(db: Db, row: Row, { offered, fetched_at }: SavedCatalogue) {
  const catalogue = JSON.stringify(offered)
  if (catalogue.length > MAX_CHARACTERS) return
  const { speech_credential_sid } = row
  const work = async (tx: Db) => {
    await forget(tx, [speech_credential_sid])
    await tx
      .insertInto('switchroom_speech_catalogues')
      .values({ speech_credential_sid, fingerprint: fingerprint(row), fetched_at, catalogue })
      .execute()
    const gone = await tx
      .selectFrom('switchroom_speech_catalogues as kept')
      .leftJoin('speech_credentials as c', 'c.speech_credential_sid', 'kept.speech_credential_sid')
      .where('c.speech_credential_sid', 'is', null)
      .select('kept.speech_credential_sid')
      .limit(CLEANED)
      .execute()
    await forget(
      tx,
      gone.map((k) => k.speech_credential_sid),
    )
  }
  // two concurrent first inserts would deadlock on the gap
  await transaction(db, work, { lock: 'speech_catalogues' })
}

async function forget(tx: Db, sids: string[]) {
  if (sids.length === 0) return
  await tx
    .deleteFrom('switchroom_speech_catalogues')
    .where('speech_credential_sid', 'in', sids)
    .execute()
}

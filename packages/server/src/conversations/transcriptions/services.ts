import { t } from '@switchroom/contract'
import type { Db } from '../../db/open.ts'
import { conflict } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import { visibleTo } from '../../http/tenancy.ts'
import { protocolOf, vendorId } from '../../speech/protocol.ts'
import { fallbackOf } from '../../speech/speech-catalogues/queries.ts'
import { type Row, visible } from '../../speech/speech-credentials/queries.ts'
import { defaultLanguage } from '../../speech/speech-trials/trial.ts'

/** More than anybody has. */
const MOST = 100

/** Credentials that an account's calls may use, which are not all that an administrator sees, for recognition. */
const usableBy = (db: Db, account_sid: string) =>
  db
    .selectFrom('speech_credentials')
    .selectAll()
    .where(visibleTo('speech_credentials', { account_sid }))
    .where('use_for_stt', '=', 1)

/** The language that is spoken by default; undefined if the service recognizes no recordings. */
async function languageOf(row: Pick<Row, 'vendor'>) {
  const vendor = vendorId(row.vendor)
  if (!vendor || !(await protocolOf(vendor)).recognize) return undefined
  return defaultLanguage(await fallbackOf(vendor))
}

/** The services that a caller may have an account's recordings transcribed with. */
export async function servicesOf(db: Db, scope: Scope, account_sid: string) {
  const rows = await usableBy(db, account_sid)
    .where(visible(scope))
    .orderBy('vendor')
    .orderBy('label')
    .orderBy('speech_credential_sid')
    .limit(MOST)
    .execute()
  const services = await Promise.all(
    rows.map(async (row) => {
      const language = await languageOf(row)
      const { speech_credential_sid, vendor, label } = row
      return language === undefined ? [] : [{ speech_credential_sid, vendor, label, language }]
    }),
  )
  return services.flat()
}

export type Service = { credential: Row; language: string }

/** One of them. `scope`: undefined for the account's own setting. Throws 422 if it is not one. */
export async function serviceOf(
  db: Db,
  scope: Scope | undefined,
  account_sid: string,
  wanted: { speech_credential_sid: string; language: string | null },
): Promise<Service> {
  const credential = await usableBy(db, account_sid)
    .where('speech_credential_sid', '=', wanted.speech_credential_sid)
    .$if(scope !== undefined, (q) => q.where(visible(scope!)))
    .executeTakeFirst()
  const language = credential && (await languageOf(credential))
  if (!credential || language === undefined)
    throw conflict(
      'speech_credential_sid',
      t('This account has no such speech service that recognizes recordings'),
    )
  return { credential, language: wanted.language ?? language }
}

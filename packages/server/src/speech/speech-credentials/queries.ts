import { customVendor, type PageQuery, SPEECH_VENDORS, vendorName } from '@switchroom/contract'
import {
  type ExpressionBuilder,
  type Insertable,
  type Selectable,
  sql,
  type Updateable,
} from 'kysely'
import { listing } from '../../db/listing.ts'
import type { Db, Tables } from '../../db/open.ts'
import type { Scope } from '../../http/scope.ts'
import { besideAccount, matchesFilter, type Shown } from '../../http/search.ts'
import { below, ownedBy, ownerless, visibleTo } from '../../http/tenancy.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import * as trials from '../speech-trials/queries.ts'
import { type Item, readable } from './readable.ts'

/** The account or service provider in the path of the request. */
export type Owner = { account_sid: string } | { service_provider_sid: string }
export type Row = Selectable<Tables['speech_credentials']>

/** Rows the caller may change. A row without a provider belongs to its account's provider. */
const inScope = (scope: Scope) => ownedBy('speech_credentials', scope)

/** Rows the caller may see: an account also sees those its provider shares. */
export const visible = (scope: Scope) => visibleTo('speech_credentials', scope)

/**
 * Rows of an owner: an account's own and its provider's shared ones, or all of a provider's.
 * Older servers stored rows without an owner: only administrators see them, below any account.
 */
const belowOwner =
  (owner: Owner, scope: Scope) => (eb: ExpressionBuilder<Tables, 'speech_credentials'>) => {
    if (!('account_sid' in owner)) return ownedBy('speech_credentials', owner)
    const usable = visibleTo('speech_credentials', { account_sid: owner.account_sid })
    return scope.role === 'admin' ? eb.or([usable, ownerless('speech_credentials')]) : usable
  }

/** A credential of an owner; undefined if this caller may not see it. */
export const find = (db: Db, scope: Scope, owner: Owner, sid: string) =>
  db
    .selectFrom('speech_credentials')
    .selectAll()
    .where('speech_credential_sid', '=', sid)
    .where(visible(scope))
    .where(belowOwner(owner, scope))
    .executeTakeFirst()

/** The same without an owner in the path. */
export const findAnywhere = (db: Db, scope: Scope, sid: string) =>
  db
    .selectFrom('speech_credentials')
    .selectAll()
    .where('speech_credential_sid', '=', sid)
    .where(visible(scope))
    .executeTakeFirst()

/** True if the caller may change a row it sees: accounts may not change shared ones. */
export const isOwn = (scope: Scope, row: Pick<Row, 'account_sid'>) =>
  scope.role !== 'account' || row.account_sid === scope.account_sid

/** Lower case as databases have it: SQLite knows the case of ASCII letters only. */
const lower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

const PREFIX = customVendor('')
const RENAMED = SPEECH_VENDORS.filter(({ id, name }) => lower(name) !== id)
/** The vendor's name as lists show it. */
const SHOWN_VENDOR = sql<string>`lower(case
  when speech_credentials.vendor like ${sql.lit(`${PREFIX}%`)}
    then substr(speech_credentials.vendor, ${sql.lit(PREFIX.length + 1)})
  ${sql.join(
    RENAMED.map(
      ({ id, name }) => sql`when speech_credentials.vendor = ${sql.lit(id)} then ${sql.lit(name)}`,
    ),
    sql` `,
  )}
  else speech_credentials.vendor end)`

/** Columns that a search finds a credential by. */
export const shown: Shown = {
  sid: 'speech_credentials.speech_credential_sid',
  names: ['speech_credentials.vendor', 'speech_credentials.label', SHOWN_VENDOR],
  beside: [besideAccount('speech_credentials')],
}

type Query = PageQuery & { account_sid?: string | undefined; all?: number | undefined }

/**
 * Credentials that a caller may see. For an account its own and its provider's shared ones. For a provider the shared
 * ones, plus the account's own if an account asks; or those of the account in the query; or all.
 */
export function list(
  { db, box }: { db: Db; box: SecretBox },
  scope: Scope,
  owner: Owner,
  { filter, account_sid, all, ...query }: Query,
) {
  let matching = db
    .selectFrom('speech_credentials')
    .where(visible(scope))
    .where(belowOwner(owner, scope))
    .$if(filter !== undefined && filter !== '', (q) => q.where(matchesFilter(db, shown, filter!)))
  if (account_sid) matching = matching.where('speech_credentials.account_sid', '=', account_sid)
  else if (!all && 'service_provider_sid' in owner && scope.role !== 'account')
    matching = matching.where('speech_credentials.account_sid', 'is', null)
  return listing({
    db,
    table: 'speech_credentials',
    sid: 'speech_credential_sid',
    sortable: ['vendor'],
    sortedAs: { sql: SHOWN_VENDOR, of: (row) => lower(vendorName(row.vendor)) },
    query,
    matching,
    rows: db.selectFrom('speech_credentials').selectAll('speech_credentials'),
    names: { account_name: 'accounts' },
    async present(rows): Promise<Item[]> {
      const results = await trials.lastResults(db, rows)
      return rows.map(({ account_name, ...row }) => ({
        ...readable(box, row, results.get(row.speech_credential_sid)),
        account_name,
      }))
    },
  })
}

type Labelled = Pick<Row, 'account_sid' | 'service_provider_sid' | 'vendor' | 'label'>

/** True if the owner has a credential with this vendor and label. Empty labels may repeat. */
export const isTaken = async (db: Db, { account_sid, ...of }: Labelled) =>
  of.label !== null &&
  (await db
    .selectFrom('speech_credentials')
    .select('speech_credential_sid')
    .where('vendor', '=', of.vendor)
    .where('label', '=', of.label)
    .where((e) =>
      account_sid
        ? e('account_sid', '=', account_sid)
        : e.and([
            e('account_sid', 'is', null),
            e(
              'service_provider_sid',
              of.service_provider_sid ? '=' : 'is',
              of.service_provider_sid,
            ),
          ]),
    )
    .executeTakeFirst()) !== undefined

export const insert = (db: Db, row: Insertable<Tables['speech_credentials']>) =>
  db.insertInto('speech_credentials').values(row).execute()

export const update = (
  db: Db,
  scope: Scope,
  sid: string,
  change: Updateable<Tables['speech_credentials']>,
) =>
  db
    .updateTable('speech_credentials')
    .set(change)
    .where('speech_credential_sid', '=', sid)
    .where(inScope(scope))
    .execute()

/** Deletes the credential and its custom voices. */
export async function remove(db: Db, scope: Scope, sid: string) {
  await db
    .deleteFrom('google_custom_voices')
    .where('speech_credential_sid', '=', sid)
    .where(
      below('google_custom_voices.speech_credential_sid', 'speech_credentials', inScope(scope)),
    )
    .execute()
  await db
    .deleteFrom('speech_credentials')
    .where('speech_credential_sid', '=', sid)
    .where(inScope(scope))
    .execute()
}

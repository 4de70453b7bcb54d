import { type ApiKey, MASK, type PageQuery } from '@switchroom/contract'
import { listing } from '../../db/listing.ts'
import { type Db, timestamp } from '../../db/open.ts'
import { digest, limitsOf, setDetails } from '../../http/api-key.ts'
import type { KeyLimits, Scope } from '../../http/scope.ts'
import { ownedBy } from '../../http/tenancy.ts'

const inScope = (scope: Scope) => ownedBy('api_keys', scope)

/** Every key, with the columns that only we store. */
const all = (db: Db) =>
  db
    .selectFrom('api_keys')
    .leftJoin('switchroom_api_keys as ours', 'ours.api_key_sid', 'api_keys.api_key_sid')
    .selectAll('api_keys')
    .select([
      'ours.name',
      'ours.created_by',
      'ours.view_only',
      'ours.kinds',
      'ours.networks',
      'ours.last_used_ip',
      'ours.replaced_by',
    ])

type Row = Awaited<ReturnType<ReturnType<typeof all>['executeTakeFirstOrThrow']>>

const readable = (row: Row): ApiKey => {
  const { kinds, networks } = limitsOf(row)
  return { ...row, token: MASK, view_only: row.view_only ?? 0, kinds, networks }
}

type Owner = { account_sid: string } | { service_provider_sid: string } | 'administrators'

export function list(db: Db, scope: Scope, owner: Owner, query: PageQuery) {
  const matching = db.selectFrom('api_keys').where(inScope(scope))
  return listing({
    db,
    table: 'api_keys',
    sid: 'api_key_sid',
    sortable: ['api_key_sid'],
    query,
    matching:
      owner === 'administrators'
        ? matching.where('account_sid', 'is', null).where('service_provider_sid', 'is', null)
        : 'account_sid' in owner
          ? matching.where('account_sid', '=', owner.account_sid)
          : matching.where('service_provider_sid', '=', owner.service_provider_sid),
    rows: all(db),
    present: (rows) => rows.map(readable),
  })
}

/** Keys of an account, as `GET /Users/me` shows them. */
export const ofAccount = async (db: Db, account_sid: string) =>
  (
    await db
      .selectFrom('api_keys')
      .select(['api_key_sid', 'last_used', 'created_at'])
      .where('account_sid', '=', account_sid)
      .orderBy('api_key_sid')
      .limit(1_000)
      .execute()
  ).map((row) => ({ ...row, token: MASK }))

/** The key as lists show it; undefined when this caller cannot see it. */
export async function find(db: Db, scope: Scope, sid: string) {
  const row = await all(db)
    .where('api_keys.api_key_sid', '=', sid)
    .where(inScope(scope))
    .executeTakeFirst()
  return row && readable(row)
}

export type NewKey = KeyLimits & {
  api_key_sid: string
  token: string
  account_sid: string | null
  service_provider_sid: string | null
  name: string | null
  created_by: string | null
  view_only: 0 | 1
}

const json = (list: string[] | null) => list && JSON.stringify(list)
const stored = (expires_at: string | null) => expires_at && timestamp(new Date(expires_at))

export async function insert(db: Db, ...keys: NewKey[]) {
  await db
    .insertInto('api_keys')
    .values(
      keys.map(({ api_key_sid, token, account_sid, service_provider_sid, expires_at }) => ({
        api_key_sid,
        token: digest(token),
        account_sid,
        service_provider_sid,
        expires_at: stored(expires_at),
      })),
    )
    .execute()
  await db
    .insertInto('switchroom_api_keys')
    .values(
      keys.map(({ api_key_sid, name, created_by, view_only, kinds, networks }) => ({
        api_key_sid,
        name,
        created_by,
        view_only,
        kinds: json(kinds),
        networks: json(networks),
        last_used_ip: null,
        replaced_by: null,
      })),
    )
    .execute()
}

export async function update(
  db: Db,
  scope: Scope,
  sid: string,
  { expires_at, name, view_only, kinds, networks }: KeyLimits & Pick<NewKey, 'name' | 'view_only'>,
) {
  const { numUpdatedRows } = await db
    .updateTable('api_keys')
    .set({ expires_at: stored(expires_at) })
    .where('api_key_sid', '=', sid)
    .where(inScope(scope))
    .executeTakeFirst()
  if (numUpdatedRows > 0n)
    await setDetails(db, sid, { name, view_only, kinds: json(kinds), networks: json(networks) })
}

/** Lets a key expire in favour of its successor. */
export async function replace(
  db: Db,
  scope: Scope,
  sid: string,
  { successor, expires_at }: { successor: string; expires_at: string },
) {
  await db
    .updateTable('api_keys')
    .set({ expires_at: stored(expires_at) })
    .where('api_key_sid', '=', sid)
    .where(inScope(scope))
    .execute()
  await setDetails(db, sid, { replaced_by: successor })
}

export async function remove(db: Db, scope: Scope, sid: string) {
  const { numDeletedRows } = await db
    .deleteFrom('api_keys')
    .where('api_key_sid', '=', sid)
    .where(inScope(scope))
    .executeTakeFirst()
  if (numDeletedRows > 0n)
    await db.deleteFrom('switchroom_api_keys').where('api_key_sid', '=', sid).execute()
}

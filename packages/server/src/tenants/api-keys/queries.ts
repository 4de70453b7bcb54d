import { type ApiKey, MASK, type PageQuery } from '@switchroom/contract'
import { listing } from '../../db/listing.ts'
import type { Db } from '../../db/open.ts'
import { digest } from '../../http/api-key.ts'
import type { Scope } from '../../http/scope.ts'
import { ownedBy } from '../../http/tenancy.ts'

const inScope = (scope: Scope) => ownedBy('api_keys', scope)

type Owner = { account_sid: string } | { service_provider_sid: string }

export function list(db: Db, scope: Scope, owner: Owner, query: PageQuery) {
  const all = db.selectFrom('api_keys').where(inScope(scope))
  return listing({
    db,
    table: 'api_keys',
    sid: 'api_key_sid',
    sortable: ['api_key_sid'],
    query,
    matching:
      'account_sid' in owner
        ? all.where('account_sid', '=', owner.account_sid)
        : all.where('service_provider_sid', '=', owner.service_provider_sid),
    rows: db.selectFrom('api_keys').selectAll(),
    present: (rows): ApiKey[] => rows.map((r) => ({ ...r, token: MASK })),
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

export const find = (db: Db, scope: Scope, sid: string) =>
  db
    .selectFrom('api_keys')
    .selectAll()
    .where('api_key_sid', '=', sid)
    .where(inScope(scope))
    .executeTakeFirst()

type NewKey = {
  api_key_sid: string
  token: string
  account_sid: string | null
  service_provider_sid: string | null
  expires_at: string | null
}

export const insert = (db: Db, { token, ...row }: NewKey) =>
  db
    .insertInto('api_keys')
    .values({ ...row, token: digest(token) })
    .execute()

export const remove = (db: Db, scope: Scope, sid: string) =>
  db.deleteFrom('api_keys').where('api_key_sid', '=', sid).where(inScope(scope)).execute()

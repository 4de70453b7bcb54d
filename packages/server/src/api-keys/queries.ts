import { createHash } from 'node:crypto'
import { type ApiKey, MASK, type PageQuery } from '@switchroom/contract'
import { sql } from 'kysely'
import { listing } from '../db/listing.ts'
import { type Db, timestamp } from '../db/open.ts'
import { inScope, type Scope } from '../http/scope.ts'

const DIGEST = 'sha:'

/**
 * What is stored of a key made here: 32 characters of a digest, marked, since the column holds 36.
 * A dump of the database does not let anybody in: a presented digest is never looked up as a token.
 */
export const digest = (token: string) =>
  DIGEST + createHash('sha256').update(token).digest('base64url').slice(0, 32)

/** The key a caller presents: ours by its digest, a stock server's by its clear text. Expired ones are not there. */
export async function findByToken(db: Db, token: string) {
  if (token.length > 128 || token.startsWith(DIGEST)) return undefined
  const rows = await db
    .selectFrom('api_keys')
    .select([
      'api_key_sid',
      'token',
      'account_sid',
      'service_provider_sid',
      'expires_at',
      'last_used',
    ])
    .where('token', 'in', [digest(token), token])
    .execute()
  // the database compares without case; tokens are compared exactly
  const key = rows.find((r) => r.token === digest(token) || r.token === token)
  if (key?.expires_at && Date.parse(key.expires_at) <= Date.now()) return undefined
  return key
}

/** Notes the use of a key, at most once a minute. */
export async function touch(db: Db, key: { api_key_sid: string; last_used: string | null }) {
  if (key.last_used && Date.parse(key.last_used) > Date.now() - 60_000) return
  await db
    .updateTable('api_keys')
    .set({ last_used: timestamp() })
    .where('api_key_sid', '=', key.api_key_sid)
    .execute()
}

export const providerOf = async (db: Db, account_sid: string) =>
  (
    await db
      .selectFrom('accounts')
      .select('service_provider_sid')
      .where('account_sid', '=', account_sid)
      .executeTakeFirst()
  )?.service_provider_sid

const mine = (scope: Scope) => {
  if (scope.role === 'service_provider')
    return sql<boolean>`(${inScope(scope, 'api_keys.account_sid')(undefined as never)} or api_keys.account_sid is null and api_keys.service_provider_sid = ${scope.service_provider_sid})`
  return inScope(scope, 'api_keys.account_sid')(undefined as never)
}

type Owner = { account_sid: string } | { service_provider_sid: string }

export function list(db: Db, scope: Scope, owner: Owner, query: PageQuery) {
  const [[column, sid]] = Object.entries(owner) as [['account_sid', string]]
  return listing({
    db,
    table: 'api_keys',
    sid: 'api_key_sid',
    sortable: ['api_key_sid'],
    query,
    matching: db.selectFrom('api_keys').where(mine(scope)).where(column, '=', sid),
    rows: async (sids): Promise<ApiKey[]> => {
      const rows = await db
        .selectFrom('api_keys')
        .selectAll()
        .where('api_key_sid', 'in', sids)
        .execute()
      return rows.map((r) => ({ ...r, token: MASK }))
    },
  })
}

/** Those of an account, as it is told of itself. */
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
    .where(mine(scope))
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
  db.deleteFrom('api_keys').where('api_key_sid', '=', sid).where(mine(scope)).execute()

import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { API_KEY_KINDS, isKeyOf } from '@switchroom/contract'
import type { Updateable } from 'kysely'
import { skipExisting } from '../db/dialect.ts'
import { type Db, type Tables, timestamp } from '../db/open.ts'
import type { KeyLimits } from './scope.ts'

const DIGEST = 'sha:'

/**
 * The stored form of an API key created here: a marked digest of 32 characters, because the column holds
 * 36. A leaked database lets nobody in: a presented digest is never looked up as a token.
 */
export const digest = (token: string) =>
  DIGEST + createHash('sha256').update(token).digest('base64url').slice(0, 32)

/** Secret scanners recognize our tokens by it. */
const PREFIX = 'swr_'
const RANDOM = 30
const CHECKSUM = 6
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** `swr_`, 30 random characters (178 bits), and the CRC-32 of those, so that a scanner can verify a find. */
export function newToken() {
  let random = ''
  // bytes above the last multiple of 62 would make some characters more likely
  while (random.length < RANDOM)
    for (const byte of randomBytes(RANDOM)) if (byte < 248) random += BASE62[byte % 62]
  random = random.slice(0, RANDOM)
  return PREFIX + random + checksum(random)
}

function checksum(text: string) {
  let digits = ''
  for (let rest = crc32(text); digits.length < CHECKSUM; rest = Math.floor(rest / 62))
    digits = BASE62[rest % 62] + digits
  return digits
}

/** True if a token may exist: ours have a checksum, so that made-up ones cost no query. */
function isPlausible(token: string) {
  if (token.length > 128 || token.startsWith(DIGEST)) return false
  if (!token.startsWith(PREFIX)) return true
  const random = token.slice(PREFIX.length, -CHECKSUM)
  return random.length === RANDOM && token.endsWith(checksum(random))
}

/**
 * Finds the presented API key with its account: one of ours by its digest, one created by a stock server by its
 * clear text. Expired keys too, see `isExpired`.
 */
export async function findByToken(db: Db, token: string) {
  if (!isPlausible(token)) return undefined
  const rows = await db
    .selectFrom('api_keys')
    .leftJoin('switchroom_api_keys as ours', 'ours.api_key_sid', 'api_keys.api_key_sid')
    .leftJoin('accounts', 'accounts.account_sid', 'api_keys.account_sid')
    .select([
      'api_keys.api_key_sid',
      'api_keys.token',
      'api_keys.account_sid',
      'api_keys.service_provider_sid',
      'api_keys.expires_at',
      'api_keys.last_used',
      'ours.name',
      'ours.view_only',
      'ours.kinds',
      'ours.networks',
      'accounts.is_active as account_is_active',
      'accounts.service_provider_sid as account_provider_sid',
    ])
    .where('api_keys.token', 'in', [digest(token), token])
    .execute()
  // the database compares without case; tokens are compared exactly
  const key = rows.find((r) => r.token === digest(token) || r.token === token)
  if (!key) return undefined
  const { name, view_only, ...row } = key
  return { ...row, name, view_only: view_only === 1, limits: limitsOf(row) }
}

/** The row of an API key, as read by its token. */
export type StoredKey = NonNullable<Awaited<ReturnType<typeof findByToken>>>

export const isExpired = ({ expires_at }: { expires_at: string | null }) =>
  expires_at !== null && Date.parse(expires_at) <= Date.now()

type StoredLimits = { expires_at: string | null; kinds: string | null; networks: string | null }

/** The limits of a key as stored. Unreadable limits allow nothing. */
export const limitsOf = ({ expires_at, kinds, networks }: StoredLimits): KeyLimits => ({
  expires_at,
  kinds: kinds === null ? null : textsIn(kinds).filter((kind) => isKeyOf(API_KEY_KINDS, kind)),
  networks: networks === null ? null : textsIn(networks),
})

function textsIn(json: string): string[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(json)
  } catch {
    return []
  }
  return Array.isArray(parsed) ? parsed.filter((text) => typeof text === 'string') : []
}

/** True if the last use of a key was stored more than a minute ago. */
export const isDue = ({ last_used }: { last_used: string | null }) =>
  !last_used || Date.parse(last_used) <= Date.now() - 60_000

/** Stores when and from where a key was used. */
export async function touch(
  db: Db,
  key: { api_key_sid: string; last_used: string | null },
  ip: string,
) {
  const { api_key_sid } = key
  // also for requests that share this read
  key.last_used = new Date().toISOString()
  await db
    .updateTable('api_keys')
    .set({ last_used: timestamp() })
    .where('api_key_sid', '=', api_key_sid)
    .execute()
  await setDetails(db, api_key_sid, { last_used_ip: ip.slice(0, 64) })
}

/** Changes the columns of a key that only we store. Keys created by a stock server have no row of ours yet. */
export async function setDetails(
  db: Db,
  api_key_sid: string,
  change: Updateable<Tables['switchroom_api_keys']>,
) {
  const update = db
    .updateTable('switchroom_api_keys')
    .set(change)
    .where('api_key_sid', '=', api_key_sid)
  const { numUpdatedRows } = await update.executeTakeFirst()
  if (numUpdatedRows > 0n) return
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('switchroom_api_keys')
    .values({ ...NO_DETAILS, ...change, api_key_sid })
    .$call(skipExisting(db))
    .executeTakeFirst()
  // another request, such as the key's first, has just added the row
  if (numInsertedOrUpdatedRows === 0n) await update.execute()
}

const NO_DETAILS = {
  name: null,
  created_by: null,
  view_only: 0,
  kinds: null,
  networks: null,
  last_used_ip: null,
  replaced_by: null,
} as const

import { createHash } from 'node:crypto'
import { type Db, timestamp } from '../db/open.ts'

const DIGEST = 'sha:'

/**
 * The stored form of an API key created here: a marked digest of 32 characters, because the column holds
 * 36. A leaked database lets nobody in: a presented digest is never looked up as a token.
 */
export const digest = (token: string) =>
  DIGEST + createHash('sha256').update(token).digest('base64url').slice(0, 32)

/**
 * Finds the presented API key: one of ours by its digest, one created by a stock server by its clear text.
 * Expired keys are not found.
 */
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

/** Updates `last_used` of a key, at most once a minute. */
export async function touch(db: Db, key: { api_key_sid: string; last_used: string | null }) {
  if (key.last_used && Date.parse(key.last_used) > Date.now() - 60_000) return
  await db
    .updateTable('api_keys')
    .set({ last_used: timestamp() })
    .where('api_key_sid', '=', key.api_key_sid)
    .execute()
}

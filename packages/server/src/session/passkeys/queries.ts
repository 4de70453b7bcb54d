import { createHash } from 'node:crypto'
import type { Db, Tables } from '../../db/open.ts'

const credentialHash = (credential_id: string) =>
  createHash('sha256').update(credential_id).digest('hex')

export const insert = (
  db: Db,
  row: Omit<Tables['switchroom_passkeys'], 'credential_hash' | 'last_used_at'>,
) =>
  db
    .insertInto('switchroom_passkeys')
    .values({ ...row, credential_hash: credentialHash(row.credential_id), last_used_at: null })
    .execute()

/** With `user_sid`, only if it is that user's. */
export async function withCredential(db: Db, credential_id: string, user_sid?: string) {
  const passkey = await db
    .selectFrom('switchroom_passkeys')
    .selectAll()
    .where('credential_hash', '=', credentialHash(credential_id))
    .executeTakeFirst()
  return user_sid === undefined || passkey?.user_sid === user_sid ? passkey : undefined
}

/** Renames a passkey. Resolves to true if the user has it. */
export async function rename(tx: Db, user_sid: string, passkey_sid: string, name: string) {
  const { numUpdatedRows } = await tx
    .updateTable('switchroom_passkeys')
    .set({ name })
    .where('passkey_sid', '=', passkey_sid)
    .where('user_sid', '=', user_sid)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Resolves to whether the user had it. */
export async function remove(tx: Db, user_sid: string, passkey_sid: string) {
  const { numDeletedRows } = await tx
    .deleteFrom('switchroom_passkeys')
    .where('passkey_sid', '=', passkey_sid)
    .where('user_sid', '=', user_sid)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export const markUsed = (db: Db, passkey_sid: string, counter: number) =>
  db
    .updateTable('switchroom_passkeys')
    .set({ counter, last_used_at: new Date().toISOString() })
    .where('passkey_sid', '=', passkey_sid)
    .execute()

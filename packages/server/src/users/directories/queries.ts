import { createHash, randomBytes } from 'node:crypto'
import { AccessGrant, type Directory } from '@switchroom/contract'
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, Tables } from '../../db/open.ts'

type Table = Tables['switchroom_directories']
export type DirectoryRow = Selectable<Table>

const PREFIX = 'scim_'

/** A token of 256 random bits, which needs no slow hash. */
export const newToken = () => `${PREFIX}${randomBytes(32).toString('base64url')}`
export const tokenDigest = (token: string) => createHash('sha256').update(token).digest('hex')

export const defaultAccess = ({ default_access }: Pick<DirectoryRow, 'default_access'>) =>
  default_access === null ? null : AccessGrant.parse(JSON.parse(default_access))

const readable = ({ token_digest: _, ...row }: DirectoryRow) => ({
  ...row,
  default_access: defaultAccess(row),
})

export async function list(db: Db): Promise<Directory[]> {
  const rows = await db.selectFrom('switchroom_directories').selectAll().orderBy('name').execute()
  const counts = await db
    .selectFrom('switchroom_identities')
    .select((eb) => ['directory_sid', eb.fn.countAll().as('users')])
    .where('directory_sid', 'is not', null)
    .groupBy('directory_sid')
    .execute()
  const users = new Map(counts.map((c) => [c.directory_sid, Number(c.users)]))
  return rows.map((row) => ({ ...readable(row), users: users.get(row.directory_sid) ?? 0 }))
}

export const find = (db: Db, sid: string): Promise<DirectoryRow | undefined> =>
  db
    .selectFrom('switchroom_directories')
    .selectAll()
    .where('directory_sid', '=', sid)
    .executeTakeFirst()

export async function withToken(db: Db, token: string): Promise<DirectoryRow | undefined> {
  if (!token.startsWith(PREFIX) || token.length > 100) return undefined
  return db
    .selectFrom('switchroom_directories')
    .selectAll()
    .where('token_digest', '=', tokenDigest(token))
    .executeTakeFirst()
}

/** Records the use of a token, once a minute at most. */
export async function touch(db: Db, { directory_sid, last_used }: DirectoryRow) {
  if (last_used && Date.parse(last_used) > Date.now() - 60_000) return
  await update(db, directory_sid, { last_used: new Date().toISOString() })
}

export const insert = (db: Db, row: Insertable<Table>) =>
  db.insertInto('switchroom_directories').values(row).execute()

export const update = (db: Db, sid: string, change: Updateable<Table>) =>
  db.updateTable('switchroom_directories').set(change).where('directory_sid', '=', sid).execute()

/** Deletes a directory. Its users stay, and log in as the access rules say. */
export async function remove(db: Db, sid: string) {
  await db
    .updateTable('switchroom_identities')
    .set({ directory_sid: null })
    .where('directory_sid', '=', sid)
    .execute()
  await db.deleteFrom('switchroom_directories').where('directory_sid', '=', sid).execute()
}

export async function removeOfProvider(db: Db, service_provider_sid: string) {
  const rows = await db
    .selectFrom('switchroom_directories')
    .select('directory_sid')
    .where('service_provider_sid', '=', service_provider_sid)
    .execute()
  for (const { directory_sid } of rows) await remove(db, directory_sid)
}

/** With a digest of the token, so that the audit log can tell when it was replaced. */
export const auditSubject = (sid: string) => ({
  kind: 'directory' as const,
  sid,
  read: async (tx: Db) => {
    const row = await find(tx, sid)
    if (!row) return undefined
    const { last_used: _, ...rest } = row
    return { ...rest, default_access: defaultAccess(row) }
  },
})

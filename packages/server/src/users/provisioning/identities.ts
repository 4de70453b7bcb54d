import { createHash } from 'node:crypto'
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, Tables } from '../../db/open.ts'
import type { Access } from './access.ts'

type Table = Tables['switchroom_identities']
export type Identity = Selectable<Table>

/** Identifies a person at an issuer, whatever the length and the case. */
export const subjectDigest = (issuer: string, subject: string) =>
  createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('hex')

export const withSubject = (db: Db, digest: string) =>
  db
    .selectFrom('switchroom_identities')
    .selectAll()
    .where('subject_digest', '=', digest)
    .executeTakeFirst()

export const ofUser = (db: Db, user_sid: string) =>
  db
    .selectFrom('switchroom_identities')
    .selectAll()
    .where('user_sid', '=', user_sid)
    .executeTakeFirst()

/**
 * The user whom a directory has added for a person who has not logged in yet. A directory of a provider waits only for
 * people whom the access rules place there, and for those whom no rule names. Undefined unless it is exactly one.
 */
export async function awaited(
  db: Db,
  external_id: string,
  byRules: { access: Access | undefined } | undefined,
): Promise<Identity | undefined> {
  const announced = await db
    .selectFrom('switchroom_identities as i')
    .innerJoin('switchroom_directories as d', 'd.directory_sid', 'i.directory_sid')
    .selectAll('i')
    .select('d.service_provider_sid')
    .where('i.external_id', '=', external_id)
    .where('i.subject_digest', 'is', null)
    .execute()
  const placed = byRules?.access?.service_provider_sid ?? null
  const waiting = announced.filter(
    ({ service_provider_sid: within }) => !byRules || within === null || within === placed,
  )
  return waiting.length === 1 ? waiting[0] : undefined
}

/** Other users announced or known by this `externalId`. People that a deleted directory left behind do not count. */
export const othersWith = (db: Db, external_id: string, user_sid: string | null) =>
  db
    .selectFrom('switchroom_identities')
    .select(['user_sid', 'directory_sid'])
    .where('external_id', '=', external_id)
    .where((eb) =>
      eb.or([eb('directory_sid', 'is not', null), eb('subject_digest', 'is not', null)]),
    )
    .where('user_sid', '!=', user_sid ?? '')
    .limit(1)
    .executeTakeFirst()

export const insert = (db: Db, row: Omit<Insertable<Table>, 'created_at' | 'changed_at'>) => {
  const now = Date.now()
  return db
    .insertInto('switchroom_identities')
    .values({ ...row, created_at: now, changed_at: now })
    .execute()
}

export const update = (db: Db, user_sid: string, change: Updateable<Table>) =>
  db
    .updateTable('switchroom_identities')
    .set({ ...change, changed_at: Date.now() })
    .where('user_sid', '=', user_sid)
    .execute()

/** Forgets who users are elsewhere, and that they may use their password. */
export async function removeAll(db: Db, users: string[]) {
  if (users.length === 0) return
  await db.deleteFrom('switchroom_identities').where('user_sid', 'in', users).execute()
  await db.deleteFrom('switchroom_break_glass').where('user_sid', 'in', users).execute()
}

/** Call before the account's users are deleted. */
export async function removeOfAccount(db: Db, { account_sid }: { account_sid: string }) {
  const users = await db
    .selectFrom('users')
    .select('user_sid')
    .where('account_sid', '=', account_sid)
    .execute()
  await removeAll(
    db,
    users.map((u) => u.user_sid),
  )
}

import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import { ownedBy } from '../../http/tenancy.ts'
import type { DirectoryRow } from '../directories/queries.ts'

/**
 * Users that a directory manages, as long as they belong to its provider. The tables compare sids differently,
 * so only the way from users to identities has an index: `coalesce` keeps the optimizer from the other.
 */
function inDirectory(db: Db, { directory_sid, service_provider_sid }: DirectoryRow) {
  const managed = db
    .selectFrom('users')
    .innerJoin('switchroom_identities as i', 'i.user_sid', 'users.user_sid')
    .where(sql`coalesce(i.directory_sid, '')`, '=', directory_sid)
  return service_provider_sid ? managed.where(ownedBy('users', { service_provider_sid })) : managed
}

const COLUMNS = [
  'users.user_sid',
  'users.name',
  'users.email',
  'users.is_active',
  'users.account_sid',
  'users.service_provider_sid',
  'i.external_id',
  'i.details',
  'i.created_at',
  'i.changed_at',
] as const

export const find = (db: Db, directory: DirectoryRow, user_sid: string) =>
  inDirectory(db, directory)
    .select(COLUMNS)
    .where('users.user_sid', '=', user_sid)
    .executeTakeFirst()

/** One page and the total. Only the rows of the page are read. */
export async function page(
  db: Db,
  directory: DirectoryRow,
  matching: RawBuilder<SqlBool> | undefined,
  { startIndex, count }: { startIndex: number; count: number },
) {
  const all = inDirectory(db, directory)
  const some = matching ? all.where(matching) : all
  const { total } = await some
    .select((eb) => eb.fn.countAll().as('total'))
    .executeTakeFirstOrThrow()
  const rows =
    count === 0
      ? []
      : await some
          .select(COLUMNS)
          .orderBy('users.user_sid')
          .limit(count)
          .offset(startIndex - 1)
          .execute()
  return { total: Number(total), rows }
}

/** A user who logged in before the directory sent it, and whom no other directory manages. */
export const unmanaged = (db: Db, external_id: string) =>
  db
    .selectFrom('switchroom_identities')
    .select('user_sid')
    .where('external_id', '=', external_id)
    .where('directory_sid', 'is', null)
    .executeTakeFirst()

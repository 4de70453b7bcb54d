import type { ThingName } from '@switchroom/contract'
import { sql } from 'kysely'
import { deletedAmong } from '../../audit/queries.ts'
import type { Db } from '../../db/open.ts'
import type { Scope } from '../../http/scope.ts'
import { covers, SEARCHED } from '../search/kinds.ts'

/** The names of things that the caller may see, and the last names of those that are gone. */
export async function namesOf(db: Db, scope: Scope, sids: readonly string[]): Promise<ThingName[]> {
  const tables = SEARCHED.filter(({ key }) => covers(scope, key))
  const found = await Promise.all(
    tables.map(async ({ kind, table, sid, name, visible }) => {
      const { rows } = await sql<{ sid: string; name: string | null }>`
        select ${sql.ref(sid)} as sid, ${name} as name from ${sql.table(table)}
        where ${sql.ref(sid)} in (${sql.join(sids)}) and ${visible(scope)}`.execute(db)
      return rows.map((row) => ({ sid: row.sid, kind, name: row.name ?? '', is_deleted: false }))
    }),
  )
  const named: ThingName[] = found.flat()
  const missing = sids.filter((sid) => named.every((n) => n.sid !== sid))
  if (missing.length === 0 || !covers(scope, 'audit')) return named
  const gone = await deletedAmong(db, scope, missing)
  return [...named, ...gone.map((thing) => ({ ...thing, is_deleted: true }))]
}

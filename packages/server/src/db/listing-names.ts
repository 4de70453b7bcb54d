import { type SelectQueryBuilder, sql } from 'kysely'
import type { Db, Tables } from './open.ts'

/** The primary keys of what rows refer to. A column that refers to it has the same name. */
const NAMED = {
  accounts: 'account_sid',
  applications: 'application_sid',
  service_providers: 'service_provider_sid',
  voip_carriers: 'voip_carrier_sid',
} as const satisfies Partial<Record<keyof Tables, string>>

/** Names of referenced rows: the alias in the list, and the kind of row it is the name of. */
export type Names = Record<string, keyof typeof NAMED>
export type Named<N extends Names> = { [K in keyof N]: string | null }

/** Rows with the names that they refer to, as a page joins them. */
export const joinedWith = (
  table: string,
  names: Names,
  // biome-ignore lint/suspicious/noExplicitAny: whatever it has joined is its own business
  rows: SelectQueryBuilder<any, any, any>,
) =>
  Object.entries(names).reduce(
    (query, [as, named]) =>
      query
        .leftJoin(`${named} as ${as}`, `${as}.${NAMED[named]}`, `${table}.${NAMED[named]}`)
        .select(`${as}.name as ${as}`),
    rows,
  )

/** The most names that a whole list remembers of each table. */
const MAX_NAMES = 20_000

/**
 * Adds the names of what rows refer to. Each is asked for once, because many rows refer to the same. As in a join, the
 * database says which sids are equal: their case may differ.
 */
export function lookingUp(db: Db, { ...all }: Names) {
  const names = Object.entries(all)
  const known = names.map(() => new Map<string, string | null>())
  async function lookUp(table: keyof typeof NAMED, of: Map<string, string | null>, sids: string[]) {
    const column = sql.ref(NAMED[table])
    const { rows } = await sql<{ sid: string; name: string }>`
      select ${column} as sid, name from ${sql.table(table)}
      where ${column} in (${sql.join(sids)})`.execute(db)
    const found = new Map(rows.map(({ sid, name }) => [sid.toLowerCase(), name]))
    for (const sid of sids) of.set(sid, found.get(sid.toLowerCase()) ?? null)
  }
  return async <N extends Names, Stored extends object>(
    stored: Stored[],
  ): Promise<(Stored & Named<N>)[]> => {
    const rows = stored as Record<string, string | null>[]
    for (const [i, [as, table]] of names.entries()) {
      const column = NAMED[table]
      const of = known[i]!
      if (of.size > MAX_NAMES) of.clear()
      const unknown = new Set<string>()
      for (const row of rows) {
        const sid = row[column]
        const name = sid ? of.get(sid) : null
        if (name === undefined) unknown.add(sid!)
        row[as] = name ?? null
      }
      if (unknown.size === 0) continue
      await lookUp(table, of, [...unknown])
      for (const row of rows) {
        const sid = row[column]
        if (sid && unknown.has(sid)) row[as] = of.get(sid) ?? null
      }
    }
    return stored as (Stored & Named<N>)[]
  }
}

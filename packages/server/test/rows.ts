import { sql } from 'kysely'
import type { Db } from '../src/db/open.ts'

const tables = new WeakMap<Db, Promise<string[]>>()
const tablesOf = (db: Db) => {
  const known = tables.get(db)
  if (known) return known
  const names = db.introspection.getTables().then((all) => all.map(({ name }) => name))
  tables.set(db, names)
  return names
}

/**
 * Every row as text, by table and sorted, without times of last use. Live state is left out: its counters change
 * with every request.
 */
export async function allRows(db: Db): Promise<Record<string, string[]>> {
  const names = (await tablesOf(db)).filter((name) => name !== 'switchroom_live')
  const read = async (name: string): Promise<[string, string[]]> => {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(db)
    const withoutUse = (key: string, value: unknown) =>
      /^last_(?:used|seen)/.test(key) ? 0 : value
    return [name, rows.map((row) => JSON.stringify(row, withoutUse)).sort()]
  }
  return Object.fromEntries(await Promise.all(names.map(read)))
}

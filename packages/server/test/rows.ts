import { sql } from 'kysely'
import type { Db } from '../src/db/open.ts'

let tables: Promise<string[]> | undefined
/** Asked once: all test servers have the same. */
const tablesOf = (db: Db) => {
  tables ??= db.introspection.getTables().then((all) => all.map(({ name }) => name))
  return tables
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

import { CompiledQuery } from 'kysely'
import type { Db, Tables } from './open.ts'

const BATCH = 500

/**
 * Inserts rows with equal columns, hundreds per statement. Builds the SQL by hand, because the query
 * builder takes longer than the database.
 */
export async function insertMany<T extends keyof Tables & string>(
  db: Db,
  table: T,
  rows: readonly Record<string, unknown>[],
) {
  const columns = Object.keys(rows[0] ?? {})
  const quoted = (name: string) => `\`${name}\``
  const one = `(${columns.map(() => '?').join(',')})`
  for (let i = 0; i < rows.length; i += BATCH) {
    const batch = rows.slice(i, i + BATCH)
    const statement = `insert into ${quoted(table)} (${columns.map(quoted).join(',')}) values ${batch.map(() => one).join(',')}`
    const values = batch.flatMap((row) => columns.map((c) => row[c]))
    await db.executeQuery(CompiledQuery.raw(statement, values))
  }
}

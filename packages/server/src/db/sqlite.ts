import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite'
import type { QueryResult, SqliteDatabase, SqliteStatement } from 'kysely'

const MAX_STATEMENTS = 500

/**
 * Adapts node:sqlite to Kysely's interface for better-sqlite3. Caches statements, and returns times as
 * MySQL does.
 */
export function nodeSqlite(database: DatabaseSync): SqliteDatabase {
  const kept = new Map<string, SqliteStatement>()
  return {
    close: () => database.close(),
    prepare(sql) {
      const known = kept.get(sql)
      if (known) {
        kept.delete(sql)
        kept.set(sql, known)
        return known
      }
      const statement = adapt(database, sql)
      // a cached statement would return the old columns
      if (/^\s*(create|alter|drop)/i.test(sql)) kept.clear()
      else kept.set(sql, statement)
      if (kept.size > MAX_STATEMENTS) kept.delete(kept.keys().next().value!)
      return statement
    },
  }
}

const NOTHING = { changes: 0, lastInsertRowid: 0 }

type Row = Record<string, SQLOutputValue>

function adapt(database: DatabaseSync, sql: string): SqliteStatement {
  // a transaction that reads before it writes would fail after another process's write
  const prepare = () => database.prepare(sql === 'begin' ? 'begin immediate' : sql)
  const statement = prepare()
  const columns = statement.columns()
  const names = columns.map((c) => c.name)
  // node:sqlite's own objects are slow to read
  statement.setReturnArrays(true)
  const rowOf = (values: SQLOutputValue[]) => {
    const row: Row = {}
    for (let i = 0; i < names.length; i++) row[names[i]!] = values[i]!
    return read(row)
  }
  const times = columns
    .filter((c) => /^(datetime|timestamp)$/i.test(c.type ?? ''))
    .map((c) => c.name)
  const read = (row: Row) => {
    for (const name of times) {
      const value = row[name]
      if (value !== null) row[name] = isoTime(String(value))
    }
    return row
  }
  return {
    reader: columns.length > 0,
    all: (parameters: readonly SQLInputValue[]) =>
      // arrays, as asked for above
      (statement.all(...parameters) as unknown as SQLOutputValue[][]).map(rowOf),
    run: (parameters: readonly SQLInputValue[]) =>
      // after some errors, such as a full disk, SQLite has rolled back by itself
      sql === 'rollback' && !database.isTransaction ? NOTHING : statement.run(...parameters),
    // not cached, since the cached one may run again while this one is read
    *iterate(parameters: readonly SQLInputValue[]) {
      for (const row of prepare().iterate(...parameters)) yield read(row)
    },
  }
}

/** Runs one statement, and returns the result for Kysely. */
export function execute<R>(
  database: SqliteDatabase,
  sql: string,
  parameters: readonly unknown[],
): QueryResult<R> {
  const statement = database.prepare(sql)
  if (statement.reader) return { rows: statement.all(parameters) as R[] }
  const { changes, lastInsertRowid } = statement.run(parameters)
  return {
    insertId: BigInt(lastInsertRowid),
    numAffectedRows: BigInt(changes),
    rows: [],
  }
}

/** Converts `2026-01-31 12:00:00` to ISO 8601. */
export const isoTime = (stored: string) => `${stored.slice(0, 10)}T${stored.slice(11, 19)}.000Z`

import { CompiledQuery, type Insertable, type Selectable, sql } from 'kysely'
import { type Db, kindOf, type Tables } from './open.ts'

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

/** By database: true if it returns what it inserts. SQLite and MariaDB do, MySQL does not. */
const returns = new WeakMap<object, boolean>()

async function isReturning(db: Db) {
  const { adapter } = db.getExecutor()
  const known = returns.get(adapter)
  if (known !== undefined) return known
  const found = kindOf(db) === 'sqlite' || (await isMariaDb(db))
  returns.set(adapter, found)
  return found
}

/** Since 10.5. */
async function isMariaDb(db: Db) {
  const { rows } = await sql<{ version: string }>`select version() as version`.execute(db)
  const [, major, minor] = /^(\d+)\.(\d+)\..*MariaDB/.exec(rows[0]?.version ?? '') ?? []
  return Number(major) > 10 || (Number(major) === 10 && Number(minor) >= 5)
}

/** Inserts a row, and resolves to it as stored. */
export async function insertOne<T extends keyof Tables & string>(
  db: Db,
  table: T,
  key: keyof Tables[T] & string,
  values: Insertable<Tables[T]>,
): Promise<Selectable<Tables[T]>> {
  const columns = Object.entries(values).filter(([, value]) => value !== undefined)
  const names = columns.map(([name]) => `\`${name}\``).join()
  const insert = `insert into \`${table}\` (${names}) values (${columns.map(() => '?').join()})`
  const run = (statement: string, parameters: unknown[]) =>
    db.executeQuery<Selectable<Tables[T]>>(CompiledQuery.raw(statement, parameters))
  const all = columns.map(([, value]): unknown => value)
  if (await isReturning(db)) return (await run(`${insert} returning *`, all)).rows[0]!
  await run(insert, all)
  const sid: unknown = Reflect.get(values, key)
  return (await run(`select * from \`${table}\` where \`${key}\` = ?`, [sid])).rows[0]!
}

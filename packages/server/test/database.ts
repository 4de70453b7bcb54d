import { writeFileSync } from 'node:fs'
import type { MysqlPool } from 'kysely'
import type { RowDataPacket } from 'mysql2'
import { type Connection, createConnection } from 'mysql2/promise'
import { bulkOn, threadBulk } from '../src/db/bulk.ts'
import type { TransactionPool } from '../src/db/mysql-pool.ts'
import { type DatabaseConfig, mysqlPool, onMysql, onSqlite, openDb } from '../src/db/open.ts'
import { openSqlite } from '../src/db/open-sqlite.ts'
import { prepareDatabase } from '../src/db/prepare.ts'
import { turns } from '../src/db/turns.ts'
import { newWatch, type Watch } from '../src/db/watched.ts'

type Kind = DatabaseConfig['kind']

/** The available kinds: MariaDB or MySQL only if `TEST_MYSQL_URL` is set. */
export const kinds: Kind[] = process.env.TEST_MYSQL_URL ? ['sqlite', 'mysql'] : ['sqlite']

/** The kind that tests open unless they ask for another. */
export const chosen = process.env.TEST_DATABASE === 'mysql' ? 'mysql' : 'sqlite'

/** A freshly installed database of the kind in `TEST_DATABASE`. `sqliteFile` is in place of one in memory. */
export async function testDatabase(
  kind: Kind = chosen,
  watch = newWatch(),
  sqliteFile: string | undefined = undefined,
) {
  const { db, has, ...more } =
    kind === 'sqlite' ? await freshSqlite(watch, sqliteFile) : await freshMysql(watch)
  return { db, kind, has, bulk: more.bulk ?? bulkOn(db), close: () => db.destroy() }
}

const sqlite = once(async () => {
  const database = openSqlite(':memory:')
  const db = onSqlite(database)
  const { has } = await prepareDatabase(db)
  const image = database.serialize()
  await db.destroy()
  return { has, image }
})

/** A copy of a template, ten times as fast as a new installation. */
async function freshSqlite(watch: Watch, file: string | undefined) {
  const { has, image } = await sqlite()
  if (file) {
    writeFileSync(file, image)
    const writing = turns()
    const db = openDb({ kind: 'sqlite', file }, undefined, watch, writing)
    return { db, has, bulk: threadBulk(file, watch, writing) }
  }
  const database = openSqlite(':memory:')
  database.deserialize(image)
  return { db: onSqlite(database, watch), has, bulk: undefined }
}

const mysql = once(async () => {
  const config = mysqlAt('test')
  await emptyMysql(config)
  const db = openDb(config)
  const { has } = await prepareDatabase(db)
  await db.destroy()
  const { kind: _, connectionLimit: __, ...options } = config
  const connection = await createConnection({
    ...options,
    charset: 'utf8mb4',
    timezone: 'Z',
    dateStrings: true,
    multipleStatements: true,
  })
  const tables = await tablesOn(connection)
  return { has, config, tables, connection, seed: await rowsOn(connection, tables) }
})

/** The connections of a database that was closed with none in use: opening them takes longer than most tests. */
let idle: TransactionPool | undefined

/** Reuses one database and empties it, forty times as fast as a new installation. */
async function freshMysql(watch: Watch) {
  const made = await mysql()
  await restoreSeed(made)
  const pool = idle ?? (await mysqlPool(made.config))
  idle = undefined
  const end: MysqlPool['end'] = (ended) => {
    if (idle || watch.in_use > 0 || watch.waiting > 0) return pool.end(ended)
    idle = pool
    ended(undefined)
  }
  const kept: TransactionPool = {
    getConnection: (got) => pool.getConnection(got),
    turnToWrite: pool.turnToWrite,
    end,
  }
  return { db: onMysql(async () => kept, watch), has: made.has, bulk: undefined }
}

/** The URL of a database on the test server. `purpose` keeps databases of a worker apart. */
export function mysqlAt(purpose: string) {
  const url = new URL(process.env.TEST_MYSQL_URL ?? 'TEST_MYSQL_URL is not set')
  return {
    kind: 'mysql',
    host: url.hostname,
    port: Number(url.port || 3306),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: `switchroom_${process.env.VITEST_POOL_ID ?? 0}_${purpose}`,
    connectionLimit: 5,
  } as const
}

export async function emptyMysql({
  kind: _,
  connectionLimit: __,
  ...config
}: ReturnType<typeof mysqlAt>) {
  const { database, ...server } = config
  requireTestDatabase(database)
  const connection = await createConnection(server)
  await connection.query(`drop database if exists \`${database}\``)
  await connection.query(`create database \`${database}\``)
  await connection.end()
}

function requireTestDatabase(database: string | undefined) {
  if (!database?.endsWith('_test')) throw new Error('Tests need a database named *_test')
}

const KEPT = ['switchroom_state', 'switchroom_migrations', 'switchroom_migrations_lock']

async function tablesOn(connection: Connection) {
  const [rows] = await connection.query<RowDataPacket[]>(TABLES)
  return namesIn(rows)
}
const TABLES = `select table_name as name, table_schema as of from information_schema.tables
  where table_schema = database() order by table_name`
function namesIn(rows: RowDataPacket[]) {
  requireTestDatabase(rows[0]?.of)
  return rows.map(({ name }) => String(name))
}

/** Inserts that restore the rows of each table, and their checksum. */
async function rowsOn(connection: Connection, tables: string[]) {
  const seed = new Map<string, { insert: string; sum: number | undefined }>()
  for (const name of tables) {
    if (KEPT.includes(name)) continue
    const [rows] = await connection.query<RowDataPacket[]>('select * from ??', [name])
    if (!rows[0]) continue
    const of = [name, Object.keys(rows[0]), rows.map((row) => Object.values(row))]
    seed.set(name, {
      insert: connection.format('insert into ?? (??) values ?', of),
      sum: undefined,
    })
  }
  const [sums] = await connection.query<RowDataPacket[]>(checksum(connection, seed))
  for (const [name, sum] of sumsIn(sums)) seed.get(name)!.sum = sum
  return seed
}

/** Throws if an earlier test has left other tables than there were. */
async function restoreSeed({ connection, tables, seed }: Awaited<ReturnType<typeof mysql>>) {
  const known = tables.filter((name) => !KEPT.includes(name))
  // most tables are empty or unchanged, and checking is much cheaper than deleting
  const checks = known.map((name) => connection.format('exists (select 1 from ??)', [name]))
  const [found, problem] = await connection
    .query<RowDataPacket[][]>(
      `${TABLES}; select ${checks.join(', ')}; ${checksum(connection, seed)}`,
    )
    .then(([results]) => [results, undefined] as const)
    .catch((e: unknown) => [undefined, e] as const)
  const now = found ? namesIn(found[0]!) : await tablesOn(connection)
  const changed = [
    ...tables.filter((name) => !now.includes(name)).map((name) => `without ${name}`),
    ...now.filter((name) => !tables.includes(name)).map((name) => `with ${name}`),
  ]
  if (changed.length > 0)
    throw new Error(`An earlier test left this database ${changed.join(', ')}`)
  if (!found) throw problem
  const isFilled = Object.values(found[1]![0]!)
  const sums = sumsIn(found[2]!)
  const begun = known.filter((name, i) => {
    const made = seed.get(name)
    return made ? made.sum !== sums.get(name) : isFilled[i]
  })
  // one round trip
  await connection.query(
    [
      'set foreign_key_checks = 0',
      'begin',
      ...begun.map((name) => connection.format('delete from ??', [name])),
      ...begun.flatMap((name) => seed.get(name)?.insert ?? []),
      'commit',
      'set foreign_key_checks = 1',
    ].join('; '),
  )
}

const checksum = (connection: Connection, seed: ReadonlyMap<string, unknown>) =>
  connection.format('checksum table ??', [[...seed.keys()]])

/** By table, without the schema that is before each. */
const sumsIn = (rows: RowDataPacket[]) =>
  new Map(rows.map(({ Table, Checksum }) => [String(Table).replace(/^.*\./, ''), Number(Checksum)]))

function once<T>(make: () => Promise<T>) {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

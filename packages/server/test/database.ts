import { writeFileSync } from 'node:fs'
import { sql } from 'kysely'
import { createConnection } from 'mysql2/promise'
import { bulkOn, threadBulk } from '../src/db/bulk.ts'
import { up as auditHead } from '../src/db/migrations/008-audit-head.ts'
import { type DatabaseConfig, type Db, onSqlite, openDb } from '../src/db/open.ts'
import { openSqlite } from '../src/db/open-sqlite.ts'
import { prepareDatabase } from '../src/db/prepare.ts'
import { seed } from '../src/db/seed.ts'
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
  const tables = await tablesOf(db)
  await db.destroy()
  return { has, config, tables }
})

/** Reuses one database and empties it, forty times as fast as a new installation. */
async function freshMysql(watch: Watch) {
  const { has, config, tables } = await mysql()
  const db = openDb(config, undefined, watch)
  await restoreSeed(db, tables)
  return { db, has, bulk: undefined }
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

async function tablesOf(db: Db) {
  const { rows } = await sql<{ name: string; of: string }>`
    select table_name as name, table_schema as of from information_schema.tables
    where table_schema = database() order by table_name`.execute(db)
  requireTestDatabase(rows[0]?.of)
  return rows.map(({ name }) => name)
}

/** Throws if an earlier test has left other tables than `expected`. */
async function restoreSeed(db: Db, expected: string[]) {
  await db.connection().execute(async (connection) => {
    const tables = await tablesOf(connection)
    const changed = [
      ...expected.filter((name) => !tables.includes(name)).map((name) => `without ${name}`),
      ...tables.filter((name) => !expected.includes(name)).map((name) => `with ${name}`),
    ]
    if (changed.length > 0)
      throw new Error(`An earlier test left this database ${changed.join(', ')}`)
    // most tables are empty, and checking is much cheaper than deleting
    const checks = tables
      .filter((name) => !KEPT.includes(name))
      .map(
        (name) =>
          sql`select ${name} as name from dual where exists (select 1 from ${sql.table(name)})`,
      )
    const { rows: filled } = await sql<{
      name: string
    }>`${sql.join(checks, sql` union all `)}`.execute(connection)
    await sql`set foreign_key_checks = 0`.execute(connection)
    await connection.transaction().execute(async (tx) => {
      for (const { name } of filled) await sql`delete from ${sql.table(name)}`.execute(tx)
      await seed(tx)
      await auditHead(tx)
    })
    await sql`set foreign_key_checks = 1`.execute(connection)
  })
}

function once<T>(make: () => Promise<T>) {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

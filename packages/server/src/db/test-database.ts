import { sql } from 'kysely'
import { createConnection } from 'mysql2/promise'
import { type DatabaseConfig, type Db, openDb } from './open.ts'
import { type Prepared, prepareDatabase } from './prepare.ts'
import { seed } from './seed.ts'

type Kind = DatabaseConfig['kind']

/** The kinds there are here: MariaDB or MySQL only where `TEST_MYSQL_URL` says where. */
export const kinds: Kind[] = process.env.TEST_MYSQL_URL ? ['sqlite', 'mysql'] : ['sqlite']

const chosen = process.env.TEST_DATABASE === 'mysql' ? 'mysql' : 'sqlite'

/** A database as a fresh install leaves it, of the kind `TEST_DATABASE` names. */
export async function testDatabase(kind: Kind = chosen) {
  const mysql = kind === 'mysql' ? await mysqlReady() : undefined
  const db = openDb(mysql?.config ?? { kind: 'sqlite', file: ':memory:' })
  const has = mysql?.has ?? (await prepareDatabase(db)).has
  if (mysql) await refill(db)
  return { db, kind, has, close: () => db.destroy() }
}

/** An address on the test server. `purpose` keeps databases of one worker apart. */
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

export async function emptyMysql(config: ReturnType<typeof mysqlAt>) {
  const { host, port, user, password, database } = config
  if (!database.endsWith('_test')) throw new Error('Tests need a database named *_test')
  const server = await createConnection({ host, port, user, password })
  await server.query(`drop database if exists \`${database}\``)
  await server.query(`create database \`${database}\``)
  await server.end()
}

let ready: Promise<{ config: ReturnType<typeof mysqlAt>; has: Prepared['has'] }> | undefined

const mysqlReady = () => {
  ready ??= (async () => {
    const config = mysqlAt('test')
    await emptyMysql(config)
    const db = openDb(config)
    const { has } = await prepareDatabase(db)
    await db.destroy()
    return { config, has }
  })()
  return ready
}

const KEPT = ['switchroom_state', 'switchroom_migrations', 'switchroom_migrations_lock']

async function refill(db: Db) {
  await db.connection().execute(async (connection) => {
    const { rows } = await sql<{ name: string; of: string }>`
      select table_name as name, table_schema as of from information_schema.tables
      where table_schema = database()`.execute(connection)
    if (!rows[0]?.of.endsWith('_test')) throw new Error('Tests need a database named *_test')
    // most tables are empty, and asking is much cheaper than deleting
    const names = rows.map((r) => r.name).filter((name) => !KEPT.includes(name))
    const asked = names.map(
      (n) => sql`select ${n} as name where exists (select 1 from ${sql.table(n)})`,
    )
    const filled = await sql<{ name: string }>`${sql.join(asked, sql` union all `)}`.execute(
      connection,
    )
    await sql`set foreign_key_checks = 0`.execute(connection)
    await connection.transaction().execute(async (tx) => {
      for (const { name } of filled.rows) await sql`delete from ${sql.table(name)}`.execute(tx)
      await seed(tx)
    })
    await sql`set foreign_key_checks = 1`.execute(connection)
  })
}

import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { errorNumber } from '../errors/members.ts'
import { mysqlForeignKeys, mysqlTables, sqliteTables } from './ddl.ts'
import * as live from './migrations/001-live.ts'
import * as audit from './migrations/002-audit.ts'
import * as phoneNumbers from './migrations/003-phone-numbers.ts'
import * as gatewayProbes from './migrations/004-gateway-probes.ts'
import * as speech from './migrations/005-speech.ts'
import * as alerts from './migrations/006-alerts.ts'
import * as billing from './migrations/007-billing.ts'
import * as auditHead from './migrations/008-audit-head.ts'
import * as sessions from './migrations/009-sessions.ts'
import * as secondFactor from './migrations/010-second-factor.ts'
import * as singleSignOn from './migrations/011-single-sign-on.ts'
import * as apiKeys from './migrations/012-api-keys.ts'
import * as auditPending from './migrations/013-audit-pending.ts'
import * as savedViews from './migrations/014-saved-views.ts'
import * as undoneEntries from './migrations/015-undone-entries.ts'
import { createOwnTable } from './migrations/own-table.ts'
import { type Db, kindOf } from './open.ts'
import { platformTables } from './platform.ts'
import { seed } from './seed.ts'

/** Listed rather than read from the folder, so that a missing file is a type error. */
const migrations = {
  '001-live': live,
  '002-audit': audit,
  '003-phone-numbers': phoneNumbers,
  '004-gateway-probes': gatewayProbes,
  '005-speech': speech,
  '006-alerts': alerts,
  '007-billing': billing,
  '008-audit-head': auditHead,
  '009-sessions': sessions,
  '010-second-factor': secondFactor,
  '011-single-sign-on': singleSignOn,
  '012-api-keys': apiKeys,
  '013-audit-pending': auditPending,
  '014-saved-views': savedViews,
  '015-undone-entries': undoneEntries,
}

const MIGRATIONS = 'switchroom_migrations'

/** Thrown when the database cannot be used. The message is one sentence for the operator. */
export class WrongDatabase extends Error {
  override name = 'WrongDatabase'
}

export type Prepared = {
  /** `created`: by this start; `ours`: by an earlier one; `adopted`: an existing platform's database. */
  state: 'created' | 'adopted' | 'ours'
  /** Whether this database has a table or column that only some platform versions have. */
  has: (table: string, column?: string) => boolean
}

/**
 * Prepares any database: fills an empty one, migrates one of ours, and adds our own tables to an existing
 * platform's, otherwise unchanged.
 */
export function prepareDatabase(
  db: Db,
  /** Called before an empty database is filled; may throw. */
  beforeCreate: () => void = () => undefined,
): Promise<Prepared> {
  return withLock(db, async (connection) => {
    try {
      return await prepare(connection, beforeCreate)
    } catch (e) {
      throw refusedByGrants(e) ?? e
    }
  })
}

async function prepare(connection: Db, beforeCreate: () => void): Promise<Prepared> {
  const before = await shape(connection)
  await refuseNewer(connection, before)
  const progress = await progressOf(connection, before)
  const empty = [...before.keys()].every((name) => name.startsWith('switchroom_'))
  const unfinished = progress === 'creating' || (empty && progress === undefined)
  if (unfinished) {
    beforeCreate()
    await create(connection, progress === 'creating')
  } else refuseWrong(before, await nameOf(connection))
  await migrate(connection)
  const now = unfinished ? await shape(connection) : before
  return {
    state: unfinished ? 'created' : progress === 'created' ? 'ours' : 'adopted',
    has: (table, column) =>
      column === undefined ? now.has(table) : (now.get(table)?.has(column) ?? false),
  }
}

type Shape = Map<string, Set<string>>

async function shape(db: Db): Promise<Shape> {
  const { rows } = await (kindOf(db) === 'mysql'
    ? sql<{ of: string; name: string }>`
        select table_name as of, column_name as name from information_schema.columns
        where table_schema = database()`
    : sql<{ of: string; name: string }>`
        select t.name as of, c.name as name from sqlite_schema t, pragma_table_info(t.name) c
        where t.type in ('table', 'view')`
  ).execute(db)
  const tables: Shape = new Map()
  for (const { of, name } of rows) tables.set(of, (tables.get(of) ?? new Set()).add(name))
  return tables
}

async function progressOf(db: Db, shape: Shape) {
  if (!shape.has('switchroom_state')) return undefined
  const row = await db
    .selectFrom('switchroom_state')
    .select('value')
    .where('name', '=', 'platform')
    .executeTakeFirst()
  return row?.value
}

/** MySQL keeps every statement after a crash, so the next start continues from there. */
async function create(db: Db, begun: boolean) {
  const run = (statement: string) => sql.raw(statement).execute(db)
  await createOwnTable(db, 'switchroom_state', (table) =>
    table
      .addColumn('name', 'varchar(64)', (c) => c.primaryKey())
      .addColumn('value', 'varchar(255)', (c) => c.notNull()),
  )
  const finish = async (tx: Db) => {
    await seed(tx)
    await tx.updateTable('switchroom_state').set({ value: 'created' }).execute()
  }
  if (!begun)
    await db
      .insertInto('switchroom_state')
      .values({ name: 'platform', value: 'creating' })
      .execute()
  if (kindOf(db) === 'sqlite') {
    for (const statement of sqliteTables()) await run(statement)
    return finish(db)
  }
  for (const statement of mysqlTables()) await run(statement)
  const { rows } = await sql<{ name: string }>`
    select concat(table_name, '.', constraint_name) as name
    from information_schema.table_constraints
    where table_schema = database() and constraint_type = 'FOREIGN KEY'`.execute(db)
  for (const statement of mysqlForeignKeys(new Set(rows.map((r) => r.name)))) await run(statement)
  await db.transaction().execute(finish)
}

const NAMED = 5

function refuseWrong(shape: Shape, database: string) {
  const missing = Object.entries(platformTables).flatMap(([name, { columns, keys }]) => {
    const existing = shape.get(name)
    if (!existing) return keys.optional ? [] : [`table ${name}`]
    return Object.keys(columns)
      .filter((column) => !columns[column]!.is.optional && !existing.has(column))
      .map((column) => `column ${name}.${column}`)
  })
  if (missing.length === 0) return
  const rest = missing.length - NAMED
  throw new WrongDatabase(
    `${database} is not a complete platform database. It lacks ${missing.slice(0, NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}. Upgrade it with the platform's own tools, or give Switchroom an empty database.`,
  )
}

/** A newer version may store data in a way that this one would damage. */
async function refuseNewer(db: Db, shape: Shape) {
  if (!shape.has(MIGRATIONS)) return
  const [unknown] = await unknownMigrations(db)
  if (unknown !== undefined)
    throw new WrongDatabase(
      `${await nameOf(db)} was used by a newer version of Switchroom (it has the migration ${unknown}). Start that version, or restore a backup from before it.`,
    )
}

/** Migrations that a newer version has applied. */
export async function unknownMigrations(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(MIGRATIONS)} order by name`.execute(db)
  return rows.map(({ name }) => name).filter((name) => !(name in migrations))
}

async function nameOf(db: Db) {
  if (kindOf(db) === 'sqlite') return 'The SQLite file'
  const { rows } = await sql<{ name: string }>`select database() as name`.execute(db)
  return `The database "${rows[0]!.name}"`
}

async function migrate(db: Db) {
  const { error } = await new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableName: MIGRATIONS,
    migrationLockTableName: 'switchroom_migrations_lock',
  }).migrateToLatest()
  if (error) throw error
}

/** 1142, 1044: the user lacks a privilege on a table or on the database. */
function refusedByGrants(e: unknown) {
  const errno = errorNumber(e, 'errno')
  if (errno !== 1142 && errno !== 1044) return undefined
  return new WrongDatabase(
    `The database user is not allowed to create tables, which Switchroom needs. Grant it create, alter, index, select, insert, update and delete on the database.`,
    { cause: e },
  )
}

/** Runs `work` in one process at a time; on SQLite in one transaction. */
function withLock<T>(db: Db, work: (connection: Db) => Promise<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    const on = kindOf(db) === 'mysql' ? mysqlLock : sqliteTransaction
    return on(connection, () => work(connection))
  })
}

async function mysqlLock<T>(db: Db, work: () => Promise<T>) {
  // locks are per server, so the name includes the database
  const lock = sql`concat('switchroom:', sha1(database()))`
  const { rows } = await sql<{ got: number }>`select get_lock(${lock}, 600) as got`.execute(db)
  if (rows[0]?.got !== 1) throw new Error('Another process is still preparing the database')
  try {
    return await work()
  } finally {
    await sql`select release_lock(${lock})`.execute(db)
  }
}

async function sqliteTransaction<T>(db: Db, work: () => Promise<T>) {
  await sql`begin immediate`.execute(db)
  try {
    const result = await work()
    await sql`commit`.execute(db)
    return result
  } catch (e) {
    await sql`rollback`.execute(db)
    throw e
  }
}

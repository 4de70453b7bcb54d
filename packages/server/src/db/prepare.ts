import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { errorNumber } from '../errors/members.ts'
import { mysqlForeignKeys, mysqlTables, sqliteTables } from './ddl.ts'
import { createOwnTable } from './migrations/own-table.ts'
import { type Db, kindOf } from './open.ts'
import { whilePreparing } from './preparing.ts'
import { seed } from './seed.ts'
import { missingFromPlatform, type Shape, shapeOf } from './shape.ts'

/** Listed rather than read from the folder, so that a missing file is a type error. Most starts load none. */
const migrations = {
  '001-live': () => import('./migrations/001-live.ts'),
  '002-audit': () => import('./migrations/002-audit.ts'),
  '003-phone-numbers': () => import('./migrations/003-phone-numbers.ts'),
  '004-gateway-probes': () => import('./migrations/004-gateway-probes.ts'),
  '005-speech': () => import('./migrations/005-speech.ts'),
  '006-alerts': () => import('./migrations/006-alerts.ts'),
  '007-billing': () => import('./migrations/007-billing.ts'),
  '008-audit-head': () => import('./migrations/008-audit-head.ts'),
  '009-sessions': () => import('./migrations/009-sessions.ts'),
  '010-second-factor': () => import('./migrations/010-second-factor.ts'),
  '011-single-sign-on': () => import('./migrations/011-single-sign-on.ts'),
  '012-api-keys': () => import('./migrations/012-api-keys.ts'),
  '013-audit-pending': () => import('./migrations/013-audit-pending.ts'),
  '014-saved-views': () => import('./migrations/014-saved-views.ts'),
  '015-undone-entries': () => import('./migrations/015-undone-entries.ts'),
  // no version has had a 016, and none may get one: migrations are applied in order
  '017-failures': () => import('./migrations/017-failures.ts'),
  '018-webhook-requests': () => import('./migrations/018-webhook-requests.ts'),
  '019-trunk-report-links': () => import('./migrations/019-trunk-report-links.ts'),
  '020-preferences': () => import('./migrations/020-preferences.ts'),
  '021-brands': () => import('./migrations/021-brands.ts'),
  '022-alert-matters': () => import('./migrations/022-alert-matters.ts'),
  '023-processes': () => import('./migrations/023-processes.ts'),
  '024-runs': () => import('./migrations/024-runs.ts'),
  '025-view-alert-measures': () => import('./migrations/025-view-alert-measures.ts'),
  '026-transcript-settings': () => import('./migrations/026-transcript-settings.ts'),
  '027-transcriptions': () => import('./migrations/027-transcriptions.ts'),
  '028-words-kept-before': () => import('./migrations/028-words-kept-before.ts'),
  '029-file-preferences': () => import('./migrations/029-file-preferences.ts'),
  '030-issue-marks': () => import('./migrations/030-issue-marks.ts'),
  '031-creations': () => import('./migrations/031-creations.ts'),
  '032-events': () => import('./migrations/032-events.ts'),
  '033-rerouted-failures': () => import('./migrations/033-rerouted-failures.ts'),
  '034-audit-changes': () => import('./migrations/034-audit-changes.ts'),
  '035-call-counts': () => import('./migrations/035-call-counts.ts'),
  '036-customer-reports': () => import('./migrations/036-customer-reports.ts'),
  '037-programs': () => import('./migrations/037-programs.ts'),
  '038-suites': () => import('./migrations/038-suites.ts'),
  '039-callers': () => import('./migrations/039-callers.ts'),
  '040-model-sessions': () => import('./migrations/040-model-sessions.ts'),
  '041-call-scores': () => import('./migrations/041-call-scores.ts'),
  '042-figure-splits': () => import('./migrations/042-figure-splits.ts'),
  '043-model-figures': () => import('./migrations/043-model-figures.ts'),
  '044-versions-and-suites': () => import('./migrations/044-versions-and-suites.ts'),
}

export const MIGRATIONS = 'switchroom_migrations'

/** Thrown when the database cannot be used. The message is one sentence for the operator. */
export class WrongDatabase extends Error {
  override name = 'WrongDatabase'
}

export type Prepared = {
  /** `created`: by this start; `ours`: by an earlier one; `adopted`: an existing platform's database. */
  state: 'created' | 'adopted' | 'ours'
  /** True if this database has a table or column that only some platform versions have. */
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
  return whilePreparing(db, async (connection) => {
    try {
      return await prepare(connection, beforeCreate)
    } catch (e) {
      throw refusedByGrants(e) ?? e
    }
  })
}

async function prepare(connection: Db, beforeCreate: () => void): Promise<Prepared> {
  const before = await shapeOf(connection)
  await refuseNewer(connection, before)
  const progress = await progressOf(connection, before)
  const empty = [...before.keys()].every((name) => name.startsWith('switchroom_'))
  const unfinished = progress === 'creating' || (empty && progress === undefined)
  if (unfinished) {
    beforeCreate()
    await create(connection, progress === 'creating')
  } else refuseWrong(before, await nameOf(connection))
  await migrate(connection)
  const now = unfinished ? await shapeOf(connection) : before
  return {
    state: unfinished ? 'created' : progress === 'created' ? 'ours' : 'adopted',
    has: (table, column) =>
      column === undefined ? now.has(table) : (now.get(table)?.has(column) ?? false),
  }
}

/** Progress of our creation of the platform's tables; undefined in a database that is not ours. */
export async function progressOf(db: Db, shape: Shape) {
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
  await createOwnTable(db, 'switchroom_state', {
    name: 'varchar(64) primary key',
    value: 'varchar(255) not null',
  })
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
  const missing = missingFromPlatform(shape)
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
export const unknownMigrations = async (db: Db): Promise<string[]> =>
  (await appliedMigrations(db)).filter((name) => !(name in migrations))

/** Migrations that the next start of this version applies. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const applied = new Set(await appliedMigrations(db))
  return Object.keys(migrations).filter((name) => !applied.has(name))
}

async function appliedMigrations(db: Db) {
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(MIGRATIONS)} order by name`.execute(db)
  return rows.map(({ name }) => name)
}

async function nameOf(db: Db) {
  if (kindOf(db) === 'sqlite') return 'The SQLite file'
  const { rows } = await sql<{ name: string }>`select database() as name`.execute(db)
  return `The database "${rows[0]!.name}"`
}

const migration = (load: () => Promise<{ up: (db: Db) => Promise<unknown> }>) => ({
  up: async (db: Db) => void (await (await load()).up(db)),
})

/** Applies the migrations that are missing. */
export async function migrate(db: Db) {
  const all = Object.entries(migrations).map(([name, load]) => [name, migration(load)] as const)
  const { error } = await new Migrator({
    db,
    provider: { getMigrations: async () => Object.fromEntries(all) },
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

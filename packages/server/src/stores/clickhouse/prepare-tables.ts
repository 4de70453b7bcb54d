import { t } from '@switchroom/contract'
import { StoreUnavailable } from '../kit/unavailable.ts'
import { type ClickHouse, identifier } from './client.ts'
import { lackingOnCluster } from './cluster.ts'
import type { Table } from './columns.ts'
import { daysOf, everywhereOf, expiry, statements, type TableOptions } from './table-statements.ts'
import { TABLES } from './tables.ts'

/** The version of the tables. A database with a newer one is left alone. */
export const VERSION = 1

/** The first release with all that the tables need. */
const FIRST_RELEASE = [26, 3] as const

/** ClickHouse is unusable as it is: nothing is written to it. The message says why. */
export class UnusableClickHouse extends StoreUnavailable {
  override name = 'UnusableClickHouse'
}

/**
 * The server's release and the version of the tables, 0 if there are none. Changes nothing. Throws
 * `UnusableClickHouse`, or `StoreUnavailable`.
 */
export async function checkTables(db: ClickHouse, database: string) {
  const [row] = await db.rows<{ release: string }>('SELECT version() AS release')
  if (typeof row?.release !== 'string')
    throw new UnusableClickHouse(t('What answers there is not ClickHouse'))
  const { release } = row
  const [major = 0, minor = 0] = release.split('.').map(Number)
  const [firstMajor, firstMinor] = FIRST_RELEASE
  if (major < firstMajor || (major === firstMajor && minor < firstMinor))
    throw new UnusableClickHouse(
      t('ClickHouse is too old: it is {release}, and {first} or newer is needed', {
        release,
        first: FIRST_RELEASE.join('.'),
      }),
    )
  const version = await versionOf(db, database)
  if (version > VERSION)
    throw new UnusableClickHouse(
      t(
        'The tables in ClickHouse are of a newer Switchroom: they are version {version}, and this one knows {known}',
        { version, known: VERSION },
      ),
    )
  return { release, version }
}

/** Creates the missing tables, and sets how long they keep rows. Throws as `checkTables` does. */
export async function prepareTables(db: ClickHouse, options: TableOptions): Promise<void> {
  const { database, cluster } = options
  const { version } = await checkTables(db, database)
  const lacking = cluster ? await lackingOnCluster(db, { database, cluster }) : undefined
  if (version === 0 && lacking?.isOneDown)
    throw new UnusableClickHouse(
      t('The tables are created once all servers of the cluster {cluster} answer', {
        cluster: cluster!,
      }),
    )
  if (version === 0 || lacking?.isDatabaseMissing)
    await db.command(
      `CREATE DATABASE IF NOT EXISTS ${identifier(database)}${everywhereOf(options)}`,
    )
  const rows = await db.rows<{ name: string }>(
    'SELECT name FROM system.tables WHERE database = {database:String}',
    { database },
  )
  const there = new Set(rows.map(({ name }) => name))
  for (const [name, statement] of statements(options)) {
    const copied = lacking?.statements.get(name)
    if (copied) await db.command(copied)
    else if (!there.has(name)) await db.command(statement)
  }
  await addMissingColumns(db, options)
  await keepFor(db, options)
  if (version < VERSION)
    await db.command(
      `INSERT INTO ${identifier(database)}.switchroom_versions VALUES (${VERSION}, now())`,
    )
}

/** Adds columns that somebody may have dropped. Their contents are gone; new values are stored again. */
async function addMissingColumns(db: ClickHouse, options: TableOptions) {
  const { database, cluster } = options
  const everywhere = everywhereOf(options)
  const rows = await db.rows<{ table: string; name: string }>(
    'SELECT table, name FROM system.columns WHERE database = {database:String}',
    { database },
  )
  const there = new Set(rows.map(({ table, name }) => `${table}.${name}`))
  for (const { name, columns } of Object.values<Table>(TABLES))
    for (const table of cluster ? [`${name}_local`, name] : [name])
      for (const [column, type] of Object.entries(columns)) {
        if (there.has(`${table}.${column}`)) continue
        const typed = table === name && cluster ? type.replace(/ CODEC.*$/, '') : type
        await db.command(
          `ALTER TABLE ${identifier(database)}.${identifier(table)}${everywhere} ADD COLUMN IF NOT EXISTS ${identifier(column)} ${typed}`,
        )
      }
}

async function versionOf(db: ClickHouse, database: string): Promise<number> {
  const [table] = await db.rows<{ n: string }>(
    `SELECT count() AS n FROM system.tables WHERE database = {database:String} AND name = 'switchroom_versions'`,
    { database },
  )
  if (Number(table?.n) === 0) return 0
  const [row] = await db.rows<{ version: number }>(
    `SELECT max(version) AS version FROM ${identifier(database)}.switchroom_versions`,
  )
  return Number(row?.version ?? 0)
}

/** Changes the time of keeping where it is another, without rewriting rows: whole days are dropped. */
async function keepFor(db: ClickHouse, options: TableOptions) {
  const { database, cluster, days } = options
  const everywhere = everywhereOf(options)
  const rows = await db.rows<{ name: string; create_table_query: string }>(
    'SELECT name, create_table_query FROM system.tables WHERE database = {database:String}',
    { database },
  )
  const made = new Map(rows.map((row) => [row.name, row.create_table_query]))
  for (const table of Object.values<Table>(TABLES)) {
    const name = cluster ? `${table.name}_local` : table.name
    if (made.get(name)?.includes(`toIntervalDay(${daysOf(table, days)})`)) continue
    await db.command(
      `ALTER TABLE ${identifier(database)}.${identifier(name)}${everywhere} MODIFY TTL ${expiry(table, days)} SETTINGS materialize_ttl_after_modify = 0`,
    )
  }
}

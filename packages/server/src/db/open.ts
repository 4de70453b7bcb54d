import { DatabaseSync } from 'node:sqlite'
import { CompiledQuery, Kysely, MysqlAdapter, MysqlDialect, SqliteDialect } from 'kysely'
import type { PoolOptions } from 'mysql2'
import type { OwnTables } from './own.ts'
import { type PlatformTables, platform } from './platform.ts'
import { isoTime, nodeSqlite } from './sqlite.ts'

export type Tables = PlatformTables & OwnTables
export type Db = Kysely<Tables>

export type DatabaseConfig =
  | { kind: 'sqlite'; file: string }
  | {
      kind: 'mysql'
      host: string
      port: number
      user: string
      password: string
      database: string
      connectionLimit: number
      ssl?: { ca?: string; cert?: string; key?: string; rejectUnauthorized?: boolean }
    }

/** Connects on first use. `file` may be `:memory:`. */
export const openDb = (config: DatabaseConfig): Db =>
  config.kind === 'sqlite'
    ? onSqlite(openSqlite(config.file))
    : new Kysely({ dialect: mysql(config) })

export const onSqlite = (database: DatabaseSync): Db =>
  new Kysely({ dialect: new SqliteDialect({ database: nodeSqlite(database) }) })

export function openSqlite(file: string) {
  const database = new DatabaseSync(file)
  database.exec(
    'pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma cache_size = -32000',
  )
  return database
}

function mysql({ kind: _, ...config }: Extract<DatabaseConfig, { kind: 'mysql' }>) {
  const options: PoolOptions = {
    ...config,
    charset: 'utf8mb4',
    connectTimeout: 5_000,
    // or an object where a value belongs would be spelled out as SQL
    stringifyObjects: true,
    supportBigNumbers: true,
    decimalNumbers: true,
    typeCast(field, next) {
      if (field.type === 'DATETIME' || field.type === 'TIMESTAMP') {
        const stored = field.string()
        return stored === null || stored.startsWith('0000') ? null : isoTime(stored)
      }
      // varbinary too
      if (field.type === 'VAR_STRING') return field.string('utf8')
      return next()
    },
  }
  return new MysqlDialect({
    // loaded where it is used: the embedded database needs no client
    pool: async () => (await import('mysql2')).createPool(options),
    // strict, or the server may cut off what is too long; and none of the modes that change how SQL reads
    onCreateConnection: async (connection) => {
      await connection.executeQuery(
        CompiledQuery.raw(
          `set time_zone = '+00:00', sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'`,
        ),
      )
    },
  })
}

export const kindOf = (db: Db): DatabaseConfig['kind'] =>
  db.getExecutor().adapter instanceof MysqlAdapter ? 'mysql' : 'sqlite'

/** How a time is written, on both databases: `2026-01-31 12:00:00`, UTC. */
export const timestamp = (date = new Date()) => date.toISOString().slice(0, 19).replace('T', ' ')

// The two databases name the same failure differently.

type Thrown = { errno?: number; code?: string; errcode?: number; message?: string; sql?: string }

/** The columns that had to be unique, as far as the database tells. */
export function isDuplicate(e: unknown): false | { columns: string[] } {
  const { errno, errcode, message = '', sql = '' } = e as Thrown
  if (errno === 1062) {
    const [, of, key] = /for key '(?:([^'.]+)\.)?([^'.]+)'$/.exec(message) ?? []
    const name = of ?? /^(?:insert into|update) `(\w+)`/.exec(sql)?.[1]
    const keys = Object.entries(platform).find(([table]) => table === name)?.[1].keys
    if (!keys || !key) return { columns: [] }
    const { primary, unique = {} } = keys as { primary?: string; unique?: Record<string, string[]> }
    return { columns: unique[key] ?? (key === 'PRIMARY' && primary ? [primary] : []) }
  }
  if (errcode !== 2067 && errcode !== 1555) return false
  const [, list = ''] = /^UNIQUE constraint failed: (.*)$/.exec(message) ?? []
  return { columns: list.split(', ').map((c) => c.slice(c.indexOf('.') + 1)) }
}

export function isForeignKeyViolation(e: unknown) {
  const { errno, errcode } = e as Thrown
  return errno === 1451 || errno === 1452 || errcode === 787
}

/** Not null, too long, out of range, no such enum value, no number, no date, no such character. */
const BAD_VALUE = [1048, 1406, 1264, 1265, 1366, 1292]
/** Compared with a column whose character set has no such character. */
const BAD_COMPARISON = [1267, 3988]

/** The column that cannot hold its value, as far as the database tells. */
export function isBadValue(e: unknown): false | { column: string | undefined } {
  const { errno = 0, errcode, message = '' } = e as Thrown
  if (BAD_COMPARISON.includes(errno)) return { column: undefined }
  if (BAD_VALUE.includes(errno))
    return {
      column: /olumn (?:`[^`]*`\.`[^`]*`\.)?[`']([^`']+)[`'] (?:at row \d+|cannot be null)$/.exec(
        message,
      )?.[1],
    }
  if (errcode === 275 || errcode === 1299)
    return { column: /constraint failed: (?:\w+\.)?(\w+)$/.exec(message)?.[1] }
  return false
}

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'PROTOCOL_CONNECTION_LOST',
  'ER_CON_COUNT_ERROR',
  'ER_SERVER_SHUTDOWN',
  'ER_LOCK_WAIT_TIMEOUT',
  'ER_LOCK_DEADLOCK',
  // Galera, while a node is not in the cluster
  'ER_UNKNOWN_COM_ERROR',
  // a server that is read only, as after a failover
  'ER_OPTION_PREVENTS_STATEMENT',
])

/**
 * The same by number, as MariaDB has some that the client has no name for: too many connections of this
 * user, a statement that was stopped or took too long, a connection that was, a row that has changed since it
 * was read, and a server that is read only.
 */
const STOPPED = new Set([1203, 1226, 1317, 1969, 3024, 1927, 1020, 1836])

/** The database cannot be asked now; later it may be. */
export function isUnreachable(e: unknown) {
  const { errno = 0, code = '', errcode = 0, message = '' } = e as Thrown
  // 5: SQLite is busy
  return (
    UNREACHABLE.has(code) ||
    STOPPED.has(errno) ||
    (errcode & 0xff) === 5 ||
    /^(Pool is closed|Queue limit|Can't add new command)/.test(message)
  )
}

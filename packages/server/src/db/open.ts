import type { DatabaseSync } from 'node:sqlite'
import { Kysely, MysqlAdapter, MysqlDialect, SqliteDialect } from 'kysely'
import type { PoolOptions } from 'mysql2'
import { errorCode, errorNumber, errorText } from '../errors/members.ts'
import { PlainIntrospector } from './mysql-introspector.ts'
import {
  limitedPool,
  type MysqlLimits,
  REQUEST_LIMITS,
  type TransactionPool,
} from './mysql-pool.ts'
import { openSqlite } from './open-sqlite.ts'
import type { OwnTables } from './own.ts'
import { type PlatformTables, platformTables } from './platform.ts'
import { isoTime, nodeSqlite } from './sqlite.ts'
import { sqliteFileDialect } from './sqlite-driver.ts'
import { type Turns, turns } from './turns.ts'
import { newWatch, watched } from './watched.ts'

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

/** Opens a database, which connects on first use. */
export function openDb(
  config: DatabaseConfig,
  limits: MysqlLimits = REQUEST_LIMITS,
  watch = newWatch(),
  /** Turns to write to a file. */
  writing = turns(),
): Db {
  if (config.kind === 'mysql') return onMysql(() => mysqlPool(config, limits), watch)
  const dialect = sqliteFileDialect(() => openSqlite(config.file), writing)
  return new Kysely({ dialect: watched(dialect, watch) })
}

/** A single connection, which reads and writes in turn: of a database in memory, or a file that nobody else uses. */
export const onSqlite = (database: DatabaseSync, watch = newWatch()): Db =>
  new Kysely({ dialect: watched(new SqliteDialect({ database: nodeSqlite(database) }), watch) })

type MysqlConfig = Extract<DatabaseConfig, { kind: 'mysql' }>

const transactionTurns = new WeakMap<Db, Turns>()

/** A database on the connections of a pool, which is opened on first use. */
export function onMysql(open: () => Promise<TransactionPool>, watch = newWatch()): Db {
  let pool: Promise<TransactionPool> | undefined
  const opened = () => (pool ??= open())
  const dialect = new MysqlDialect({ pool: opened })
  dialect.createIntrospector = (on) => new PlainIntrospector(on)
  const db: Db = new Kysely({ dialect: watched(dialect, watch) })
  transactionTurns.set(db, async () => (await opened()).turnToWrite())
  return db
}

/** Resolves when a transaction may begin, to a function that ends its turn. Transactions on SQLite wait elsewhere. */
export const turnToWrite = (db: Db) => transactionTurns.get(db)?.()

/** Connections that read values as the rest of the code expects them. */
export function mysqlPool({ kind: _, ...config }: MysqlConfig, limits = REQUEST_LIMITS) {
  const options: PoolOptions = {
    ...config,
    charset: 'utf8mb4',
    // without it, an object in place of a value would become SQL
    stringifyObjects: true,
    supportBigNumbers: true,
    decimalNumbers: true,
    typeCast(field, next) {
      if (field.type === 'DATETIME' || field.type === 'TIMESTAMP') {
        const stored = field.string()
        return stored === null || stored.startsWith('0000') ? null : isoTime(stored)
      }
      // VAR_STRING includes varbinary
      if (field.type === 'VAR_STRING') return field.string('utf8')
      return next()
    },
  }
  return limitedPool(options, limits, sessionSettings(limits))
}

/**
 * Strict mode, so that long values are not truncated, and no mode that changes SQL syntax. The server ends long
 * statements itself: MariaDB and MySQL each skip the other's comment.
 */
const sessionSettings = ({ statement_ms }: MysqlLimits) =>
  `set time_zone = '+00:00', sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'
    /*M!100101 , max_statement_time = ${statement_ms / 1_000} */
    /*!50708 , max_execution_time = ${statement_ms} */`

export const kindOf = (db: Db): DatabaseConfig['kind'] =>
  db.getExecutor().adapter instanceof MysqlAdapter ? 'mysql' : 'sqlite'

/** The stored format of times on both databases: `2026-01-31 12:00:00`, UTC. */
export const timestamp = (date = new Date()) => date.toISOString().slice(0, 19).replace('T', ' ')

// The two databases report the same failure differently.

/** The error number of MySQL. */
const errno = (e: unknown) => errorNumber(e, 'errno')
/** The extended result code of SQLite. */
const errcode = (e: unknown) => errorNumber(e, 'errcode')
const messageOf = (e: unknown) => errorText(e, 'message') ?? ''

/** The columns of a violated unique key, as far as the database reports them; false for other errors. */
export function isDuplicate(e: unknown): false | { columns: string[] } {
  if (errno(e) === 1062) {
    const [, of, key] = /for key '(?:([^'.]+)\.)?([^'.]+)'$/.exec(messageOf(e)) ?? []
    const name = of ?? /^(?:insert into|update) `(\w+)`/.exec(errorText(e, 'sql') ?? '')?.[1]
    const keys = platformTables[name ?? '']?.keys
    if (!keys || !key) return { columns: [] }
    const { primary, unique = {} } = keys
    return { columns: unique[key] ?? (key === 'PRIMARY' && primary ? [primary] : []) }
  }
  if (errcode(e) !== 2067 && errcode(e) !== 1555) return false
  const [, list = ''] = /^UNIQUE constraint failed: (.*)$/.exec(messageOf(e)) ?? []
  return { columns: list.split(', ').map((c) => c.slice(c.indexOf('.') + 1)) }
}

export function isForeignKeyViolation(e: unknown) {
  return errno(e) === 1451 || errno(e) === 1452 || errcode(e) === 787
}

/** MySQL errors of invalid values: null, too long, out of range, or of the wrong type. */
const BAD_VALUE = [1048, 1406, 1264, 1265, 1366, 1292]
/** MySQL errors of comparisons with characters that the column's character set lacks. */
const BAD_COMPARISON = [1267, 3988]

/** The column that cannot hold its value, as far as the database reports it; false for other errors. */
export function isBadValue(e: unknown): false | { column: string | undefined } {
  const number = errno(e) ?? 0
  const message = messageOf(e)
  if (BAD_COMPARISON.includes(number)) return { column: undefined }
  if (BAD_VALUE.includes(number))
    return {
      column: /olumn (?:`[^`]*`\.`[^`]*`\.)?[`']([^`']+)[`'] (?:at row \d+|cannot be null)$/.exec(
        message,
      )?.[1],
    }
  if (errcode(e) === 275 || errcode(e) === 1299)
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
  // a statement on a connection that was just lost
  'ERR_STREAM_DESTROYED',
  'ETIMEDOUT',
  'PROTOCOL_CONNECTION_LOST',
  'ER_CON_COUNT_ERROR',
  'ER_SERVER_SHUTDOWN',
  'ER_LOCK_WAIT_TIMEOUT',
  'ER_LOCK_DEADLOCK',
  // a Galera node outside its cluster
  'ER_UNKNOWN_COM_ERROR',
  // a read-only server, as after a failover
  'ER_OPTION_PREVENTS_STATEMENT',
])

/** The row has changed since this transaction first read it. */
const CONFLICTING_WRITE = 1020

/**
 * Error numbers that the client has no names for: too many connections, aborted or timed-out statements,
 * killed connections, conflicting writes, and read-only servers.
 */
const STOPPED = new Set([1203, 1226, 1317, 1969, 3024, 1927, CONFLICTING_WRITE, 1836, 1792])

/** MySQL errors of a full disk; 1114 says that a table is full, which InnoDB means the disk by. */
const DISK_FULL = new Set([1021, 1026, 1114])
/** SQLite's primary code for it. */
const SQLITE_FULL = 13

/** True if the database cannot store anything because its disk is full. */
export const isDiskFull = (e: unknown) =>
  ((errcode(e) ?? 0) & 0xff) === SQLITE_FULL ||
  DISK_FULL.has(errno(e) ?? 0) ||
  (errno(e) === 1030 && /\b28\b/.test(messageOf(e)))

/** SQLite's primary codes for a locked file, and for a disk that fails or is gone. */
const SQLITE_AWAY = new Set([5, 6, 10, 14])

/** Transactions that the database rolled back: nothing of them counts. */
export const undone = new WeakSet<Db>()

/** Work that changes of a shared transaction leave to its end. */
export type Left = { work: (tx: Db, items: never[]) => Promise<void>; item: unknown }
export const leftIn = new WeakMap<Db, Left[]>()

/**
 * Leaves `item` to the end of a shared transaction, where `work` is called once with the items of all changes. False in
 * any other transaction.
 */
export function leaveToEnd<I>(tx: Db, work: (tx: Db, items: I[]) => Promise<void>, item: I) {
  const left = leftIn.get(tx)
  left?.push({ work, item })
  return left !== undefined
}

/** True if the database rolled back a transaction in favor of another. It may be retried at once. */
export const isUndone = (e: unknown) =>
  errorCode(e) === 'ER_LOCK_DEADLOCK' || errno(e) === CONFLICTING_WRITE

/** True if a statement gave way to another one: the database is up, and nothing was written. */
export const hasGivenWay = (e: unknown) =>
  /^ER_LOCK_/.test(errorCode(e) ?? '') || errno(e) === CONFLICTING_WRITE

/** True if the database is unavailable now but may answer later. */
export function isUnreachable(e: unknown) {
  return (
    UNREACHABLE.has(errorCode(e) ?? '') ||
    STOPPED.has(errno(e) ?? 0) ||
    SQLITE_AWAY.has((errcode(e) ?? 0) & 0xff) ||
    /^(Pool is closed|Queue limit|Can't add new command)/.test(messageOf(e))
  )
}

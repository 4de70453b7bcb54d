import { existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { RowDataPacket } from 'mysql2'
import { CannotStart, fileReason } from '../config/cannot-start.ts'
import type { Config } from '../config/config.ts'
import { bulkOn, threadBulk } from '../db/bulk.ts'
import { MIGRATION_LIMITS } from '../db/mysql-pool.ts'
import { type DatabaseConfig, type Db, openDb } from '../db/open.ts'
import { prepareDatabase, WrongDatabase } from '../db/prepare.ts'
import { slowReads } from '../db/slow-reads.ts'
import { turns } from '../db/turns.ts'
import type { Watch } from '../db/watched.ts'
import { errorCode, errorNumber } from '../errors/members.ts'
import { refuseShortSecret } from './secret-length.ts'

const databaseOf = (config: Config): DatabaseConfig =>
  config.database ?? { kind: 'sqlite', file: join(config.data, 'switchroom.db') }

/** From what size on a SQLite file has tables that take long to count. */
const LARGE_BYTES = 256 * 2 ** 20

/** Opens and prepares the configured database. Throws `CannotStart` or `WrongDatabase`. */
export async function startDatabase(config: Config, watch: Watch) {
  const where = databaseOf(config)
  const prepare = (db: Db) => prepareDatabase(db, () => refuseShortSecret(config))
  return explainError(where, async () => {
    if (where.kind === 'sqlite') {
      makeFolder(config.data)
      const writing = turns()
      const db = openDb(where, undefined, watch, writing)
      const prepared = await prepare(db)
      return {
        db,
        bulk: threadBulk(where.file, watch, writing),
        slow: { ...slowReads(where.file, watch), isLarge: statSync(where.file).size > LARGE_BYTES },
        ...prepared,
      }
    }
    const preparing = openDb(where, MIGRATION_LIMITS)
    try {
      const db = openDb(where, undefined, watch)
      return { db, bulk: bulkOn(db), slow: undefined, ...(await prepare(preparing)) }
    } finally {
      await preparing.destroy()
    }
  })
}

/** Opens an already prepared database for command-line tools. Changes nothing. */
export async function existingDatabase(config: Config): Promise<Db> {
  const where = databaseOf(config)
  if (where.kind === 'sqlite' && !existsSync(where.file))
    throw new CannotStart(
      `SWITCHROOM_DATA: there is no database file ${where.file}. Run this with the server's own variables, in the folder where it starts.`,
    )
  return explainError(where, async () => {
    const db = openDb(where)
    const tables = await db.introspection.getTables()
    if (!tables.some((t) => t.name === 'switchroom_audit_head'))
      throw new CannotStart(
        tables.length === 0
          ? 'The database is empty. Load its dump, or start the server first.'
          : 'This version has not prepared this database yet. Start the server first.',
      )
    return db
  })
}

function makeFolder(folder: string) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new CannotStart(
      `SWITCHROOM_DATA: the folder ${folder} cannot be created (${fileReason(cause)}).`,
      { cause },
    )
  }
}

async function explainError<T>(where: DatabaseConfig, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (e) {
    if (e instanceof CannotStart || e instanceof WrongDatabase) throw e
    throw (where.kind === 'sqlite' ? sqliteError(e, where.file) : await mysqlError(e, where)) ?? e
  }
}

/** Messages by SQLite's primary result code. */
const SQLITE: Record<number, { text: (file: string) => string; status?: 1 }> = {
  3: { text: (file) => `this user is not allowed to use the database file ${file}.` },
  5: { text: (file) => `another program has locked the database file ${file}.`, status: 1 },
  6: { text: (file) => `another program has locked the database file ${file}.`, status: 1 },
  8: { text: (file) => `the database file ${file} or its folder is read-only for this user.` },
  10: { text: (file) => `the disk failed while reading or writing ${file}.`, status: 1 },
  11: { text: (file) => `the database file ${file} is damaged. Restore it from a backup.` },
  13: { text: (file) => `the disk that holds ${file} is full.`, status: 1 },
  14: { text: (file) => `the database file ${file} cannot be opened or created by this user.` },
  26: {
    text: (file) => `${file} is not a SQLite database. Move it away, or choose another folder.`,
  },
}

function sqliteError(cause: unknown, file: string) {
  const errcode = errorNumber(cause, 'errcode') ?? 0
  const known = SQLITE[errcode & 0xff]
  if (!known) return undefined
  const { text, status } = known
  return new CannotStart(`SWITCHROOM_DATA: ${text(file)}`, { ...(status && { status }), cause })
}

type Mysql = Extract<DatabaseConfig, { kind: 'mysql' }>

const NO_SUCH_HOST = ['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA']
const NO_ANSWER = ['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ECONNRESET']
const TOO_MANY = [1040, 1203, 1226]

async function mysqlError(cause: unknown, where: Mysql) {
  const code = errorCode(cause) ?? ''
  const errno = errorNumber(cause, 'errno') ?? 0
  const { user, database } = where
  const at = `${where.host}:${where.port}`
  const later = (text: string) => new CannotStart(text, { status: 1, cause })
  const change = (text: string) => new CannotStart(text, { cause })
  const address = 'JAMBONES_MYSQL_HOST, JAMBONES_MYSQL_PORT'

  if (NO_SUCH_HOST.includes(code))
    return later(`JAMBONES_MYSQL_HOST: the host name "${where.host}" cannot be resolved.`)
  if (code === 'ECONNREFUSED') return later(`${address}: nothing listens at ${at}.`)
  if (NO_ANSWER.includes(code)) return later(`${address}: ${at} does not answer.`)
  if (errno === 1045 || errno === 1698)
    return change(
      `JAMBONES_MYSQL_USER, JAMBONES_MYSQL_PASSWORD: MySQL at ${at} does not accept user "${user}" with this password.`,
    )
  if (errno === 1049)
    return change(`JAMBONES_MYSQL_DATABASE: MySQL at ${at} has no database "${database}".`)
  if (errno === 1044) return change(await notForUser(where))
  if (errno === 1130 || errno === 1129)
    return change(`JAMBONES_MYSQL_HOST: MySQL at ${at} accepts no connections from this machine.`)
  if (TOO_MANY.includes(errno))
    return later(`JAMBONES_MYSQL_CONNECTION_LIMIT: MySQL at ${at} has too many connections.`)
  if (errno === 3159)
    return change(`JAMBONES_MYSQL_SSL_CA_FILE: MySQL at ${at} accepts only TLS connections.`)
  if (code === 'HANDSHAKE_NO_SSL_SUPPORT')
    return change(`JAMBONES_MYSQL_SSL_CA_FILE: MySQL at ${at} does not offer TLS.`)
  if (code === 'HANDSHAKE_SSL_ERROR' || /CERT|SSL|TLS/.test(code))
    return change(
      `JAMBONES_MYSQL_SSL_CA_FILE: no TLS connection to MySQL at ${at} (${reason(cause)}).`,
    )
  if (code.startsWith('PROTOCOL_') || code.startsWith('HANDSHAKE_'))
    return later(`${address}: ${at} ended the connection, or is not a MySQL server.`)
  return undefined
}

/** The error code of a failed TLS handshake, without its message. */
function reason(cause: unknown): string {
  const inner = cause instanceof Error ? cause.cause : undefined
  return inner ? reason(inner) : (errorCode(cause) ?? 'unknown reason')
}

const SYSTEM = ['information_schema', 'performance_schema', 'mysql', 'sys']

/** MySQL reports "access denied" for a missing database too, unless the user may list all. */
async function notForUser({ kind: _, database, ...where }: Mysql) {
  const { createConnection } = await import('mysql2/promise')
  const connection = await createConnection({ ...where, connectTimeout: 5_000 })
  const [rows] = await connection.query<RowDataPacket[]>('show databases')
  await connection.end()
  const names = rows
    .map((row) => String(row.Database))
    .filter((name) => !SYSTEM.includes(name.toLowerCase()))
  const others =
    names.length > 0 ? `It has access to: ${names.join(', ')}.` : 'It has access to none.'
  return `JAMBONES_MYSQL_DATABASE: MySQL at ${where.host}:${where.port} has no database "${database}" that user "${where.user}" may use. ${others}`
}

import { join } from 'node:path'
import { t } from '@switchroom/contract'
import type { RowDataPacket } from 'mysql2'
import type { DatabaseConfig } from '../db/open.ts'
import { errorCode, errorNumber } from '../errors/members.ts'
import { CannotStart, naming } from './cannot-start.ts'
import type { Config } from './config.ts'

export const databaseOf = (config: Pick<Config, 'database' | 'data'>): DatabaseConfig =>
  config.database ?? { kind: 'sqlite', file: join(config.data, 'switchroom.db') }

/** Why a database cannot be used, in words that name the variables; undefined for unknown reasons. */
export const explainDatabaseError = async (
  e: unknown,
  where: DatabaseConfig,
): Promise<CannotStart | undefined> =>
  where.kind === 'sqlite' ? sqliteError(e, where.file) : mysqlError(e, where)

const named = (sentence: string) => naming('SWITCHROOM_DATA', sentence)

const locked = (file: string) =>
  named(t('Another program has locked the database file {file}.', { file }))

/** Messages by SQLite's primary result code. */
const SQLITE: Record<number, { text: (file: string) => string; status?: 1 }> = {
  3: {
    text: (file) => named(t('This user is not allowed to use the database file {file}.', { file })),
  },
  5: { text: locked, status: 1 },
  6: { text: locked, status: 1 },
  8: {
    text: (file) =>
      named(t('The database file {file} or its folder is read-only for this user.', { file })),
  },
  10: {
    text: (file) => named(t('The disk failed while reading or writing {file}.', { file })),
    status: 1,
  },
  11: {
    text: (file) =>
      named(t('The database file {file} is damaged. Restore it from a backup.', { file })),
  },
  13: { text: (file) => named(t('The disk that holds {file} is full.', { file })), status: 1 },
  14: {
    text: (file) =>
      named(t('The database file {file} cannot be opened or created by this user.', { file })),
  },
  26: {
    text: (file) =>
      `SWITCHROOM_DATA: ${t('{file} is not a SQLite database. Move it away, or choose another folder.', { file })}`,
  },
}

function sqliteError(cause: unknown, file: string) {
  const errcode = errorNumber(cause, 'errcode') ?? 0
  const known = SQLITE[errcode & 0xff]
  if (!known) return undefined
  const { text, status } = known
  return new CannotStart(text(file), { ...(status && { status }), cause })
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
    return later(
      naming(
        'JAMBONES_MYSQL_HOST',
        t('The host name "{host}" cannot be resolved.', { host: where.host }),
      ),
    )
  if (code === 'ECONNREFUSED') return later(naming(address, t('Nothing listens at {at}.', { at })))
  if (NO_ANSWER.includes(code)) return later(`${address}: ${t('{at} does not answer.', { at })}`)
  if (errno === 1045 || errno === 1698)
    return change(
      `JAMBONES_MYSQL_USER, JAMBONES_MYSQL_PASSWORD: ${t('MySQL at {at} does not accept user "{user}" with this password.', { at, user })}`,
    )
  if (errno === 1049)
    return change(
      `JAMBONES_MYSQL_DATABASE: ${t('MySQL at {at} has no database "{database}".', { at, database })}`,
    )
  if (errno === 1044) return change(await notForUser(where))
  if (errno === 1130 || errno === 1129)
    return change(
      `JAMBONES_MYSQL_HOST: ${t('MySQL at {at} accepts no connections from this machine.', { at })}`,
    )
  if (TOO_MANY.includes(errno))
    return later(
      `JAMBONES_MYSQL_CONNECTION_LIMIT: ${t('MySQL at {at} has too many connections.', { at })}`,
    )
  if (errno === 3159)
    return change(
      `JAMBONES_MYSQL_SSL_CA_FILE: ${t('MySQL at {at} accepts only TLS connections.', { at })}`,
    )
  if (code === 'HANDSHAKE_NO_SSL_SUPPORT')
    return change(`JAMBONES_MYSQL_SSL_CA_FILE: ${t('MySQL at {at} does not offer TLS.', { at })}`)
  if (code === 'HANDSHAKE_SSL_ERROR' || /CERT|SSL|TLS/.test(code))
    return change(
      naming(
        'JAMBONES_MYSQL_SSL_CA_FILE',
        t('No TLS connection to MySQL at {at} ({reason}).', { at, reason: reason(cause) }),
      ),
    )
  if (code.startsWith('PROTOCOL_') || code.startsWith('HANDSHAKE_'))
    return later(`${address}: ${t('{at} ended the connection, or is not a MySQL server.', { at })}`)
  return undefined
}

/** The error code of a failed TLS handshake, without its message. */
function reason(cause: unknown): string {
  const inner = cause instanceof Error ? cause.cause : undefined
  return inner ? reason(inner) : (errorCode(cause) ?? t('unknown reason'))
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
    names.length > 0
      ? t('It has access to: {names}.', { names: names.join(', ') })
      : t('It has access to none.')
  const sentence = t(
    'MySQL at {at} has no database "{database}" that user "{user}" may use. {others}',
    { at: `${where.host}:${where.port}`, database, user: where.user, others },
  )
  return `JAMBONES_MYSQL_DATABASE: ${sentence}`
}

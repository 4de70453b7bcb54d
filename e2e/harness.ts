import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createConnection } from 'mysql2/promise'
import { SMTPServer } from 'smtp-server'
import { START } from '../scripts/start-command.ts'
import { freePort } from './ports.ts'
import { copyMysql } from './template.ts'
import { until } from './wait.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
export const PASSWORD = 'correct horse 1'

/** Creates an empty database on the test server. Returns how to connect to it. */
export async function createMysqlDatabase() {
  const url = new URL(process.env.TEST_MYSQL_URL ?? 'TEST_MYSQL_URL is not set')
  const database = `switchroom_${randomUUID().slice(0, 8)}_test`
  const connection = {
    host: url.hostname,
    port: Number(url.port),
    user: url.username,
    password: '',
  }
  const server = await createConnection(connection)
  await server.query(`create database \`${database}\``)
  await server.end()
  return { ...connection, database }
}
export type Mysql = Awaited<ReturnType<typeof createMysqlDatabase>>

export const mysqlEnvironment = (m: Mysql) => ({
  JAMBONES_MYSQL_HOST: m.host,
  JAMBONES_MYSQL_PORT: String(m.port),
  JAMBONES_MYSQL_USER: m.user,
  JAMBONES_MYSQL_PASSWORD: m.password,
  JAMBONES_MYSQL_DATABASE: m.database,
})

async function redisEnvironment() {
  // starts one, which would keep Vitest's main process from ending: it only builds, and needs none
  const { redis } = await import('./redis.ts')
  return redis && { JAMBONES_REDIS_HOST: redis.hostname, JAMBONES_REDIS_PORT: redis.port }
}

/** Leases and reconciles follow the database's clock: moves what is stored instead of the clock. */
async function passTime({ database, ...server }: Mysql, ms: number) {
  const connection = await createConnection({ ...server, database })
  await connection.query(
    'update switchroom_billing_accounts set leased_until = leased_until - ?, next_at = next_at - ?',
    [ms, ms],
  )
  await connection.end()
}

/** Environment of every server a story starts: the shared Node compile cache. */
export const compileCache = {
  ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
}

/** Environment of servers whose users get cheap password hashes. Threads of a server take it over as well. */
const cheapHashes = { NODE_OPTIONS: `--import ${new URL('./cheap-hashes.js', import.meta.url)}` }

/** Variables that make the data folder different from the template. */
const OWN_DATA = ['SWITCHROOM_DATA', 'SWITCHROOM_ADMIN_PASSWORD', 'JWT_SECRET']

/**
 * Starts the real server as an operator does, on its own port. Resolves when it is ready. There are two service
 * providers, unless the story asks for one or has a database or data folder of its own.
 */
export async function startSwitchroom(
  database: 'sqlite' | 'mysql' = 'sqlite',
  environment: Record<string, string> = {},
  { providers = 2 }: { providers?: 1 | 2 } = {},
) {
  const port = Number(environment.HTTP_PORT) || (await freePort())
  const data = mkdtempSync(join(tmpdir(), 'switchroom-e2e-'))
  const mysql = database === 'mysql' ? await createMysqlDatabase() : undefined
  const isCopied = providers === 2 && !OWN_DATA.some((name) => name in environment)
  const { TEST_TEMPLATE: folder, TEST_MYSQL_TEMPLATE: filled } = process.env
  if (isCopied && mysql && filled) await copyMysql(filled, mysql)
  else if (isCopied && !mysql && folder) cpSync(folder, data, { recursive: true })
  const env = {
    PATH: process.env.PATH,
    ...compileCache,
    ...cheapHashes,
    HTTP_PORT: String(port),
    SWITCHROOM_DATA: data,
    SWITCHROOM_ADMIN_PASSWORD: PASSWORD,
    DISABLE_RATE_LIMITS: '1',
    JWT_SECRET: 'the secret that signs sessions in stories',
    ...(mysql && { ...mysqlEnvironment(mysql), ...(await redisEnvironment()) }),
    ...environment,
  }
  const url = `http://127.0.0.1:${port}`
  let log = ''
  let child: ChildProcess

  async function start(clockOffsetMs = 0) {
    if (mysql && clockOffsetMs > 0) await passTime(mysql, clockOffsetMs)
    const preload = clockOffsetMs > 0 ? ['--import', './e2e/clock-offset.ts'] : []
    child = spawn(process.execPath, [...preload, ...START], {
      cwd: root,
      env: { ...env, CLOCK_OFFSET_MS: String(clockOffsetMs) },
    })
    const appendLog = (chunk: Buffer) => {
      log += chunk
    }
    child.stdout?.on('data', appendLog)
    child.stderr?.on('data', appendLog)
    const logStart = log.length
    await until(
      async () => {
        if (child.exitCode !== null) throw new Error(`The server ended:\n${log}`)
        // its own log says so; another server could be answering at this address
        if (!log.includes('Switchroom is at', logStart)) return false
        return (await fetch(`${url}/ready`).catch(() => undefined))?.ok ?? false
      },
      () => `The server is not ready:\n${log}`,
    )
  }
  const kill = (signal: 'SIGKILL' | 'SIGTERM') =>
    new Promise<number | null>((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve(child.exitCode)
      child.once('exit', resolve)
      child.kill(signal)
    })
  await start()
  return {
    url,
    mysql,
    /** The variables it was started with, as its commands need them. */
    env,
    /** Environment for a second process that shares the database, sessions and secrets. */
    shared: {
      SWITCHROOM_DATA: data,
      ...(mysql && { JAMBONES_MYSQL_DATABASE: mysql.database }),
    },
    log: () => log,
    /** Restarts it on the same data and port, this many milliseconds later. */
    start,
    kill,
    stop: async () => {
      await kill('SIGKILL')
      rmSync(data, { recursive: true, force: true })
    },
  }
}
export type Switchroom = Awaited<ReturnType<typeof startSwitchroom>>

/** Calls the API with this bearer token. Throws unless it succeeds. */
export async function api<T = unknown>(
  url: string,
  token: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return (text ? JSON.parse(text) : undefined) as T
}

export const fetchToken = async (url: string, username = 'admin', password = PASSWORD) =>
  (await api<{ token: string }>(url, '', 'POST', '/login', { username, password })).token

/** An SMTP server that keeps each mail it receives as text. */
export async function startMailbox() {
  const mails: string[] = []
  const port = await freePort()
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _, done) => {
      let mail = ''
      stream.on('data', (chunk) => {
        mail += chunk
      })
      stream.on('end', () => {
        // undo quoted-printable soft line breaks
        mails.push(mail.replace(/=\r?\n/g, ''))
        done()
      })
    },
  })
  await new Promise<void>((r) => smtp.listen(port, '127.0.0.1', r))
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    /** Waits for the next mail. */
    async next() {
      await until(
        () => mails.length > 0,
        () => 'No mail arrived',
      )
      return mails.shift()!
    },
    stop: () => new Promise<void>((r) => smtp.close(() => r())),
  }
}

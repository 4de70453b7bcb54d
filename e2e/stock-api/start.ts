import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { createPool, type RowDataPacket } from 'mysql2/promise'
import { expect } from 'vitest'
import { freePort } from '../ports.ts'
import { until } from '../wait.ts'

const main = fileURLToPath(new URL('main.ts', import.meta.url))

/** Columns in which the platform's own clients store an empty string. */
const MAY_BE_EMPTY = ['google_custom_voices.model']

/** Starts the stand-in as a process on an empty database whose tables stories can read. */
export async function startStock() {
  const port = await freePort()
  const database = `stock_${randomUUID().slice(0, 8)}_test`
  let child: ChildProcess | undefined
  let log = ''

  /** Restarts it if a story has ended it. */
  async function start() {
    if (child && child.exitCode === null) return
    const logStart = log.length
    child = spawn(process.execPath, [main], {
      env: { ...process.env, STOCK_PORT: String(port), STOCK_DATABASE: database },
    })
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        log += chunk
      })
    await until(
      () => {
        if (child?.exitCode !== null) throw new Error(`The stand-in ended:\n${log}`)
        return log.slice(logStart).includes('A stock API server at')
      },
      () => `The stand-in did not start:\n${log}`,
    )
  }
  await start()
  const { hostname, port: at, username, password } = new URL(process.env.TEST_MYSQL_URL!)
  const server = { host: hostname, port: Number(at), user: username, password }
  const pool = createPool({ ...server, database, connectionLimit: 2 })
  const rows = async (sql: string, values: unknown[] = []) =>
    (await pool.query<RowDataPacket[]>(sql, values))[0]

  /** Lists every `table.column` that contains an empty string. */
  async function emptyTexts() {
    const columns = await rows(
      `SELECT table_name AS t, column_name AS c FROM information_schema.columns
       WHERE table_schema = database() AND data_type IN ('char', 'varchar', 'text', 'mediumtext', 'enum')`,
    )
    const found: string[] = []
    for (const { t, c } of columns) {
      const [row] = await rows('SELECT 1 FROM ?? WHERE ?? = "" LIMIT 1', [t, c])
      if (row && !MAY_BE_EMPTY.includes(`${t}.${c}`)) found.push(`${t}.${c}`)
    }
    return found
  }

  return {
    url: `http://127.0.0.1:${port}/api/v1`,
    rows,
    start,
    /** All requests so far, like `GET /Accounts 200`. */
    calls: () =>
      log
        .split('\n')
        .filter((line) => /^[A-Z]+ \//.test(line))
        .map((line) => line.replace('/api/v1', '')),
    /** Expects it to be running and its tables to hold no values the platform would misread. */
    async expectIntact() {
      expect(child?.exitCode, `the stock server ended:\n${log.slice(-2000)}`).toBe(null)
      expect(await emptyTexts(), 'columns with an empty string').toEqual([])
      const lost = await rows(
        'SELECT name FROM users WHERE account_sid IS NOT NULL AND service_provider_sid IS NULL',
      )
      expect(
        lost,
        'users with an account and no provider, whom the platform treats as administrators',
      ).toEqual([])
    },
    async stop() {
      await pool.query('DROP DATABASE ??', [database]).catch(() => undefined)
      await pool.end()
      if (child?.exitCode === null) child.kill('SIGKILL')
    },
  }
}
export type Stock = Awaited<ReturnType<typeof startStock>>

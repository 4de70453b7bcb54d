import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { createPool, type RowDataPacket } from 'mysql2/promise'
import { expect } from 'vitest'
import { freePort } from '../ports.ts'

const main = fileURLToPath(new URL('main.ts', import.meta.url))

/** Columns that the platform's own clients fill with an empty text, and which are read as one. */
const EMPTY_IS_FINE = ['google_custom_voices.model']

/** The stand-in as a process of its own, on a fresh database whose tables a story can read. */
export async function startStock() {
  const port = await freePort()
  const database = `stock_${randomUUID().slice(0, 8)}_test`
  let child: ChildProcess | undefined
  let log = ''

  /** Again, where a story has ended it. */
  async function start() {
    if (child && child.exitCode === null) return
    const began = log.length
    child = spawn(process.execPath, [main], {
      env: { ...process.env, STOCK_PORT: String(port), STOCK_DATABASE: database },
    })
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        log += chunk
      })
    for (let tries = 0; !log.slice(began).includes('A stock API server at'); tries++) {
      if (child.exitCode !== null || tries > 600) throw new Error(`The stand-in ended:\n${log}`)
      await new Promise((r) => setTimeout(r, 100))
    }
  }
  await start()
  const { hostname, port: at, username, password } = new URL(process.env.TEST_MYSQL_URL!)
  const server = { host: hostname, port: Number(at), user: username, password }
  const pool = createPool({ ...server, database, connectionLimit: 2 })
  const rows = async (sql: string, values: unknown[] = []) =>
    (await pool.query<RowDataPacket[]>(sql, values))[0]

  /** Every `table.column` with an empty text in it. */
  async function emptyTexts() {
    const columns = await rows(
      `SELECT table_name AS t, column_name AS c FROM information_schema.columns
       WHERE table_schema = database() AND data_type IN ('char', 'varchar', 'text', 'mediumtext', 'enum')`,
    )
    const found: string[] = []
    for (const { t, c } of columns) {
      const [row] = await rows('SELECT 1 FROM ?? WHERE ?? = "" LIMIT 1', [t, c])
      if (row && !EMPTY_IS_FINE.includes(`${t}.${c}`)) found.push(`${t}.${c}`)
    }
    return found
  }

  return {
    url: `http://127.0.0.1:${port}/api/v1`,
    rows,
    start,
    /** `GET /Accounts 200`, one for each request so far. */
    calls: () =>
      log
        .split('\n')
        .filter((line) => /^[A-Z]+ \//.test(line))
        .map((line) => line.replace('/api/v1', '')),
    /** It lives, and nobody left anything in the tables that means something else to the platform. */
    async expectSound() {
      expect(child?.exitCode, `the stock server ended:\n${log.slice(-2000)}`).toBe(null)
      expect(await emptyTexts(), 'columns with an empty text').toEqual([])
      const lost = await rows(
        'SELECT name FROM users WHERE account_sid IS NOT NULL AND service_provider_sid IS NULL',
      )
      expect(lost, 'users whose account has no provider, who are administrators').toEqual([])
    },
    async stop() {
      await pool.query('DROP DATABASE ??', [database]).catch(() => undefined)
      await pool.end()
      if (child?.exitCode === null) child.kill('SIGKILL')
    },
  }
}
export type Stock = Awaited<ReturnType<typeof startStock>>

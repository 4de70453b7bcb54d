import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createConnection } from 'mysql2/promise'
import { type DatabaseConfig, openDb } from '../packages/server/src/db/open.ts'
import { prepareDatabase } from '../packages/server/src/db/prepare.ts'
import { build } from './build.ts'
import { freePort, startServices } from './services.ts'
import { START } from './start-command.ts'

/** Measures an import of phone numbers, and what other clients notice of it. */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    readers: { type: 'string', default: '8' },
    writers: { type: 'string', default: '2' },
    database: { type: 'string' },
  },
})
const ROWS = Number(values.rows)
const READERS = Number(values.readers)
const WRITERS = Number(values.writers)
/** How long a client waits after an answer. */
const PAUSE_MS = 20
const LIMITS = { seconds: 8, p99: 50 }

const SP = '2708b1b3-2736-40ea-b502-c53d8396247f'
const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'
const PASSWORD = 'correct horse 1'
const CARRIERS = 100
const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'switchroom-bench-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

/** Run in the server: answers each message with its event loop's delay and its processor time since the last. */
const PROBE = `import { monitorEventLoopDelay } from 'node:perf_hooks'
const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
let used = process.cpuUsage()
process.on('message', () => {
  const { user, system } = process.cpuUsage(used)
  process.send({ p99: delay.percentile(99) / 1e6, max: delay.max / 1e6, cpu: (user + system) / 1e6 })
  delay.reset()
  used = process.cpuUsage()
})
process.channel.unref()`

type Probe = { p99: number; max: number; cpu: number }

async function fill(config: DatabaseConfig) {
  const db = openDb(config)
  await prepareDatabase(db)
  await db
    .insertInto('voip_carriers')
    .values(
      Array.from({ length: CARRIERS }, (_, i) => ({
        voip_carrier_sid: randomUUID(),
        name: `carrier ${i}`,
        service_provider_sid: SP,
      })),
    )
    .execute()
  await db.destroy()
}

async function startServer(environment: Record<string, string>) {
  const port = await freePort()
  const child = spawn(
    process.execPath,
    [`--import=data:text/javascript,${encodeURIComponent(PROBE)}`, ...START],
    {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: {
        PATH: process.env.PATH,
        HTTP_PORT: String(port),
        SWITCHROOM_DATA: folder,
        SWITCHROOM_ADMIN_PASSWORD: PASSWORD,
        JWT_SECRET: 'the secret that signs sessions of the bench',
        DISABLE_RATE_LIMITS: '1',
        JAMBONES_LOGLEVEL: 'warn',
        ...environment,
      },
    },
  )
  process.once('exit', () => child.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; tries < 300; tries++) {
    if (await fetch(`${url}/health`).catch(() => undefined)) break
    await pause(100)
  }
  return { url: `${url}/api/v1`, child }
}

const probe = (child: ChildProcess) =>
  new Promise<Probe>((resolve) => {
    child.once('message', (answer) => resolve(answer as Probe))
    child.send('probe')
  })

type Request = () => [path: string, init?: RequestInit]

/** Milliseconds that each request took, infinite if it was refused. */
type Took = number[]

/** Clients that send these requests until `stop`. */
function clients(
  count: number,
  send: (...of: ReturnType<Request>) => Promise<unknown>,
  next: Request,
) {
  const took: Took = []
  let running = true
  const all = Array.from({ length: count }, async (_, i) => {
    await pause((PAUSE_MS / count) * i)
    while (running) {
      const began = performance.now()
      const isRefused = await send(...next()).then(
        () => false,
        () => true,
      )
      took.push(isRefused ? Number.POSITIVE_INFINITY : performance.now() - began)
      await pause(PAUSE_MS)
    }
  })
  return async () => {
    running = false
    await Promise.all(all)
    return took.sort((a, b) => a - b)
  }
}

const figures = (took: Took) => {
  const at = (part: number) => (took[Math.floor(took.length * part)] ?? 0).toFixed(1)
  return { requests: took.length, p50: at(0.5), p99: at(0.99), max: (took.at(-1) ?? 0).toFixed(1) }
}

async function measure(kind: string, config: DatabaseConfig, environment: Record<string, string>) {
  await fill(config)
  await build()
  const { url, child } = await startServer(environment)
  const post = (body: unknown) => ({ method: 'POST', body: JSON.stringify(body) })
  let headers: Record<string, string> = { 'content-type': 'application/json' }
  const ask = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${url}${path}`, { headers, ...init })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
    return text
  }
  const { token } = JSON.parse(await ask('/login', post({ username: 'admin', password: PASSWORD })))
  headers = { ...headers, authorization: `Bearer ${token}` }

  const reads = [
    '/PhoneNumbers?page=1&page_size=25',
    `/Accounts/${ACCOUNT}`,
    `/ServiceProviders/${SP}/VoipCarriers?page=1&page_size=25`,
    '/Users/me',
  ]
  let [read, added] = [0, 0]
  const start = () => {
    const stops = [
      clients(READERS, ask, () => [reads[read++ % reads.length]!]),
      clients(WRITERS, ask, () => [
        '/PhoneNumbers',
        post({ number: String(70_000_000_000 + added++), account_sid: ACCOUNT }),
      ]),
    ]
    return () => Promise.all(stops.map((stop) => stop()))
  }
  const rows: object[] = []
  const report = (during: string, [reading, writing]: Took[], { p99, max, cpu }: Probe) =>
    rows.push(
      {
        during,
        of: 'reads',
        ...figures(reading!),
        loop_p99: p99.toFixed(1),
        loop_max: max.toFixed(1),
        cpu: cpu.toFixed(1),
      },
      { during, of: 'writes', ...figures(writing!) },
    )

  const quiet = start()
  await pause(1_000)
  await probe(child)
  await pause(3_000)
  report('nothing else', await quiet(), await probe(child))

  const csv = ['number,account,carrier,application,description']
  for (let i = 0; i < ROWS; i++)
    csv.push(`${30_000_000_000 + i},${ACCOUNT},carrier ${i % CARRIERS},,`)
  const stop = start()
  await probe(child)
  const began = performance.now()
  const answer = await ask(`/PhoneNumbers/Import?service_provider_sid=${SP}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'text/csv' },
    body: csv.join('\n'),
  })
  const seconds = (performance.now() - began) / 1_000
  const measured = await probe(child)
  report('the import', await stop(), measured)
  const { verdict } = JSON.parse(answer.trim().split('\n').at(-1)!)
  if (verdict?.added !== ROWS) throw new Error(answer.slice(-500))
  console.log(
    `== ${kind}: ${ROWS} numbers imported in ${seconds.toFixed(1)} s (limit ${LIMITS.seconds} s; p99 of others ${LIMITS.p99} ms)`,
  )
  console.table(rows)
  child.kill('SIGKILL')
}

if (values.database !== 'mysql')
  await measure('SQLite', { kind: 'sqlite', file: join(folder, 'switchroom.db') }, {})
if (values.database !== 'sqlite') {
  const services = await startServices(['MariaDB', 'Redis'])
  const mysql = new URL(services.env.TEST_MYSQL_URL!)
  const redis = new URL(services.env.TEST_REDIS_URL!)
  const where = { host: mysql.hostname, port: Number(mysql.port), user: 'root', password: '' }
  const connection = await createConnection(where)
  await connection.query('create database bench')
  await connection.end()
  await measure(
    'MariaDB',
    { kind: 'mysql', ...where, database: 'bench', connectionLimit: 10 },
    {
      JAMBONES_MYSQL_HOST: where.host,
      JAMBONES_MYSQL_PORT: String(where.port),
      JAMBONES_MYSQL_USER: where.user,
      JAMBONES_MYSQL_DATABASE: 'bench',
      JAMBONES_REDIS_HOST: redis.hostname,
      JAMBONES_REDIS_PORT: redis.port,
    },
  )
  services.stop()
}
process.exit(0)

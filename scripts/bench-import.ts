import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type DatabaseConfig, openDb } from '../packages/server/src/db/open.ts'
import { prepareDatabase } from '../packages/server/src/db/prepare.ts'
import { ACCOUNT, SP } from './bench/data.ts'
import { type Database, startDatabases } from './bench/databases.ts'
import { logIn } from './bench/one-by-one.ts'
import { startServer } from './bench/server.ts'
import { build } from './build.ts'

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

const CARRIERS = 100
const folder = mkdtempSync(join(tmpdir(), 'switchroom-bench-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

/** Run in the server: answers each message with its event loop's delay since the last. */
const PROBE = `import { monitorEventLoopDelay } from 'node:perf_hooks'
const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
process.on('message', () => {
  process.send({ p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 })
  delay.reset()
})
process.channel.unref()`

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

async function measure({ kind, config, environment }: Database) {
  await fill(config)
  const server = await startServer('scripts/start.js', environment, PROBE)
  const { token } = await logIn(server)
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const post = (body: unknown) => ({ method: 'POST', body: JSON.stringify(body) })
  const ask = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${server.url}/api/v1${path}`, { headers, ...init })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
    return text
  }
  let used = 0
  /** Returns the server's cost since the last call. */
  const probe = async () => {
    const { p99, max } = (await server.probe()) as { p99: number; max: number }
    const before = used
    used = server.processor()
    return {
      loop_p99: p99.toFixed(1),
      loop_max: max.toFixed(1),
      cpu: ((used - before) / 1_000).toFixed(1),
    }
  }

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
  const report = (during: string, [reading, writing]: Took[], cost: object) =>
    rows.push(
      { during, of: 'reads', ...figures(reading!), ...cost },
      { during, of: 'writes', ...figures(writing!) },
    )

  const quiet = start()
  await pause(1_000)
  await probe()
  await pause(3_000)
  report('nothing else', await quiet(), await probe())

  const csv = ['number,account,carrier,application,description']
  for (let i = 0; i < ROWS; i++)
    csv.push(`${30_000_000_000 + i},${ACCOUNT},carrier ${i % CARRIERS},,`)
  const stop = start()
  await probe()
  const began = performance.now()
  const answer = await ask(`/PhoneNumbers/Import?service_provider_sid=${SP}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'text/csv' },
    body: csv.join('\n'),
  })
  const seconds = (performance.now() - began) / 1_000
  const measured = await probe()
  report('the import', await stop(), measured)
  const { verdict } = JSON.parse(answer.trim().split('\n').at(-1)!)
  if (verdict?.added !== ROWS) throw new Error(answer.slice(-500))
  console.log(
    `== ${kind}: ${ROWS} numbers imported in ${seconds.toFixed(1)} s (limit ${LIMITS.seconds} s; p99 of others ${LIMITS.p99} ms)`,
  )
  console.table(rows)
  await server.stop()
}

// before anything is measured
await build()
const { databases, stop } = await startDatabases(folder, values.database)
for (const database of databases) await measure(database)
stop()
process.exit(0)

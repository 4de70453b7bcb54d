import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { startClickHouse } from '../e2e/clickhouse.ts'
import { clickHouseCalls } from '../packages/server/src/stores/calls/clickhouse/calls.ts'
import { embeddedStores } from '../packages/server/src/stores/calls/files/store.ts'
import type { CallFilter } from '../packages/server/src/stores/calls/store.ts'
import { clickHouse } from '../packages/server/src/stores/clickhouse/client.ts'
import { staleHours } from '../packages/server/src/stores/clickhouse/hours.ts'
import { build } from './build.ts'
import { freePort } from './services.ts'
import { START } from './start-command.ts'

/**
 * Benchmarks call records. Starts a server, writes calls to it as the platform's components do while requesting
 * its API, then runs the queries of the console's screens in this process on the same files.
 */
const { values: options } = parseArgs({
  options: {
    calls: { type: 'string', default: '1000000' },
    batch: { type: 'string', default: '1000' },
    connections: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '40' },
    /** Where calls are stored: `embedded` or `clickhouse`. */
    store: { type: 'string', default: 'embedded' },
    /** Maximum calls per second. */
    rate: { type: 'string', default: 'Infinity' },
  },
})
const CALLS = Number(options.calls)
const BATCH = Number(options.batch)
const RATE = Number(options.rate)
const DAYS = 30
const ACCOUNTS = 50
const PASSWORD = 'correct horse 1'
const folder = mkdtempSync(join(tmpdir(), 'switchroom-bench-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

// seeded, so every run writes the same calls
let state = 42
const random = (n: number) => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * n)
}
// the generator shares the processors with what it measures
const HEX = Array.from({ length: 65_536 }, (_, i) => i.toString(16).padStart(4, '0'))
const four = () => HEX[random(65_536)]!
const eight = () => four() + four()
const uuid = () => `${eight()}-${four()}-${four()}-${four()}-${eight()}${four()}`
const accounts = Array.from({ length: ACCOUNTS }, (_, i) => ({
  sid: uuid(),
  provider: `provider-${i % 5}`,
  trunks: [`carrier ${i} a`, `carrier ${i} b`],
  applications: [uuid(), uuid(), uuid()],
}))
const STATUSES = [486, 487, 480, 404, 503, 603]
const end = Date.now() - 60_000
const begin = end - DAYS * 86_400_000 + 3_600_000

function line(i: number): string {
  const a = accounts[random(ACCOUNTS)]!
  const ms = Math.floor(begin + ((end - begin) * i) / CALLS)
  const inbound = random(2) === 0
  const answered = random(10) < 7
  const seconds = answered ? random(600) : 0
  const trunk = a.trunks[random(2)]!.replaceAll(' ', '\\ ')
  const number = () => `+1${String(2_000_000_000 + random(2 ** 32 - 1)).slice(-10)}`
  return (
    `cdrs,direction=${inbound ? 'inbound' : 'outbound'},host=10.0.0.${random(3)},trunk=${trunk},service_provider_sid=${a.provider},account_sid=${a.sid},answered=${answered} ` +
    `${answered ? `answered_at=${ms + 5_000},` : ''}application_sid="${a.applications[random(3)]}",call_sid="${uuid()}",duration=${seconds},` +
    `from="${number()}",remote_host="192.0.2.${random(250)}",sip_callid="${uuid()}",sip_status=${answered ? 200 : STATUSES[random(STATUSES.length)]},` +
    `terminated_at=${ms + seconds * 1_000},termination_reason="caller hungup",to="${number()}",trace_id="${eight()}${eight()}${eight()}${eight()}" ${ms}${String(random(1_000_000)).padStart(6, '0')}`
  )
}

const p95 = (ms: number[]) => ms.toSorted((a, b) => a - b)[Math.floor(ms.length * 0.95)] ?? 0
const round = (ms: number) => Math.round(ms * 10) / 10

const [port, ingest] = [await freePort(), await freePort()]
const clickhouse = options.store === 'clickhouse' ? await startClickHouse() : undefined
if (clickhouse) process.once('exit', clickhouse.stop)
await build()
const server = spawn(process.execPath, START, {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  stdio: ['ignore', 'ignore', 'inherit'],
  env: {
    PATH: process.env.PATH,
    HTTP_PORT: String(port),
    SWITCHROOM_DATA: folder,
    SWITCHROOM_ADMIN_PASSWORD: PASSWORD,
    SWITCHROOM_INGEST_INFLUX: `127.0.0.1:${ingest}`,
    SWITCHROOM_TELEMETRY_DAYS: String(DAYS + 1),
    SWITCHROOM_TELEMETRY_MAX_GB: '1000',
    DISABLE_RATE_LIMITS: '1',
    ...(clickhouse && { SWITCHROOM_CLICKHOUSE_URL: clickhouse.url }),
    JAMBONES_LOGLEVEL: 'error',
  },
})
process.once('exit', () => server.kill('SIGKILL'))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
const memory = (pid: number) =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)
const api = `http://127.0.0.1:${port}`
for (let tries = 0; !(await fetch(`${api}/health`).catch(() => undefined)); tries++) {
  if (tries > 300) throw new Error('The server did not start')
  await new Promise((r) => setTimeout(r, 100))
}
const login = await fetch(`${api}/api/v1/login`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ username: 'admin', password: PASSWORD }),
})
const { token } = (await login.json()) as { token: string }

const agent = new Agent({ keepAlive: true })
const post = (body: string) =>
  new Promise<void>((resolve, reject) => {
    const sent = request(
      {
        agent,
        host: '127.0.0.1',
        port: ingest,
        method: 'POST',
        path: '/write?db=cdrs&precision=n',
      },
      (answer) => {
        answer.resume()
        answer.on('end', () =>
          answer.statusCode === 204 ? resolve() : reject(new Error(`status ${answer.statusCode}`)),
        )
      },
    )
    sent.once('error', reject)
    sent.end(body)
  })

const person = new Worker(new URL('./bench-person.ts', import.meta.url), {
  workerData: { url: `${api}/api/v1/Accounts`, token },
})

/** Its calls, once the server has summed them, and days are as an hour later: merged. */
async function clickHouseStore(url: string) {
  const db = clickHouse({
    url,
    user: undefined,
    password: undefined,
    database: 'switchroom',
    cluster: undefined,
    ca: undefined,
  })
  const began = performance.now()
  const days = await db.rows<{ partition: string }>(
    "SELECT DISTINCT partition FROM system.parts WHERE database = 'switchroom' AND table = 'calls' AND active SETTINGS final = 0",
  )
  for (const { partition } of days)
    await db.command(`OPTIMIZE TABLE calls PARTITION ${partition} FINAL`, {}, 600)
  console.log(`merged in ${round((performance.now() - began) / 1000)} s`)
  const span = { first: 0, end: Math.ceil(Date.now() / 3_600_000) * 3_600 }
  for (;;) {
    const stale = await staleHours(db, 'calls', span)
    if (stale === 0) break
    await new Promise((r) => setTimeout(r, 5_000))
  }
  console.log(`summed after ${round((performance.now() - began) / 1000)} s`)
  return { calls: clickHouseCalls(db, DAYS + 1), close: db.close }
}

let next = 0
let told = 500_000
let making = 0
const beganAll = performance.now()
await Promise.all(
  Array.from({ length: Number(options.connections) }, async () => {
    while (next < CALLS) {
      const t = performance.now()
      const lines: string[] = []
      for (let i = 0; i < BATCH && next < CALLS; i++) lines.push(line(next++))
      making += performance.now() - t
      const due = (next / RATE) * 1000 - (performance.now() - beganAll)
      if (due > 0) await new Promise((r) => setTimeout(r, due))
      await post(lines.join('\n'))
      if (next >= told) {
        told += 500_000
        const seconds = Math.round((performance.now() - beganAll) / 1000)
        console.log(`${next} calls, ${seconds} s, server memory ${memory(server.pid!)} MB`)
      }
    }
  }),
)
const seconds = (performance.now() - beganAll) / 1000
person.postMessage('end')
const [durations] = (await once(person, 'message')) as [number[]]
console.log(
  `ingest: ${Math.round(CALLS / seconds)} calls/s over ${round(seconds)} s, of which this process spent ${round(making / 1000)} s generating them`,
)
console.log(`API during ingest: p95 ${round(p95(durations))} ms over ${durations.length} requests`)
console.log(`server memory: ${memory(server.pid!)} MB`)

const store = clickhouse
  ? await clickHouseStore(clickhouse.url)
  : embeddedStores({ folder: join(folder, 'telemetry'), days: DAYS + 1, max_bytes: 1e15 })
// as if it were asked when the last call came
const span = { from: begin - 1, to: end + 1 }
const month = { from: end - 30 * 86_400_000, to: end + 1 }
const one = () => accounts[random(ACCOUNTS)]!
const filters: Record<string, () => CallFilter> = {
  everything: () => span,
  'a day': () => ({ from: end - 86_400_000 * (1 + random(20)), to: end - 3_600_000 }),
  provider: () => ({ ...span, service_provider_sid: one().provider }),
  account: () => ({ ...span, account_sid: one().sid }),
  'account, a week': () => ({ ...span, from: end - 7 * 86_400_000, account_sid: one().sid }),
  direction: () => ({ ...span, direction: 'inbound' }),
  answered: () => ({ ...span, answered: random(2) === 0 }),
  trunk: () => ({ ...span, trunk: one().trunks[0]! }),
  application: () => ({ ...span, application_sid: one().applications[0]! }),
  status: () => ({ ...span, sip_status: STATUSES[random(6)]! }),
  'account, trunk, status': () => {
    const a = one()
    return { ...span, account_sid: a.sid, trunk: a.trunks[1]!, sip_status: 503, answered: false }
  },
  'nothing matches': () => ({ ...span, account_sid: 'none' }),
}
const digits = (n: number) => String(random(10 ** n)).padStart(n, '0')
const texts: Record<string, () => CallFilter> = {
  'text, 1 digit': () => ({ ...span, text: digits(1) }),
  'text, 2 digits': () => ({ ...span, text: digits(2) }),
  'text, 3 digits': () => ({ ...span, text: digits(3) }),
  'text, 4 digits': () => ({ ...span, text: digits(4) }),
  'text, 7 digits': () => ({ ...span, text: digits(7) }),
  'text, 4 digits, account': () => ({ ...span, text: digits(4), account_sid: one().sid }),
  'text, prefix of most': () => ({ ...span, text: `+1${digits(1)}` }),
  'text, in all of them': () => ({ ...span, text: '+1' }),
  'text, a call id': () => ({ ...span, text: uuid() }),
}
const rows: object[] = []
async function measure(
  name: string,
  work: () => Promise<unknown>,
  rounds = Number(options.rounds),
) {
  const ms: number[] = []
  let first = 0
  for (let i = 0; i < rounds; i++) {
    const t = performance.now()
    await work()
    if (i === 0) first = performance.now() - t
    else ms.push(performance.now() - t)
  }
  const median = ms.toSorted((a, b) => a - b)[ms.length >> 1]!
  rows.push({
    question: name,
    'first ms': round(first),
    'p50 ms': round(median),
    'p95 ms': round(p95(ms)),
  })
}
const page = { limit: 25, offset: 0 }
for (const [name, filter] of Object.entries(filters))
  await measure(name, () => store.calls.list(filter(), page))
await measure('page 1000 of an account', () =>
  store.calls.list(
    { ...span, account_sid: one().sid },
    { limit: 25, offset: Math.min(25_000, Math.floor(CALLS / ACCOUNTS / 2)) },
  ),
)
await measure('last page of everything', () =>
  store.calls.list(span, { limit: 25, offset: CALLS - 25 }),
)
for (const [name, filter] of Object.entries(texts))
  await measure(name, () => store.calls.list(filter(), page), Math.min(15, Number(options.rounds)))
await measure('figures of 30 days, all', () => store.calls.figures({}, month))
await measure('figures of 30 days, account', () =>
  store.calls.figures({ account_sid: one().sid }, month),
)
await measure('figures of odd spans, all', () =>
  store.calls.figures({}, { from: end - random(30 * 86_400_000), to: end - random(1000) }),
)
await measure('a call by its id', () => store.calls.find({}, { call_sid: uuid() }))
console.table(rows)
const { total } = await store.calls.list(span, page)
console.log(`${total} of ${CALLS} calls stored`)
console.log(
  `memory: ${memory(process.pid)} MB in this process, which reads; ${memory(server.pid!)} MB in the server, which wrote`,
)
await store.close()
await clickhouse?.stop()
process.exit(total === CALLS ? 0 : 1)

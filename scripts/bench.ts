import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createConnection } from 'mysql2/promise'
import { type DatabaseConfig, type Db, openDb } from '../packages/server/src/db/open.ts'
import { prepareDatabase } from '../packages/server/src/db/prepare.ts'
import { freePort, startServices } from './services.ts'

/**
 * Benchmarks the API on a filled database, next to a bare ceiling: the same rows from the same HTTP framework,
 * without authentication or counting.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    database: { type: 'string' },
    only: { type: 'string' },
  },
})
const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'switchroom-bench-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

const SP = '2708b1b3-2736-40ea-b502-c53d8396247f'
const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'
const PASSWORD = 'correct horse 1'
const SIZE = { applications: 10_000, carriers: 10_000, numbers: 100_000 }

async function fill(db: Db) {
  const insert = async (table: string, count: number, row: (i: number) => object) => {
    for (let done = 0; done < count; done += 500)
      await db
        .insertInto(table as 'webhooks')
        .values(Array.from({ length: 500 }, (_, i) => row(done + i) as never))
        .execute()
  }
  const hooks = Array.from({ length: SIZE.applications * 2 }, () => randomUUID())
  await insert('webhooks', hooks.length, (i) => ({
    webhook_sid: hooks[i],
    url: `https://example.com/hooks/${i}`,
    method: 'POST',
  }))
  await insert('applications', SIZE.applications, (i) => ({
    application_sid: randomUUID(),
    name: `application ${String(i).padStart(5, '0')}`,
    account_sid: ACCOUNT,
    call_hook_sid: hooks[2 * i],
    call_status_hook_sid: hooks[2 * i + 1],
  }))
  const carriers = Array.from({ length: SIZE.carriers }, () => randomUUID())
  await insert('voip_carriers', SIZE.carriers, (i) => ({
    voip_carrier_sid: carriers[i],
    name: `carrier ${String(i).padStart(5, '0')}`,
    service_provider_sid: SP,
    account_sid: i % 2 ? ACCOUNT : null,
  }))
  await insert('phone_numbers', SIZE.numbers, (i) => ({
    phone_number_sid: randomUUID(),
    number: String(15_080_000_000 + i * 7),
    account_sid: ACCOUNT,
    voip_carrier_sid: carriers[i % carriers.length],
  }))
}

type Call = {
  name: string
  path: string
  /** Lua for wrk, when it should not request the same URL every time. */
  script?: string
  /** The same rows as one SQL query, for the ceiling. */
  bare?: string
}
const size = 'page_size=25'
const calls: Call[] = [
  {
    name: 'applications, page 1',
    path: `/Accounts/${ACCOUNT}/Applications?page=1&${size}`,
    bare: `select a.*, w.url from applications a join webhooks w on w.webhook_sid = a.call_hook_sid where a.account_sid = '${ACCOUNT}' order by a.name limit 25`,
  },
  {
    name: 'phone numbers, page 1',
    path: `/PhoneNumbers?page=1&${size}`,
    bare: 'select * from phone_numbers order by number limit 25',
  },
  { name: 'phone numbers, last page', path: `/PhoneNumbers?page=4000&${size}` },
  {
    name: 'phone numbers, any page',
    path: '/PhoneNumbers',
    script:
      'request = function() return wrk.format("GET", wrk.path .. "?page=" .. math.random(1, 4000) .. "&page_size=25") end',
  },
  { name: 'phone numbers, text inside', path: `/PhoneNumbers?page=1&${size}&filter=777` },
  {
    name: 'carriers, page 1',
    path: `/ServiceProviders/${SP}/VoipCarriers?page=1&${size}`,
    bare: `select * from voip_carriers where service_provider_sid = '${SP}' order by name limit 25`,
  },
  {
    name: 'one account',
    path: `/Accounts/${ACCOUNT}`,
    bare: `select * from accounts where account_sid = '${ACCOUNT}'`,
  },
  { name: 'the signed-in user', path: '/Users/me' },
  {
    name: 'add a phone number',
    path: '/PhoneNumbers',
    script: `local n = 0
id = 0
function setup(thread) thread:set("id", id); id = id + 1 end
request = function()
  n = n + 1
  local body = string.format('{"number":"9%d%09d","account_sid":"${ACCOUNT}"}', id, n)
  return wrk.format("POST", nil, { ["authorization"] = wrk.headers["authorization"], ["content-type"] = "application/json" }, body)
end`,
  },
]

type Figures = { perSecond: string; p50: string; p99: string; refused: string }

function load(url: string, token: string, script?: string): Figures {
  const file = join(folder, 'wrk.lua')
  if (script) writeFileSync(file, script)
  const out = execFileSync(
    'wrk',
    [
      ...['-t2', '-c32', `-d${values.seconds}s`, '--latency'],
      ...['-H', `authorization: Bearer ${token}`],
      ...(script ? ['-s', file] : []),
      url,
    ],
    { encoding: 'utf8' },
  )
  const find = (pattern: RegExp) => pattern.exec(out)?.[1] ?? ''
  return {
    perSecond: find(/Requests\/sec:\s+([\d.]+)/),
    p50: find(/50%\s+(\S+)/),
    p99: find(/99%\s+(\S+)/),
    refused: find(/Non-2xx or 3xx responses: (\d+)/) || '0',
  }
}

async function server(file: string, environment: Record<string, string>) {
  const port = await freePort()
  // as "npm start" does
  const child = spawn(process.execPath, ['--max-semi-space-size=2', file], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: process.env.PATH, HTTP_PORT: String(port), ...environment },
  })
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; tries < 300; tries++) {
    if (await fetch(`${url}/health`).catch(() => undefined)) break
    await new Promise((r) => setTimeout(r, 100))
  }
  const memory = () =>
    Math.round(
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    )
  return { url, memory, stop: () => child.kill('SIGKILL') }
}

async function measure(kind: string, config: DatabaseConfig, environment: Record<string, string>) {
  const db = openDb(config)
  await prepareDatabase(db)
  console.log(`\nFilling ${kind}…`)
  await fill(db)
  await db.destroy()
  const api = await server('packages/server/src/main.ts', {
    SWITCHROOM_DATA: folder,
    SWITCHROOM_ADMIN_PASSWORD: PASSWORD,
    JWT_SECRET: 'the secret that signs sessions of the bench',
    DISABLE_RATE_LIMITS: '1',
    JAMBONES_LOGLEVEL: 'warn',
    ...environment,
  })
  const idle = api.memory()
  const login = await fetch(`${api.url}/api/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: PASSWORD }),
  })
  const { token } = (await login.json()) as { token: string }
  const ceiling = await server('scripts/bench-ceiling.ts', {
    BENCH_DATABASE: JSON.stringify(config),
  })
  const rows = []
  for (const call of calls.filter((c) => !values.only || c.name.includes(values.only))) {
    const figures = load(`${api.url}/api/v1${call.path}`, token, call.script)
    const bare = call.bare
      ? load(`${ceiling.url}/bare?sql=${encodeURIComponent(call.bare)}`, '').perSecond
      : ''
    rows.push({ call: call.name, ...figures, 'bare ceiling /s': bare })
  }
  const began = Date.now()
  const all = await fetch(`${api.url}/api/v1/PhoneNumbers`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const bytes = (await all.arrayBuffer()).byteLength
  console.log(`== ${kind}`)
  console.table(rows)
  console.log(
    `all phone numbers in one response: ${Math.round(bytes / 1e5) / 10} MB in ${Date.now() - began} ms; memory ${idle} MB idle, ${api.memory()} MB after`,
  )
  api.stop()
  ceiling.stop()
}

if (!existsSync('/usr/bin/wrk')) {
  console.error('wrk is not installed. Run: apt-get install wrk')
  process.exit(1)
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

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createConnection, type RowDataPacket } from 'mysql2/promise'
import { afterEach, expect, it } from 'vitest'
import { verify } from '../packages/server/src/audit/verify.ts'
import { openDb } from '../packages/server/src/db/open.ts'
import { canMount, smallDisk } from '../packages/server/test/full-disk.ts'
import { report } from '../packages/server/test/trust.ts'
import { startServices } from '../scripts/services.ts'
import { keepAsking, readiness, recovered } from './during.ts'
import { fetchToken, PASSWORD, startSwitchroom } from './harness.ts'

const hasMariaDb = existsSync('/usr/sbin/mariadbd')
const DATABASE = 'switchroom_test'
const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A MariaDB of this test alone, because it hangs or its disk is full. */
async function startMariaDb(options: Parameters<typeof startServices>[1] = {}) {
  const { env, programs, stop } = await startServices(['MariaDB'], options)
  closing.push(stop)
  const { hostname: host, port, username: user } = new URL(env.TEST_MYSQL_URL!)
  const at = { host, port: Number(port), user, password: '' }
  const connection = await createConnection(at)
  await connection.query(`create database ${DATABASE}`)
  await connection.end()
  return {
    program: programs.MariaDB!,
    at: { ...at, database: DATABASE },
    environment: {
      JAMBONES_MYSQL_HOST: host,
      JAMBONES_MYSQL_PORT: port,
      JAMBONES_MYSQL_USER: user,
      JAMBONES_MYSQL_PASSWORD: '',
      JAMBONES_MYSQL_DATABASE: DATABASE,
    },
  }
}
type MariaDb = Awaited<ReturnType<typeof startMariaDb>>

const post = (url: string, token: string, path: string, body: unknown) =>
  fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })

/** Requests that are sent over and over. Carriers are written by several statements; `saved` are those acknowledged. */
function requestsTo(url: string, token: string, name = 'carrier') {
  const saved: string[] = []
  let next = 0
  const authorization = `Bearer ${token}`
  return {
    saved,
    requests: {
      read: () => fetch(`${url}/api/v1/Accounts`, { headers: { authorization } }),
      async write() {
        const unique = `${name} ${next++}`
        const answer = await post(url, token, '/VoipCarriers', {
          name: unique,
          account_sid: ACCOUNT,
          sip_gateways: [
            { ipv4: '203.0.113.1', inbound: 1, outbound: 0 },
            { ipv4: '203.0.113.2', inbound: 1, outbound: 0 },
          ],
        })
        if (answer.ok) saved.push(unique)
        return answer
      },
      login: () => post(url, '', '/login', { username: 'admin', password: PASSWORD }),
      ready: () => fetch(`${url}/ready`),
    },
  }
}

/** Every acknowledged carrier is there, and each carrier has both gateways and its one audit entry. */
async function expectNothingHalfWritten({ at }: MariaDb, saved: string[]) {
  const db = openDb({ kind: 'mysql', ...at, connectionLimit: 2 })
  closing.push(() => db.destroy())
  const connection = await createConnection(at)
  const [carriers] = await connection.query<RowDataPacket[]>(
    `select name,
      (select count(*) from sip_gateways g where g.voip_carrier_sid = c.voip_carrier_sid) as gateways,
      (select count(*) from switchroom_audit a where a.sid = c.voip_carrier_sid) as entries
      from voip_carriers c`,
  )
  const [stray] = await connection.query<RowDataPacket[]>(
    `select sid from switchroom_audit where kind = 'voip_carrier'
      and sid not in (select voip_carrier_sid from voip_carriers)`,
  )
  await connection.end()
  expect(carriers.filter((c) => Number(c.gateways) !== 2 || Number(c.entries) !== 1)).toEqual([])
  expect(stray).toEqual([])
  const names = new Set(carriers.map((c) => c.name))
  expect(saved.length).toBeGreaterThan(0)
  expect(saved.filter((name) => !names.has(name))).toEqual([])
  expect(await verify(db)).toMatchObject({ whole: true })
}

/** On a busy machine, some threads of a program answer for a moment after SIGSTOP. Only Linux tells of them. */
async function everyThreadStopped(pid: number) {
  const threads = `/proc/${pid}/task`
  if (!existsSync(threads)) return
  const isStopped = (thread: string) =>
    /^State:\s+T/m.test(readFileSync(`${threads}/${thread}/status`, 'utf8'))
  await expect.poll(() => readdirSync(threads).every(isStopped), { interval: 5 }).toBe(true)
}

it.runIf(hasMariaDb)('survives a MariaDB that hangs and goes on', async () => {
  const mariadb = await startMariaDb()
  const server = await startSwitchroom('sqlite', mariadb.environment)
  closing.push(server.stop)
  const other = await startSwitchroom('sqlite', mariadb.environment)
  closing.push(other.stop)
  const token = await fetchToken(server.url)
  const { requests, saved } = requestsTo(server.url, token)
  const during = await keepAsking(requests)
  closing.push(during.stop)
  const toOther = requestsTo(other.url, token, 'of the other')
  await toOther.requests.write()

  mariadb.program.kill('SIGSTOP')
  await everyThreadStopped(mariadb.program.pid!)
  closing.push(() => mariadb.program.kill('SIGCONT'))
  const inFlight = Promise.all([toOther.requests.write(), toOther.requests.read()])
  // once this is answered, the server has accepted the connections above
  await fetch(`${other.url}/health`)
  const stopped = other.kill('SIGTERM')
  await expect
    .poll(() => readiness(server.url), { interval: 50 })
    .toMatchObject([503, { ready: false, failing: expect.arrayContaining(['database']) }])
  expect((await inFlight).map(({ status }) => status)).toEqual([503, 503])
  // neither a stop nor a request waits for a database that hangs: it goes on only after them
  await stopped
  await during.answered()

  mariadb.program.kill('SIGCONT')
  await recovered(server.url)
  await during.expectServed('MariaDB', { write: 201 })
  await other.start()
  expect((await toOther.requests.write()).status).toBe(201)
  await expectNothingHalfWritten(mariadb, [...saved, ...toOther.saved])
})

it.runIf(hasMariaDb && canMount)('survives a MariaDB whose disk is full', async () => {
  const disk = smallDisk(200 * 2 ** 20)!
  closing.push(disk.close)
  const temporary = mkdtempSync(join(tmpdir(), 'switchroom-mariadb-'))
  closing.push(() => rmSync(temporary, { recursive: true, force: true }))
  const mariadb = await startMariaDb({
    parent: disk.folder,
    mariadb: [
      '--innodb-log-file-size=8M',
      '--innodb-buffer-pool-size=16M',
      `--tmpdir=${temporary}`,
    ],
  })
  const { url, stop } = await startSwitchroom('sqlite', mariadb.environment)
  closing.push(stop)
  const token = await fetchToken(url)
  const { requests, saved } = requestsTo(url, token)
  await requests.write()
  // tables soon have to grow; MariaDB itself ends when a value is too long for a page
  const hook = { url: 'https://example.com', method: 'POST' }
  const writeLong = (name: string) =>
    post(url, token, '/Applications', {
      name,
      account_sid: ACCOUNT,
      app_json: JSON.stringify([{ verb: 'say', text: 'a'.repeat(3_000) }]),
      call_hook: hook,
      call_status_hook: hook,
    })

  disk.fill()
  let refused = 0
  for (let i = 0; i < 500 && refused < 5; i++) {
    const answer = await writeLong(`long ${i}`)
    if (answer.ok) continue
    refused++
    expect([answer.status, await answer.json()]).toMatchObject([
      503,
      { code: 'unavailable', msg: 'The disk is full. Nothing was saved.' },
    ])
  }
  expect(refused).toBe(5)
  for (let i = 0; i < 5; i++) {
    expect([201, 503]).toContain((await requests.write()).status)
    expect((await requests.read()).status).toBe(200)
  }
  disk.free()
  expect((await writeLong('afterwards')).status).toBe(201)
  expect((await requests.write()).status).toBe(201)
  await expectNothingHalfWritten(mariadb, saved)
  report({
    part: 'requests while a database or Redis is away',
    tried: refused,
    found: { 'refused with 503': refused },
    database: 'MariaDB',
  })
})

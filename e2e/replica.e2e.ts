import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise'
import { afterEach, expect, it } from 'vitest'
import { caseCount, report } from '../packages/server/test/trust.ts'
import { type Services, startServices } from '../scripts/services.ts'
import { api, fetchToken, type Switchroom, startSwitchroom } from './harness.ts'
import { redis } from './redis.ts'

const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

const READER_PASSWORD = 'only reads'
const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'
const ROUNDS = caseCount(10, 50)
type Sid = { sid: string }
type Page = { total: number; data: { name: string }[] }
type Health = { parts: { part: string; state: string; sentence?: string }[] }

/** A database whose changes are replicated to another server. */
async function startReplicated() {
  const start = async (...mariadb: string[]) => {
    const services: Services = await startServices(['MariaDB'], { mariadb })
    stops.push(services.stop)
    const at = new URL(services.env.TEST_MYSQL_URL!)
    const connection = await createConnection(at.href)
    stops.push(() => connection.destroy())
    return { at, connection, program: services.programs.MariaDB! }
  }
  const primary = await start('--log-bin=primary', '--server-id=1')
  const replica = await start('--server-id=2')
  await replica.connection.query(
    `change master to master_host = '127.0.0.1', master_port = ${primary.at.port},
     master_user = 'root', master_use_gtid = slave_pos`,
  )
  await replica.connection.query('start slave')
  await primary.connection.query('create database switchroom')
  // it is all that the guide asks for
  await replica.connection.query(
    `create user reader@'127.0.0.1' identified by '${READER_PASSWORD}'`,
  )
  await replica.connection.query(`grant select on switchroom.* to reader@'127.0.0.1'`)
  return { primary, replica }
}

/** How many statements of lists a server has run since it was asked to write them down. */
const countOfLists = async (connection: Connection) => {
  const [rows] = await connection.query<RowDataPacket[]>(
    `select count(*) as n from mysql.general_log where argument like '%list_value%' and argument not like '%general_log%'`,
  )
  return Number(rows[0]!.n)
}

it.runIf(redis && process.env.TEST_MYSQL_URL)(
  'reads lists from a replica, and never shows less than was written',
  async () => {
    const { primary, replica } = await startReplicated()
    await replica.connection.query("set global log_output = 'TABLE', global general_log = 1")
    const data = mkdtempSync(join(tmpdir(), 'switchroom-replica-'))
    stops.push(() => rmSync(data, { recursive: true, force: true }))
    const start = async () => {
      const process = await startSwitchroom('sqlite', {
        SWITCHROOM_DATA: data,
        JAMBONES_REDIS_HOST: redis!.hostname,
        JAMBONES_REDIS_PORT: redis!.port,
        JAMBONES_MYSQL_HOST: primary.at.hostname,
        JAMBONES_MYSQL_PORT: primary.at.port,
        JAMBONES_MYSQL_USER: 'root',
        JAMBONES_MYSQL_DATABASE: 'switchroom',
        SWITCHROOM_MYSQL_REPLICA_HOST: replica.at.hostname,
        SWITCHROOM_MYSQL_REPLICA_PORT: replica.at.port,
        SWITCHROOM_MYSQL_REPLICA_USER: 'reader',
        SWITCHROOM_MYSQL_REPLICA_PASSWORD: READER_PASSWORD,
      })
      stops.push(process.stop)
      return process
    }
    const a = await start()
    const b = await start()
    const admin = await fetchToken(a.url)
    let tried = 0

    const list = ({ url }: Switchroom, filter = '') =>
      api<Page>(url, admin, 'GET', `/Applications?page=1&page_size=50&filter=${filter}`)
    const add = ({ url }: Switchroom, name: string) =>
      api<Sid>(url, admin, 'POST', '/Applications', {
        name,
        account_sid: ACCOUNT,
        call_hook: { url: 'https://example.com/call', method: 'POST' },
        call_status_hook: { url: 'https://example.com/status', method: 'POST' },
      })
    const replicaHealth = async ({ url }: Switchroom) =>
      (await api<Health>(url, admin, 'GET', '/SystemHealth')).parts.find(
        ({ part }) => part === 'replica',
      )

    await expect.poll(async () => (await replicaHealth(a))?.state).toBe('ok')
    let asked = 0
    await expect
      .poll(async () => {
        await list(a, `search-${asked++}`)
        return countOfLists(replica.connection)
      })
      .toBeGreaterThan(0)

    const writeAndRead = async (what: string) => {
      for (let round = 0; round < ROUNDS; round++) {
        const name = `${what} ${round}`
        const { sid } = await add(a, name)
        expect((await list(b, name)).data.map((one) => one.name)).toContain(name)
        expect((await list(a, name)).total).toBeGreaterThan(0)
        await api(b.url, admin, 'DELETE', `/Applications/${sid}`)
        expect((await list(a, name)).data.map((one) => one.name)).not.toContain(name)
        tried += 3
      }
    }
    await writeAndRead('while it follows')

    // it does not follow any more
    await replica.connection.query('stop slave sql_thread')
    await writeAndRead('while it stands still')
    await expect.poll(async () => (await replicaHealth(a))?.state).toBe('degraded')
    expect((await replicaHealth(a))?.sentence).toContain('Lists are read from the database instead')
    const before = await countOfLists(replica.connection)
    await add(a, 'while it is not asked')
    expect((await list(b, 'while it is')).total).toBe(1)
    expect(await countOfLists(replica.connection)).toBe(before)
    await replica.connection.query('start slave sql_thread')
    await expect.poll(async () => (await replicaHealth(a))?.state).toBe('ok')
    tried += 2

    // it is gone
    replica.program.kill('SIGKILL')
    for (let round = 0; round < ROUNDS; round++) {
      const filter = ['while', 'while it', 'while it is'][round % 3]
      expect((await list(b, filter)).total).toBe(1)
      tried++
    }
    expect((await fetch(`${a.url}/ready`)).status).toBe(200)
    report({
      part: 'lists from a replica of the database',
      tried,
      found: { 'as in the database': tried },
      database: 'mysql',
    })
  },
  600_000,
)

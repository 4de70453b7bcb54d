import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createConnection } from 'mysql2/promise'
import { afterEach, expect, it } from 'vitest'
import { caseCount, report } from '../packages/server/test/trust.ts'
import { hasGalera, startGalera } from './galera.ts'
import { api, fetchToken, type Switchroom, startSwitchroom } from './harness.ts'
import { redis } from './redis.ts'

const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'
const ROUNDS = caseCount(8, 50)
type Named = { name: string }
type Answer = { status: number; body: string }

/** Two processes, each at its own node of an empty cluster, started at the same time. */
async function startAtNodes() {
  const cluster = await startGalera()
  stops.push(cluster.stop)
  const server = await createConnection(cluster.nodes[0].at.href)
  await server.query('create database switchroom')
  await server.end()
  const data = mkdtempSync(join(tmpdir(), 'switchroom-galera-'))
  stops.push(() => rmSync(data, { recursive: true, force: true }))
  const start = async ({ at }: (typeof cluster.nodes)[number]) => {
    const process = await startSwitchroom('sqlite', {
      SWITCHROOM_DATA: data,
      JAMBONES_REDIS_HOST: redis!.hostname,
      JAMBONES_REDIS_PORT: redis!.port,
      JAMBONES_MYSQL_HOST: at.hostname,
      JAMBONES_MYSQL_PORT: at.port,
      JAMBONES_MYSQL_USER: at.username,
      JAMBONES_MYSQL_PASSWORD: '',
      JAMBONES_MYSQL_DATABASE: 'switchroom',
      SWITCHROOM_QUOTA_APPLICATIONS: '1',
    })
    stops.push(process.stop)
    return process
  }
  const [a, b] = await Promise.all([start(cluster.nodes[0]), start(cluster.nodes[1])])
  return { cluster, a, b }
}

/** Rows of a table on each node, and the order in which its transactions followed each other. */
const stored = ({ nodes }: Awaited<ReturnType<typeof startGalera>>, table: string) =>
  Promise.all(
    nodes.map(async ({ at }) => {
      const node = await createConnection(at.href)
      const rows = async (query: string) => (await node.query(query))[0]
      const found = {
        rows: await rows(`select * from switchroom.${table}`),
        audit: await rows(
          'select seq, at, kind, sid, name from switchroom.switchroom_audit order by seq desc limit 6',
        ),
        turns: await rows('select * from switchroom.switchroom_lock_turns'),
        status: await rows("show status like 'wsrep_%'"),
      }
      await node.end()
      return found
    }),
  )

const send = async (
  { url }: Switchroom,
  token: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> => {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: await answer.text() }
}

// named where it is left out: only Debian’s MariaDB brings Galera along
it.runIf(hasGalera && redis)(
  'keeps its rules when its processes are at two nodes of a Galera cluster',
  async () => {
    const { cluster, a, b } = await startAtNodes()
    const admin = await fetchToken(a.url)
    let tried = 0

    // rules without a unique key, each asked for at both nodes at the same time
    const rules = [
      (round: number) => ({
        path: '/Clients',
        table: 'clients',
        body: { username: `jane${round}`, password: 'x', account_sid: ACCOUNT },
      }),
      (round: number) => ({
        path: '/PhoneNumbers',
        table: 'phone_numbers',
        body: { number: `1555000${1000 + round}`, account_sid: ACCOUNT },
      }),
      (round: number) => ({
        path: '/Users',
        table: 'users',
        body: {
          name: `jane${round}`,
          email: `jane${round}@example.org`,
          initial_password: 'correct horse 2',
          account_sid: ACCOUNT,
          force_change: false,
        },
      }),
    ]
    for (const rule of rules)
      for (let round = 0; round < ROUNDS; round++) {
        const { path, body, table } = rule(round)
        const answers = await Promise.all(
          [a, b].map((process) => send(process, admin, 'POST', path, body)),
        )
        const [first, second] = answers.map(({ status }) => status).sort()
        if (first !== 201 || ![400, 409, 422].includes(second!))
          expect.fail(
            JSON.stringify({ path, round, answers, nodes: await stored(cluster, table) }, null, 2),
          )
        tried++
      }

    // a quota of one, of which each node adds the one it has room for
    for (let round = 0; round < ROUNDS; round++) {
      const hook = { url: 'https://example.com/hook' }
      const answers = await Promise.all(
        [a, b].map((process, i) =>
          send(process, admin, 'POST', '/Applications', {
            name: `ivr ${round} ${i}`,
            account_sid: ACCOUNT,
            call_hook: hook,
            call_status_hook: hook,
          }),
        ),
      )
      const [added, refused] = answers.toSorted((one, other) => one.status - other.status)
      if (added!.status !== 201 || refused!.status !== 422)
        expect.fail(
          JSON.stringify({ round, answers, nodes: await stored(cluster, 'applications') }, null, 2),
        )
      await api(a.url, admin, 'DELETE', `/Applications/${JSON.parse(added!.body).sid}`)
      tried++
    }

    // what has nothing to do with each other but the audit log
    const added = await Promise.all(
      Array.from({ length: 4 * ROUNDS }, (_, i) =>
        send([a, b][i % 2]!, admin, 'POST', '/VoipCarriers', {
          name: `carrier ${i}`,
          account_sid: ACCOUNT,
        }),
      ),
    )
    expect(added.filter(({ status }) => status !== 201)).toEqual([])
    const verify = promisify(execFile)('npm', ['run', '--silent', 'verify-audit'], { env: b.env })
    expect((await verify).stdout).toContain('The audit log is intact')
    tried += added.length + 1

    // what one has written, the other shows at once
    const names = async (process: Switchroom) =>
      (
        await api<{ data: Named[] }>(
          process.url,
          admin,
          'GET',
          '/VoipCarriers?page=1&page_size=100&filter=only',
        )
      ).data.map(({ name }) => name)
    for (let round = 0; round < ROUNDS; round++) {
      const name = `only ${round}`
      await api(a.url, admin, 'POST', '/VoipCarriers', { name, account_sid: ACCOUNT })
      expect(await names(b)).toContain(name)
      tried++
    }

    // also while its node is still busy with what came before
    const other = await createConnection(cluster.nodes[0].at.href)
    await other.query('create table switchroom.much (n int primary key)')
    for (let round = 0; round < 3; round++) {
      await other.query(
        `insert into switchroom.much select seq + ? from switchroom.seq_1_to_100000`,
        [round * 100_000],
      )
      const name = `only after much ${round}`
      await api(a.url, admin, 'POST', '/VoipCarriers', { name, account_sid: ACCOUNT })
      expect(await names(b)).toContain(name)
      tried++
    }
    await other.end()

    // a node tells nobody of a transaction that it undid while it prepared a statement
    for (const { at } of cluster.nodes) {
      const node = await createConnection(at.href)
      const [rows] = await node.query("show global status like 'Com_stmt_prepare'")
      expect(rows).toEqual([{ Variable_name: 'Com_stmt_prepare', Value: '0' }])
      await node.end()
      tried++
    }

    // a session that ends at one node
    const token = await fetchToken(b.url, 'jane0', 'correct horse 2')
    expect((await send(a, token, 'GET', '/Users/me')).status).toBe(200)
    await api(b.url, token, 'POST', '/logout')
    await expect.poll(async () => (await send(a, token, 'GET', '/Users/me')).status).toBe(401)
    tried++

    // a node that is lost
    cluster.nodes[1].program.kill('SIGKILL')
    await expect.poll(async () => (await fetch(`${b.url}/ready`)).status).toBe(503)
    await expect
      .poll(
        async () =>
          (await send(a, admin, 'POST', '/VoipCarriers', { name: 'later', account_sid: ACCOUNT }))
            .status,
        { interval: 1_000 },
      )
      .toBe(201)
    tried += 2
    report({
      part: 'two processes at two nodes of Galera',
      tried,
      found: { 'as at one': tried },
      database: 'mysql',
    })
  },
  600_000,
)

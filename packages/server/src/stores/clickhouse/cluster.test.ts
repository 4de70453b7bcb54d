import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ageHours } from '../../../test/calls.ts'
import { canCluster, startCluster } from '../../../test/clickhouse-cluster.ts'
import { clickHouseStores } from '../calls/clickhouse/store.ts'
import { clickHouse } from './client.ts'
import { copyOf } from './cluster.ts'
import { prepareTables } from './prepare-tables.ts'
import { statements } from './table-statements.ts'

const NOW = Date.now()
const HOUR = 3_600_000
const ACCOUNTS = Array.from({ length: 12 }, (_, i) => `account-${i}`)

it('makes a table on a server that was added later with the UUID that is in its path', () => {
  const statement =
    "CREATE TABLE d.calls_local (`at` DateTime) ENGINE = ReplicatedMergeTree('/clickhouse/tables/{uuid}/{shard}', '{replica}') ORDER BY at"
  expect(copyOf({ name: 'calls_local', uuid: 'u-u', statement }, 'c')).toBe(
    statement.replace(
      'CREATE TABLE d.calls_local',
      "CREATE TABLE IF NOT EXISTS d.calls_local UUID 'u-u' ON CLUSTER `c`",
    ),
  )
  const view = 'CREATE MATERIALIZED VIEW d.v TO d.t (`a` Int32) AS SELECT a FROM d.s'
  expect(copyOf({ name: 'v', uuid: 'u-u', statement: view }, 'c')).toBe(
    view.replace('VIEW d.v', 'VIEW IF NOT EXISTS d.v ON CLUSTER `c`'),
  )
})

it('keeps the same path for no two tables', () => {
  const all = [...statements({ database: 'd', cluster: 'c', days: 30 })].map(([, text]) => text)
  const replicated = all.filter((text) => text.includes('ENGINE = Replicated'))
  expect(replicated.length).toBeGreaterThan(10)
  for (const text of replicated) expect(text).toContain("('/clickhouse/tables/{uuid}")
})

/** Servers of the real engine, without replication: `clickhouse-cluster.ts` says what is not theirs. */
describe.runIf(canCluster && process.env.TEST_CLICKHOUSE_URL)('two servers of a cluster', () => {
  let folder: string
  let cluster: Awaited<ReturnType<typeof startCluster>>
  let stores: ReturnType<typeof clickHouseStores> | undefined
  const options = (i = 0) => ({
    url: cluster.urls[i]!,
    user: undefined,
    password: undefined,
    database: 'calls',
    cluster: 'calls',
    ca: undefined,
  })
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'switchroom-cluster-'))
    cluster = await startCluster(folder, 2)
    await cluster.start(cluster.nodes[0]!)
  }, 120_000)
  afterAll(async () => {
    await stores?.close()
    await cluster?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const lines = (ago: number) =>
    ACCOUNTS.map(
      (account, i) =>
        `cdrs,account_sid=${account},service_provider_sid=p${i % 3},answered=true,direction=inbound,trunk=t call_sid="${account}-${ago}",from="+1508555${1000 + i}",duration=10 ${NOW - ago - i}`,
    ).join('\n')
  const span = { from: NOW - 60 * HOUR, to: NOW + HOUR }

  it('store, list, sum and find calls of both, and wait while one is away', async () => {
    const [first, second] = cluster.nodes as [(typeof cluster.nodes)[0], (typeof cluster.nodes)[0]]
    const server = clickHouse(options(), { isMissing: true })
    // no tables are made while a server is away that may have some
    await expect(prepareTables(server, { ...options(), days: 30 })).rejects.toThrow(
      'The tables are created once all servers of the cluster calls answer',
    )
    await cluster.start(second)
    await prepareTables(server, { ...options(), days: 30 })
    // a server that was added, or has lost its tables
    await cluster.send(second, '/', 'DROP DATABASE calls SYNC')
    await prepareTables(server, { ...options(), days: 30 })
    const uuids = async (node: typeof first) =>
      (
        await cluster.send(
          node,
          '/',
          `SELECT name, uuid FROM system.tables WHERE database = 'calls' AND engine LIKE '%MergeTree' ORDER BY name`,
        )
      ).body.toString()
    expect(await uuids(second)).toBe(await uuids(first))
    expect((await uuids(first)).split('\n').length).toBeGreaterThan(15)
    await server.close()

    stores = clickHouseStores({
      clickhouse: options(),
      days: 30,
      spool: { folder: join(folder, 'spool'), max_bytes: 1e8 },
      listen: { host: '127.0.0.1', port: 0 },
      pause_ms: 0,
    })
    const port = await stores.open()
    const send = (body: string) =>
      fetch(`http://127.0.0.1:${port}/write?db=cdrs&precision=ms`, { method: 'POST', body }).then(
        ({ status }) => status,
      )
    expect(await send(lines(30 * HOUR))).toBe(204)
    expect(await send(lines(1_000))).toBe(204)
    // twice
    expect(await send(lines(30 * HOUR))).toBe(204)
    // a server that is slow to answer gets them later
    const stored = () =>
      expect.poll(async () => (await stores!.holdings.waiting()).bytes, { timeout: 60_000 }).toBe(0)
    await stored()
    const rows = async (node: typeof first) =>
      Number((await cluster.send(node, '/', 'SELECT count() FROM calls.calls_local FINAL')).body)
    const each = [await rows(first), await rows(second)]
    expect(each[0]! + each[1]!).toBe(24)
    expect(Math.min(...each)).toBeGreaterThan(0)
    const seen = async () => {
      const { calls } = stores!
      return {
        total: (await calls.list(span, { limit: 5, offset: 0 })).total,
        figures: (await calls.figures({}, span, 'Asia/Kolkata')).calls,
        found: (await calls.find({}, { call_sid: `account-7-${30 * HOUR}` }))?.account_sid,
        text: (await calls.list({ ...span, text: '5551007' }, { limit: 5, offset: 0 })).total,
        account: (await calls.list({ ...span, account_sid: 'account-3' }, { limit: 5, offset: 0 }))
          .total,
      }
    }
    const all = { total: 24, figures: 24, found: 'account-7', text: 2, account: 2 }
    expect(await seen()).toEqual(all)
    const db = clickHouse(options())
    await ageHours(db)
    await stores.maintain()
    expect(await seen()).toEqual(all)
    await db.close()
    // the other server shows the same
    const others = clickHouseStores({
      clickhouse: options(1),
      days: 30,
      spool: { folder: join(folder, 'other'), max_bytes: 1e8 },
      pause_ms: 0,
    })
    expect((await others.calls.figures({}, span)).calls).toBe(24)
    await others.close()

    await cluster.kill(second)
    expect(await send(lines(2_000))).toBe(204)
    expect((await stores.holdings.waiting()).bytes).toBeGreaterThan(0)
    await cluster.start(second)
    await stored()
    expect(await seen()).toMatchObject({ total: 36, figures: 36 })
  }, 240_000)
})

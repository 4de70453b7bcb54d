import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ownClickHouse } from '../../../../test/clickhouse.ts'
import { KEEP_ALL } from '../../../../test/traces.ts'
import { type ClickHouse, clickHouse } from '../../clickhouse/client.ts'
import { Intake } from '../../clickhouse/intake.ts'
import { prepareTables } from '../../clickhouse/prepare-tables.ts'
import { BatchSpool } from '../../kit/batch-spool.ts'
import type { Batch } from '../span.ts'
import type { Arrivals } from '../store.ts'
import { clickHouseArrivals } from './arrivals.ts'
import { clickHouseTraceStore } from './store.ts'
import { SpanRows } from './traces.ts'

const [ONE, TWO, THREE] = ['a1', 'a2', 'a3'].map((two) => two.repeat(16)) as [
  string,
  string,
  string,
]
const OWN = 1
const OTHER = 2
const origin = { resource: [], scope: { name: 'x', version: '' } }
let spans = 0
type Attributes = Batch['spans'][number]['attributes']

const spanOf = (traceId: string, name: string, attributes: Attributes = []) => ({
  traceId,
  spanId: String(++spans).padStart(16, '0'),
  parentSpanId: name === 'incoming-call' ? '' : '00000000000000ff',
  name,
  kind: 'SPAN_KIND_INTERNAL',
  startTimeUnixNano: '1700000000000000000',
  endTimeUnixNano: '1700000005000000000',
  attributes,
})
const rootOf = (traceId: string) =>
  spanOf(traceId, 'incoming-call', [{ key: 'callSid', value: { stringValue: `of ${traceId}` } }])
const verbOf = (traceId: string) => spanOf(traceId, 'verb:pause:')
/** Some time that is not over yet. */
const later = (ms = 1_000) => Date.now() + ms

describe.runIf(process.env.TEST_CLICKHOUSE_URL)('traces of which spans came', () => {
  let folder: string
  let db: ClickHouse
  let own: ReturnType<typeof ownClickHouse>
  let arrivals: Arrivals
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'switchroom-arrivals-'))
    own = ownClickHouse(folder)
    const { clickhouse, days } = own.settings
    const server = clickHouse(clickhouse, { isMissing: true })
    await prepareTables(server, { ...clickhouse, days })
    await server.close()
    db = clickHouse(clickhouse)
    arrivals = clickHouseArrivals(db, OWN)
  })
  afterEach(async () => {
    await db.close()
    await own.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  const insert = async (added: Batch['spans'], through = OWN) => {
    const rows = new SpanRows(through)
    rows.add({ origin, spans: added }, BigInt(Date.now()) * 1_000_000n)
    for (const { into, body } of rows.batch()) await db.insert(into, body)
  }
  const due = async (by = arrivals, before = later()) => by.due(before, 100, [])
  const idsOf = (found: { trace_id: string }[]) => found.map(({ trace_id }) => trace_id)

  it('are due once they have been quiet, until they were dealt with, and again when more comes', async () => {
    const begun = Date.now()
    await insert([verbOf(ONE), rootOf(ONE), verbOf(TWO)])
    expect(await due(arrivals, begun - 5_000)).toEqual([])
    const [first, ...more] = await due()
    // nobody knows whether the other call is over
    expect(more).toEqual([])
    expect(first).toEqual({ trace_id: ONE, at: expect.any(Number), has_root: true })
    expect(Math.abs(first!.at - begun)).toBeLessThan(60_000)
    expect(idsOf(await due())).toEqual([ONE])
    await arrivals.done([first!])
    expect(await due()).toEqual([])
    await insert([verbOf(ONE)])
    const [again] = await due()
    expect(again!.trace_id).toBe(ONE)
    expect(again!.at).toBeGreaterThan(first!.at)
    // a slow process: the arrivals it handled are not the latest
    await arrivals.done([first!])
    expect(idsOf(await due())).toEqual([ONE])
    await arrivals.done([again!])
    expect(await due()).toEqual([])
  })

  it('come in the order in which they became quiet, without those that are waited for', async () => {
    for (const id of [TWO, ONE, THREE]) {
      await insert([rootOf(id)])
      // ClickHouse tells the time of each, in milliseconds
      const inserted = Date.now()
      await vi.waitUntil(() => Date.now() > inserted, { timeout: 60_000, interval: 1 })
    }
    expect(idsOf(await due())).toEqual([TWO, ONE, THREE])
    expect(idsOf(await arrivals.due(later(), 1, [TWO]))).toEqual([ONE])
    expect(idsOf(await arrivals.due(later(), 5, [TWO, THREE]))).toEqual([ONE])
  })

  it('are left to the process that they came through, for a minute', async () => {
    await insert([rootOf(ONE)], OTHER)
    await insert([rootOf(TWO)])
    const other = clickHouseArrivals(db, OTHER)
    expect(idsOf(await due())).toEqual([TWO])
    expect(idsOf(await due(other))).toEqual([ONE])
    expect(idsOf(await due(arrivals, later(62_000)))).toEqual([ONE, TWO])
    await other.done(await due(other))
    expect(idsOf(await due(arrivals, later(62_000)))).toEqual([TWO])
  })

  it('are found when a process starts, however many an earlier one has left', async () => {
    const ago = (id: string, minutes: number, has_root = 1) =>
      db.command(
        `INSERT INTO arrivals (has_root, at, trace_id, process) VALUES (${has_root}, now64(3) - INTERVAL ${minutes} MINUTE, unhex('${id}'), 9)`,
      )
    await ago(ONE, 3_000)
    await ago(TWO, 2_000)
    await ago(THREE, 1_000)
    const left: string[] = []
    for (;;) {
      const found = await arrivals.due(later(), 1, [])
      if (found.length === 0) break
      left.push(...idsOf(found))
      await arrivals.done(found)
    }
    expect(left).toEqual([ONE, TWO, THREE])
    // more of a call of days ago
    await ago(ONE, 30, 0)
    expect(await due()).toEqual([])
    expect(idsOf(await due(clickHouseArrivals(db, OWN)))).toEqual([ONE])
  })

  it('tell what was said, but for one that cannot be read', async () => {
    const broken = [{ key: 'x', value: null }] as unknown as Attributes
    await insert([rootOf(ONE), spanOf(TWO, 'verb:pause:', broken), rootOf(TWO), verbOf(THREE)])
    const talks = await arrivals.talks([ONE, TWO, THREE, 'ff'.repeat(16)])
    expect(talks).toEqual({
      [ONE]: { began: 1_700_000_000_000, call_sid: `of ${ONE}`, counts: [], words: '', tag: {} },
    })
    expect(await arrivals.talks([])).toEqual({})
  })

  it('are remembered while ClickHouse is away, also by a process that is killed', async () => {
    let isAway = true
    const cut = {
      insert: async (into: string, body: Buffer) => {
        if (isAway) throw new Error('away')
        await db.insert(into, body)
      },
    } as ClickHouse
    const open = async () =>
      new Intake<Batch>({
        db: cut,
        spool: await BatchSpool.open(join(folder, 'spool'), 1e8),
        rows: () => new SpanRows(OWN),
        pause_ms: 0,
        prepare: async () => undefined,
      })
    const killed = await open()
    await killed.write([{ origin, spans: [rootOf(ONE)] }])
    await killed.close()
    expect(await due()).toEqual([])
    isAway = false
    const next = await open()
    await expect.poll(due).toHaveLength(1)
    await next.close()
  })

  it('are asked for through the store, which makes the tables', async () => {
    await own.drop()
    const store = clickHouseTraceStore({ ...own.settings, listen: [], words: KEEP_ALL })
    expect(await store.arrivals.due(later(), 10, [])).toEqual([])
    await insert([rootOf(ONE)])
    const [found] = await store.arrivals.due(later(62_000), 10, [])
    expect(found).toMatchObject({ trace_id: ONE, has_root: true })
    expect(await store.arrivals.talks([ONE])).toMatchObject({ [ONE]: { call_sid: `of ${ONE}` } })
    await store.arrivals.done([found!])
    expect(await store.arrivals.due(later(62_000), 10, [])).toEqual([])
    await store.close()
  })
})

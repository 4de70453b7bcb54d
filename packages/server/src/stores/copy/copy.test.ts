import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type CallPoint,
  callLine,
  seededRandom,
  send,
  type TestStore,
  testStore,
} from '../../../test/calls.ts'
import { ownClickHouse } from '../../../test/clickhouse.ts'
import { clickHouseCalls } from '../calls/clickhouse/calls.ts'
import { clickHouseAlerts, clickHousePoints } from '../calls/clickhouse/points.ts'
import { Folder } from '../calls/files/folder.ts'
import { Ingest } from '../calls/files/ingest.ts'
import { embeddedStores } from '../calls/files/store.ts'
import type { CallStore } from '../calls/store.ts'
import { type ClickHouse, clickHouse } from '../clickhouse/client.ts'
import { prepareTables } from '../clickhouse/prepare-tables.ts'
import { StoreUnavailable } from '../kit/unavailable.ts'
import { clickHouseMessages } from '../sip/clickhouse/captures.ts'
import { Segments as Captures } from '../sip/files/segments.ts'
import type { Captured } from '../sip/store.ts'
import { clickHouseTraces } from '../traces/clickhouse/traces.ts'
import { Segments as Traces } from '../traces/files/segments.ts'
import type { Batch as Spans } from '../traces/span.ts'
import { copy, NotCopied, type Source } from './copy.ts'
import { embeddedCaptures, embeddedPoints, embeddedTraces } from './files.ts'
import { influxPoints } from './influx.ts'

const DAYS = 6
/** How long ClickHouse keeps it: a test takes a while. */
const KEPT = DAYS + 1
const DAY = 86_400_000
const NOW = Date.now()
const oldest = BigInt(NOW - DAYS * DAY) * 1_000_000n
const all = { from: NOW - DAYS * DAY, to: NOW + DAY }

const random = seededRandom(19)
const pick = <T>(list: readonly T[]) => list[random(list.length)]!
const NAMES = ['one', "it's", 'sp ace,=\\', '"quoted"', 'ü😀', '\\']

function randomCalls(count: number, days: number): CallPoint[] {
  return Array.from({ length: count }, (_, i) => ({
    ms: NOW - random(days * DAY),
    ns: i,
    tags: {
      account_sid: pick(['a1', 'a2']),
      service_provider_sid: 'p1',
      answered: pick(['true', 'false']),
      ...(random(2) && { trunk: pick(NAMES.slice(0, 2)), direction: 'inbound' }),
    },
    fields: {
      call_sid: `call-${i}`,
      sip_callid: `sip-${i}`,
      from: pick(NAMES),
      duration: random(100),
      ...(random(2) && { sip_status: pick([200, 486]), to: `+1508${random(10_000)}` }),
      ...(random(3) === 0 && { application_sid: pick(NAMES), trace_id: `${i}`.padStart(32, 'a') }),
      ...(random(3) === 0 && { attempted_at: NOW - random(DAY) }),
    },
  }))
}

describe.runIf(process.env.TEST_CLICKHOUSE_URL)('copying into ClickHouse', () => {
  let folder: string
  let db: ClickHouse
  let drop: () => Promise<void>
  let inserted: number
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'switchroom-copy-'))
    const own = ownClickHouse(folder, KEPT)
    drop = own.drop
    const { clickhouse, days } = own.settings
    const server = clickHouse(clickhouse, { isMissing: true })
    await prepareTables(server, { ...clickhouse, days })
    await server.close()
    const real = clickHouse(clickhouse)
    inserted = 0
    db = {
      ...real,
      insert(into, body) {
        inserted++
        return real.insert(into, body)
      },
    }
  })
  afterEach(async () => {
    await db.close()
    await drop()
    rmSync(folder, { recursive: true, force: true })
  })

  async function copied<T>(source: Source<T>, into = db) {
    const counts = { read: 0, copied: 0, old: 0 }
    for await (const one of copy(source, into, oldest)) {
      counts.read += one.read
      counts.copied += one.copied
      counts.old += one.old
    }
    return counts
  }
  const pagesOf = async (calls: CallStore) => {
    const { data, total } = await calls.list(all, { limit: 500, offset: 0 })
    while (data.length < total) {
      const next = await calls.list(all, { limit: 500, offset: data.length })
      data.push(...next.data)
    }
    return { total, data }
  }

  async function fill(store: Pick<TestStore, 'url'>, count: number, days: number) {
    const calls = randomCalls(count, days)
    for (let i = 0; i < calls.length; i += 200) {
      const answer = await send(
        store,
        calls
          .slice(i, i + 200)
          .map(callLine)
          .join('\n'),
      )
      expect(answer.status).toBe(204)
    }
    const alerts = Array.from(
      { length: 40 },
      (_, i) =>
        `alerts,account_sid=a1,alert_type=webhook-failure message="m ${i} \\"x\\"",ok=true ${NOW - i * 3_600_000}000000`,
    )
    expect((await send(store, alerts.join('\n'), 'alerts')).status).toBe(204)
    const counts = `call_counts,account_sid=a1 calls_in_use=3 ${NOW - DAY}000000`
    expect((await send(store, counts, 'call_counts')).status).toBe(204)
    return calls
  }

  /** Our own files, with a port that takes lines. */
  async function openFiles(at: string) {
    const listen = { host: '127.0.0.1', port: 0 }
    const stores = embeddedStores({ folder: at, days: 60, max_bytes: 1e12, listen })
    return { stores, url: `http://127.0.0.1:${await stores.open()}` }
  }

  const alertsOf = (limit = 100) => ({ limit, offset: 0 })

  it('has the call records, alerts and counts of our own files, and skips what is there', async () => {
    const at = join(folder, 'telemetry')
    const { stores, url } = await openFiles(at)
    try {
      await fill({ url }, 500, 8)
      const first = await copied(embeddedPoints(at))
      expect(first.read + first.old).toBe(541)
      expect(first.copied).toBe(first.read)
      const expected = await pagesOf(stores.calls)
      expect(expected.total).toBeGreaterThan(250)
      expect(first.read).toBe(expected.total + 41)
      expect(await pagesOf(clickHouseCalls(db, KEPT))).toEqual(expected)
      const points = clickHousePoints(db)
      const alerts = clickHouseAlerts(points, async () => undefined)
      expect(await alerts.list(all, alertsOf())).toEqual(await stores.alerts.list(all, alertsOf()))

      // whole again, and nothing is written again
      inserted = 0
      expect(await copied(embeddedPoints(at))).toEqual({ ...first, copied: 0 })
      expect(inserted).toBe(0)

      // records that arrived in the meantime
      const late = randomCalls(1, 1).map((call) => ({ ...call, ms: NOW - 4 * DAY, ns: 999_999 }))
      expect((await send({ url }, late.map(callLine).join('\n'))).status).toBe(204)
      const again = await copied(embeddedPoints(at))
      expect(again.read).toBe(first.read + 1)
      expect(again.copied).toBeLessThan(first.read / 2)
      expect(await pagesOf(clickHouseCalls(db, KEPT))).toEqual(await pagesOf(stores.calls))
    } finally {
      await stores.close()
    }
  })

  it('names a day whose file is damaged, and copies the others', async () => {
    const at = join(folder, 'telemetry')
    const ingest = new Ingest(new Folder(at, 'write'))
    const series = { measurement: 'cdrs', tags: { account_sid: 'a1' }, key: 'a1' }
    const on = [3, 2, 1].map((days) => NOW - days * DAY)
    for (const ms of on)
      ingest.write([{ database: 'cdrs', point: { series, fields: { duration: 1 }, ms, ns: 0 } }])
    new Folder(at, 'write').closeWritten(Math.floor(on[1]! / DAY))
    const name = new Date(on[1]!).toISOString().slice(0, 10)
    rmSync(join(at, `${name}.db-wal`), { force: true })
    writeFileSync(join(at, `${name}.db`), 'not a database at all'.repeat(1_000))
    const found: { unit: string; copied: number; damage: string | undefined }[] = []
    for await (const { unit, copied, damage } of copy(embeddedPoints(at), db, oldest))
      found.push({ unit, copied, damage })
    expect(found.map(({ copied }) => copied)).toEqual([1, 0, 1])
    expect(found[1]).toMatchObject({ unit: name, damage: expect.stringContaining(`${name}.db`) })
    expect([found[0]!.damage, found[2]!.damage]).toEqual([undefined, undefined])
  })

  it('goes on where it was stopped', async () => {
    const at = join(folder, 'telemetry')
    const { stores, url } = await openFiles(at)
    try {
      await fill({ url }, 300, 5)
      let left = 4
      const failing: ClickHouse = {
        ...db,
        async insert(into, body) {
          if (left-- === 0) throw new StoreUnavailable('gone')
          await db.insert(into, body)
        },
      }
      await expect(copied(embeddedPoints(at), failing)).rejects.toThrow('gone')
      const { read, copied: written } = await copied(embeddedPoints(at))
      expect(read).toBe(341)
      expect(written).toBeLessThan(341)
      expect(await pagesOf(clickHouseCalls(db, KEPT))).toEqual(await pagesOf(stores.calls))
      // an acknowledged insert without rows is reported
      const forgetful: ClickHouse = { ...db, insert: async () => undefined }
      await db.command('TRUNCATE TABLE calls')
      await expect(copied(embeddedPoints(at), forgetful)).rejects.toThrow(NotCopied)
    } finally {
      await stores.close()
    }
  })

  it.runIf(process.env.TEST_INFLUX_URL)('has what is in InfluxDB', async () => {
    const store = await testStore('InfluxDB')
    try {
      await fill(store, 300, 5)
      expect(await copied(influxPoints(store.url, DAYS, NOW))).toEqual({
        read: 341,
        copied: 341,
        old: 0,
      })
      expect(await pagesOf(clickHouseCalls(db, KEPT))).toEqual(await pagesOf(store.calls))
      // twice is once
      await copied(influxPoints(store.url, DAYS, NOW))
      expect((await pagesOf(clickHouseCalls(db, KEPT))).total).toBe(300)
    } finally {
      await store.close()
    }
  })

  it.runIf(process.env.TEST_INFLUX_URL)(
    'asks InfluxDB for less when it sends too much',
    async () => {
      const store = await testStore('InfluxDB')
      let refused = 0
      const server = createServer(async (request, response) => {
        const chunks: Buffer[] = []
        for await (const chunk of request) chunks.push(chunk)
        const body = Buffer.concat(chunks).toString()
        const [, from, to] =
          /time >= (\d+)ms AND time < (\d+)ms/.exec(new URLSearchParams(body).get('q') ?? '') ?? []
        if (Number(to) - Number(from) > 0.3 * DAY) {
          refused++
          return response.end(Buffer.alloc(65_000_000, ' '))
        }
        const headers = { 'content-type': request.headers['content-type']! }
        const answer = await fetch(store.url + request.url, { method: 'POST', body, headers })
        response.writeHead(answer.status).end(await answer.text())
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      try {
        await fill(store, 60, 3)
        const { port } = server.address() as AddressInfo
        const source = influxPoints(`http://127.0.0.1:${port}`, DAYS, NOW)
        expect(await copied(source)).toEqual({ read: 101, copied: 101, old: 0 })
        // a day, half a day, for each of three measurements, and not again
        expect(refused).toBe(6)
      } finally {
        server.closeAllConnections()
        server.close()
        await store.close()
      }
    },
  )

  const spanOf = (traceId: string, spanId: string, name: string, ms: number) =>
    ({
      traceId,
      spanId,
      parentSpanId: '',
      name,
      kind: 'SPAN_KIND_INTERNAL',
      startTimeUnixNano: `${ms}000000`,
      endTimeUnixNano: `${ms + 5}000000`,
      attributes: [{ key: 'k', value: { stringValue: 'ü' } }],
    }) as unknown as Spans['spans'][number]
  const origin = { resource: [], scope: { name: 's', version: '1' } }
  const id = (n: number, digits: number) => (n + 1).toString(16).padStart(digits, '0')

  it('has the traces of our own files, also spans that came again later', async () => {
    let now = NOW - 3 * DAY
    const options = { folder: join(folder, 'traces'), days: 30, max_bytes: 1e9, now: () => now }
    const segments = new Traces(options)
    const write = (from: number, to: number, name: string) =>
      segments.write(
        Array.from({ length: to - from }, (_, i) => ({
          origin,
          spans: [0, 1, 2].map((n) => spanOf(id(from + i, 32), id(n, 16), name, now)),
        })),
      )
    try {
      write(0, 60, 'first')
      now += 1.5 * DAY
      // of some traces again, into the next file
      write(50, 100, 'second')
      const first = await copied(embeddedTraces(options.folder))
      expect(first).toEqual({ read: 330, copied: 330, old: 0 })
      // in the first file there are more than in ClickHouse, since they are replaced
      expect(await copied(embeddedTraces(options.folder))).toMatchObject({ read: 330 })
      for (const n of [0, 49, 50, 59, 60, 99]) {
        const names = async (trace: Promise<Awaited<ReturnType<typeof segments.find>>>) =>
          (await trace)?.resourceSpans.flatMap((r) => r.scopeSpans.flatMap((s) => s.spans))
        const wanted = await names(Promise.resolve(segments.find(id(n, 32))))
        const found = await names(clickHouseTraces(db).find(id(n, 32)))
        expect(found!.map(({ spanId }) => spanId)).toEqual(
          ['1', '2', '3'].map((s) => s.padStart(16, '0')),
        )
        if (n < 50 || n >= 60) expect(found).toEqual(wanted)
        else expect(found!.map(({ name }) => name)).toEqual(['second', 'second', 'second'])
      }
    } finally {
      segments.close()
    }
  })

  it('has the SIP of our own files, also the same message from two agents', async () => {
    const options = { folder: join(folder, 'captures'), days: 30, max_bytes: 1e9 }
    const segments = new Captures(options)
    const message = (call_id: string, parent: string | null, i: number): Captured => ({
      time: (NOW - 60_000 + i) * 1_000,
      kind: 'sip',
      source: { address: '10.0.0.1', port: 5060 },
      destination: { address: '10.0.0.2', port: 5060 },
      transport: 'UDP',
      node: 'n',
      call_id,
      parent,
      bytes: Buffer.from(
        `INVITE sip:2@pbx SIP/2.0\r\nCall-ID: ${call_id}\r\nCSeq: 1 INVITE\r\n\r\n`,
      ),
    })
    try {
      segments.write([message('a', null, 0), message('a', null, 0), message('b', 'a', 5)])
      const counts = { read: 3, copied: 3, old: 0 }
      expect(await copied(embeddedCaptures(options.folder))).toEqual(counts)
      expect(await copied(embeddedCaptures(options.folder))).toEqual(counts)
      const wanted = { call_id: 'a', kind: 'call', from: 0, to: 9e14 } as const
      const { messages } = await clickHouseMessages(db).find(wanted)
      expect(messages.map(({ call_id }) => call_id)).toEqual(['a', 'a', 'b'])
      expect(messages.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(
        segments.find(wanted).messages.map(({ bytes }) => Buffer.from(bytes).toString()),
      )
    } finally {
      segments.close()
    }
  })
})

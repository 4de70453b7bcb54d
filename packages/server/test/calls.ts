import { randomInt, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clickHouseStores } from '../src/stores/calls/clickhouse/store.ts'
import { embeddedStores } from '../src/stores/calls/files/store.ts'
import { influxStores } from '../src/stores/calls/influx/store.ts'
import type { AlertStore, CallStore } from '../src/stores/calls/store.ts'
import { type ClickHouse, clickHouse } from '../src/stores/clickhouse/client.ts'
import type { Stores } from '../src/stores/open.ts'
import { ownClickHouse } from './clickhouse.ts'

export type StoreKind = 'embedded' | 'InfluxDB' | 'ClickHouse'

export type TestStore = {
  calls: CallStore
  alerts: AlertStore
  /** The ingest port for components. */
  url: string
  /** Runs maintenance, if the store has any. */
  maintain: () => Promise<void>
  ingested: Stores['ingested']
  close: () => Promise<void>
}

/** Stores that tests can use. External ones are not available everywhere. */
export const storeKinds: StoreKind[] = [
  'embedded',
  ...(process.env.TEST_INFLUX_URL ? (['InfluxDB'] as const) : []),
  ...(process.env.TEST_CLICKHOUSE_URL ? (['ClickHouse'] as const) : []),
]

/** An empty store that listens. */
export async function testStore(kind: StoreKind, days = 30, max_bytes = 1e12): Promise<TestStore> {
  if (kind === 'InfluxDB') {
    const own = await proxy(process.env.TEST_INFLUX_URL!, 0, `_${randomUUID().slice(0, 8)}`)
    const url = `http://127.0.0.1:${own.port}`
    for (const name of DATABASES) {
      const q = `CREATE DATABASE "${name}"`
      const made = await fetch(`${url}/query?${new URLSearchParams({ q })}`, { method: 'POST' })
      if (!made.ok) throw new Error(await made.text())
    }
    return { ...influxStores(url), url, maintain: async () => undefined, close: own.close }
  }
  if (kind === 'ClickHouse') return clickHouseStore(days)
  const folder = mkdtempSync(join(tmpdir(), 'switchroom-telemetry-'))
  const stores = embeddedStores({ folder, days, max_bytes, listen: { host: '127.0.0.1', port: 0 } })
  return {
    ...stores,
    url: `http://127.0.0.1:${await stores.open()}`,
    maintain: stores.maintain,
    async close() {
      await stores.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** SQL that gives a day's file the counters of format 3, by hours of UTC. */
export const HOURS_BEFORE = `create table hours (hour integer not null, owner integer not null, calls integer not null,
    seconds real not null, timed integer not null, primary key (owner, hour)) without rowid;
  insert into hours select quarter / 4, owner, sum(calls), sum(seconds), sum(timed) from quarters group by 1, 2;
  drop table quarters;`

/** Makes calls look as if they had been written ten minutes ago: they can be summed. */
export async function ageHours(db: ClickHouse) {
  const hours = await db.rows<{ hour: string; touched: string }>(
    'SELECT toUnixTimestamp(hour) AS hour, max(touched) AS touched FROM touched_hours GROUP BY hour',
  )
  await db.command('TRUNCATE TABLE touched_hours')
  for (const { hour, touched } of hours)
    await db.command(
      `INSERT INTO touched_hours VALUES (toDateTime(${hour}, 'UTC'), ${BigInt(touched) - 600_000_000_000n})`,
    )
}

async function clickHouseStore(days: number): Promise<TestStore> {
  const folder = mkdtempSync(join(tmpdir(), 'switchroom-clickhouse-'))
  const { settings, drop } = ownClickHouse(folder, days)
  const stores = clickHouseStores({ ...settings, listen: { host: '127.0.0.1', port: 0 } })
  const port = await stores.open()
  const db = clickHouse(settings.clickhouse)
  return {
    ...stores,
    url: `http://127.0.0.1:${port}`,
    async maintain() {
      // its indexes are made when parts merge
      await db.command('OPTIMIZE TABLE calls FINAL')
      await ageHours(db)
      await stores.maintain()
    },
    async close() {
      await stores.close()
      await db.close()
      await drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
const DATABASES = [
  'cdrs',
  'alerts',
  'call_counts',
  'sp_call_counts',
  'app_call_counts',
  'system_alerts',
]

/** Sends lines. Resolves to the status and the response text. */
export async function send(store: Pick<TestStore, 'url'>, lines: string, database = 'cdrs') {
  const answer = await fetch(`${store.url}/write?db=${database}&precision=n&rp=`, {
    method: 'POST',
    body: lines,
  })
  return { status: answer.status, body: await answer.text() }
}

/**
 * The platform's client supports only port 8086: forwards its requests to the store. The port may be taken, by an
 * InfluxDB or a demo, but on Linux not at each of the machine's own addresses.
 */
export const onDefaultPort = (url: string) =>
  proxy(url, 8086, '', process.platform === 'linux' ? ownAddress() : '127.0.0.1')

const ownAddress = () => `127.${[0, 0, 0].map(() => randomInt(1, 255)).join('.')}`

/** Forwards requests. A suffix is added to database names, so that suites can share an InfluxDB. */
export async function proxy(url: string, port: number, suffix: string, host = '127.0.0.1') {
  const to = new URL(url)
  const named = (part: string) =>
    part
      .replace(/((?:^|[?&])db=\w+)/, `$1${suffix}`)
      .replace(/(create(?:%20|\+| )database(?:%20|\+| )(?:%22|")\w+)/i, `$1${suffix}`)
  const server = createServer(async (from, answer) => {
    const chunks: Buffer[] = []
    for await (const chunk of from) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const { method, headers } = from
    const path = named(from.url!)
    const isQuery = path.startsWith('/query')
    const sent = suffix && isQuery ? Buffer.from(named(body.toString())) : body
    const passed = request(
      {
        host: to.hostname,
        port: to.port,
        method,
        path,
        headers: { ...headers, 'content-length': sent.length },
      },
      (r) => {
        answer.writeHead(r.statusCode!, r.headers)
        r.pipe(answer)
      },
    )
    passed.on('error', () => answer.destroy())
    passed.end(sent)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    host,
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A deterministic random number generator. */
export function seededRandom(seed: number) {
  let state = seed
  return (n: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
}

/** A call as a component knows it. Unknown values are omitted. */
export type CallPoint = {
  ms: number
  ns: number
  tags: Record<string, string>
  fields: Record<string, string | number>
}

const escaped = (text: string) => text.replace(/[,= ]/g, '\\$&')
export const callLine = ({ ms, ns, tags, fields }: CallPoint) => {
  const series = Object.entries(tags).map(([name, value]) => `,${name}=${escaped(value)}`)
  const values = Object.entries(fields).map(([name, value]) =>
    typeof value === 'number' ? `${name}=${value}` : `${name}="${value.replace(/["\\]/g, '\\$&')}"`,
  )
  return `cdrs${series.join('')} ${values.join()} ${ms}${String(ns).padStart(6, '0')}`
}

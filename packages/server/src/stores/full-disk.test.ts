import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Fastify from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { send } from '../../test/calls.ts'
import { canMount, smallDisk } from '../../test/full-disk.ts'
import { KEEP_ALL } from '../../test/traces.ts'
import { keptSecret } from '../config/kept-secret.ts'
import { openDb } from '../db/open.ts'
import { prepareDatabase } from '../db/prepare.ts'
import { onError } from '../http/failure.ts'
import { clickHouseStores } from './calls/clickhouse/store.ts'
import { embeddedStores } from './calls/files/store.ts'
import { damagedFiles } from './kit/damage.ts'
import { Spool } from './recordings/spool.ts'
import { Segments as Captures } from './sip/files/segments.ts'
import type { Captured } from './sip/store.ts'
import { clickHouseTraceStore } from './traces/clickhouse/store.ts'
import { embeddedTraces } from './traces/files/store.ts'

const listen = { host: '127.0.0.1', port: 0 }
const limits = { days: 30, max_bytes: 1e12 }

const MESSAGE: Captured = {
  time: 1_700_000_000_000_000,
  kind: 'sip',
  source: { address: '192.0.2.1', port: 5060 },
  destination: { address: '192.0.2.2', port: 5060 },
  transport: 'UDP',
  node: '1',
  call_id: 'call',
  parent: null,
  bytes: Buffer.from('INVITE sip:x@example.com SIP/2.0'),
}

const TRACE_ID = 'ab'.repeat(16)
const SPAN = {
  traceId: TRACE_ID,
  spanId: 'cd'.repeat(8),
  name: 'x',
  kind: 1,
  startTimeUnixNano: '1700000000000000000',
  endTimeUnixNano: '1700000001000000000',
  attributes: [{ key: 'x', value: { stringValue: 'x'.repeat(60_000) } }],
}
const postSpan = (port: number) =>
  fetch(`http://127.0.0.1:${port}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [SPAN] }] }] }),
  })

describe.runIf(canMount)('a full disk', () => {
  let disk: NonNullable<ReturnType<typeof smallDisk>>
  beforeEach(() => {
    disk = smallDisk(8_000_000)!
  })
  afterEach(() => disk.close())

  it('refuses call records so that the sender knows, and takes them when there is space again', async () => {
    const folder = join(disk.folder, 'telemetry')
    const stores = embeddedStores({ folder, ...limits, listen })
    const store = { url: `http://127.0.0.1:${await stores.open()}` }
    const line = () =>
      `cdrs,account_sid=a call_sid="${randomUUID()}",termination_reason="${'x'.repeat(60_000)}" ${Date.now()}000000`
    const total = async () =>
      (await stores.calls.list({ from: 0, to: 8e15 }, { limit: 1, offset: 0 })).total
    expect((await send(store, line())).status).toBe(204)
    disk.fill(20_000)
    const refused = await fetch(`${store.url}/write?db=cdrs`, { method: 'POST', body: line() })
    expect([refused.status, await refused.json(), refused.headers.get('retry-after')]).toEqual([
      503,
      { error: 'the disk is full' },
      '10',
    ])
    expect(await total()).toBe(1)
    disk.free()
    expect((await send(store, line())).status).toBe(204)
    expect(await total()).toBe(2)
    await stores.close()
  })

  it('leaves nothing that is called damaged when not even a new file can be made', async () => {
    const options = { folder: disk.folder, ...limits }
    for (const left of [0, 8_192, 40_000]) {
      disk.fill(left)
      const captures = new Captures(options)
      for (let i = 0; i < 3; i++) expect(() => captures.write([MESSAGE])).toThrow()
      expect(readdirSync(disk.folder)).toEqual(['filler'])
      captures.close()
      disk.free()
    }
    const folder = join(disk.folder, 'telemetry')
    const stores = embeddedStores({ folder, ...limits, listen })
    const store = { url: `http://127.0.0.1:${await stores.open()}` }
    const line = `cdrs,account_sid=a call_sid="a" ${Date.now()}000000`
    for (const left of [0, 8_192, 20_000]) {
      disk.fill(left)
      for (let i = 0; i < 3; i++) expect((await send(store, line)).status).toBe(503)
      disk.free()
    }
    expect((await send(store, line)).status).toBe(204)
    expect((await stores.calls.list({ from: 0, to: 8e15 }, { limit: 1, offset: 0 })).total).toBe(1)
    expect(damagedFiles([folder])).toEqual([])
    await stores.close()
  })

  it('refuses traces so that the exporter tries again', async () => {
    const folder = join(disk.folder, 'traces')
    const store = embeddedTraces({ folder, ...limits, listen: [listen], words: KEEP_ALL })
    const [port] = await store.open()
    const post = () => postSpan(port!)
    await store.find(TRACE_ID)
    disk.fill(20_000)
    const refused = await post()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10'])
    disk.free()
    expect((await post()).status).toBe(200)
    expect(await store.find(TRACE_ID)).toBeDefined()
    await store.close()
  })

  describe('while ClickHouse is away', () => {
    const spool = () => ({ folder: join(disk.folder, 'clickhouse'), max_bytes: 1e9 })
    const batches = () => {
      const names = existsSync(spool().folder) ? readdirSync(spool().folder) : []
      expect(names.filter((name) => !name.endsWith('.batch'))).toEqual([])
      return names.length
    }
    const settings = () => ({
      clickhouse: {
        url: 'http://127.0.0.1:1',
        user: undefined,
        password: undefined,
        database: 'calls',
        cluster: undefined,
        ca: undefined,
      },
      days: 30,
      spool: spool(),
      pause_ms: 0,
    })
    const line = (length: number) =>
      `cdrs,account_sid=a call_sid="${randomUUID()}",termination_reason="${'x'.repeat(length)}" ${Date.now()}000000`

    it('refuses call records so that the sender knows, and keeps them when there is space again', async () => {
      const stores = clickHouseStores({ ...settings(), listen })
      const store = { url: `http://127.0.0.1:${await stores.open()}` }
      expect((await send(store, line(60_000))).status).toBe(204)
      disk.fill(20_000)
      for (let i = 0; i < 3; i++) {
        const body = line(60_000)
        const refused = await fetch(`${store.url}/write?db=cdrs`, { method: 'POST', body })
        expect([refused.status, await refused.json(), refused.headers.get('retry-after')]).toEqual([
          503,
          { error: 'the disk is full' },
          '10',
        ])
      }
      expect(batches()).toBe(1)
      disk.free()
      expect((await send(store, line(60_000))).status).toBe(204)
      expect(batches()).toBe(2)
      await stores.close()
    })

    it('starts on a full disk, and keeps what comes when there is space', async () => {
      disk.fill()
      const stores = clickHouseStores({ ...settings(), listen })
      const store = { url: `http://127.0.0.1:${await stores.open()}` }
      expect((await send(store, line(10))).status).toBe(503)
      disk.free()
      expect((await send(store, line(10))).status).toBe(204)
      expect(batches()).toBe(1)
      await stores.close()
    })

    it('refuses traces so that the exporter tries again', async () => {
      const store = clickHouseTraceStore({ ...settings(), listen: [listen], words: KEEP_ALL })
      const [port] = await store.open()
      const post = () => postSpan(port!)
      expect((await post()).status).toBe(200)
      disk.fill(20_000)
      const refused = await post()
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10'])
      expect(batches()).toBe(1)
      disk.free()
      expect((await post()).status).toBe(200)
      expect(batches()).toBe(2)
      await store.close()
    })
  })

  it('refuses a recording at its start', async () => {
    const spool = new Spool({ folder: join(disk.folder, 'recordings'), max_bytes: 1e9 })
    const job = { account_sid: 'a', call_sid: 'c', begun: 0, rate: 8_000, format: 'mp3' as const }
    const begin = () => spool.begin({ ...job, id: randomUUID(), metadata: {} })
    const take = async () => {
      const audio = await begin()
      await new Promise<void>((resolve) => audio.end('audio', resolve))
    }
    await take()
    disk.fill()
    await expect(begin()).rejects.toMatchObject({ code: 'ENOSPC' })
    expect(readdirSync(spool.folder)).toHaveLength(2)
    disk.free()
    await take()
  })

  it('answers 503 with a sentence for the database, and recovers', async () => {
    const db = openDb({ kind: 'sqlite', file: join(disk.folder, 'switchroom.db') })
    await prepareDatabase(db)
    const app = Fastify()
    app.setErrorHandler(onError)
    app.post('/', async () => {
      const rows = Array.from({ length: 500 }, () => {
        const sid = randomUUID()
        return { service_provider_sid: sid, name: `provider ${sid}` }
      })
      await db.insertInto('service_providers').values(rows).execute()
      return {}
    })
    disk.fill()
    const answer = await app.inject({ method: 'POST', url: '/' })
    expect([answer.statusCode, answer.json()]).toMatchObject([
      503,
      { code: 'unavailable', msg: 'The disk is full. Nothing was saved.' },
    ])
    disk.free()
    expect((await app.inject({ method: 'POST', url: '/' })).statusCode).toBe(200)
    await app.close()
    await db.destroy()
  })

  it('writes no part of a secret, and says why', () => {
    disk.fill()
    expect(() => keptSecret(disk.folder, 'jwt-secret')).toThrow(
      `SWITCHROOM_DATA: the secret ${disk.folder}/jwt-secret cannot be written (the disk is full).`,
    )
    expect(readdirSync(disk.folder)).toEqual(['filler'])
    disk.free()
    const secret = keptSecret(disk.folder, 'jwt-secret')
    expect(secret).toHaveLength(43)
    expect(keptSecret(disk.folder, 'jwt-secret')).toBe(secret)
  })

  it.each(['', 'short'])('refuses a secret that is %j', (content) => {
    writeFileSync(join(disk.folder, 'jwt-secret'), content)
    expect(() => keptSecret(disk.folder, 'jwt-secret')).toThrow('is damaged. Restore it')
  })
})

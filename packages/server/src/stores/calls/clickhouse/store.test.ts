import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ageHours } from '../../../../test/calls.ts'
import { type ClickHouse, type ClickHouseOptions, clickHouse } from '../../clickhouse/client.ts'
import { staleHours } from '../../clickhouse/hours.ts'
import { prepareTables, UnusableClickHouse } from '../../clickhouse/prepare-tables.ts'
import { statements } from '../../clickhouse/table-statements.ts'
import { insertInto, TABLES } from '../../clickhouse/tables.ts'
import { BatchSpool } from '../../kit/batch-spool.ts'
import { refusedIn, retryRefused } from '../../kit/refused-batches.ts'
import { clickHouseMessages } from '../../sip/clickhouse/captures.ts'
import { clickHouseTraces } from '../../traces/clickhouse/traces.ts'
import { clickHouseCalls } from './calls.ts'
import { clickHouseStores } from './store.ts'

const NOW = Date.now()
let folder: string
let options: ClickHouseOptions
let db: ClickHouse
let server: ClickHouse
let stores: ReturnType<typeof clickHouseStores> | undefined
let closeProxy: (() => void) | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchroom-clickhouse-'))
  options = {
    url: process.env.TEST_CLICKHOUSE_URL!,
    user: undefined,
    password: undefined,
    database: `test_${randomUUID().slice(0, 8)}`,
    cluster: undefined,
    ca: undefined,
  }
  db = clickHouse(options)
  server = clickHouse(options, { isMissing: true })
})
afterEach(async () => {
  await stores?.close()
  stores = undefined
  closeProxy?.()
  closeProxy = undefined
  await server.command(`DROP DATABASE IF EXISTS ${options.database}`)
  await Promise.all([db.close(), server.close()])
  rmSync(folder, { recursive: true, force: true })
})

const prepare = (days = 30) => prepareTables(server, { ...options, days })

type Forward = () => Promise<{ status: number; body: Buffer }>
/** ClickHouse behind a proxy that can do something else with an insert. Resolves to its address. */
async function behind(
  insert: (response: ServerResponse, forward: Forward) => Promise<void> | void,
): Promise<string> {
  const proxy = createServer(async (request: IncomingMessage, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const forward: Forward = async () => {
      const answer = await fetch(new URL(request.url!, process.env.TEST_CLICKHOUSE_URL), {
        method: 'POST',
        body: Buffer.concat(chunks),
      })
      return { status: answer.status, body: Buffer.from(await answer.arrayBuffer()) }
    }
    if (request.url?.includes('INSERT')) return insert(response, forward)
    const { status, body } = await forward()
    response.writeHead(status).end(body)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  closeProxy = () => {
    proxy.closeAllConnections()
    proxy.close()
  }
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}

/** A store that listens. Resolves to a function that sends lines to it. */
async function listening(url = options.url) {
  stores = clickHouseStores({
    clickhouse: { ...options, url },
    days: 30,
    spool: { folder: join(folder, 'spool'), max_bytes: 1e8 },
    listen: { host: '127.0.0.1', port: 0 },
    pause_ms: 0,
  })
  const port = await stores.open()
  return (...lines: string[]) =>
    fetch(`http://127.0.0.1:${port}/write?db=cdrs&precision=ms`, {
      method: 'POST',
      body: lines.join('\n'),
    }).then(({ status }) => status)
}
const line = (sid: string, ago: number, fields = '') =>
  `cdrs,account_sid=a1,service_provider_sid=p1,answered=true,direction=inbound,trunk=t call_sid="${sid}",sip_callid="${sid}@sip",duration=10${fields} ${NOW - ago}`
const all = { from: NOW - 10 * 86_400_000, to: NOW + 60_000 }
const totals = async () => ({
  listed: (await stores!.calls.list(all, { limit: 25, offset: 0 })).total,
  counted: (await stores!.calls.figures({}, all)).calls,
})
describe.runIf(process.env.TEST_CLICKHOUSE_URL)('ClickHouse', () => {
  it('counts once what comes twice, in parts, or after it was summed', async () => {
    const send = await listening()
    // of hours that are over: this one is read from the calls themselves
    const lines = [line('one', 90_001_000), line('two', 2_000)]
    expect(await send(...lines)).toBe(204)
    expect(await totals()).toEqual({ listed: 2, counted: 2 })
    expect(await send(...lines)).toBe(204)
    expect(await totals()).toEqual({ listed: 2, counted: 2 })
    await ageHours(db)
    await stores!.maintain()
    expect(
      await staleHours(db, 'calls', { first: 0, end: Math.ceil(NOW / 3_600_000) * 3_600 }),
    ).toBe(0)
    expect(await totals()).toEqual({ listed: 2, counted: 2 })
    // again, with fields that were missing before
    expect(await send(line('one', 90_001_000, ',trace_id="abc"'), line('three', 90_002_000))).toBe(
      204,
    )
    expect(await totals()).toEqual({ listed: 3, counted: 3 })
    expect(await stores!.calls.find({}, { trace_id: 'abc' })).toMatchObject({
      call_sid: 'one',
      duration: 10,
    })
    expect(await stores!.calls.find({ account_sid: 'a2' }, { trace_id: 'abc' })).toBeUndefined()
    const { tables, waiting } = stores!.holdings
    expect((await tables()).map(({ table }) => table)).toContain('calls')
    expect(await waiting()).toEqual({ bytes: 0, since: undefined, problem: undefined })
  })

  it('divides hours for zones that begin within them, also hours that an earlier version summed', async () => {
    const send = await listening()
    const hour = Math.floor(NOW / 3_600_000) * 3_600_000 - 30 * 3_600_000
    const minutes = [2, 14, 15, 29, 30, 31, 45, 46, 59]
    await send(...minutes.map((minute) => line(`call-${minute}`, NOW - hour - minute * 60_000)))
    const span = { from: hour - 7_200_000, to: hour + 7_200_000 }
    const counts = async (time_zone: string) =>
      (await stores!.calls.figures({ account_sid: 'a1' }, span, time_zone)).times.map(
        ({ time, until, calls, seconds }) => [
          (Date.parse(time) - hour) / 60_000,
          (Date.parse(until) - hour) / 60_000,
          calls,
          seconds,
        ],
      )
    const kolkata = [
      [-30, 30, 4, 40],
      [30, 90, 5, 50],
    ]
    // five hours and three quarters ahead
    const kathmandu = [
      [-45, 15, 2, 20],
      [15, 75, 7, 70],
    ]
    const whole = [[0, 60, 9, 90]]
    const all = async () => [
      await counts('UTC'),
      await counts('Asia/Kolkata'),
      await counts('Asia/Kathmandu'),
    ]
    expect(await all()).toEqual([whole, kolkata, kathmandu])
    await ageHours(db)
    await stores!.maintain()
    const hours = { first: hour / 1_000 - 7_200, end: hour / 1_000 + 7_200 }
    expect(await staleHours(db, 'calls', hours)).toBe(0)
    expect(await all()).toEqual([whole, kolkata, kathmandu])
    await db.command(`DELETE FROM call_sums WHERE kind = 'quarter'`)
    const undivided = await all()
    expect(undivided[0]).toEqual(whole)
    for (const times of undivided)
      expect(times.reduce((sum, [, , calls]) => sum + calls!, 0)).toBe(minutes.length)
    expect(undivided).not.toEqual([whole, kolkata, kathmandu])
    await stores!.maintain()
    expect(await all()).toEqual([whole, kolkata, kathmandu])
  })

  it('shows the newest first, however they lie in time', async () => {
    const send = await listening()
    // one from a clock ahead, some of this minute, some before
    const agos = [-30_000, 1_000, 2_000, 3_000, 70_000, 80_000, 4_000_000, 90_000_000, 200_000_000]
    await send(...agos.map((ago, i) => line(`call-${i}`, ago)))
    const sids = agos.map((_, i) => `call-${i}`)
    for (const owner of [{}, { service_provider_sid: 'p1' }, { account_sid: 'a1' }])
      for (let limit = 1; limit <= agos.length + 1; limit++) {
        const { data, total } = await stores!.calls.list({ ...all, ...owner }, { limit, offset: 0 })
        expect(data.map(({ call_sid }) => call_sid)).toEqual(sids.slice(0, limit))
        expect(total).toBe(agos.length)
      }
    const before = { ...all, to: NOW - 2_500 }
    const page = await stores!.calls.list(before, { limit: 2, offset: 0 })
    expect(page.data.map(({ call_sid }) => call_sid)).toEqual(['call-3', 'call-4'])
    expect(page.total).toBe(6)
  })

  it('finds a part of a number, and an id, of calls that came in parts', async () => {
    const send = await listening()
    const at = `${NOW - 5_000}`
    const tags =
      'cdrs,account_sid=a1,service_provider_sid=p1,answered=true,direction=inbound,trunk=t'
    // parts that nothing has merged
    await db.command('SYSTEM STOP MERGES calls')
    await send(`${tags} call_sid="one",from="+15551234",to="2000" ${at}`)
    await send(`${tags} sip_status=503,application_sid="app",sip_callid="one@sip" ${at}`)
    const found = async (filter: object) => {
      const page = await stores!.calls.list({ ...all, ...filter }, { limit: 25, offset: 0 })
      return [page.total, ...page.data.map(({ call_sid }) => call_sid)]
    }
    for (const text of ['5551234', 'one@sip', '12'])
      for (const more of [{}, { sip_status: 503 }, { application_sid: 'app' }, { trunk: 't' }])
        expect(await found({ text, ...more })).toEqual([1, 'one'])
    expect(await found({ text: '5551234', sip_status: 200 })).toEqual([0])
    expect(await found({ text: '5551234', trunk: 'u' })).toEqual([0])
    expect(await found({ text: 'one@sip', account_sid: 'a2' })).toEqual([0])
    expect(await found({ text: '5559999' })).toEqual([0])
  })

  it('finds few calls by letters without merging the others', async () => {
    const send = await listening()
    await send(
      line('one', 1_000, ',from="sip:Zoë@example.com",to="1"'),
      ...Array.from({ length: 50 }, (_, i) => line(`call-${i}`, 2_000 + i, ',from="2",to="3"')),
    )
    const queries: string[] = []
    const watched: ClickHouse = {
      ...db,
      rows: (query, ...more) => {
        queries.push(query)
        return db.rows(query, ...more)
      },
    }
    for (const text of ['Zoë', 'oë', 'ë@exa']) {
      const { total, data } = await clickHouseCalls(watched, 30).list(
        { ...all, text },
        { limit: 25, offset: 0 },
      )
      expect([total, data[0]?.call_sid], text).toEqual([1, 'one'])
    }
    const merging = queries.filter((query) => !query.includes('final = 0'))
    expect(merging.length).toBeGreaterThan(0)
    for (const query of merging) expect(query).toContain('arrayJoin(arrayZip(')
  })

  it('finds few calls by a part of their numbers, and many', async () => {
    const send = await listening()
    const account = `a'"1,${'é'.repeat(60)}`
    const called = (i: number, to = '+15551234') =>
      line(`call-${i}`, 1_000 * i, `,to="${to}"`).replace('a1', account.replace(',', '\\,'))
    await send(...Array.from({ length: 500 }, (_, i) => called(i)))
    const filter = { ...all, account_sid: account, text: '5512' }
    const found = async (offset: number) => {
      const { data, total } = await stores!.calls.list(filter, { limit: 25, offset })
      return [total, ...data.map(({ call_sid }) => call_sid)]
    }
    const pageAt = (offset: number, total: number) => [
      total,
      ...Array.from({ length: Math.min(25, total - offset) }, (_, i) => `call-${offset + i}`),
    ]
    // by their keys, and one more than are looked up by theirs
    expect(await found(475)).toEqual(pageAt(475, 500))
    await send(called(500), called(501, '+15559999'))
    expect(await found(0)).toEqual(pageAt(0, 501))
    expect(await found(500)).toEqual(pageAt(500, 501))
    const exported = await Array.fromAsync(stores!.calls.each(filter))
    expect(exported).toHaveLength(501)
  })

  it('gives what comes its place again when somebody has dropped a column, a view or a table', async () => {
    const send = await listening()
    expect(await send(line('one', 1_000))).toBe(204)
    await db.command('ALTER TABLE calls DROP COLUMN recording_url')
    await db.command('DROP TABLE ids_of_calls')
    await db.command('DROP TABLE points SYNC')
    expect(await send(line('two', 2_000, ',recording_url="https://example.com/r"'))).toBe(204)
    await expect
      .poll(() => stores!.calls.find({}, { call_sid: 'two' }))
      .toMatchObject({ recording_url: 'https://example.com/r' })
    expect(await totals()).toEqual({ listed: 2, counted: 2 })
  })

  it('keeps what comes while the disk of ClickHouse is full, and goes on showing what is there', async () => {
    const send = await listening()
    expect(await send(line('one', 1_000))).toBe(204)
    const room = (bytes: number) =>
      db.command(
        `ALTER TABLE calls MODIFY SETTING min_free_disk_bytes_to_perform_insert = ${bytes}`,
      )
    await room(1e18)
    expect(await send(line('two', 2_000))).toBe(204)
    expect(await send(line('three', 3_000))).toBe(204)
    const waiting = await stores!.holdings.waiting()
    expect(waiting.problem).toMatch(
      /^The call records \(ClickHouse\) cannot be written\. .*enough free space/,
    )
    expect(waiting.bytes).toBeGreaterThan(0)
    expect(await totals()).toEqual({ listed: 1, counted: 1 })
    await room(0)
    await expect.poll(totals).toEqual({ listed: 3, counted: 3 })
    expect(await stores!.holdings.waiting()).toMatchObject({ bytes: 0, problem: undefined })
  })

  it('sets rows aside that ClickHouse refuses for their content, and takes all others', async () => {
    const send = await listening()
    expect(await send(line('one', 1_000))).toBe(204)
    await db.command(`ALTER TABLE calls ADD CONSTRAINT c CHECK ifNull(call_sid, '') != 'bad'`)
    const good = Array.from({ length: 20 }, (_, i) => line(`good-${i}`, 2_000 + i))
    expect(await send(...good.slice(0, 10), line('bad', 5_000), ...good.slice(10))).toBe(204)
    expect(await send(line('two', 6_000))).toBe(204)
    await expect.poll(totals).toEqual({ listed: 22, counted: 22 })
    const waiting = await stores!.holdings.waiting()
    expect(waiting).toMatchObject({ bytes: 0, problem: undefined, refused: { rows: { calls: 1 } } })
    expect(waiting.refused!.why).toMatch(/refused rows\. .*Constraint `c`.* is violated/)
    expect(waiting.refused!.why).not.toContain('Column values')
    // bytes that no version writes, laid there by hand
    const spool = await BatchSpool.open(join(folder, 'spool'), 1e8)
    await spool.add([{ into: insertInto('calls'), body: Buffer.from('no row') }])
    await expect
      .poll(async () => (await stores!.holdings.waiting()).refused?.rows)
      .toEqual({ calls: 2 })
    await db.command('ALTER TABLE calls DROP CONSTRAINT c')
    for (const file of await refusedIn(join(folder, 'spool'))) await retryRefused(file)
    await expect.poll(totals).toEqual({ listed: 23, counted: 23 })
    expect(await stores!.calls.find({}, { call_sid: 'bad' })).toMatchObject({ duration: 10 })
    await expect
      .poll(async () => (await stores!.holdings.waiting()).refused?.rows)
      .toEqual({ calls: 1 })
  })

  it('keeps what comes while ClickHouse takes nothing', async () => {
    let isReadOnly = true
    const url = await behind(async (response, forward) => {
      if (isReadOnly)
        return void response
          .writeHead(500, { 'X-ClickHouse-Exception-Code': '164' })
          .end('Code: 164. DB::Exception: Cannot execute query in readonly mode. (READONLY)')
      const { status, body } = await forward()
      response.writeHead(status).end(body)
    })
    await prepare()
    const send = await listening(url)
    expect(await send(line('one', 1_000))).toBe(204)
    expect((await stores!.holdings.waiting()).problem).toMatch(/readonly mode/)
    expect(await totals()).toEqual({ listed: 0, counted: 0 })
    isReadOnly = false
    await expect.poll(totals).toEqual({ listed: 1, counted: 1 })
  })

  it('counts once what was inserted without an answer', async () => {
    let answers = false
    let inserts = 0
    const url = await behind(async (response, forward) => {
      const { status, body } = await forward()
      inserts++
      if (answers) response.writeHead(status).end(body)
      else response.destroy()
    })
    await prepare()
    const send = await listening(url)
    expect(await send(line('one', 1_000), line('two', 2_000))).toBe(204)
    expect((await stores!.holdings.waiting()).bytes).toBeGreaterThan(0)
    answers = true
    await expect.poll(async () => (await stores!.holdings.waiting()).bytes).toBe(0)
    expect(inserts).toBeGreaterThan(1)
    expect(await totals()).toEqual({ listed: 2, counted: 2 })
  })

  it('acknowledges nothing before a slow ClickHouse has it', async () => {
    const held = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    const url = await behind(async (response, forward) => {
      asked.resolve()
      await held.promise
      const { status, body } = await forward()
      response.writeHead(status).end(body)
    })
    await prepare()
    const send = await listening(url)
    let status: number | undefined
    const sent = send(line('one', 1_000)).then((answered) => {
      status = answered
    })
    await asked.promise
    // the store can be read in the meantime, by which time an early acknowledgment would have come
    expect(await totals()).toEqual({ listed: 0, counted: 0 })
    expect(status).toBeUndefined()
    held.resolve()
    await sent
    expect(status).toBe(204)
    expect(await totals()).toEqual({ listed: 1, counted: 1 })
  })

  it('finds a part of either number, also of those who dialed a prefix', async () => {
    const send = await listening()
    const numbers = (from: string, to: string) => `,from="${from}",to="${to}"`
    expect(
      await send(
        line('one', 1_000, numbers('+15085550101', '+441632960000')),
        line('two', 2_000, numbers('+15085550102', '+441632960000')),
        line('three', 3_000, numbers('+441632960000', '+15085550101')),
      ),
    ).toBe(204)
    const found = async (filter: object) =>
      (await stores!.calls.list({ ...all, ...filter }, { limit: 25, offset: 0 })).data.map(
        ({ call_sid }) => call_sid,
      )
    expect(await found({ text: '5550101' })).toEqual(['one', 'three'])
    expect(await found({ text: '5550101', prefix: '44' })).toEqual(['one'])
    expect(await found({ text: '4416', prefix: '4416' })).toEqual(['one', 'two'])
    expect(await found({ prefix: '4416' })).toEqual(['one', 'two'])
    expect(await found({ text: 'two' })).toEqual(['two'])
    expect(await found({ text: 'two@sip' })).toEqual(['two'])
  })

  it('shows no call that is to be deleted, nor counts it', async () => {
    const send = await listening()
    expect(await send(line('one', 1_000), line('old', 20 * 86_400_000))).toBe(204)
    await stores!.close()
    stores = clickHouseStores({
      clickhouse: options,
      days: 7,
      spool: { folder: join(folder, 'spool'), max_bytes: 1e8 },
      pause_ms: 0,
    })
    await stores.open()
    expect(await stores.calls.find({}, { call_sid: 'old' })).toBeUndefined()
    const year = { from: NOW - 365 * 86_400_000, to: NOW + 60_000 }
    expect((await stores.calls.list(year, { limit: 25, offset: 0 })).total).toBe(1)
    expect((await stores.calls.figures({}, year)).calls).toBe(1)
  })

  it('makes statements for a cluster that ClickHouse understands', async () => {
    const names: string[] = []
    for (const [name, statement] of statements({
      database: options.database,
      cluster: 'calls',
      days: 30,
    })) {
      names.push(name)
      await server.rows(`EXPLAIN AST ${statement}`)
      expect(statement).toContain('ON CLUSTER `calls`')
    }
    expect(names.filter((name) => !name.endsWith('_local')).sort()).toEqual(
      [
        ...Object.keys(TABLES),
        'ids_of_calls',
        'legs_of_messages',
        'places_of_voice_calls',
        'switchroom_versions',
        'touched_by_calls',
        'touched_by_voice_calls',
      ].sort(),
    )
    await expect(server.rows('EXPLAIN AST CREATE TABLE ON CLUSTER')).rejects.toThrow()
  })

  it('leaves the tables of a newer Switchroom alone, and keeps what comes', async () => {
    await prepare()
    await db.command('INSERT INTO switchroom_versions VALUES (99, now())')
    await expect(prepare()).rejects.toThrow(UnusableClickHouse)
    const send = await listening()
    expect(await send(line('one', 1_000))).toBe(204)
    const waiting = await stores!.holdings.waiting()
    expect(waiting.problem).toMatch(/are of a newer Switchroom: they are version 99/)
    expect(waiting.bytes).toBeGreaterThan(0)
    expect(await totals()).toEqual({ listed: 0, counted: 0 })
    await db.command('TRUNCATE TABLE switchroom_versions')
    await expect.poll(totals).toEqual({ listed: 1, counted: 1 })
  })

  it('names what cannot be read while it is away', async () => {
    const away = (what: 'calls' | 'traces' | 'captures') =>
      clickHouse({ ...options, url: 'http://127.0.0.1:1' }, { what })
    const call = { call_id: 'a', kind: 'call', ...all } as const
    const page = { limit: 1, offset: 0 }
    await expect(clickHouseCalls(away('calls'), 30).list(all, page)).rejects.toThrow(
      'The call records (ClickHouse) cannot be reached',
    )
    await expect(clickHouseTraces(away('traces')).find('ab'.repeat(16))).rejects.toThrow(
      'The traces (ClickHouse) cannot be reached',
    )
    await expect(clickHouseMessages(away('captures')).find(call)).rejects.toThrow(
      'The SIP captures (ClickHouse) cannot be reached',
    )
  })

  it('refuses a server that is too old', async () => {
    const old = {
      ...server,
      rows: (query: string) =>
        query.includes('version()') ? [{ release: '25.8.1.5101' }] : server.rows(query),
    } as ClickHouse
    await expect(prepareTables(old, { ...options, days: 30 })).rejects.toThrow(
      'ClickHouse is too old: it is 25.8.1.5101, and 26.3 or newer is needed',
    )
  })

  it('keeps rows for as long as it is told, also when that changes', async () => {
    const kept = async () => {
      const rows = await db.rows<{ name: string; query: string }>(
        'SELECT name, create_table_query AS query FROM system.tables WHERE database = {database:String}',
        { database: options.database },
      )
      const of = (table: string) => rows.find(({ name }) => name === table)!.query
      return ['calls', 'call_ids', 'points', 'call_sums', 'touched_hours', 'summed_hours'].map(
        (table) => Number(/toIntervalDay\((\d+)\)/.exec(of(table))?.[1]),
      )
    }
    await prepare(30)
    expect(await kept()).toEqual([30, 30, 30, 31, 31, 31])
    await prepare(7)
    expect(await kept()).toEqual([7, 7, 7, 8, 8, 8])
  })
})

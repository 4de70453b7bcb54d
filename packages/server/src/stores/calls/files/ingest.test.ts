import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { seededRandom, send, type TestStore, testStore } from '../../../../test/calls.ts'
import { caseCount, report, reportedCases } from '../../../../test/trust.ts'
import { parseQuery } from '../influxql.ts'
import { MAX_POINTS, parseLines } from '../lines.ts'
import { BadQuery } from '../tokens.ts'
import { embeddedStores } from './store.ts'

const DAY = 86_400_000
const KILLED = 'kill -9 while call records come in'
const now = Date.now() - 60_000
const line = (i: number, ms = now - i, more = '') =>
  `cdrs,account_sid=a,answered=true,direction=inbound call_sid="c${i}",sip_callid="s${i}",from="1",to="2",duration=10${more} ${ms}000000`
const everything = { from: 0, to: Date.now() + DAY }
const page = { limit: 500, offset: 0 }

describe('ingest', () => {
  let store: TestStore
  const storedSids = async () =>
    (await store.calls.list(everything, page)).data.map((c) => c.call_sid).sort()
  const post = (
    path: string,
    body: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
  ) => fetch(`${store.url}${path}`, { method: 'POST', body: new Blob([body]), headers })
  const query = async (q: string, more: Record<string, string> = {}) => {
    const answer = await fetch(
      `${store.url}/query?${new URLSearchParams({ q, db: 'cdrs', ...more })}`,
    )
    return { status: answer.status, body: await answer.json() }
  }

  beforeAll(async () => {
    store = await testStore('embedded')
  })
  afterAll(() => store.close())

  it('stores the valid lines of a batch and reports the others', async () => {
    const answer = await send(store, [line(1), 'rubbish', line(2), 'cdrs,a=b x=maybe 1'].join('\n'))
    expect(answer.status).toBe(400)
    const { error } = JSON.parse(answer.body)
    expect(error).toMatch(
      /^partial write: unable to parse 'rubbish': missing fields\nunable to parse /,
    )
    expect(error).toMatch(/ dropped=0$/)
    expect(await storedSids()).toEqual(['c1', 'c2'])
  })

  it('drops fields without a value, and reports unknown values as unknown', async () => {
    const answer = await send(
      store,
      `cdrs,account_sid=b,trunk=undefined,answered=undefined call_sid="u",duration=undefined,sip_status=undefined ${now}000000`,
    )
    expect(answer.status).toBe(204)
    const { data } = await store.calls.list({ ...everything, account_sid: 'b' }, page)
    expect(data[0]).toMatchObject({ trunk: null, answered: null, duration: null, sip_status: null })
    expect(await store.calls.figures({ account_sid: 'b' }, everything)).toMatchObject({
      calls: 1,
      answered: 0,
      not_answered: 0,
      seconds: 0,
      timed: 0,
      trunks: [{ trunk: null, calls: 1 }],
    })
    expect((await send(store, 'cdrs,account_sid=b duration=undefined')).status).toBe(204)
  })

  it('rejects points that are too old or in the future, and stores the rest', async () => {
    const answer = await send(
      store,
      [line(3), line(4, now - 40 * DAY), line(5, now + 3 * DAY)].join('\n'),
    )
    expect(answer.status).toBe(400)
    expect(answer.body).toContain('partial write: points beyond retention policy dropped=2')
    expect(await storedSids()).not.toContain('c4')
    expect(await storedSids()).toContain('c3')
  })

  it('accepts integers, other time units and compressed bodies', async () => {
    const ms = now - 5_000
    expect(
      (
        await post(
          '/write?db=cdrs&precision=ms',
          `cdrs,account_sid=i call_sid="i1",duration=12i ${ms}`,
        )
      ).status,
    ).toBe(204)
    const packed = gzipSync(`cdrs,account_sid=i call_sid="i2",duration=3 ${ms}000001`)
    expect((await post('/write?db=cdrs', packed, { 'content-encoding': 'gzip' })).status).toBe(204)
    const { data } = await store.calls.list({ ...everything, account_sid: 'i' }, page)
    expect(data.map((c) => [c.call_sid, c.duration, c.attempted_at])).toEqual([
      ['i2', 3, new Date(ms).toISOString()],
      ['i1', 12, new Date(ms).toISOString()],
    ])
  })

  it('limits its input', async () => {
    expect((await send(store, `cdrs,a=b x="${'x'.repeat(70_000)}"`)).status).toBe(400)
    expect((await post('/write?db=cdrs', 'x'.repeat(25_000_001))).status).toBe(413)
    const bomb = gzipSync(Buffer.alloc(100_000_000))
    expect((await post('/write?db=cdrs', bomb, { 'content-encoding': 'gzip' })).status).toBe(400)
    expect(
      (await post('/write?db=cdrs', 'not packed', { 'content-encoding': 'gzip' })).status,
    ).toBe(400)
    expect((await post('/write?db=other', line(9))).status).toBe(404)
    expect((await post('/write?db=__proto__', line(9))).status).toBe(404)
    expect((await post('/write', line(9))).status).toBe(400)
    expect((await post('/write?db=cdrs&precision=constructor', line(9))).status).toBe(400)
    expect((await post('/elsewhere', '')).status).toBe(404)
    expect((await fetch(`${store.url}/ping`)).status).toBe(204)
    expect(await storedSids()).not.toContain('c9')
  })

  it('answers supported statements and rejects all others', async () => {
    const databases = await query('show databases')
    expect(databases.body.results[0].series[0].values).toContainEqual(['cdrs'])
    expect((await query('create database "cdrs"')).body).toEqual({ results: [{ statement_id: 0 }] })
    const none = await query('SELECT * from cdrs WHERE account_sid = $a ORDER BY time DESC', {
      params: '{"a":"x"}',
    })
    expect(none.body).toEqual({ results: [{ statement_id: 0 }] })
    for (const bad of [
      'drop database "cdrs"',
      'select',
      'SELECT * FROM cdrs WHERE',
      'SELECT * FROM cdrs; DROP DATABASE cdrs',
      "SELECT * FROM cdrs WHERE x = 'open",
      'SELECT * FROM cdrs WHERE account_sid =~ /.*/',
      'SELECT * FROM cdrs WHERE account_sid = $missing',
      '\0',
      '('.repeat(5_000),
    ])
      expect(await query(bad), bad).toMatchObject({
        status: 400,
        body: { error: expect.any(String) },
      })
    expect((await query('SELECT * FROM cdrs', { params: '{' })).status).toBe(400)
  })

  it('prevents injection into statements', async () => {
    const byType = (filter: string, written = filter) =>
      query(
        `SELECT COUNT(sip_callid) from cdrs WHERE account_sid = $account_sid AND ("from" =~ /.*${written}.*/ OR "to" =~ /.*${written}.*/ OR call_sid = $filter)`,
        { params: JSON.stringify({ account_sid: 'nobody', filter }) },
      )
    const breakOut = "x.*/ OR call_sid = 'c1') OR (account_sid = 'a'"
    for (const filter of [breakOut, '+1', '/', '.*', "'", '"', '\\', '\n', '%', '_', ')'])
      expect(await byType(filter), filter).toEqual({
        status: 200,
        body: { results: [{ statement_id: 0 }] },
      })
    expect(await byType('x', breakOut)).toMatchObject({ status: 400 })
  })

  it('rejects a repetitive statement', async () => {
    const repeated = (n: number) => `${'("from" =~ /.*'.repeat(n)}${'.*/ OR "to" =~ /.*'.repeat(n)}`
    expect(await query(repeated(100), { params: '{"filter":"x"}' })).toMatchObject({ status: 400 })
    // a quadratic parser would exceed the test timeout
    expect(() => parseQuery(repeated(100_000), { filter: 'x' })).toThrow(BadQuery)
  })

  it('counts accepted and dropped points', async () => {
    const before = (await store.ingested())!
    await send(store, [line(20), line(21), 'rubbish', line(22, 1)].join('\n'))
    const after = (await store.ingested())!
    expect(after.points.cdrs! - before.points.cdrs!).toBe(2)
    expect(after.dropped.malformed! - before.dropped.malformed!).toBe(1)
    expect(after.dropped.outside_retention! - before.dropped.outside_retention!).toBe(1)
    expect(after.requests['400']! - before.requests['400']!).toBe(1)
    expect(after.bytes).toBeGreaterThan(0)
  })

  it('survives broken connections and other protocols', async () => {
    const { port } = new URL(store.url)
    for (const payload of [
      'POST /write?db=cdrs HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\ncdrs,a=b',
      '\x16\x03\x01\x02\x00',
      'GET / HTTP/9.9\r\n\r\n',
      `GET /${'x'.repeat(100_000)} HTTP/1.1\r\n\r\n`,
    ])
      await new Promise<void>((resolve) => {
        const socket = connect(Number(port), '127.0.0.1', () => socket.end(payload, 'latin1'))
        socket.on('error', () => undefined)
        socket.once('close', () => resolve())
        socket.resume()
      })
    expect((await send(store, line(30))).status).toBe(204)
  })

  it('writes our own alerts', async () => {
    await store.alerts.write({
      account_sid: 'a, b',
      service_provider_sid: 'p',
      alert_type: 'x=y',
      message: 'said "so" \\ and\nso',
      detail: null,
      target_sid: null,
      vendor: null,
    })
    const { data, total } = await store.alerts.list({ ...everything, account_sid: 'a, b' }, page)
    expect(total).toBe(1)
    expect(data[0]).toMatchObject({
      alert_type: 'x=y',
      message: 'said "so" \\ and\nso',
      detail: null,
    })
  })
})

describe('line protocol', () => {
  it('limits the points per body', () => {
    const body = 'a b=1\n'.repeat(MAX_POINTS + 2)
    const { points, bad, errors } = parseLines(body, () => ({ ms: 1, ns: 0 }))
    expect([points.length, bad]).toEqual([MAX_POINTS, 2])
    expect(errors[0]).toBe("unable to parse 'a b=1': too many points at once")
  })

  it('keeps fields and tags whose names every object has', () => {
    const names = ['__proto__', 'constructor', 'toString']
    const body = names.map((name) => `a,${name}=x ${name}=1`).join('\n')
    const { points, bad } = parseLines(body, () => ({ ms: 1, ns: 0 }))
    expect(bad).toBe(0)
    expect(points.map((p) => Object.entries(p.fields))).toEqual(names.map((name) => [[name, 1]]))
    expect(points.map((p) => Object.entries(p.series.tags))).toEqual(
      names.map((name) => [[name, 'x']]),
    )
  })

  it('survives generated input', () => {
    const random = seededRandom(3)
    const pieces = [
      'cdrs',
      ',',
      '=',
      ' ',
      '"',
      '\\',
      '\n',
      '\r\n',
      '#',
      'a',
      '1',
      'i',
      't',
      'undefined',
      '-',
      '9'.repeat(25),
      '1e999',
      '\0',
      'ü',
      '😀',
      line(1),
      '__proto__',
      'constructor',
      '\u2028',
    ]
    const bodies = reportedCases('broken bodies of call records', 30_000, 1_000_000)
    for (let i = 0; i < bodies; i++) {
      const body = Array.from({ length: random(14) }, () => pieces[random(pieces.length)]).join('')
      const { points, bad, errors } = parseLines(body, () => ({ ms: 1, ns: 0 }))
      expect(errors.length).toBeLessThanOrEqual(bad)
      for (const { series, fields, ms, ns } of points) {
        expect(series.measurement).not.toBe('')
        expect(Object.keys(fields).length).toBeGreaterThan(0)
        expect(Number.isInteger(ms) && Number.isInteger(ns)).toBe(true)
      }
    }
  })

  it('isolates a damaged line from the others', async () => {
    const random = seededRandom(11)
    const store = await testStore('embedded')
    const expectedIds = new Set<string>()
    for (let i = 0; i < 40; i++) {
      const lines: string[] = []
      for (let j = 0; j < 20; j++) {
        const id = i * 20 + j
        if (random(3)) {
          expectedIds.add(`c${id}`)
          lines.push(line(id))
        } else
          lines.push(
            ['cdrs', 'cdrs,a= x=1', 'cdrs x', '=,= =', 'cdrs x=1 abc', 'cdrs,a=b,a=c x=1'][
              random(6)
            ]!,
          )
      }
      await send(store, lines.join('\n'))
    }
    const storedIds = new Set<string | null>()
    for await (const call of store.calls.each(everything)) storedIds.add(call.call_sid)
    expect(storedIds).toEqual(expectedIds)
    await store.close()
  })
})

describe('storage', () => {
  let folder: string
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  const newFolder = () => {
    folder = mkdtempSync(join(tmpdir(), 'switchroom-telemetry-'))
    return folder
  }
  const listen = { host: '127.0.0.1', port: 0 }

  const timeout = 60_000 * caseCount(2, 200)
  it('survives a kill of the process during writes', { timeout }, async () => {
    newFolder()
    const store = fileURLToPath(new URL('./store.ts', import.meta.url))
    const script = `import { embeddedStores } from ${JSON.stringify(store)}
      const s = embeddedStores({ folder: ${JSON.stringify(folder)}, days: 30, max_bytes: 1e12, listen: { host: '127.0.0.1', port: 0 } })
      console.log(String(await s.open())); setInterval(() => {}, 1000)`
    const kills = reportedCases(KILLED, 2, 200)
    for (let round = 0; round < kills; round++) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const port = await new Promise<string>((resolve) =>
        child.stdout.once('data', (data) => resolve(String(data).trim())),
      )
      const acknowledged: number[] = []
      let next = round * 1_000_000
      const sending = Array.from({ length: 4 }, async () => {
        // ends when the killed server refuses the connection
        for (;;) {
          const batch = Array.from({ length: 50 }, () => next++)
          const answer = await send(
            { url: `http://127.0.0.1:${port}` },
            batch.map((i) => line(i)).join('\n'),
          )
          if (answer.status === 204) acknowledged.push(...batch)
        }
      })
      await expect.poll(() => acknowledged.length).toBeGreaterThan(10_000)
      child.kill('SIGKILL')
      await Promise.allSettled(sending)
      const after = embeddedStores({ folder, days: 30, max_bytes: 1e12 })
      const storedIds = new Set<string | null>()
      for await (const call of after.calls.each(everything)) storedIds.add(call.call_sid)
      expect(acknowledged.filter((i) => !storedIds.has(`c${i}`))).toEqual([])
      const found = { 'acknowledged and found': acknowledged.length }
      report({ part: KILLED, tried: 0, found })
      // the counts are of the same moment as the calls
      expect((await after.calls.list(everything, page)).total).toBe(storedIds.size)
      expect((await after.calls.figures({}, everything)).calls).toBe(storedIds.size)
      await after.close()
    }
  })

  it('is removed by age', async () => {
    const files = () => readdirSync(folder).filter((f) => f.endsWith('.db')).length
    const long = embeddedStores({ folder: newFolder(), days: 30, max_bytes: 1e12, listen })
    const url = `http://127.0.0.1:${await long.open()}`
    for (let day = 0; day < 10; day++) await send({ url }, line(day, now - day * DAY))
    expect((await long.calls.list(everything, page)).total).toBe(10)
    await long.close()
    expect(files()).toBe(10)
    const short = embeddedStores({ folder, days: 3, max_bytes: 1e12, listen })
    // not shown any longer, even before it is deleted
    expect((await short.calls.list(everything, page)).total).toBeLessThanOrEqual(4)
    await short.maintain()
    expect(files()).toBeLessThanOrEqual(4)
    expect((await short.calls.list(everything, page)).data[0]!.call_sid).toBe('c0')
    await short.close()
  })

  it('is removed by size, oldest first, also within one day', async () => {
    const store = embeddedStores({ folder: newFolder(), days: 30, max_bytes: 3_000_000, listen })
    const url = `http://127.0.0.1:${await store.open()}`
    await send({ url }, line(1, now - 5 * DAY))
    const midday = Math.floor(now / DAY) * DAY - DAY / 2
    const reason = `,termination_reason="${'x'.repeat(1_000)}"`
    const lines = Array.from({ length: 6_000 }, (_, i) => line(i + 10, midday + i, reason))
    for (let i = 0; i < lines.length; i += 1_000)
      expect((await send({ url }, lines.slice(i, i + 1_000).join('\n'))).status).toBe(204)
    await store.maintain()
    const { data, total } = await store.calls.list(everything, page)
    expect(total).toBeGreaterThan(0)
    expect(total).toBeLessThan(6_000)
    expect(data[0]!.call_sid).toBe('c6009')
    expect((await store.calls.list({ ...everything, text: '1' }, page)).total).toBe(total)
    expect(await store.calls.figures({}, everything)).toMatchObject({
      calls: total,
      seconds: total * 10,
    })
    expect(await store.calls.find({}, { call_sid: 'c1' })).toBeUndefined()
    await store.close()
  })
})

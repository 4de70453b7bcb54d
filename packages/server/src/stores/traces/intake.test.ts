import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { JaegerExporter } from '@opentelemetry/exporter-jaeger'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { seededRandom } from '../../../test/calls.ts'
import { ownOrClickHouse } from '../../../test/clickhouse.ts'
import { testTraces } from '../../../test/traces.ts'
import { reportedCases } from '../../../test/trust.ts'
import { Segments } from './files/segments.ts'
import { type Format, Intake } from './intake.ts'
import { type Batch, Unreadable } from './span.ts'
import { MAX_SPANS } from './store.ts'

const ID = 'ab'.repeat(16)
const spanId = (i: number) => (i + 1).toString(16).padStart(16, '0')
const spans = (count: number, more: object = {}, traceId = ID) =>
  Array.from({ length: count }, (_, i) => ({
    traceId,
    spanId: spanId(i),
    name: `span ${i}`,
    kind: 1,
    startTimeUnixNano: '1700000000000000000',
    endTimeUnixNano: '1700000001000000000',
    attributes: [{ key: 'n', value: { intValue: i } }],
    ...more,
  }))
const otlp = (count: number, more?: object, traceId?: string) =>
  JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: spans(count, more, traceId) }] }] })

/** The write function of an intake. */
const into = (segments: Segments) => async (batches: Batch[]) => segments.write(batches)

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchroom-traces-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** The request body that an exporter sends for a small trace. */
async function bodyOf(make: (url: string) => NodeTracerProvider): Promise<Buffer> {
  const { createServer } = await import('node:http')
  const got = Promise.withResolvers<Buffer>()
  const server = createServer(async (request, answer) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    answer.end('{}')
    got.resolve(Buffer.concat(chunks))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const provider = make(`http://127.0.0.1:${(server.address() as { port: number }).port}`)
  const span = provider.getTracer('x').startSpan('verb:say', {
    attributes: { a: 'text', b: true, c: 7, d: 0.5, e: ['x', 'y'] },
  })
  span.end()
  const body = await got.promise
  await provider.shutdown()
  server.close()
  return body
}
const provider = (exporter: ConstructorParameters<typeof SimpleSpanProcessor>[0]) =>
  new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })

it('tells the version of the feature server whose call came in last', async () => {
  const intake = new Intake(async () => {})
  const at = (value: string) => [{ key: 'service.version', value: { stringValue: value } }]
  const call = { name: 'incoming-call' }
  const take = (version: string, more: object, isOnSpan = false) =>
    intake.take(
      'otlp_json',
      Buffer.from(
        JSON.stringify({
          resourceSpans: [
            {
              resource: { attributes: isOnSpan ? [] : at(version) },
              scopeSpans: [
                { spans: spans(1, isOnSpan ? { ...more, attributes: at(version) } : more) },
              ],
            },
          ],
        }),
      ),
    )
  expect(intake.counts().platform).toBeNull()
  await take('1.2.3', { name: 'of another program' })
  await take('from the future', call)
  expect(intake.counts().platform).toBeNull()
  await take('10.1.0', call)
  await take('1.2.3', {})
  expect(intake.counts().platform).toBe('10.1.0')
  await take('11.0.2', call, true)
  expect(intake.counts().platform).toBe('11.0.2')
})

describe('malformed input', () => {
  it('is rejected after any mutation', async () => {
    const bodies: Record<Format, Buffer> = {
      otlp_json: Buffer.from(otlp(2)),
      zipkin: Buffer.from(
        JSON.stringify([
          { traceId: ID, id: spanId(1), timestamp: 1, duration: 2, tags: { a: 'b' } },
        ]),
      ),
      jaeger: await bodyOf((url) => provider(new JaegerExporter({ endpoint: url }))),
      otlp_protobuf: await bodyOf((url) => provider(new ProtobufExporter({ url }))),
    }
    const segments = new Segments({ folder, days: 30, max_bytes: 1e9 })
    const intake = new Intake(into(segments))
    const random = seededRandom(11)
    let refused = 0
    for (const [format, body] of Object.entries(bodies) as [Format, Buffer][]) {
      expect(await intake.take(format, body), format).toBe(0)
      const bodies = reportedCases('broken bodies of traces', 500, 50_000)
      for (let i = 0; i < bodies; i++) {
        const changed = Buffer.from(body.subarray(0, random(8) ? body.length : random(body.length)))
        for (let n = random(6); n >= 0 && changed.length > 0; n--)
          changed[random(changed.length)] = random(256)
        await intake.take(format, changed).catch((e) => {
          expect(e, format).toBeInstanceOf(Unreadable)
          refused++
        })
      }
    }
    expect(refused).toBeGreaterThan(400)
    await intake.take('otlp_json', Buffer.from(otlp(1, {}, 'cd'.repeat(16))))
    expect(segments.find('cd'.repeat(16))!.resourceSpans).toHaveLength(1)
    segments.close()
  })

  it.each([
    ['ids', { traceId: 7 }],
    ['a trace of zeros', { traceId: '0'.repeat(32) }],
    ['a span of zeros', { spanId: '0'.repeat(16) }],
    ['no beginning', { startTimeUnixNano: null }],
    ['a negative time', { endTimeUnixNano: '-5' }],
    ['an endless time', { endTimeUnixNano: 1e300 }],
  ])('is counted when a span has wrong %s', async (_, more) => {
    const segments = new Segments({ folder, days: 30, max_bytes: 1e9 })
    const intake = new Intake(into(segments))
    expect(await intake.take('otlp_json', Buffer.from(otlp(3, more)))).toBe(3)
    expect(intake.counts().dropped).toEqual({ malformed: 3, unreadable: 0 })
    expect(segments.find(ID)).toBeUndefined()
    segments.close()
  })

  it('stores what it can of members that are not text', async () => {
    const segments = new Segments({ folder, days: 30, max_bytes: 1e9 })
    const hostile = { toString: 1, valueOf: 1, toJSON: 1, ['__proto__']: { a: 1 } }
    const attributes = [
      null,
      7,
      { key: hostile, value: hostile },
      { key: 'a', value: { doubleValue: hostile } },
      { key: 'b', value: { kvlistValue: { values: [{ key: '__proto__', value: hostile }] } } },
      { key: 'c', value: { stringValue: 'x\ud800' } },
    ]
    const body = otlp(1, { name: hostile, kind: hostile, attributes })
    await new Intake(into(segments)).take('otlp_json', Buffer.from(body))
    const zipkin = [
      { traceId: ID, id: spanId(9), timestamp: 5, tags: { x: hostile }, name: hostile },
    ]
    await new Intake(into(segments)).take('zipkin', Buffer.from(JSON.stringify(zipkin)))
    const storedSpans = segments.find(ID)!.resourceSpans.flatMap((r) => r.scopeSpans[0]!.spans)
    expect(storedSpans.map(({ name }) => name)).toEqual(['', ''])
    segments.close()
  })
})

describe('amplification', () => {
  const N = 7_900_000
  const parseBody = (format: Format, body: Buffer) => {
    const segments = new Segments({ folder, days: 30, max_bytes: 1e9 })
    return new Intake(into(segments)).take(format, body).finally(() => segments.close())
  }
  /** A field of protobuf that has a length. */
  const field = (number: number, ...content: Buffer[]) => {
    const bytes = Buffer.concat(content)
    const length: number[] = []
    for (let n = bytes.length; length.length === 0 || n > 0; n >>>= 7)
      length.push((n & 127) | (n > 127 ? 128 : 0))
    return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), bytes])
  }
  const empties = (number: number) => Buffer.alloc(N, field(number))

  it('is rejected in Thrift structs', async () => {
    const head = Buffer.from([15, 0, 1, 12, 0, 0, 0, 0])
    head.writeInt32BE(N - 8, 4)
    const body = Buffer.concat([head, Buffer.alloc(N)])
    await expect(parseBody('jaeger', body)).rejects.toThrow('of too many values')
  })

  it('is rejected with deep nesting', async () => {
    const deep = 'nested too deep'
    const struct = Buffer.alloc(600_000, Buffer.from([12, 0, 1]))
    await expect(parseBody('jaeger', struct)).rejects.toThrow(deep)
    const value = `${'{"arrayValue":{"values":['.repeat(5_000)}${']}}'.repeat(5_000)}`
    const json = otlp(1, { attributes: [{ key: 'a', value: 0 }] }).replace(
      '"value":0',
      `"value":${value}`,
    )
    await expect(parseBody('otlp_json', Buffer.from(json))).rejects.toThrow(deep)
  })

  it('is rejected with many scopes', async () => {
    const refused = 'of too many scopes'
    const protobuf = parseBody('otlp_protobuf', field(1, empties(2)))
    await expect(protobuf).rejects.toMatchObject({
      name: 'Unreadable',
      cause: { message: refused },
    })
    const scope = JSON.stringify({ spans: spans(1) })
    const json = (of: string, n: number) =>
      parseBody(
        'otlp_json',
        Buffer.from(`{"resourceSpans":[{"scopeSpans":[${`${of},`.repeat(n)}0]}]}`),
      )
    await expect(json(scope, 1_001)).rejects.toThrow(refused)
    // a body without spans stores nothing
    expect(await json('0', N / 2)).toBe(0)
  })

  it('is cut in a list of values', async () => {
    const value = field(2, field(5, empties(1)))
    const attribute = field(9, field(1, Buffer.from('a')), value)
    const ids = [field(1, Buffer.from(ID, 'hex')), field(2, Buffer.from(spanId(0), 'hex'))]
    const times = [0x39, 0x41].map((tag) => Buffer.from([tag, 1, 0, 0, 0, 0, 0, 0, 0]))
    const body = field(1, field(2, field(2, ...ids, ...times, attribute)))
    const segments = new Segments({ folder, days: 30, max_bytes: 1e9 })
    await new Intake(into(segments)).take('otlp_protobuf', body)
    const [span] = segments.find(ID)!.resourceSpans[0]!.scopeSpans[0]!.spans
    expect(span!.attributes[0]!.value.stringValue).toBe(JSON.stringify(Array(10_000).fill(null)))
    segments.close()
  })

  it('is limited when repeated for each scope', async () => {
    const attributes = Array.from({ length: 50 }, (_, i) => ({
      key: `k${i}`,
      value: { stringValue: 'x'.repeat(60_000) },
    }))
    const scopeSpans = Array.from({ length: 40 }, (_, i) => ({
      scope: { name: `s${i}` },
      spans: [{ ...spans(1)[0], spanId: spanId(i) }],
    }))
    const body = JSON.stringify({ resourceSpans: [{ resource: { attributes }, scopeSpans }] })
    const segments = new Segments({ folder, days: 30, max_bytes: 1e9 })
    expect(await new Intake(into(segments)).take('otlp_json', Buffer.from(body))).toBe(0)
    expect(segments.bytes()).toBeLessThan(10_000_000)
    expect(segments.find(ID)!.resourceSpans).toHaveLength(40)
    segments.close()
  })
})

describe.each(ownOrClickHouse)('a port (%s)', (kind) => {
  let opened: Awaited<ReturnType<typeof testTraces>>
  let url: string
  beforeEach(async () => {
    opened = await testTraces(kind, folder)
    url = `http://127.0.0.1:${opened.ports[0]}`
  })
  afterEach(() => opened.close())
  const post = (path: string, body: string | Buffer<ArrayBuffer>, headers: object = {}) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    })

  it('rejects bodies that are too large, also once decompressed, nested or of another type, and continues', async () => {
    const bomb = gzipSync(Buffer.alloc(100_000_000, ' '))
    const packed = { 'content-encoding': 'gzip' }
    expect((await post('/v1/traces', bomb, packed)).status).toBe(400)
    expect((await post('/v1/traces', Buffer.from('no gzip'), packed)).status).toBe(400)
    expect((await post('/v1/traces', otlp(1), { 'content-encoding': 'br' })).status).toBe(415)
    expect((await post('/v1/traces', '['.repeat(200_000))).status).toBe(400)
    expect((await post('/v1/traces', otlp(1), { 'content-type': 'text/xml' })).status).toBe(415)
    expect((await post('/v2/traces', otlp(1))).status).toBe(404)
    expect((await fetch(`${url}/v1/traces`)).status).toBe(405)
    const large = await post('/v1/traces', ' '.repeat(9_000_000)).catch((e: Error) => e)
    expect(large instanceof Error || large.status === 413).toBe(true)
    expect((await post('/v1/traces', otlp(1))).status).toBe(200)
    expect(await opened.find(ID)).toBeDefined()
    expect((await opened.ingested())!.dropped.unreadable).toBeGreaterThanOrEqual(7)
  })

  it('rejects an endless body', async () => {
    // a socket, since an HTTP client may itself run for ever
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.on('error', () => undefined)
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.write(
      'POST /v1/traces HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n',
    )
    const chunk = `f4240\r\n${'['.repeat(1_000_000)}\r\n`
    while (!socket.destroyed)
      if (!socket.write(chunk))
        await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => undefined)
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect((await post('/v1/traces', otlp(1))).status).toBe(200)
  })

  it('reports how many spans were rejected', async () => {
    const answer = await post('/v1/traces', otlp(2, { spanId: 'x' }))
    expect(await answer.json()).toMatchObject({ partialSuccess: { rejectedSpans: '2' } })
  })

  it('stores a repeated span once, as it came last', async () => {
    for (const name of ['before', 'after'])
      expect((await post('/v1/traces', otlp(3, { name }))).status).toBe(200)
    const { resourceSpans } = (await opened.find(ID))!
    const names = resourceSpans.flatMap((r) => r.scopeSpans[0]!.spans.map(({ name }) => name))
    expect(names).toEqual(['after', 'after', 'after'])
    expect(await opened.find('cd'.repeat(16))).toBeUndefined()
  })

  it('limits the spans of a giant trace, and marks it as cut', async () => {
    for (let i = 0; i < 3; i++) {
      const traceId = ID
      const part = spans(8_000, {}, traceId).map((s, n) => ({
        ...s,
        spanId: spanId(i * 8_000 + n),
      }))
      const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: part }] }] })
      expect((await post('/v1/traces', body)).status).toBe(200)
    }
    const found = (await opened.find(ID))!
    expect(found.cut).toBe(true)
    expect(found.resourceSpans.flatMap((r) => r.scopeSpans[0]!.spans)).toHaveLength(MAX_SPANS)
  })
})

describe('storage', () => {
  it('survives a kill once acknowledged', async () => {
    const script = `
      const { embeddedTraces } = await import(${JSON.stringify(new URL('./files/store.ts', import.meta.url).href)})
      const store = embeddedTraces({ folder: ${JSON.stringify(folder)}, days: 30, max_bytes: 1e9,
        listen: [{ host: '127.0.0.1', port: 0 }], words: { accounts: new Map(), unknown: undefined, key: 'key' } })
      console.log(String((await store.open())[0]))`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script])
    const over = once(child, 'exit')
    const port = Number((await once(child.stdout, 'data')).toString())
    const ids: string[] = []
    const sending = (async () => {
      for (let i = 0; ; i++) {
        const traceId = `f${i.toString(16).padStart(31, '0')}`
        await fetch(`http://127.0.0.1:${port}/v1/traces`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: otlp(3, {}, traceId),
        })
        ids.push(traceId)
        if (i === 40) child.kill('SIGKILL')
      }
    })()
    await expect(sending).rejects.toThrow()
    await over
    const segments = new Segments({ folder, days: 30, max_bytes: 1e9 })
    expect(ids.length).toBeGreaterThan(40)
    for (const id of ids)
      expect(segments.find(id)!.resourceSpans[0]!.scopeSpans[0]!.spans).toHaveLength(3)
    segments.close()
  })

  it('removes complete days by age', async () => {
    let now = Date.now()
    const segments = new Segments({ folder, days: 3, max_bytes: 1e9, now: () => now })
    const intake = new Intake(into(segments))
    for (let day = 0; day < 6; day++) {
      await intake.take('otlp_json', Buffer.from(otlp(1, {}, `${day + 1}`.repeat(32))))
      now += 86_400_000
    }
    segments.forget()
    const isStored = (day: number) => segments.find(`${day + 1}`.repeat(32)) !== undefined
    expect([0, 1, 2, 3, 4, 5].map(isStored)).toEqual([false, false, false, true, true, true])
    now += 10 * 86_400_000
    segments.forget()
    expect(readdirSync(folder)).toEqual([])
    segments.close()
  })

  it('never exceeds its size limit', async () => {
    const max_bytes = 4_000_000
    const segments = new Segments({ folder, days: 30, max_bytes })
    const intake = new Intake(into(segments))
    for (let i = 0; i < 24; i++) {
      const more = { name: 'x'.repeat(1_000) }
      await intake.take('otlp_json', Buffer.from(otlp(100, more, `e${`${i}`.padStart(31, '0')}`)))
      segments.forget()
      expect(segments.bytes()).toBeLessThanOrEqual(max_bytes)
    }
    const isStored = (i: number) => segments.find(`e${`${i}`.padStart(31, '0')}`) !== undefined
    expect([isStored(0), isStored(23)]).toEqual([false, true])
    segments.close()
  })

  it('stores a repeated span once', async () => {
    const segments = new Segments({ folder, days: 30, max_bytes: 1e9 })
    const intake = new Intake(into(segments))
    await intake.take('otlp_json', Buffer.from(otlp(2, { name: 'before' })))
    await intake.take('otlp_json', Buffer.from(otlp(2, { name: 'after' })))
    const storedSpans = segments.find(ID)!.resourceSpans[0]!.scopeSpans[0]!.spans
    expect(storedSpans.map(({ name }) => name)).toEqual(['after', 'after'])
    segments.close()
  })
})

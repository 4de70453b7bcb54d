import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'
import { outbound } from '../outbound/outbound.ts'
import { openTracing, type Tracing } from './tracing.ts'

type Attribute = { key: string; value: Record<string, string> }
type Span = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: Attribute[]
  status: { code: number }
}
const SERVER = 2
const CLIENT = 3

const servers: Server[] = []
let t: TestApp | undefined
let tracing: Tracing | undefined
afterEach(async () => {
  await t?.close()
  await tracing?.close()
  for (const server of servers.splice(0)) server.close()
})

async function listen(server: Server) {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A collector, its received spans, and its answer. */
async function startCollector() {
  const received = {
    spans: [] as Span[],
    headers: [] as Record<string, unknown>[],
    status: 200,
    outcomes: [] as string[],
  }
  const url = await listen(
    createServer(async (request, reply) => {
      const body = JSON.parse(await text(request))
      received.headers.push(request.headers)
      if (received.status === 200) received.spans.push(...body.resourceSpans[0].scopeSpans[0].spans)
      reply.writeHead(received.status).end('{}')
    }),
  )
  const open = (origins: string[] = []) =>
    openTracing({
      endpoint: url,
      headers: { 'x-key': 'k1' },
      service: 'switchroom',
      version: '1',
      ratio: 1,
      origins,
      failed: (e) => void received.outcomes.push(String(e)),
      worked: () => void received.outcomes.push('worked'),
    })
  return { received, open }
}

const attributes = (span: Span) =>
  Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

it('makes spans of a request, its statements and what it asks others, without values', async () => {
  const { received, open } = await startCollector()
  const asked: Record<string, unknown>[] = []
  const influx = await listen(
    createServer((request, reply) => {
      asked.push(request.headers)
      reply.end('{"results":[]}')
    }),
  )
  const hook = await listen(
    createServer((request, reply) => {
      asked.push(request.headers)
      reply.end('[]')
    }),
  )
  tracing = open([influx])
  t = await testApp(
    { JAMBONES_TIME_SERIES_HOST: new URL(influx).host },
    outbound(['127.0.0.0/8']),
    tracing,
  )
  const { a1 } = t.sids
  const traceparent = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`
  const path = `/Accounts/${a1}/RecentCalls?page=1&count=25&filter=canary`
  const answer = await t.request('a1', 'GET', path, undefined, { traceparent })
  expect(answer.statusCode).toBe(200)
  // requests to users' addresses carry no trace
  const url = encodeURIComponent(`${hook}/canary`)
  await t.request('a1', 'GET', `/AppEnv?url=${url}`)
  await tracing.close()

  const find = (name: string) => received.spans.find((span) => span.name === name)!
  const request = find('GET /api/v1/Accounts/:account_sid/RecentCalls')
  expect(request).toMatchObject({
    traceId: 'ab'.repeat(16),
    parentSpanId: 'cd'.repeat(8),
    kind: SERVER,
  })
  expect(attributes(request)).toEqual({
    'http.request.method': 'GET',
    'http.route': '/api/v1/Accounts/:account_sid/RecentCalls',
    'http.response.status_code': '200',
  })
  const within = received.spans.filter(({ parentSpanId }) => parentSpanId === request.spanId)
  const statements = within.filter(({ name }) => name === 'SELECT')
  expect(statements.length).toBeGreaterThan(0)
  expect(attributes(statements[0]!)['db.query.text']).toMatch(/^select .+ = \?/)
  const calls = within.filter((span) => attributes(span)['server.address'])
  expect(calls.map((span) => [span.kind, span.name, attributes(span)])).toContainEqual([
    CLIENT,
    'POST',
    {
      'http.request.method': 'POST',
      'server.address': '127.0.0.1',
      'http.response.status_code': '200',
    },
  ])
  const traced = asked.filter((headers) => headers.traceparent)
  expect(traced.length).toBeGreaterThan(0)
  expect(traced.every(({ host }) => host === new URL(influx).host)).toBe(true)
  expect(String(traced[0]!.traceparent)).toContain('ab'.repeat(16))
  expect(asked.some(({ host }) => host === new URL(hook).host)).toBe(true)
  expect(received.headers[0]).toMatchObject({ 'x-key': 'k1' })
  const sent = JSON.stringify(received.spans)
  expect(sent).not.toContain('canary')
  expect(sent).not.toContain(a1)
  expect(received.outcomes).toContain('worked')
})

it('marks what failed, takes no span from a malformed header, and drops what nobody takes', async () => {
  const { received, open } = await startCollector()
  tracing = open()
  t = await testApp({}, undefined, tracing)
  t.ctx.health.check = () => Promise.reject(new Error('broken'))
  const broken = await t.app.inject({ url: '/ready', headers: { traceparent: '00-nothing-at-01' } })
  expect(broken.statusCode).toBe(500)
  received.status = 200
  await tracing.close()
  const span = received.spans.find(({ name }) => name === 'GET /ready')!
  expect(span.status.code).toBe(2)
  expect(span).not.toHaveProperty('parentSpanId')

  const refused = await startCollector()
  refused.received.status = 503
  tracing = refused.open()
  const app = await testApp({}, undefined, tracing)
  await app.app.inject('/health')
  await tracing.close()
  await app.close()
  expect(refused.received.outcomes).toEqual(['Error: The collector answered 503'])
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'
import { influxStores } from './calls/influx/store.ts'
import { StoreUnavailable } from './kit/unavailable.ts'

const span = { from: 0, to: Date.now() }
const page = { limit: 25, offset: 0 }

describe('an InfluxDB that does not answer', () => {
  it('is reported in plain words for every request', async () => {
    const stores = influxStores('http://127.0.0.1:1')
    const each = async () => {
      for await (const _ of stores.calls.each(span)) return
    }
    for (const ask of [
      () => stores.calls.list(span, page),
      () => stores.calls.find({}, { call_sid: 'x' }),
      () => stores.calls.figures({}, span),
      () => stores.alerts.list(span, page),
      each,
    ])
      await expect(ask()).rejects.toThrow(StoreUnavailable)
  })

  it.each([
    ['an error', 500, '{}'],
    ['something else', 200, '<html>'],
  ])('is unavailable when it answers %s', async (_, status, body) => {
    const server = createServer((_, answer) => answer.writeHead(status).end(body))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const stores = influxStores(`http://127.0.0.1:${port}`)
    await expect(stores.calls.list(span, page)).rejects.toThrow(StoreUnavailable)
    server.close()
  })
})

describe('the stores of a server', () => {
  let app: TestApp
  afterEach(() => app?.close())

  it('are embedded, empty, and counted in its metrics', async () => {
    app = await testApp({ SWITCHROOM_INGEST_INFLUX: '0' })
    const { stores } = app.ctx
    expect(await stores.calls.list(span, page)).toEqual({ data: [], total: 0 })
    const metrics = (await app.app.inject('/metrics')).body
    expect(metrics).toContain('switchroom_ingest_dropped_total{reason="malformed"} 0')
    expect(metrics).toMatch(/^switchroom_telemetry_bytes \d+$/m)
  })

  it('start on first use', async () => {
    app = await testApp({}, undefined, undefined, { ownApp: true })
    expect(await app.ctx.stores.ingested()).toBeUndefined()
    expect((await app.app.inject('/metrics')).body).toContain('switchroom_telemetry_bytes 0')
  })

  it('answer 503 with a message when they are unavailable', async () => {
    app = await testApp({ JAMBONES_TIME_SERIES_HOST: '127.0.0.1:1' })
    const { onError } = await import('../http/failure.ts')
    const error = await app.ctx.stores.calls.list(span, page).catch((e: unknown) => e)
    const { default: Fastify } = await import('fastify')
    const server = Fastify()
    server.setErrorHandler(onError)
    server.get('/', () => Promise.reject(error))
    const answer = await server.inject('/')
    expect(answer.statusCode).toBe(503)
    expect(answer.headers['retry-after']).toBe('5')
    expect(answer.json()).toMatchObject({
      code: 'unavailable',
      msg: 'The call records (InfluxDB) cannot be reached',
    })
  })
})

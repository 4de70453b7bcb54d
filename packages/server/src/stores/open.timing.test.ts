import { describe, expect, it } from 'vitest'
import { testApp } from '../../test/app.ts'
import { HANGS, type Hang, hungServer } from '../../test/stand-ins/hung.ts'
import { influxStores } from './calls/influx/store.ts'
import { StoreTimeout } from './kit/unavailable.ts'
import { homerCaptures } from './sip/homer/store.ts'
import { jaegerTraces } from './traces/jaeger/store.ts'

const span = { from: 0, to: Date.now() }
const page = { limit: 25, offset: 0 }
const homer = { username: 'admin', password: 'secret' }
const wanted = { call_id: 'a@pbx', kind: 'call', from: 0, to: 1 } as const

describe('an InfluxDB that hangs', () => {
  it.each(Object.keys(HANGS) as Hang[])('times out when it %s', async (how) => {
    const hung = await hungServer(how)
    const { calls, alerts, ping } = influxStores(hung.url, 0.3)
    const began = Date.now()
    for (const [ask, what] of [
      [() => calls.list(span, page), 'The call records (InfluxDB)'],
      [() => calls.figures({}, span), 'The call records (InfluxDB)'],
      [() => alerts.list(span, page), 'The alerts (InfluxDB)'],
      [() => alerts.write({} as never), 'The alerts (InfluxDB)'],
      [() => ping!(), 'The call records (InfluxDB)'],
      [() => jaegerTraces(hung.url, 0.3).find('a'), 'The traces (Jaeger)'],
      [() => jaegerTraces(hung.url, 0.3).ping(), 'The traces (Jaeger)'],
      [
        () => homerCaptures({ ...homer, url: hung.url }, 0.3).find(wanted),
        'The SIP captures (Homer)',
      ],
      [() => homerCaptures({ ...homer, url: hung.url }, 0.3).ping(), 'The SIP captures (Homer)'],
    ] as const) {
      const error = await ask().catch((e: unknown) => e)
      expect(error).toBeInstanceOf(StoreTimeout)
      expect((error as Error).message).toBe(`${what} did not answer within 0.3 seconds`)
    }
    // nine limits, one after the other, and what a busy machine takes beside them
    expect(Date.now() - began).toBeLessThan(30_000)
    hung.close()
  })

  it('is named in the error after five seconds, and by /ready', async () => {
    const hung = await hungServer()
    const app = await testApp({
      JAMBONES_TIME_SERIES_HOST: hung.host,
      JAEGER_BASE_URL: hung.url,
      HOMER_BASE_URL: hung.url,
      HOMER_USERNAME: 'admin',
      HOMER_PASSWORD: 'secret',
    })
    const began = Date.now()
    const [ready, list] = await Promise.all([
      app.ctx.health.check().then(() => app.app.inject('/ready')),
      app.request('a1', 'GET', `/Accounts/${app.sids.a1}/RecentCalls?page=1&count=25`),
    ])
    // all wait at once; one after the other, they would take twenty seconds
    expect(Date.now() - began).toBeLessThan(15_000)
    expect([ready.statusCode, ready.json()]).toEqual([
      200,
      {
        ready: true,
        failing: [],
        degraded: ['influxdb', 'jaeger', 'homer'],
        msg: 'InfluxDB is failing. Jaeger is failing. Homer is failing.',
      },
    ])
    expect([list.statusCode, list.json()]).toMatchObject([
      503,
      {
        code: 'store_timeout',
        msg: 'The call records (InfluxDB) did not answer within 5 seconds',
      },
    ])
    await app.close()
    hung.close()
  })
})

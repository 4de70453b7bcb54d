import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { proxy } from '../../../../test/calls.ts'
import { StoreUnavailable } from '../../kit/unavailable.ts'
import { influx } from './influx.ts'
import { influxStores } from './store.ts'

/** A platform that was just set up, on a real InfluxDB 1.x where there is one. */
const at = process.env.TEST_INFLUX_URL
const span = { from: 0, to: Date.now() }
const page = { limit: 25, offset: 0 }

describe.each(at ? [false, true] : [])('an InfluxDB with databases: %s', (made) => {
  let own: Awaited<ReturnType<typeof proxy>>
  let url: string
  beforeAll(async () => {
    own = await proxy(at!, 0, `_${randomUUID().slice(0, 8)}`)
    url = `http://127.0.0.1:${own.port}`
    if (made)
      for (const name of ['cdrs', 'alerts'])
        await influx(url).query('', [`CREATE DATABASE "${name}"`])
  })
  afterAll(() => own?.close())

  it('is empty at first', async () => {
    const { calls, alerts, ping } = influxStores(url)
    await ping!()
    const none = { data: [], total: 0 }
    expect(await calls.list(span, page)).toEqual(none)
    expect(await calls.list({ ...span, text: '1508', answered: true, trunk: 'x' }, page)).toEqual(
      none,
    )
    expect(await alerts.list(span, page)).toEqual(none)
    expect(await calls.find({ account_sid: 'a' }, { call_sid: 'x' })).toBeUndefined()
    expect(await calls.figures({ account_sid: 'a' }, span)).toMatchObject({ calls: 0, trunks: [] })
    for await (const call of calls.each(span)) expect(call).toBeUndefined()
  })

  it('reports an error of one of several statements', async () => {
    const db = influx(url)
    const nowhere = 'SELECT * FROM "no such policy".cdrs'
    const results = db.query('cdrs', ['SELECT * FROM cdrs', nowhere, 'SELECT * FROM cdrs'])
    if (made) await expect(results).rejects.toThrow(StoreUnavailable)
    else expect(await results).toEqual([[], [], []])
  })

  it('stores the first alert', async () => {
    const { alerts } = influxStores(url)
    await alerts.write({ account_sid: 'a', message: 'm', alert_type: 't' } as never)
    expect((await alerts.list({ from: 0, to: Date.now() + 60_000 }, page)).total).toBe(1)
  })
})

it('sends statements one by one when a batch fails without a reason', async () => {
  let errorText = 'database not found: cdrs'
  // as 1.6 answers: of several, the reason is lost
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const several = new URLSearchParams(body).get('q')!.includes(';')
    const error = several ? 'not executed' : errorText
    response.end(JSON.stringify({ results: [{ statement_id: 0, error }] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { calls } = influxStores(`http://127.0.0.1:${port}`)
  expect(await calls.list(span, page)).toEqual({ data: [], total: 0 })
  errorText = 'max-concurrent-queries limit exceeded'
  await expect(calls.list(span, page)).rejects.toThrow(StoreUnavailable)
  server.close()
})

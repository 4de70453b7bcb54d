import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callLine, send, type TestStore, testStore } from '../../../../test/calls.ts'
import { influxStores } from './store.ts'

const AT = Date.UTC(2026, 0, 31)
const span = { from: AT, to: AT + 1_000_000 }

describe.runIf(process.env.TEST_INFLUX_URL)('pages of calls in InfluxDB', () => {
  let store: TestStore
  beforeAll(async () => {
    store = await testStore('InfluxDB')
    // several of the same time, of different series
    const times = [0, 1, 1, 1, 2, 3, 3, 4, 5, 5, 5, 5, 6, 7]
    const lines = times.map((at, i) =>
      callLine({
        ms: AT + at * 1_000,
        ns: 0,
        tags: { account_sid: `a${i % 3}`, service_provider_sid: 'sp', trunk: `t${i}` },
        fields: { call_sid: `c${i}`, sip_callid: `s${i}`, from: `1508555${i}`, to: '44' },
      }),
    )
    expect((await send(store, lines.join('\n'))).status).toBeLessThan(300)
  })
  afterAll(() => store.close())

  it.each([{}, { text: '1508555' }, { account_sid: 'a1' }, { text: '44', account_sid: 'a2' }])(
    'have each call once, newest first: %j',
    async (filter) => {
      const all: (string | null)[] = []
      for await (const call of store.calls.each({ ...span, ...filter })) all.push(call.call_sid)
      expect(all.length).toBeGreaterThan(3)
      for (const limit of [1, 2, 3, 5, 50]) {
        const paged: (string | null)[] = []
        for (let offset = 0; offset < all.length + limit; offset += limit) {
          const { data, total } = await store.calls.list({ ...span, ...filter }, { limit, offset })
          expect(total).toBe(all.length)
          paged.push(...data.map(({ call_sid }) => call_sid))
        }
        expect(paged, `by ${limit}`).toEqual(all)
      }
    },
  )
})

/** An InfluxDB with a call each second, as far as a list of calls asks. */
async function fakeInflux(calls: number) {
  const statements: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const asked = new URLSearchParams(body).get('q')!.split('; ')
    statements.push(...asked)
    const results = asked.map((statement) => {
      if (statement.startsWith('SELECT COUNT'))
        return { series: [{ columns: ['time', 'count'], values: [['', calls]] }] }
      const count = Number(/LIMIT (\d+)/.exec(statement)![1])
      const values = Array.from({ length: Math.min(count, calls) }, (_, i) => [
        new Date(AT - i * 1_000).toISOString(),
        `s${i}`,
      ])
      return { series: [{ columns: ['time', 'sip_callid'], values }] }
    })
    response.end(JSON.stringify({ results }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { calls: store } = influxStores(`http://127.0.0.1:${port}`)
  return { store, statements, close: () => server.close() }
}

const EVERY_FIELD = /^SELECT \*/

it('reads all fields of the calls of a page only', async () => {
  const { store, statements, close } = await fakeInflux(100)
  const { data, total } = await store.list({ ...span, text: '1508' }, { limit: 25, offset: 0 })
  expect([data.length, total]).toEqual([25, 100])
  const wide = statements.filter((statement) => EVERY_FIELD.test(statement))
  expect(wide).toHaveLength(1)
  const last = new Date(AT - 24_000).toISOString()
  expect(wide[0]).toContain(`time >= '${last}' AND time <= '${new Date(AT).toISOString()}'`)
  // few enough to count what was found
  expect(statements.filter((statement) => statement.includes('COUNT'))).toEqual([])
  close()
})

it('has InfluxDB count what many calls contain', async () => {
  const { store, statements, close } = await fakeInflux(200_000)
  const { total } = await store.list({ ...span, text: '1508' }, { limit: 25, offset: 0 })
  expect(total).toBe(200_000)
  expect(statements.filter((statement) => EVERY_FIELD.test(statement))).toHaveLength(1)
  close()
})

it('asks once for what several want at once', async () => {
  const { store, statements, close } = await fakeInflux(100)
  const page = { limit: 25, offset: 0 }
  const all = await Promise.all(Array.from({ length: 20 }, () => store.list(span, page)))
  expect(new Set(all.map(({ total }) => total))).toEqual(new Set([100]))
  // the times and the count, then the calls
  expect(statements).toHaveLength(3)
  close()
})

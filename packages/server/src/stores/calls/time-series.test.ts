import { createRequire } from 'node:module'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { onDefaultPort, storeKinds, type TestStore, testStore } from '../../../test/calls.ts'

/** The platform's own client, unmodified, against both stores: it must not notice which one it speaks to. */
type Page = { total: number; page: number; data: Record<string, unknown>[] }
type Client = Record<string, (...args: unknown[]) => Promise<Page>> & {
  AlertType: Record<string, string>
}
type Make = (log: object, options: object) => Client
const load = createRequire(import.meta.url)
const clients = ['time-series-02', 'time-series-05'] as const

const now = Date.now()
const call = (i: number, more: object = {}) => ({
  call_sid: `call-${i}`,
  application_sid: 'application-1',
  account_sid: 'account-1',
  service_provider_sid: 'provider-1',
  from: `+1508${i}`,
  to: 'sip:b@x/y "quoted" \\ back',
  answered: i % 2 === 0,
  sip_callid: `sip-${i}`,
  sip_status: i % 2 ? 486 : 200,
  duration: i % 2 ? 0 : 12,
  attempted_at: now - i * 1_000,
  terminated_at: now,
  ...(i % 2 ? {} : { answered_at: now }),
  termination_reason: 'caller, x=y\nnext line',
  host: '10.0.0.1',
  remote_host: '10.0.0.2',
  direction: 'inbound',
  trunk: 'my trunk,a=b',
  trace_id: '0'.repeat(32),
  ...more,
})
/** Times that the server gave are its own, and of one batch they are all the same. */
const withoutTimes = ({ data, ...rest }: Page) => ({
  ...rest,
  data: data
    .map((row) => ('time' in row ? JSON.stringify({ ...row, time: typeof row.time }) : row))
    .sort((a, b) => (typeof a === 'string' && a < (b as string) ? -1 : 0)),
})

describe.each(clients)('%s', (name) => {
  const answersOf: Record<string, unknown[]> = {}

  describe.each(storeKinds)('with %s', (kind) => {
    let store: TestStore
    let port: Awaited<ReturnType<typeof onDefaultPort>>
    let client: Client
    const errors: unknown[] = []
    const answers: unknown[] = []

    beforeAll(async () => {
      store = await testStore(kind)
      port = await onDefaultPort(store.url)
      const log = { debug() {}, info() {}, error: (...e: unknown[]) => errors.push(e) }
      const options = { host: port.host, commitSize: 3, commitInterval: 0 }
      client = (load(name) as Make)(log, options)
    })
    afterEach(() => expect(errors).toEqual([]))
    afterAll(async () => {
      answersOf[kind] = answers
      await port?.close()
      await store?.close()
    })
    /** Polls until all rows are there: the client writes without waiting. */
    async function waitForTotal(total: number, ask: () => Promise<Page>) {
      const page = await vi.waitFor(
        async () => {
          const page = await ask()
          expect(page.total).toBe(total)
          return page
        },
        { timeout: 60_000 },
      )
      answers.push(withoutTimes(page))
      return page
    }

    it('writes calls and reads them back by every filter', async () => {
      await client.writeCdrs!([1, 2, 3, 4, 5].map((i) => call(i)))
      await client.writeCdrs!(
        [6, 7, 8].map((i) =>
          call(i, { account_sid: 'account-2', trunk: undefined, direction: 'outbound' }),
        ),
      )
      const ownCalls = { account_sid: 'account-1', page: 1, page_size: 25 }
      const page = await waitForTotal(5, () => client.queryCdrs!({ ...ownCalls, days: 7 }))
      expect(page.data.map((c) => c.call_sid)).toEqual([
        'call-1',
        'call-2',
        'call-3',
        'call-4',
        'call-5',
      ])
      expect(page.data[1]).toMatchObject({
        answered: true,
        duration: 12,
        sip_status: 200,
        to: 'sip:b@x/y "quoted" \\ back',
        termination_reason: 'caller, x=y\nnext line',
        trunk: 'my trunk,a=b',
      })
      const start = new Date(now - 86_400_000).toISOString()
      const end = new Date(now).toISOString()
      const filters: [number, object][] = [
        [2, { days: 1, answered: 'true' }],
        [3, { days: 1, answered: 'false' }],
        [5, { days: 1, trunk: 'my trunk,a=b', direction: 'inbound' }],
        [0, { days: 1, direction: 'outbound' }],
        [5, { days: 1, filter: '1508' }],
        [1, { days: 1, filter: '15083' }],
        [1, { days: 1, filter: 'call-3' }],
        [5, { start, end }],
        [5, { start, page: 2, page_size: 2 }],
        [5, { start, page: 9, page_size: 2 }],
        [2, { start: new Date(now - 2_500).toISOString() }],
      ]
      for (const [total, filter] of filters)
        await waitForTotal(total, () => client.queryCdrs!({ ...ownCalls, ...filter }))
      await waitForTotal(0, () =>
        client.queryCdrs!({ ...ownCalls, account_sid: 'nobody', days: 7 }),
      )
      const provider = { service_provider_sid: 'provider-1', page: 1, page_size: 25, days: 7 }
      const all = await waitForTotal(8, () => client.queryCdrsSP!(provider))
      expect(all.data[5]).toMatchObject({ trunk: 'undefined' })
    })

    it('writes alerts and reads them back', async () => {
      const of = { account_sid: 'account-1', service_provider_sid: 'provider-1' }
      const T = client.AlertType
      await client.writeAlerts!([
        {
          ...of,
          alert_type: T.WEBHOOK_STATUS_FAILURE,
          url: 'http://x/y',
          status: 404,
          target_sid: 't-1',
        },
        { ...of, alert_type: T.TTS_FAILURE, vendor: 'google', detail: 'bad "x"' },
        { ...of, message: 'a notice without a type' },
      ])
      const ownCalls = { account_sid: 'account-1', page: 1, page_size: 25, days: 7 }
      const page = await waitForTotal(3, () => client.queryAlerts!(ownCalls))
      expect(page.data).toHaveLength(3)
      await waitForTotal(1, () =>
        client.queryAlerts!({
          ...ownCalls,
          alert_type: T.WEBHOOK_STATUS_FAILURE,
          target_sid: 't-1',
        }),
      )
      await waitForTotal(0, () => client.queryAlerts!({ ...ownCalls, target_sid: 't-2' }))
      await waitForTotal(3, () =>
        client.queryAlertsSP!({ ...ownCalls, service_provider_sid: 'provider-1' }),
      )
    })

    it('writes call counts and reads them back', async () => {
      const of = {
        account_sid: 'account-1',
        service_provider_sid: 'provider-1',
        application_sid: 'application-1',
        page: 1,
        page_size: 25,
        days: 7,
      }
      for (const kind of ['', 'SP', 'App']) {
        // all three of a batch have one time and one series: the last stays
        for (const calls_in_progress of [1, 2, 3])
          await client[`writeCallCount${kind}`]!({ ...of, calls_in_progress })
        const page = await waitForTotal(1, () => client[`queryCallCounts${kind}`]!(of))
        expect(page.data[0]).toMatchObject({ calls_in_progress: 3 })
      }
      await client.writeSystemAlerts!({
        system_component: 'sbc',
        state: 'online',
        fields: { detail: 'x', host: 'h' },
      })
    })
  })

  it('gets the same results from both', () => {
    expect(Object.keys(answersOf)).toEqual([...storeKinds])
    if (answersOf.InfluxDB) expect(answersOf.embedded).toEqual(answersOf.InfluxDB)
  })
})

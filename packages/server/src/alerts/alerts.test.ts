import { randomUUID } from 'node:crypto'
import { type AlertItem, api } from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { raiseAlerts, type TestAlert } from '../../test/alerts.ts'
import { type TestApp, testApp } from '../../test/app.ts'
import { type TestStore, testStore } from '../../test/calls.ts'
import { insertMany } from '../db/insert-many.ts'
import { StoreUnavailable } from '../stores/kit/unavailable.ts'
import { MAX_MARKS } from './issues/marks.ts'

let t: TestApp
let store: TestStore
beforeEach(async () => {
  t = await testApp()
  store = await testStore('embedded', 60)
  t.ctx.stores.alerts = store.alerts
})
afterEach(async () => {
  await t.close()
  await store.close()
})

const HOUR = 3_600_000
const NOW = Date.now()

const of = (who: 'a1' | 'a2' | 'b1', more: TestAlert = {}): TestAlert => ({
  account_sid: t.sids[who],
  service_provider_sid: who === 'b1' ? t.sids.sp2 : t.sids.sp1,
  alert_type: 'webhook-failure',
  message: who,
  ...more,
})

type Query = Record<string, string | number>
const page = { page: 1, count: 100 }
const ofAccount = (who: string, account_sid: string, query: Query = {}) =>
  t.as(who)(api.accountAlerts.list, {
    params: { account_sid },
    query: { ...page, ...query } as never,
  })
const ofProvider = (who: string, service_provider_sid: string) =>
  t.as(who)(api.providerAlerts.list, { params: { service_provider_sid }, query: page })
const messagesOf = ({ data }: { data: AlertItem[] }) => data.map((a) => a.message)
const path = (query: string) => `/Accounts/${t.sids.a1}/Alerts?${query}`

it('lists alerts in the platform’s format, newest first', async () => {
  await raiseAlerts(store, NOW - 2 * HOUR, of('a1', { message: 'old', alert_type: 'no-tts' }))
  await raiseAlerts(store, NOW - HOUR, of('a1', { message: 'new', vendor: 'google' }), of('a2'))
  const answer = await t.request('a1', 'GET', path('page=1&count=1'))
  expect(answer.json()).toMatchObject({ total: 2, page: '1', page_size: '1' })
  expect(answer.json().data).toEqual([
    {
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/),
      account_sid: t.sids.a1,
      service_provider_sid: t.sids.sp1,
      alert_type: 'webhook-failure',
      message: 'new',
      detail: null,
      target_sid: null,
      vendor: 'google',
      target: null,
    },
  ])
  expect(messagesOf(await ofAccount('a1', t.sids.a1, { page: 2, count: 1 }))).toEqual(['old'])
})

it('filters by type and by time', async () => {
  await raiseAlerts(store, NOW - HOUR, of('a1', { message: 'now' }))
  await raiseAlerts(store, NOW - 30 * HOUR, of('a1', { message: 'then', alert_type: 'no-tts' }))
  await raiseAlerts(store, NOW - 2 * HOUR, {
    ...of('a1'),
    alert_type: undefined,
    message: 'untyped',
  })
  const listMessages = async (query: Query) => messagesOf(await ofAccount('a1', t.sids.a1, query))
  expect(await listMessages({ alert_type: 'no-tts' })).toEqual(['then'])
  expect(await listMessages({ alert_type: 'untyped' })).toEqual(['untyped'])
  expect(await listMessages({ alert_type: 'webhook' })).toEqual([])
  expect(await listMessages({ days: 1 })).toEqual(['now', 'untyped'])
  const at = new Date(NOW - 30 * HOUR).toISOString()
  expect(await listMessages({ end: at })).toEqual(['then'])
})

it('names the target of an alert to callers who may see it', async () => {
  const carrier = (who: string) =>
    t.as(who)(api.voipCarriers.create, { body: { name: `trunk of ${who}` } })
  const { sid: own } = await carrier('a1')
  const { sid: foreign } = await carrier('b1')
  const { sid: credential } = await t.as('a1')(api.accountSpeechCredentials.create, {
    params: { account_sid: t.sids.a1 },
    body: { vendor: 'soniox', api_key: 'x', use_for_stt: 1 },
  })
  const application = async (who: 'a1' | 'b1') => {
    const application_sid = randomUUID()
    await t.db
      .insertInto('applications')
      .values({ application_sid, name: `app of ${who}`, account_sid: t.sids[who] })
      .execute()
    return application_sid
  }
  const [app, theirs] = [await application('a1'), await application('b1')]
  const raiseFor = (target_sid: string) => of('a1', { target_sid, message: target_sid })
  await raiseAlerts(
    store,
    NOW - HOUR,
    raiseFor(own),
    raiseFor(foreign),
    raiseFor(credential),
    raiseFor(randomUUID()),
  )
  await raiseAlerts(store, NOW - HOUR, raiseFor(app), raiseFor(theirs))
  const { data } = await ofAccount('a1', t.sids.a1)
  const target = (sid: string) => data.find((a) => a.target_sid === sid)!.target
  expect(target(own)).toEqual({ kind: 'voip_carrier', name: 'trunk of a1' })
  expect(target(credential)).toEqual({ kind: 'speech_credential', name: 'soniox' })
  expect(target(foreign)).toBeNull()
  expect(target(app)).toEqual({ kind: 'application', name: 'app of a1' })
  expect(target(theirs)).toBeNull()
  expect(data.filter((a) => a.target === null)).toHaveLength(3)
})

it('shows each caller only its own, whichever owner the path names', async () => {
  await raiseAlerts(store, NOW - HOUR, of('a1'))
  await raiseAlerts(store, NOW - 2 * HOUR, of('a2'))
  await raiseAlerts(store, NOW - 3 * HOUR, of('b1'))
  expect(messagesOf(await ofProvider('sp1', t.sids.sp1))).toEqual(['a1', 'a2'])
  expect(messagesOf(await ofProvider('a2', t.sids.sp1))).toEqual(['a2'])
  expect(messagesOf(await ofAccount('sp1', t.sids.a2))).toEqual(['a2'])
  expect(messagesOf(await t.as('admin')(api.alerts.list, { query: page }))).toEqual([
    'a1',
    'a2',
    'b1',
  ])
  for (const query of [
    () => ofAccount('a1', t.sids.a2),
    () => ofAccount('sp1', t.sids.b1),
    () => ofProvider('sp1', t.sids.sp2),
  ])
    await expect(query()).rejects.toMatchObject({ status: 404 })
})

it('reports that the store cannot be reached', async () => {
  const failingRead = async () => {
    throw new StoreUnavailable('The store of alerts cannot be reached')
  }
  t.ctx.stores.alerts = { list: failingRead, write: failingRead }
  for (const path of ['Alerts?page=1&count=1', 'Issues', 'Issues/Count']) {
    const answer = await t.request('a1', 'GET', `/Accounts/${t.sids.a1}/${path}`)
    expect(answer.statusCode, path).toBe(503)
    expect(answer.json().code).toBe('unavailable')
  }
})

describe('gathered alerts', () => {
  const gathered = async (who: string, query: Query = {}) =>
    (
      await t.as(who)(api.providerAlerts.gathered, {
        params: { service_provider_sid: t.sids.sp1 },
        query: query as never,
      })
    ).data.map(({ account_name, alert_type, alerts }) => `${account_name} ${alert_type} ${alerts}`)

  beforeEach(async () => {
    await raiseAlerts(store, NOW - 3 * HOUR, of('a1', { message: 'first' }))
    await raiseAlerts(store, NOW - 2 * HOUR, of('a1', { message: 'https://x:hidden@h.example' }))
    await raiseAlerts(store, NOW - 2 * HOUR, of('a2'), of('a1', { alert_type: 'no-tts' }))
    await raiseAlerts(store, NOW - HOUR, of('a1', { message: 'latest', vendor: 'google' }))
    await raiseAlerts(store, NOW - HOUR, of('b1'))
  })

  it('have first, last and count, by type and account', async () => {
    expect((await gathered('sp1')).sort()).toEqual([
      'a1 no-tts 1',
      'a1 webhook-failure 3',
      'a2 webhook-failure 1',
    ])
    expect((await gathered('a1')).sort()).toEqual(['a1 no-tts 1', 'a1 webhook-failure 3'])
    const { data, total } = await t.as('a1')(api.accountAlerts.gathered, {
      params: { account_sid: t.sids.a1 },
      query: {} as never,
    })
    expect(total).toBe(4)
    expect(data[0]).toMatchObject({ alerts: 3, latest: { message: 'latest' } })
    const { first_at, last_at } = data[0]!
    expect([first_at, last_at].map((at) => Math.floor(Date.parse(at)))).toEqual([
      NOW - 3 * HOUR,
      NOW - HOUR,
    ])
    expect((await t.as('admin')(api.alerts.gathered, { query: {} as never })).data).toHaveLength(4)
    const foreign = `/Accounts/${t.sids.b1}/Alerts/Gathered`
    expect((await t.request('a1', 'GET', foreign)).statusCode).toBe(404)
  })

  describe('have a state', () => {
    const statesOf = async (who: string, query: Query = {}) =>
      (
        await t.as(who)(api.providerAlerts.gathered, {
          params: { service_provider_sid: t.sids.sp1 },
          query: query as never,
        })
      ).data
        .map((g) => `${g.account_name} ${g.alert_type} ${g.state}`)
        .sort()
    const mark = (who: string, state: 'open' | 'resolved', account: 'a1' | 'b1' = 'a1') =>
      t.as(who)(api.providerIssues.mark, {
        params: { service_provider_sid: t.sids.sp1 },
        body: { account_sid: t.sids[account], kind: 'alert', key: 'webhook-failure', state },
      })
    const OTHERS = ['a1 no-tts open']

    it('that is resolved, and returns with the next alert', async () => {
      expect(await statesOf('sp1', { days: 1, state: 'open' })).toHaveLength(3)
      await mark('sp1', 'resolved')
      expect(await statesOf('sp1')).toContain('a1 webhook-failure resolved')
      expect(await statesOf('sp1', { state: 'open' })).toEqual([
        ...OTHERS,
        'a2 webhook-failure open',
      ])
      await raiseAlerts(store, Date.now() + 1_000, of('a1', { message: 'again' }))
      expect(await statesOf('sp1', { state: 'open' })).toContain('a1 webhook-failure returned')
      await mark('sp1', 'resolved')
      await mark('sp1', 'open')
      expect(await statesOf('sp1')).toContain('a1 webhook-failure open')
      const log = await t.as('sp1')(api.audit.list, { query: { page: 1, kind: 'alert_matter' } })
      expect(log.data.map((e) => `${e.action} ${e.name}`)).toEqual([
        'delete Webhook failed',
        'update Webhook failed',
        'create Webhook failed',
      ])
    })

    it('of an account’s own, which is not its provider’s', async () => {
      await t.as('a1')(api.accountIssues.mark, {
        params: { account_sid: t.sids.a1 },
        body: { kind: 'alert', key: 'webhook-failure', state: 'resolved' },
      })
      expect(await statesOf('a1')).toEqual([...OTHERS, 'a1 webhook-failure resolved'])
      expect(await statesOf('sp1')).toContain('a1 webhook-failure open')
      await mark('sp1', 'resolved')
      await t.as('a1')(api.accountIssues.mark, {
        params: { account_sid: t.sids.a1 },
        body: { kind: 'alert', key: 'webhook-failure', state: 'open' },
      })
      expect(await statesOf('sp1')).toContain('a1 webhook-failure resolved')
      const account = { account_sid: t.sids.a1, stripe_customer_id: null }
      for (const removed of t.ctx.onAccountRemoved) await removed(t.db, account)
      expect(await t.db.selectFrom('switchroom_alert_matters').selectAll().execute()).toEqual([])
    })

    it('that has a limit, in which marks of a month ago do not count', async () => {
      const marks = (mended_at: number) =>
        Array.from({ length: MAX_MARKS }, (_, i) => ({
          alert_matter_sid: randomUUID(),
          inbox: t.sids.sp1,
          account_sid: t.sids.a1,
          alert_type: `type-${i}`,
          ...{ mended_at, changed_at: 0, muted_until: null, assigned_to: null },
        }))
      const insert = (mended_at: number) =>
        insertMany(t.db, 'switchroom_alert_matters', marks(mended_at))
      await insert(Date.now())
      await expect(mark('sp1', 'resolved')).rejects.toMatchObject({ status: 422 })
      await t.db.deleteFrom('switchroom_alert_matters').execute()
      await insert(Date.now() - 31 * 24 * HOUR)
      await mark('sp1', 'resolved')
      expect(await statesOf('sp1')).toContain('a1 webhook-failure resolved')
    })

    it('that ends when none has occurred for a day', async () => {
      await raiseAlerts(store, NOW - 25 * HOUR, of('a2', { alert_type: 'no-stt' }))
      expect(await statesOf('sp1')).toContain('a2 no-stt quiet')
      expect(await statesOf('sp1', { state: 'open' })).not.toContain('a2 no-stt quiet')
    })

    it('that view-only users and others do not set', async () => {
      await expect(mark('sp1-viewer', 'resolved')).rejects.toMatchObject({ status: 403 })
      await expect(mark('sp1', 'resolved', 'b1')).rejects.toMatchObject({ status: 400 })
      await expect(mark('admin', 'resolved', 'b1')).rejects.toMatchObject({ status: 400 })
      await expect(mark('sp2', 'resolved')).rejects.toMatchObject({ status: 404 })
      await expect(
        t.as('a2')(api.accountIssues.mark, {
          params: { account_sid: t.sids.a1 },
          body: { kind: 'alert', key: 'webhook-failure', state: 'resolved' },
        }),
      ).rejects.toMatchObject({ status: 404 })
    })
  })

  it('are found by type, message and vendor, and not by a secret', async () => {
    expect(await gathered('sp1', { filter: 'LATEST' })).toEqual(['a1 webhook-failure 1'])
    expect(await gathered('sp1', { filter: 'google' })).toEqual(['a1 webhook-failure 1'])
    expect(await gathered('sp1', { filter: 'text-to-speech' })).toEqual(['a1 no-tts 1'])
    expect(await gathered('sp1', { filter: 'h.example' })).toEqual(['a1 webhook-failure 1'])
    expect(await gathered('sp1', { filter: 'hidden' })).toEqual([])
    expect(await gathered('sp1', { days: 1, alert_type: 'no-tts' })).toEqual(['a1 no-tts 1'])
  })
})

import { randomUUID } from 'node:crypto'
import { type AlertItem, api } from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { raiseAlerts, type TestAlert } from '../../test/alerts.ts'
import { type TestApp, testApp } from '../../test/app.ts'
import { type TestStore, testStore } from '../../test/calls.ts'
import { StoreUnavailable } from '../stores/unavailable.ts'

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
  const countUnread = async (who: string) => {
    const params = { service_provider_sid: t.sids.sp1 }
    return (await t.as(who)(api.providerAlerts.unread, { params })).unread
  }
  expect([await countUnread('sp1'), await countUnread('a2')]).toEqual([2, 1])
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

describe('the unread count', () => {
  const countUnread = async (who: string, account_sid = t.sids.a1) =>
    (await t.as(who)(api.accountAlerts.unread, { params: { account_sid } })).unread
  const markSeen = (who: string, ms: number, account_sid = t.sids.a1) =>
    t.as(who)(api.accountAlerts.see, {
      params: { account_sid },
      body: { until: new Date(ms).toISOString() },
    })
  beforeEach(async () => {
    await raiseAlerts(store, NOW - HOUR, of('a1'))
    await raiseAlerts(store, NOW - 2 * HOUR, of('a1'))
    await raiseAlerts(store, NOW - 40 * 24 * HOUR, of('a1'))
  })

  it('counts the last month’s alerts until the user has seen them', async () => {
    expect(await countUnread('a1')).toBe(2)
    await markSeen('a1', NOW - 2 * HOUR)
    expect(await countUnread('a1')).toBe(1)
    await markSeen('a1', NOW - HOUR)
    expect(await countUnread('a1')).toBe(0)
    await raiseAlerts(store, NOW, of('a1'))
    expect(await countUnread('a1')).toBe(1)
  })

  it('does not grow when an older time is marked', async () => {
    await Promise.all([
      markSeen('a1', NOW),
      markSeen('a1', NOW - 3 * HOUR),
      markSeen('a1', NOW - HOUR),
    ])
    await markSeen('a1', NOW - 3 * HOUR)
    expect(await countUnread('a1')).toBe(0)
  })

  it('is separate for each user and each account', async () => {
    await markSeen('sp1', NOW)
    expect(await countUnread('sp1')).toBe(0)
    expect(await countUnread('a1')).toBe(2)
    const provider = { service_provider_sid: t.sids.sp1 }
    expect(await t.as('sp1')(api.providerAlerts.unread, { params: provider })).toEqual({
      unread: 2,
    })
    expect(await t.as('admin')(api.alerts.unread, {})).toEqual({ unread: 2 })
  })

  it('can be marked by a view-only user, but not by an API key', async () => {
    await markSeen('a1-viewer', NOW)
    expect(await countUnread('a1-viewer')).toBe(0)
    await expect(markSeen('a1-key', NOW)).rejects.toMatchObject({ status: 404 })
  })

  it('is deleted with its user', async () => {
    await markSeen('a1', NOW)
    await t.as('admin')(api.users.remove, { params: { user_sid: t.users.a1! } })
    expect(await t.db.selectFrom('switchroom_alert_marks').selectAll().execute()).toEqual([])
  })
})

it('reports that the store cannot be reached', async () => {
  const failingRead = async () => {
    throw new StoreUnavailable('The store of alerts cannot be reached')
  }
  t.ctx.stores.alerts = { list: failingRead, countSince: failingRead, write: failingRead }
  for (const path of ['Alerts?page=1&count=1', 'Alerts/Unread']) {
    const answer = await t.request('a1', 'GET', `/Accounts/${t.sids.a1}/${path}`)
    expect(answer.statusCode, path).toBe(503)
    expect(answer.json().code).toBe('unavailable')
  }
})

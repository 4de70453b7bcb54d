import { randomUUID } from 'node:crypto'
import { api, MAX_VIEW_ALERTS, VIEW_ALERT } from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { callLine, send, storeKinds, type TestStore, testStore } from '../../../test/calls.ts'
import {
  PAGERDUTY,
  type Receivers,
  receivers,
  SECRET,
  WEBHOOK,
} from '../../../test/stand-ins/alert-receivers.ts'
import { StoreUnavailable } from '../../stores/kit/unavailable.ts'
import { lookForAlerts } from '../alert-destinations/claim-alerts.ts'
import { deliverDue } from '../alert-destinations/deliver-due.ts'
import { checkViewAlerts } from './check.ts'

const MINUTE = 60_000

let t: TestApp
let r: Receivers
let store: TestStore
const open = (kind: (typeof storeKinds)[number]) => async () => {
  r = await receivers()
  t = await testApp({}, r.out)
  store = await testStore(kind)
  t.ctx.stores.calls = store.calls
  t.ctx.stores.alerts = store.alerts
}
const close = async () => {
  await t.close()
  await r.close()
  await store.close()
}

let serial = 0
type Account = 'a1' | 'a2' | 'b1'
async function calls(ms: number, count: number, to = '493012345678', account: Account = 'a1') {
  const lines = Array.from({ length: count }, () =>
    callLine({
      ms,
      ns: serial++ % 1_000_000,
      tags: {
        service_provider_sid: account === 'b1' ? t.sids.sp2 : t.sids.sp1,
        account_sid: t.sids[account],
        ...{ host: '10.0.0.1', trunk: 'Northwind', direction: 'outbound', answered: 'false' },
      },
      fields: {
        ...{ call_sid: randomUUID(), sip_callid: randomUUID(), from: '15085551234', to },
        ...{ sip_status: 503, duration: 0 },
      },
    }),
  )
  expect(await send(store, lines.join('\n'))).toMatchObject({ status: 204 })
}

async function save(who: string, search: object = {}, more: object = {}) {
  const body = { list: 'recent_calls', name: `view ${++serial}`, search, view: {}, ...more }
  return (await t.as(who)(api.savedViews.create, { body: body as never })).sid
}
const CONDITION = { comparison: 'more', threshold: 2, minutes: 10, quiet_minutes: 30 } as const
const set = (who: string, saved_view_sid: string, more: object = {}) =>
  t.as(who)(api.viewAlerts.set, {
    params: { saved_view_sid },
    body: { ...CONDITION, ...more },
  })
const remove = (who: string, saved_view_sid: string) =>
  t.as(who)(api.viewAlerts.remove, { params: { saved_view_sid } })
const list = (who: string, of = 'recent_calls') =>
  t.as(who)(api.viewAlerts.list, { query: { list: of as never } })
const stateOf = async (who: string) => (await list(who))[0]?.state
const destination = async (who: string, more: object = {}) =>
  (
    await t.as(who)(api.alertDestinations.create, {
      body: { name: 'x', kind: 'webhook', address: WEBHOOK, secret: SECRET, ...more } as never,
    })
  ).sid
const received = () => r.got.map(({ body }) => [body.type ?? body.event_action, body.data?.message])
const listed = async (who: 'a1' | 'sp1') => {
  const query = { page: 1, count: 25 } as never
  const { data } =
    who === 'a1'
      ? await t.as('a1')(api.accountAlerts.list, { params: { account_sid: t.sids.a1 }, query })
      : await t.as('sp1')(api.providerAlerts.list, {
          params: { service_provider_sid: t.sids.sp1 },
          query,
        })
  return data
}

describe.each(storeKinds)('with %s', (kind) => {
  beforeEach(open(kind))
  afterEach(close)

  it('tells once that there are more, and once that it is over', async () => {
    const to = await destination('a1')
    const sid = await save('a1', { prefix: '49', date: 'today', page_size: 25 }, { name: 'Berlin' })
    await set('a1', sid, { alert_destination_sids: [to] })
    const now = Date.now()
    await calls(now - MINUTE, 2)
    // neither older ones, nor of another prefix, nor another account’s
    await calls(now - 15 * MINUTE, 5)
    await calls(now - MINUTE, 5, '442079460000')
    await calls(now - MINUTE, 5, '493012345678', 'a2')
    const pass = async (at: number) => {
      const checked = await checkViewAlerts(t.ctx, at)
      await deliverDue(t.ctx, at)
      return checked
    }
    expect(await pass(now)).toBe(1)
    expect(await stateOf('a1')).toMatchObject({ counted: 2, firing_since: null, error: null })
    await calls(now - MINUTE, 1)
    // not yet due
    expect(await pass(now + 1_000)).toBe(0)
    expect(await pass(now + MINUTE)).toBe(1)
    expect(await pass(now + 2 * MINUTE)).toBe(1)
    const start = 'View “Berlin”: 3 calls in the last 10 minutes, more than 2.'
    expect(received()).toEqual([['alert.raised', start]])
    expect(await stateOf('a1')).toMatchObject({
      counted: 3,
      firing_since: new Date(now + MINUTE).toISOString(),
    })
    // nobody gets it a second time as an alert of the list
    await destination('a1', { alert_types: [] })
    await lookForAlerts(t.ctx, now + 2 * MINUTE)
    await lookForAlerts(t.ctx, now + 3 * MINUTE)
    await pass(now + 12 * MINUTE)
    const end = 'View “Berlin”: over after 11 minutes. There were no calls in the last 10 minutes.'
    expect(received()).toEqual([
      ['alert.raised', start],
      ['alert.over', end],
    ])
    expect(await stateOf('a1')).toMatchObject({ counted: 0, firing_since: null })
    const alerts = await listed('a1')
    expect(alerts).toMatchObject([
      {
        alert_type: VIEW_ALERT,
        message: start,
        account_sid: t.sids.a1,
        service_provider_sid: t.sids.sp1,
        target_sid: sid,
        target: { kind: 'saved_view', name: 'Berlin' },
      },
    ])
    expect(alerts[0]!.target!.path).toBe('/internal/recent-calls?prefix=49&date=today&page_size=25')
    // a personal view has a name for its user alone
    expect((await listed('sp1'))[0]).toMatchObject({ target: null })
  })

  it('is quiet after an alert, and then tells what is still so', async () => {
    const sid = await save('sp1')
    await set('sp1', sid, { quiet_minutes: 60 })
    const now = Date.now() - 2 * 3_600_000
    const states: unknown[] = []
    const at = async (minute: number, count: number) => {
      if (count > 0) await calls(now + minute * MINUTE, count)
      await checkViewAlerts(t.ctx, now + minute * MINUTE + 30_000)
      const { fired_at, firing_since } = (await stateOf('sp1'))!
      states.push([minute, firing_since !== null, fired_at])
    }
    const first = new Date(now + 30_000).toISOString()
    await at(0, 3)
    await at(20, 0)
    await at(40, 3)
    await at(70, 3)
    expect(states).toEqual([
      [0, true, first],
      [20, false, first],
      [40, false, first],
      [70, true, new Date(now + 70 * MINUTE + 30_000).toISOString()],
    ])
    expect((await listed('sp1')).filter((a) => a.alert_type === VIEW_ALERT)).toHaveLength(2)
  })

  it('tells of silence, and counts alerts without its own', async () => {
    const silence = await save('a1', {}, { name: 'Silence' })
    await set('a1', silence, { comparison: 'fewer', threshold: 1 })
    const alerts = await save('a1', {}, { list: 'alerts', name: 'Alerts' })
    await set('a1', alerts, { threshold: 0, minutes: 5 })
    const now = Date.now()
    await checkViewAlerts(t.ctx, now)
    await checkViewAlerts(t.ctx, now + MINUTE)
    expect((await list('a1', 'alerts'))[0]!.state).toMatchObject({ counted: 0, firing_since: null })
    expect((await listed('a1')).map((a) => a.message)).toEqual([
      'View “Silence”: no calls in the last 10 minutes, fewer than 1.',
    ])
    await store.alerts.write({
      ...{ account_sid: t.sids.a1, service_provider_sid: t.sids.sp1, alert_type: 'no-tts' },
      ...{ message: 'x', detail: null, target_sid: null, vendor: null },
    })
    await checkViewAlerts(t.ctx, now + 2 * MINUTE)
    expect((await list('a1', 'alerts'))[0]!.state).toMatchObject({ counted: 1 })
    expect((await listed('a1')).map((a) => a.message)).toContain(
      'View “Alerts”: 1 alert in the last 5 minutes, more than 0.',
    )
  })
})

describe('rights', () => {
  beforeEach(open('embedded'))
  afterEach(close)

  it('counts what the owner sees: an administrator’s provider, a filtered account', async () => {
    const now = Date.now()
    await calls(now - MINUTE, 1)
    await calls(now - MINUTE, 2, '49', 'a2')
    await calls(now - MINUTE, 4, '49', 'b1')
    const counted = async (who: string, search: object, more: object = {}) => {
      const sid = await save(who, search)
      await set(who, sid, more)
      await checkViewAlerts(t.ctx, now)
      const state = (await list(who)).find((a) => a.saved_view_sid === sid)!.state
      return state.error ?? state.counted
    }
    expect(await counted('a1', { account_sid: t.sids.b1 })).toBe(1)
    expect(await counted('sp1', {})).toBe(3)
    expect(await counted('sp1', { account_sid: t.sids.a2 })).toBe(2)
    const gone = 'The account of this view was deleted or moved'
    expect(await counted('sp1', { account_sid: t.sids.b1 })).toBe(gone)
    expect(await counted('admin', {}, { service_provider_sid: t.sids.sp2 })).toBe(4)
    const other = { account_sid: t.sids.a1 }
    expect(await counted('admin', other, { service_provider_sid: t.sids.sp2 })).toBe(gone)
    // like the list: filters that it does not take are ignored
    expect(
      await counted('sp1', { sip_status: 'x', trunk: '', nothing: 1, answered: 'maybe' }),
    ).toBe(3)
  })

  it('refuses what is others’', async () => {
    const own = await save('a1')
    const shared = await save('a1', {}, { is_shared: true })
    for (const who of ['a2', 'sp1', 'admin', 'b1'])
      for (const sid of [own, shared]) {
        await expect(set(who, sid)).rejects.toMatchObject({ status: 404 })
        await expect(remove(who, sid)).rejects.toMatchObject({ status: 404 })
      }
    await expect(set('a1-viewer', shared)).rejects.toMatchObject({ status: 403 })
    await set('a1', shared)
    expect(await list('a1-viewer')).toMatchObject([{ saved_view_sid: shared, set_by: 'a1' }])
    expect(await list('sp1')).toEqual([])
    const refused = (path: string) => ({ status: 400, body: { issues: [{ path: [path] }] } })
    const ofProvider = await destination('sp1')
    const ofAccount = await destination('sp1', { account_sid: t.sids.a1 })
    for (const sid of [ofProvider, randomUUID()])
      await expect(set('a1', own, { alert_destination_sids: [sid] })).rejects.toMatchObject(
        refused('alert_destination_sids'),
      )
    await set('a1', own, { alert_destination_sids: [ofAccount] })
    const providers = await save('sp1')
    await expect(
      set('sp1', providers, { alert_destination_sids: [ofAccount] }),
    ).rejects.toMatchObject(refused('alert_destination_sids'))
    await expect(set('sp1', providers, { service_provider_sid: t.sids.sp2 })).rejects.toMatchObject(
      refused('service_provider_sid'),
    )
    await expect(set('admin', await save('admin'))).rejects.toMatchObject(
      refused('service_provider_sid'),
    )
    await expect(set('a1', own, { minutes: 4 })).rejects.toMatchObject(refused('minutes'))
    await expect(set('a1', own, { comparison: 'fewer', threshold: 0 })).rejects.toMatchObject(
      refused('threshold'),
    )
    const users = await save('a1', {}, { list: 'users' })
    await expect(set('a1', users)).rejects.toMatchObject({ status: 422 })
  })

  it('has a limit, and is in the audit log', async () => {
    const sids: string[] = []
    for (let i = 0; i < MAX_VIEW_ALERTS; i++) sids.push(await save('a1'))
    for (const sid of sids) await set('a1', sid)
    const one = await save('a1')
    await expect(set('a1', one)).rejects.toMatchObject({ status: 422 })
    await set('a1', sids[0]!, { threshold: 5 })
    await remove('a1', sids[1]!)
    await set('a1', one)
    // with its view
    await t.as('a1')(api.savedViews.remove, { params: { saved_view_sid: one } })
    expect(await list('a1')).toHaveLength(MAX_VIEW_ALERTS - 1)
    const log = await t.as('a1')(api.audit.list, { query: { page: 1, kind: 'view_alert' } })
    const of = (sid: string) => log.data.filter((e) => e.sid === sid).map((e) => e.action)
    expect(of(sids[0]!)).toEqual(['update', 'create'])
    expect(of(sids[1]!)).toEqual(['delete', 'create'])
  })

  const change: [string, string, () => Promise<unknown>][] = [
    [
      'was deactivated',
      'The user a1 was deactivated',
      () => t.db.updateTable('users').set({ is_active: 0 }).where('name', '=', 'a1').execute(),
    ],
    [
      'may only read',
      'The user a1 has view-only access now',
      () =>
        t.as('sp1')(api.users.update, {
          params: { user_sid: t.users.a1! },
          body: { is_view_only: true },
        }),
    ],
    [
      'was moved',
      'The user a1 was moved',
      () =>
        t.db
          .updateTable('users')
          .set({ account_sid: t.sids.a2 })
          .where('name', '=', 'a1')
          .execute(),
    ],
    [
      'has an inactive account',
      'The account was deactivated',
      () =>
        t.db
          .updateTable('accounts')
          .set({ is_active: 0 })
          .where('account_sid', '=', t.sids.a1)
          .execute(),
    ],
  ]
  it.each(change)('stops when its user %s, and says so', async (_, why, lose) => {
    const sid = await save('a1', {}, { is_shared: true, name: 'Shared' })
    await set('a1', sid, { alert_destination_sids: [await destination('a1')] })
    const now = Date.now()
    await calls(now - MINUTE, 5)
    await lose()
    await checkViewAlerts(t.ctx, now)
    await checkViewAlerts(t.ctx, now + MINUTE)
    await deliverDue(t.ctx, now + MINUTE)
    expect(received()).toEqual([['alert.raised', `View “Shared” is no longer watched. ${why}.`]])
    const stored = await t.db.selectFrom('switchroom_view_alerts').selectAll().execute()
    expect(stored).toMatchObject([{ stopped: why, next_at: null, counted: null }])
  })

  it('goes with a deleted user’s own view, and says so', async () => {
    const own = await save('a1', {}, { name: 'Own' })
    await set('a1', own, { alert_destination_sids: [await destination('a1')] })
    const shared = await save('a1', {}, { is_shared: true, name: 'Shared' })
    await set('a1', shared)
    await t.as('sp1')(api.users.remove, { params: { user_sid: t.users.a1! } })
    const now = Date.now()
    await checkViewAlerts(t.ctx, now)
    await deliverDue(t.ctx, now)
    const text = 'View “Own” is no longer watched. The user who set it was deleted.'
    expect(received()).toEqual([['alert.raised', text]])
    const left = await t.db.selectFrom('switchroom_view_alerts').selectAll().execute()
    expect(left.map((row) => row.saved_view_sid)).toEqual([shared])
    expect(await list('a1-viewer')).toMatchObject([{ set_by: null, state: { counted: null } }])
  })

  it('goes with its account', async () => {
    const sid = await save('a2')
    await set('a2', sid)
    const account = { account_sid: t.sids.a2, stripe_customer_id: null }
    for (const removed of t.ctx.onAccountRemoved) await removed(t.db, account)
    expect(await t.db.selectFrom('switchroom_view_alerts').selectAll().execute()).toEqual([])
  })
})

describe('checks', () => {
  beforeEach(open('embedded'))
  afterEach(close)

  it('notes a store that does not answer, and goes on with the next one', async () => {
    await set('a1', await save('a1'))
    await set('a1', await save('a1', {}, { list: 'alerts' }), { threshold: 50 })
    const { list: read } = store.calls
    t.ctx.stores.calls = {
      ...store.calls,
      list: async () => {
        throw new StoreUnavailable('The call records do not answer')
      },
    }
    const now = Date.now()
    expect(await checkViewAlerts(t.ctx, now)).toBe(2)
    expect(await stateOf('a1')).toMatchObject({
      error: 'The call records do not answer',
      counted: null,
    })
    expect((await list('a1', 'alerts'))[0]!.state).toMatchObject({ counted: 0 })
    t.ctx.stores.calls = { ...store.calls, list: read }
    await checkViewAlerts(t.ctx, now + MINUTE)
    expect(await stateOf('a1')).toMatchObject({ error: null, counted: 0 })
  })

  it('goes on with the next one after a failure, which it throws in the end', async () => {
    await set('a1', await save('a1'))
    await set('a1', await save('a1', {}, { list: 'alerts' }), { threshold: 50 })
    t.ctx.stores.calls = {
      ...store.calls,
      list: async () => {
        throw new Error('A mistake')
      },
    }
    const now = Date.now()
    await expect(checkViewAlerts(t.ctx, now)).rejects.toThrow('A mistake')
    expect((await list('a1', 'alerts'))[0]!.state).toMatchObject({ counted: 0 })
    expect(await stateOf('a1')).toMatchObject({ counted: null })
  })

  it('is done by one process at a time, and not told of what was changed meanwhile', async () => {
    const sid = await save('a1')
    await set('a1', sid, { alert_destination_sids: [await destination('a1')] })
    const now = Date.now()
    await calls(now - MINUTE, 5)
    const both = await Promise.all([checkViewAlerts(t.ctx, now), checkViewAlerts(t.ctx, now)])
    expect(both.sort()).toEqual([0, 1])
    await deliverDue(t.ctx, now)
    expect(r.got).toHaveLength(1)
    // replaced while its rows are counted
    t.ctx.stores.calls = {
      ...store.calls,
      list: async (...query) => {
        await set('a1', sid, { threshold: 50 })
        return store.calls.list(...query)
      },
    }
    await t.db
      .updateTable('switchroom_view_alerts')
      .set({ firing_since: null, fired_at: null })
      .execute()
    await checkViewAlerts(t.ctx, now + MINUTE)
    await deliverDue(t.ctx, now + MINUTE)
    expect(r.got).toHaveLength(1)
    expect(await stateOf('a1')).toMatchObject({ counted: null, firing_since: null })
  })

  it('is one incident for PagerDuty, which its end resolves', async () => {
    const more = { kind: 'pagerduty', address: 'us', secret: PAGERDUTY }
    await set('a1', await save('a1'), { alert_destination_sids: [await destination('a1', more)] })
    const now = Date.now()
    await calls(now - MINUTE, 5)
    for (const at of [now, now + 15 * MINUTE]) {
      await checkViewAlerts(t.ctx, at)
      await deliverDue(t.ctx, at)
    }
    expect(r.got.map(({ body }) => body.event_action)).toEqual(['trigger', 'resolve'])
    expect(new Set(r.got.map(({ body }) => body.dedup_key)).size).toBe(1)
    expect(String(r.got[0]!.body.client_url)).toContain('/internal/recent-calls?start=')
  })
})

import { randomUUID } from 'node:crypto'
import { api, type ProgramEvent } from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { type TestStore, testStore } from '../../../test/calls.ts'
import { isSigned } from '../../../test/stand-ins/alert-receivers.ts'
import { standIns, type VendorResponse } from '../../../test/stand-ins/speech-server.ts'
import { gatherEvents } from '../events/gather.ts'
import { pruneEvents } from '../events/prune.ts'
import { BACK_OFF_MS, DISABLE_MS, deliverEvents } from './deliver.ts'
import { overdueEvents } from './overdue.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const URL_ = 'https://receiver.example/events'

type Got = { id: string; headers: Record<string, unknown>; raw: Buffer; event: ProgramEvent }

let t: TestApp
let store: TestStore
let receiver: Awaited<ReturnType<typeof standIns>>
let got: Got[]
let answer: (got: Got) => VendorResponse | Promise<VendorResponse>
let now: number
beforeEach(async () => {
  got = []
  answer = () => ({ status: 204 })
  receiver = await standIns({
    hosts: ['receiver.example'],
    http({ headers, body }) {
      const one = {
        ...{ id: String(headers['webhook-id']), headers, raw: body },
        event: JSON.parse(body.toString()),
      }
      got.push(one)
      return answer(one)
    },
  })
  t = await testApp({}, receiver.out)
  store = await testStore('embedded')
  Object.assign(t.ctx.stores, { calls: store.calls, alerts: store.alerts })
  now = Date.now()
})
afterEach(async () => {
  await t.close()
  await receiver.close()
  await store.close()
})

const subscribe = (who = 'a1', more: object = {}) =>
  t.as(who)(api.eventSubscriptions.create, {
    body: { name: 'Programs', url: URL_, ...more },
  })
const params = (event_subscription_sid: string) => ({ params: { event_subscription_sid } })
const view = (sid: string, who = 'a1') => t.as(who)(api.eventSubscriptions.view, params(sid))
const log = async (sid: string, query: object = {}, who = 'a1') =>
  (await t.as(who)(api.eventSubscriptions.deliveries, { ...params(sid), query })).data
const states = async (sid: string) =>
  (await log(sid))
    .map(({ event, state, attempts }) => `${nameOf(event)} ${state} ${attempts}`)
    .reverse()
const replay = (sid: string, body: object, who = 'a1') =>
  t.as(who)(api.eventSubscriptions.replay, { ...params(sid), body })

const nameOf = ({ data }: ProgramEvent) => ('name' in data ? data.name : '')
const names = () => got.map(({ event }) => nameOf(event))
const addCarrier = async (name: string, who = 'a1') =>
  (await t.as(who)(api.voipCarriers.create, { body: { name } as never })).sid
const rename = (voip_carrier_sid: string, name: string) =>
  t.as('admin')(api.voipCarriers.update, { params: { voip_carrier_sid }, body: { name } as never })

/** Gathers what happened, and sends due events. */
async function pass(after = MINUTE) {
  now += after
  await gatherEvents(t.ctx, now)
  return deliverEvents(t.ctx, now)
}

describe('a webhook', () => {
  it('is sent what happens since it was added, signed', async () => {
    await addCarrier('Early')
    const { sid, secret } = await subscribe()
    const carrier = await addCarrier('Albion')
    await pass()
    expect(names()).toEqual(['Albion'])
    expect(await isSigned(got[0]!.headers, got[0]!.raw, secret)).toBe(true)
    expect(await isSigned(got[0]!.headers, Buffer.from('{}'), secret)).toBe(false)
    expect(got[0]!.id).toBe(got[0]!.event.id)
    expect(got[0]!.event).toMatchObject({
      ...{ type: 'carrier.changed', account_sid: t.sids.a1, service_provider_sid: t.sids.sp1 },
      data: { action: 'create', kind: 'voip_carrier', sid: carrier, name: 'Albion', fields: [] },
    })
    const [delivery] = await log(sid)
    expect(delivery).toMatchObject({
      ...{ event: got[0]!.event, state: 'delivered', attempts: 1, status: 204 },
      ...{ next_at: null, error: null, duration_ms: expect.any(Number) },
    })
    await pass()
    expect(got).toHaveLength(1)
  })

  it('is told of on System health while its events wait for more than ten minutes', async () => {
    const { sid } = await subscribe()
    answer = () => ({ status: 500 })
    await addCarrier('Albion')
    await pass()
    const state = async (ms: number) => (await overdueEvents(t.ctx, now + ms)).state
    expect(await state(9 * MINUTE)).toBe('ok')
    expect(await overdueEvents(t.ctx, now + 12 * MINUTE)).toEqual({
      state: 'degraded',
      sentence: '1 webhook is waiting for events, the oldest for 12 minutes',
    })
    await t.as('a1')(api.eventSubscriptions.update, { ...params(sid), body: { is_active: false } })
    expect(await state(12 * MINUTE)).toBe('ok')
    await t.as('a1')(api.eventSubscriptions.update, { ...params(sid), body: { is_active: true } })
    answer = () => ({ status: 204 })
    await pass(12 * MINUTE)
    expect(await state(12 * MINUTE)).toBe('ok')
  })

  it('is sent only what its owner may see, of the types that it wants', async () => {
    await subscribe('a1', { name: 'a1', types: ['carrier.changed'] })
    await subscribe('a1', { name: 'calls', types: ['call.ended'] })
    await subscribe('sp1', { name: 'sp1' })
    await subscribe('b1', { name: 'b1' })
    await subscribe('a1', { name: 'off', is_active: false })
    await addCarrier('of a1')
    await addCarrier('of a2', 'a2')
    await addCarrier('of sp1', 'sp1')
    await pass()
    const sent = await t.db
      .selectFrom('switchroom_event_deliveries as d')
      .innerJoin('switchroom_event_subscriptions as s', (join) =>
        join.onRef('s.event_subscription_sid', '=', 'd.event_subscription_sid'),
      )
      .innerJoin('switchroom_events as e', 'e.seq', 'd.seq')
      .select(['s.name', 'e.data'])
      .execute()
    expect(sent.map(({ name, data }) => `${name}: ${JSON.parse(data).name}`).sort()).toEqual([
      ...['a1: of a1', 'sp1: of a1', 'sp1: of a2', 'sp1: of sp1'],
    ])
    expect(got).toHaveLength(4)
  })

  it('gets events of one thing in their order, and of others meanwhile', async () => {
    const { sid } = await subscribe()
    const one = await addCarrier('One')
    await rename(one, 'One, renamed')
    await addCarrier('Two')
    answer = ({ event }) => ({ status: nameOf(event) === 'One' ? 500 : 204 })
    await pass()
    expect(names().sort()).toEqual(['One', 'Two'])
    await pass(BACK_OFF_MS[0])
    expect(names().sort()).toEqual(['One', 'One', 'Two'])
    answer = () => ({ status: 200 })
    await pass(BACK_OFF_MS[1])
    expect(names().slice(3)).toEqual(['One', 'One, renamed'])
    expect(await states(sid)).toEqual([
      ...['One delivered 3', 'One, renamed delivered 1', 'Two delivered 1'],
    ])
    expect(
      new Set(got.filter(({ event }) => nameOf(event) === 'One').map(({ id }) => id)).size,
    ).toBe(1)
  })

  it('is tried again for a day, and then the next event', async () => {
    const { sid } = await subscribe()
    const one = await addCarrier('One')
    await rename(one, 'Renamed')
    answer = ({ event }) => ({ status: nameOf(event) === 'One' ? 500 : 204 })
    await pass()
    for (const pause of BACK_OFF_MS) {
      // not a moment earlier
      now += pause - 1
      expect(await deliverEvents(t.ctx, now)).toBe(0)
      now += 1
      expect(await deliverEvents(t.ctx, now)).toBe(1)
    }
    await deliverEvents(t.ctx, now + 5 * MINUTE)
    expect(await states(sid)).toEqual([
      `One failed ${BACK_OFF_MS.length + 1}`,
      'Renamed delivered 1',
    ])
    expect(BACK_OFF_MS.reduce((a, b) => a + b)).toBeLessThan(DAY)
  })

  it('that fails is left alone for a while, not asked for each event', async () => {
    const { sid } = await subscribe()
    for (let i = 0; i < 30; i++) await addCarrier(`Carrier ${i}`)
    answer = () => ({ status: 503 })
    await pass()
    const tries = got.length
    expect(tries).toBeLessThanOrEqual(5)
    expect(await deliverEvents(t.ctx, now + 1)).toBe(0)
    expect(await view(sid)).toMatchObject({
      ...{ last_error: 'The receiver answered 503', is_active: 1, disabled_reason: null },
      failing_since: expect.stringMatching(/Z$/),
    })
    answer = () => ({ status: 204 })
    now += 5 * MINUTE
    await deliverEvents(t.ctx, now)
    expect(await view(sid)).toMatchObject({ last_error: null, failing_since: null })
    expect(new Set(got.slice(tries).map(({ id }) => id)).size).toBe(30)
  })

  it('is disabled after three days of failures, and its owner told', async () => {
    const { sid } = await subscribe()
    answer = () => ({ status: 410, body: 'canary-of-the-receiver' })
    for (let days = 0; days * DAY <= DISABLE_MS; days++) {
      await addCarrier(`Day ${days}`)
      await pass(DAY)
    }
    expect(await view(sid)).toMatchObject({
      is_active: 0,
      disabled_reason: 'No event could be delivered for three days.',
    })
    const { data } = await store.alerts.list({ from: 0, to: 8e15 }, { limit: 9, offset: 0 })
    expect(data).toMatchObject([
      {
        ...{ account_sid: t.sids.a1, alert_type: 'event-webhook-disabled' },
        message: 'Programs: The receiver answered 410',
      },
    ])
    const entries = await t.as('a1')(api.audit.list, {
      query: { page: 1, kind: 'event_subscription', action: 'update' },
    })
    expect(entries.data).toMatchObject([{ actor: 'Switchroom', after: { is_active: 0 } }])
    const before = got.length
    await pass(DAY)
    expect(got).toHaveLength(before)
    // events since then are not sent by themselves
    answer = () => ({ status: 204 })
    await t.as('a1')(api.eventSubscriptions.update, { ...params(sid), body: { is_active: true } })
    expect(await view(sid)).toMatchObject({ disabled_reason: null, failing_since: null })
  })

  it.each<[string, VendorResponse, string]>([
    [
      'redirects',
      { status: 302, headers: { location: 'http://169.254.169.254/' } },
      'The receiver answered 302, and redirects are not followed',
    ],
    [
      'answers without end',
      { status: 200, body: 'x'.repeat(100_000) },
      'The receiver answered with too large a response',
    ],
  ])('that %s gets no second request, and is tried again', async (_, response, error) => {
    const { sid } = await subscribe()
    await addCarrier('One')
    answer = () => response
    await pass()
    expect(got).toHaveLength(1)
    expect(await log(sid)).toMatchObject([{ state: 'waiting', attempts: 1, error }])
  })

  it('that hangs does not hold up others', async () => {
    const hanging = await subscribe('a1', { url: 'https://slow.example/' })
    const other = await subscribe('a1')
    await addCarrier('One')
    const { fetch } = t.ctx.outbound
    const held = Promise.withResolvers<never>()
    t.ctx.outbound.fetch = (url, how) => (url.includes('slow') ? held.promise : fetch(url, how))
    const passing = pass()
    await expect.poll(() => states(other.sid)).toEqual(['One delivered 1'])
    held.reject(Object.assign(new Error('late'), { name: 'TimeoutError' }))
    await passing
    expect(await log(hanging.sid)).toMatchObject([
      { state: 'waiting', error: 'The receiver did not answer within 10 seconds' },
    ])
  })

  it('is no internal address', async () => {
    const real = await testApp()
    try {
      for (const url of ['http://127.0.0.1:1/', 'http://169.254.169.254/', 'http://[::1]/']) {
        const { sid } = await real.as('a1')(api.eventSubscriptions.create, {
          body: { name: 'x', url },
        })
        const { ok, message } = await real.as('a1')(api.eventSubscriptions.test, params(sid))
        expect([ok, message]).toEqual([false, expect.stringContaining('internal network')])
      }
    } finally {
      await real.close()
    }
  })
})

describe('several processes', () => {
  it('send each event once', async () => {
    await subscribe()
    for (let i = 0; i < 12; i++) await addCarrier(`Carrier ${i}`)
    now += MINUTE
    await gatherEvents(t.ctx, now)
    await Promise.all([1, 2, 3, 4].map(() => deliverEvents(t.ctx, now)))
    await deliverEvents(t.ctx, now)
    expect(got.map(({ id }) => id).sort()).toEqual([...new Set(got.map(({ id }) => id))].sort())
    expect(got).toHaveLength(12)
  })

  it('send what a killed one had begun', async () => {
    const { sid } = await subscribe()
    await addCarrier('One')
    now += MINUTE
    await gatherEvents(t.ctx, now)
    await t.db
      .updateTable('switchroom_event_subscriptions')
      .set({ holder: randomUUID(), leased_until: now + 1 })
      .execute()
    expect(await deliverEvents(t.ctx, now)).toBe(0)
    expect(await deliverEvents(t.ctx, now + 1)).toBe(1)
    expect(await states(sid)).toEqual(['One delivered 1'])
  })
})

describe('a secret', () => {
  it('is shown once, and never again', async () => {
    const { sid, secret } = await subscribe()
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const shown = [
      await view(sid),
      await t.as('a1')(api.eventSubscriptions.list, { query: { page: 1 } }),
      await t.db.selectFrom('switchroom_event_subscriptions').selectAll().execute(),
      await t.db.selectFrom('switchroom_audit').selectAll().execute(),
      t.lines,
    ]
    expect(JSON.stringify(shown)).not.toContain(secret.slice(6))
  })

  it('is rotated with an overlap, in which both sign', async () => {
    const { sid, secret } = await subscribe()
    const rotate = (overlap_hours: number) =>
      t.as('a1')(api.eventSubscriptions.rotate, { ...params(sid), body: { overlap_hours } })
    const signedBy = async (...secrets: string[]) => {
      const { headers, raw } = got.at(-1)!
      const signatures = String(headers['webhook-signature']).split(' ')
      const by = async (one: string) =>
        (
          await Promise.all(
            signatures.map((s) => isSigned({ ...headers, 'webhook-signature': s }, raw, one)),
          )
        ).includes(true)
      return Promise.all(secrets.map(by))
    }
    const next = await rotate(2)
    expect(next.secret).not.toBe(secret)
    expect((await view(sid)).rotating_until).toBe(next.rotating_until)
    await addCarrier('One')
    await pass()
    expect(await signedBy(secret, next.secret)).toEqual([true, true])
    await addCarrier('Two')
    await pass(3 * 60 * MINUTE)
    expect(await signedBy(secret, next.secret)).toEqual([false, true])
    const last = await rotate(0)
    expect(last.rotating_until).toBeNull()
    await addCarrier('Three')
    await pass()
    expect(await signedBy(next.secret, last.secret)).toEqual([false, true])
    await expect(rotate(200)).rejects.toMatchObject({ status: 400 })
    await expect(rotate(-1)).rejects.toMatchObject({ status: 400 })
  })

  it('that cannot be decrypted is told of', async () => {
    const { sid } = await subscribe()
    await t.db
      .updateTable('switchroom_event_subscriptions')
      .set({ sealed_secret: 'garbage' })
      .execute()
    expect(await t.as('a1')(api.eventSubscriptions.test, params(sid))).toEqual({
      ok: false,
      message: 'The stored secret cannot be decrypted. Rotate it',
    })
  })
})

describe('a replay', () => {
  it('sends one event again, under its id', async () => {
    const { sid } = await subscribe()
    await addCarrier('One')
    await addCarrier('Two')
    await pass()
    const [, one] = await log(sid)
    expect(await replay(sid, { event_id: one!.event.id })).toEqual({ events: 1 })
    await pass()
    expect(got.map(({ id }) => id).filter((id) => id === one!.event.id)).toHaveLength(2)
    await expect(replay(sid, { event_id: 'evt_99999' })).rejects.toMatchObject({ status: 404 })
    await expect(replay(sid, {})).rejects.toMatchObject({ status: 400 })
  })

  it('sends those of a time, also from before the webhook was added', async () => {
    const first = await subscribe()
    // its events are gathered as well
    await t.as('a2')(api.events.list, { query: {} })
    await addCarrier('One')
    await addCarrier('Foreign', 'a2')
    await pass()
    const { sid } = await subscribe('a1', { name: 'later' })
    const before = got.length
    const to = new Date(now).toISOString()
    expect(await replay(sid, { from: '2020-01-01T00:00:00Z', to })).toEqual({ events: 1 })
    expect(await replay(sid, { from: to, failed_only: true })).toEqual({ events: 0 })
    await pass()
    expect(got.slice(before).map(({ event }) => nameOf(event))).toEqual(['One'])
    // the events that were given up
    answer = () => ({ status: 500 })
    await addCarrier('Two')
    await pass()
    await t.db
      .updateTable('switchroom_event_deliveries')
      .set({ state: 'failed', next_at: null })
      .where('state', '=', 'waiting')
      .where('event_subscription_sid', '=', first.sid)
      .execute()
    answer = () => ({ status: 204 })
    expect(await replay(first.sid, { from: '2020-01-01', failed_only: true })).toEqual({
      events: 1,
    })
    expect(await log(first.sid, { state: 'waiting' })).toMatchObject([{ attempts: 0 }])
    expect(
      (await log(first.sid, { page: 2, page_size: 1 })).map(({ event }) => nameOf(event)),
    ).toEqual(['One'])
  })

  it('cannot send what is not there any more', async () => {
    const { sid } = await subscribe()
    await addCarrier('One')
    answer = () => ({ status: 500 })
    await pass()
    await pruneEvents(t.db, now + 8 * DAY)
    expect(await log(sid)).toEqual([])
    answer = () => ({ status: 204 })
    now += 8 * DAY
    await deliverEvents(t.ctx, now)
    await pruneEvents(t.db, now)
    expect(await t.db.selectFrom('switchroom_event_deliveries').selectAll().execute()).toEqual([])
  })
})

describe('webhooks', () => {
  it('belong to an account or a provider, and are nobody else’s', async () => {
    const own = await subscribe('a1')
    const providers = await subscribe('sp1', { name: 'of all' })
    for (const [who, { sid }] of [
      ['a1', providers],
      ['a2', own],
      ['sp2', own],
    ] as const) {
      const missing = { status: 404 }
      await expect(view(sid, who)).rejects.toMatchObject(missing)
      await expect(log(sid, {}, who)).rejects.toMatchObject(missing)
      await expect(replay(sid, { event_id: 'evt_1' }, who)).rejects.toMatchObject(missing)
      for (const e of [api.eventSubscriptions.test, api.eventSubscriptions.remove])
        await expect(t.as(who)(e, params(sid))).rejects.toMatchObject(missing)
      await expect(
        t.as(who)(api.eventSubscriptions.rotate, { ...params(sid), body: {} }),
      ).rejects.toMatchObject(missing)
    }
    expect((await view(own.sid, 'sp1')).account_sid).toBe(t.sids.a1)
    await expect(subscribe('admin')).rejects.toMatchObject({ status: 400 })
    await expect(subscribe('sp1', { account_sid: t.sids.b1 })).rejects.toMatchObject({
      status: 400,
    })
  })

  it('are few, and their fields are checked', async () => {
    const all = await Promise.allSettled(Array.from({ length: 21 }, () => subscribe()))
    expect(all.filter((one) => one.status === 'rejected')).toMatchObject([
      { reason: { status: 422 } },
    ])
    for (const [field, more] of [
      ['url', { url: 'ftp://x.example' }],
      ['url', { url: 'https://u:p@x.example' }],
      ['url', { url: '' }],
      ['types', { types: ['weather'] }],
      ['name', { name: '' }],
    ] as const)
      await expect(subscribe('a2', more), field).rejects.toMatchObject({
        status: 400,
        body: { issues: [{ path: expect.arrayContaining([field]) }] },
      })
  })

  it('tell no more than an API key covers', async () => {
    const keyFor = async (kinds: string[]) => {
      const { token } = await t.as('a1')(api.apiKeys.create, {
        body: { account_sid: t.sids.a1, kinds } as never,
      })
      return (types: string[]) =>
        t.app.inject({
          ...{ method: 'POST', url: '/api/v1/EventSubscriptions' },
          headers: { authorization: `Bearer ${token}` },
          payload: { name: 'x', url: URL_, types },
        })
    }
    const add = await keyFor(['alerts', 'calls'])
    expect((await add(['call.ended', 'issue.opened'])).statusCode).toBe(201)
    for (const types of [[], ['carrier.changed']]) expect((await add(types)).statusCode).toBe(403)
    expect((await (await keyFor(['calls']))(['call.ended'])).statusCode).toBe(403)
  })

  it('are tested with an event of their own, a few times a minute', async () => {
    const { sid, secret } = await subscribe()
    const test = () => t.as('a1')(api.eventSubscriptions.test, params(sid))
    expect(await test()).toEqual({ ok: true, message: 'The receiver answered 204' })
    expect(got[0]!.event).toMatchObject({ type: 'event.test', account_sid: t.sids.a1, data: {} })
    expect(await isSigned(got[0]!.headers, got[0]!.raw, secret)).toBe(true)
    const all = await Promise.allSettled(Array.from({ length: 20 }, test))
    expect(all.some((one) => one.status === 'rejected' && one.reason.status === 429)).toBe(true)
  })

  it('are deleted with what waits for them', async () => {
    const { sid } = await subscribe()
    await addCarrier('One')
    now += MINUTE
    await gatherEvents(t.ctx, now)
    await t.as('a1')(api.eventSubscriptions.remove, params(sid))
    expect(await t.db.selectFrom('switchroom_event_deliveries').selectAll().execute()).toEqual([])
    expect(await deliverEvents(t.ctx, now)).toBe(0)
  })
})

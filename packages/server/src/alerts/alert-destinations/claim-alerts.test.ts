import { api } from '@switchroom/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { raiseAlerts } from '../../../test/alerts.ts'
import { type TestApp, testApp } from '../../../test/app.ts'
import { type TestStore, testStore } from '../../../test/calls.ts'
import { nextMillisecond } from '../../../test/next-millisecond.ts'
import {
  PAGERDUTY,
  type Receivers,
  receivers,
  SECRET,
  SLACK,
  WEBHOOK,
} from '../../../test/stand-ins/alert-receivers.ts'
import { StoreUnavailable } from '../../stores/kit/unavailable.ts'
import { lookForAlerts } from './claim-alerts.ts'
import { deliverDue } from './deliver-due.ts'
import { claimDelivery } from './delivery-queries.ts'

let t: TestApp
let r: Receivers
let store: TestStore
beforeEach(async () => {
  r = await receivers()
  t = await testApp({}, r.out)
  store = await testStore('embedded')
  t.ctx.stores.alerts = store.alerts
})
afterEach(async () => {
  await t.close()
  await store.close()
  await r.close()
})

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const webhook = { name: 'hook', kind: 'webhook', address: WEBHOOK, secret: SECRET } as const

/** A destination that is there since long before the alerts. */
async function add(body: object = webhook, who = 'a1') {
  const { sid } = await t.as(who)(api.alertDestinations.create, { body: body as never })
  await t.db
    .updateTable('switchroom_alert_destinations')
    .set({ active_since: Date.now() - 48 * HOUR })
    .where('alert_destination_sid', '=', sid)
    .execute()
  return sid
}
const view = (alert_destination_sid: string) =>
  t.as('admin')(api.alertDestinations.view, { params: { alert_destination_sid } })

const alert = (who: 'a1' | 'a2' | 'b1' = 'a1', alert_type = 'no-tts', message = 'it failed') => ({
  account_sid: t.sids[who],
  service_provider_sid: who === 'b1' ? t.sids.sp2 : t.sids.sp1,
  alert_type,
  message,
})

/** A look and a delivery, at this moment. Resolves to the messages that arrived by it. */
async function runCycle(now: number) {
  const before = r.got.length
  await lookForAlerts(t.ctx, now)
  await deliverDue(t.ctx, now)
  return r.got.slice(before).map((g) => g.body.data?.message ?? g.body.text)
}

it('sends a new alert once to each destination', async () => {
  await add()
  await add({ name: 's', kind: 'slack', secret: SLACK })
  await add({ name: 'p', kind: 'pagerduty', address: 'us', secret: PAGERDUTY }, 'sp1')
  await add({ name: 'm', kind: 'mail', address: 'ops@example.com' })
  await add({ ...webhook, name: 'other' }, 'b1')
  const now = Date.now()
  await raiseAlerts(store, now, alert('a1', 'no-tts', 'no credential for <google> & co'))
  await runCycle(now + 1_000)
  await runCycle(now + 5_000)
  expect(r.got.map((g) => g.to).sort()).toEqual(['pagerduty', 'slack', 'webhook'])
  const to = (kind: string) => r.got.find((g) => g.to === kind)!.body
  expect(to('webhook')).toMatchObject({
    type: 'alert.raised',
    data: {
      alert_type: 'no-tts',
      account_sid: t.sids.a1,
      account_name: 'a1',
      message: 'no credential for <google> & co',
      link: 'http://console.test/internal/alerts',
    },
  })
  expect(r.state.signed).toEqual([true])
  expect(to('slack').text).toContain('no credential for &lt;google&gt; &amp; co')
  expect(to('slack').text).toContain('http://console.test/internal/alerts')
  expect(to('pagerduty')).toMatchObject({
    dedup_key: expect.stringContaining(`${t.sids.a1}:no-tts`),
    payload: { source: 'a1', class: 'no-tts' },
  })
  expect(t.mails).toHaveLength(1)
  expect(t.mails[0]).toMatchObject({ subject: '[Switchroom] No text-to-speech · a1' })
  for (const canary of [SECRET, SLACK, PAGERDUTY]) expect(t.lines.join()).not.toContain(canary)
})

it('sends only the selected types', async () => {
  await add({ ...webhook, alert_types: ['no-carrier', 'untyped'] })
  const now = Date.now()
  await raiseAlerts(store, now, alert(), alert('a1', 'no-carrier', 'carrier'), {
    ...alert('a1', undefined, 'untyped'),
    alert_type: undefined,
  })
  expect((await runCycle(now + 1_000)).sort()).toEqual(['carrier', 'untyped'])
})

it('sends one alert per hour, type and account', async () => {
  await add(webhook, 'sp1')
  const t0 = Date.now() - 3 * HOUR
  const at = (ms: number, message: string) =>
    raiseAlerts(store, t0 + ms, alert('a1', 'no-tts', message))
  await runCycle(t0)
  await at(1_000, 'first')
  expect(await runCycle(t0 + 2_000)).toEqual(['first'])
  await at(30 * MINUTE, 'second')
  expect(await runCycle(t0 + 30 * MINUTE + 2_000)).toEqual([])
  // other types and accounts have hours of their own
  await raiseAlerts(
    store,
    t0 + 31 * MINUTE,
    alert('a2', 'no-tts', 'of a2'),
    alert('a1', 'no-stt', 'stt'),
  )
  expect((await runCycle(t0 + 31 * MINUTE + 2_000)).sort()).toEqual(['of a2', 'stt'])
  await at(HOUR + 1_500, 'just before')
  expect(await runCycle(t0 + HOUR + 1_900)).toEqual([])
  await at(HOUR + 10_000, 'third')
  expect(await runCycle(t0 + HOUR + 11_000)).toEqual(['third'])
  // nothing new: a sent alert is not sent again after its hour
  for (let minute = 61; minute < 180; minute += 10)
    expect(await runCycle(t0 + minute * MINUTE)).toEqual([])
})

it('finds an alert that is stored late or with the same time as others', async () => {
  await add()
  const now = Date.now()
  await raiseAlerts(store, now, alert('a1', 'no-tts', 'newer'))
  expect(await runCycle(now + 1_000)).toEqual(['newer'])
  await raiseAlerts(store, now - 40_000, alert('a1', 'no-stt', 'late'))
  await raiseAlerts(store, now, alert('a1', 'no-carrier', 'same moment'))
  expect((await runCycle(now + 4_000)).sort()).toEqual(['late', 'same moment'])
})

it('sends no backlog after a pause, and nothing older than the destination', async () => {
  const sid = await add()
  const now = Date.now()
  await raiseAlerts(store, now - 20 * HOUR, alert('a1', 'no-carrier', 'of yesterday'))
  expect(await runCycle(now - 10 * HOUR)).toEqual([])
  await raiseAlerts(store, now - 10 * HOUR, alert('a1', 'no-llm', 'before'))
  expect(await runCycle(now - 10 * HOUR + 1_000)).toEqual(['before'])
  for (let i = 0; i < 12; i++)
    await raiseAlerts(
      store,
      now - 9 * HOUR + i * 40 * MINUTE,
      ...Array.from({ length: 100 }, () => alert('a1', 'no-tts', `${i}`)),
    )
  await raiseAlerts(store, now - 30 * MINUTE, alert('a1', 'no-tts', 'recent'))
  expect(await runCycle(now)).toEqual(['recent'])
  // after switching off and on, alerts from in between are not sent
  const change = (is_active: number) =>
    t.as('a1')(api.alertDestinations.update, {
      params: { alert_destination_sid: sid },
      body: { is_active: is_active as 0 },
    })
  await change(0)
  await raiseAlerts(store, now, alert('a1', 'no-stt', 'meanwhile'))
  nextMillisecond()
  await change(1)
  expect(await runCycle(Date.now())).toEqual([])
})

it('goes on when a clock that ran an hour ahead is right again', async () => {
  const sid = await add()
  const now = Date.now()
  await runCycle(now - MINUTE)
  // left behind by a clock that was ahead: a lease, a time to read from, a claim and a time to retry
  const wrong = now + HOUR
  await t.db
    .updateTable('switchroom_alert_watch')
    .set({ leased_until: wrong, watermark: wrong })
    .execute()
  await t.db
    .updateTable('switchroom_alert_destinations')
    .set({ active_since: wrong })
    .where('alert_destination_sid', '=', sid)
    .execute()
  await raiseAlerts(store, now, alert())
  expect(await runCycle(now + 1_000)).toEqual(['it failed'])
  await t.db
    .updateTable('switchroom_alert_deliveries')
    .set({ claimed_at: wrong, next_at: wrong })
    .execute()
  expect(await deliverDue(t.ctx, now + 2_000)).toBe(1)
  await raiseAlerts(store, now + 3_000, alert('a1', 'no-tts', 'again'))
  expect(await runCycle(now + 4_000)).toEqual(['again'])
})

it('claims exactly once with many processes', async () => {
  await add()
  await add({ ...webhook, name: 'second' }, 'sp1')
  const now = Date.now()
  await lookForAlerts(t.ctx, now)
  await raiseAlerts(store, now, alert(), alert('a1', 'no-stt'), alert('a2'))
  const looks = await Promise.all(
    Array.from({ length: 6 }, (_, i) => lookForAlerts(t.ctx, now + i)),
  )
  expect(looks.reduce((sum, n) => sum + n)).toBe(5)
  const sent = await Promise.all(Array.from({ length: 6 }, () => deliverDue(t.ctx, now + 10)))
  expect(sent.reduce((sum, n) => sum + n)).toBe(5)
  expect(r.got).toHaveLength(5)
  expect(new Set(r.got.map((g) => g.id)).size).toBe(5)
})

it('claims exactly once when two processes hold the lease', async () => {
  await add()
  const now = Date.now()
  await raiseAlerts(store, now, alert())
  await lookForAlerts(t.ctx, now + 1)
  // a lease that was lost: another process looks at the same alerts again
  const again = () =>
    t.db
      .updateTable('switchroom_alert_watch')
      .set({ leased_until: 0, watermark: now - 1 })
      .execute()
  await again()
  expect(await lookForAlerts(t.ctx, now + 2)).toBe(0)
  await again()
  expect(await lookForAlerts(t.ctx, now + 2 * HOUR)).toBe(0)
  await deliverDue(t.ctx, now + 3)
  expect(r.got).toHaveLength(1)
})

it('claims no second alert within the hour when a newer one arrives between two runs', async () => {
  const sid = await add()
  const now = Date.now()
  const one = { ...alert(), detail: null, target_sid: null, vendor: null }
  const at = (ms: number) => ({ ...one, time: new Date(now + ms).toISOString() })
  expect(await claimDelivery(t.db, sid, at(0), now)).toBe(true)
  expect(await claimDelivery(t.db, sid, at(MINUTE), now + MINUTE)).toBe(false)
  expect(await claimDelivery(t.db, sid, at(HOUR), now + HOUR)).toBe(true)
})

it('takes the provider from the accounts table, not from the alert', async () => {
  await add({ ...webhook, name: 'mine' }, 'sp1')
  await add({ name: 'theirs', kind: 'slack', secret: SLACK }, 'sp2')
  const now = Date.now()
  await raiseAlerts(store, now, { ...alert(), service_provider_sid: t.sids.sp2 })
  await runCycle(now + 1_000)
  expect(r.got.map((g) => g.to)).toEqual(['webhook'])
})

it('waits for the process that holds the lease, and takes over when that dies', async () => {
  await add()
  const now = Date.now()
  await lookForAlerts(t.ctx, now)
  await raiseAlerts(store, now, alert())
  // died while it looked
  await t.db
    .updateTable('switchroom_alert_watch')
    .set({ leased_until: now + 30_000 })
    .execute()
  expect(await runCycle(now + 29_000)).toEqual([])
  expect(await runCycle(now + 30_000)).toEqual(['it failed'])
})

it('retries a few times, reports the error, then gives up', async () => {
  const sid = await add()
  const now = Date.now()
  await raiseAlerts(store, now, alert())
  r.state.answer = { status: 503 }
  expect(await runCycle(now + 1_000)).toHaveLength(1)
  expect(await view(sid)).toMatchObject({
    last_error: 'The receiver answered 503',
    last_tried_at: new Date(now + 1_000).toISOString(),
  })
  const times: number[] = []
  for (let ms = 2_000; ms < 2 * HOUR; ms += 5_000)
    if ((await deliverDue(t.ctx, now + ms)) > 0) times.push(ms)
  expect(times).toHaveLength(3)
  expect(r.got).toHaveLength(4)
  // receivers recognize a retry by its unchanged key
  expect(new Set(r.got.map((g) => g.id)).size).toBe(1)
  expect(t.lines.join()).toContain('given up')
})

it('does not retry permanent failures, and clears the error after a success', async () => {
  const sid = await add()
  const now = Date.now()
  await raiseAlerts(store, now, alert())
  r.state.answer = { status: 410 }
  await runCycle(now + 1_000)
  expect((await view(sid)).last_error).toBe('The receiver answered 410')
  expect(await deliverDue(t.ctx, now + HOUR)).toBe(0)
  r.state.answer = undefined
  await raiseAlerts(store, now + 1, alert('a1', 'no-stt'))
  await runCycle(now + 2_000)
  expect((await view(sid)).last_error).toBeNull()
})

it('does not delay others for a receiver that hangs', async () => {
  await add({ ...webhook, name: 'slow' })
  await add({ name: 's', kind: 'slack', secret: SLACK })
  const now = Date.now()
  await raiseAlerts(store, now, alert())
  await lookForAlerts(t.ctx, now + 1)
  const slow = Promise.withResolvers<void>()
  r.state.answer = { status: 204, after: slow.promise }
  const delivering = deliverDue(t.ctx, now + 2)
  await expect.poll(() => r.got.map((g) => g.to)).toContain('slack')
  // pending deliveries stay claimed, and the next run does not wait for them
  expect(await deliverDue(t.ctx, now + 3)).toBe(0)
  await raiseAlerts(store, now + 5, alert('a1', 'no-stt'))
  expect(await lookForAlerts(t.ctx, now + 3_000)).toBe(2)
  slow.resolve()
  expect(await delivering).toBe(2)
})

it('survives an unavailable store, and does not query it without destinations', async () => {
  const now = Date.now()
  let reads = 0
  const failingRead = async () => {
    reads++
    throw new StoreUnavailable('away')
  }
  t.ctx.stores.alerts = { list: failingRead, write: failingRead }
  expect(await lookForAlerts(t.ctx, now)).toBe(0)
  expect(reads).toBe(0)
  await add()
  await expect(lookForAlerts(t.ctx, now)).rejects.toThrow('away')
  t.ctx.stores.alerts = store.alerts
  await raiseAlerts(store, now, alert())
  // its turn ends by itself
  expect(await runCycle(now + 31_000)).toEqual(['it failed'])
})

it('removes deliveries after a day, and those of deleted destinations', async () => {
  const sid = await add()
  const now = Date.now() - 26 * HOUR
  await raiseAlerts(store, now, alert(), alert('a1', 'no-stt'))
  const deliveries = () => t.db.selectFrom('switchroom_alert_deliveries').selectAll().execute()
  await runCycle(now + 1_000)
  expect(await deliveries()).toHaveLength(2)
  await raiseAlerts(store, now + 25 * HOUR, alert())
  await lookForAlerts(t.ctx, now + 25 * HOUR + 1)
  expect(await deliveries()).toHaveLength(1)
  await t.as('a1')(api.alertDestinations.remove, { params: { alert_destination_sid: sid } })
  expect(await deliveries()).toHaveLength(0)
})

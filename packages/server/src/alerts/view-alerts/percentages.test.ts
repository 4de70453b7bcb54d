import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api } from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { callLine, send, storeKinds, type TestStore, testStore } from '../../../test/calls.ts'
import {
  type Receivers,
  receivers,
  SECRET,
  WEBHOOK,
} from '../../../test/stand-ins/alert-receivers.ts'
import { callRecord, testVoice } from '../../../test/voice.ts'
import type { VoiceStore } from '../../stores/voice/store.ts'
import { type Count, keyOf } from '../../talk/counts.ts'
import { deliverDue } from '../alert-destinations/deliver-due.ts'
import { checkViewAlerts } from './check.ts'

const MINUTE = 60_000
const WEEK = 7 * 24 * 60 * MINUTE

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
async function calls(ms: number, count: number, answered: boolean) {
  const lines = Array.from({ length: count }, () =>
    callLine({
      ms,
      ns: serial++ % 1_000_000,
      tags: {
        ...{ service_provider_sid: t.sids.sp1, account_sid: t.sids.a1 },
        ...{ host: '10.0.0.1', trunk: 'Northwind', direction: 'inbound' },
        answered: String(answered),
      },
      fields: {
        ...{ call_sid: randomUUID(), sip_callid: randomUUID(), from: '15085551234', to: '49' },
        ...{ sip_status: answered ? 200 : 503, duration: 0 },
      },
    }),
  )
  if (count > 0) expect(await send(store, lines.join('\n'))).toMatchObject({ status: 204 })
}

async function save(search: object, more: object = {}) {
  const body = { list: 'recent_calls', name: `view ${++serial}`, search, view: {}, ...more }
  return (await t.as('a1')(api.savedViews.create, { body: body as never })).sid
}
const SHARE = { measure: 'share', comparison: 'more', threshold: 5, minutes: 10 } as const
const set = (saved_view_sid: string, body: object = SHARE) =>
  t.as('a1')(api.viewAlerts.set, { params: { saved_view_sid }, body: body as never })
const found = async () => {
  const [alert] = await t.as('a1')(api.viewAlerts.list, { query: { list: 'recent_calls' } })
  const { counted, whole, firing_since, error } = alert!.state
  return [counted, whole, firing_since === null ? 'quiet' : 'firing', ...(error ? [error] : [])]
}
const destination = async () =>
  (
    await t.as('a1')(api.alertDestinations.create, {
      body: { name: 'x', kind: 'webhook', address: WEBHOOK, secret: SECRET } as never,
    })
  ).sid
const check = async (at: number) => {
  await checkViewAlerts(t.ctx, at)
  await deliverDue(t.ctx, at)
  return found()
}
const received = () => r.got.map(({ body }) => body.data?.message)

describe.each(storeKinds)('with %s', (kind) => {
  beforeEach(open(kind))
  afterEach(close)

  it('tells that the share of calls is too large, and that it is over', async () => {
    const sid = await save({ sip_status: 503, trunk: 'Northwind' }, { name: 'Busy' })
    await set(sid, { ...SHARE, alert_destination_sids: [await destination()] })
    const now = Date.now() - 60 * MINUTE
    expect(await check(now)).toEqual([0, 0, 'quiet'])
    await calls(now - MINUTE, 19, false)
    expect(await check(now + MINUTE)).toEqual([19, 19, 'quiet'])
    // 20 of 400 are just enough not to alert
    await calls(now - MINUTE, 380, true)
    await calls(now - MINUTE, 1, false)
    expect(await check(now + 2 * MINUTE)).toEqual([20, 400, 'quiet'])
    await calls(now - MINUTE, 1, false)
    expect(await check(now + 3 * MINUTE)).toEqual([21, 401, 'firing'])
    const start = 'View “Busy”: 5.2 % of 401 calls in the last 10 minutes, more than 5 %.'
    expect(received()).toEqual([start])
    const link = new URL(r.got[0]!.body.data!.link)
    expect(Object.fromEntries(link.searchParams)).toEqual({
      ...{ sip_status: '503', trunk: 'Northwind' },
      start: new Date(now - 7 * MINUTE).toISOString(),
      end: new Date(now + 3 * MINUTE).toISOString(),
    })
    await calls(now + 5 * MINUTE, 40, true)
    expect(await check(now + 12 * MINUTE)).toEqual([0, 40, 'quiet'])
    const end = 'View “Busy”: over after 9 minutes. It was 0 % of 40 calls in the last 10 minutes.'
    expect(received()).toEqual([start, end])
    const log = await t.as('a1')(api.audit.list, { query: { page: 1, kind: 'view_alert' } })
    expect(JSON.stringify(log.data[0])).toContain('share')
  })

  it('tells that there are fewer answered calls than usual', async () => {
    const sid = await save({ answered: 'true' }, { name: 'Answered' })
    const usual = { measure: 'usual', comparison: 'fewer', threshold: 50, minutes: 60 }
    await set(sid, { ...usual, alert_destination_sids: [await destination()] })
    const now = Date.now()
    await calls(now - 10 * MINUTE, 9, true)
    await calls(now - WEEK - 10 * MINUTE, 22, true)
    // a store of one week
    expect(await check(now)).toEqual([9, null, 'quiet'])
    await calls(now - 2 * WEEK - 10 * MINUTE, 14, true)
    // neither at another time, nor of another kind
    await calls(now - 2 * WEEK - 61 * MINUTE, 9, true)
    await calls(now - 2 * WEEK - 10 * MINUTE, 9, false)
    await calls(now - 2 * WEEK + 5 * MINUTE, 9, true)
    // 9 of 18 are half
    expect(await check(now + MINUTE)).toEqual([9, 18, 'quiet'])
    await calls(now - WEEK - 10 * MINUTE, 2, true)
    expect(await check(now + 2 * MINUTE)).toEqual([9, 19, 'firing'])
    expect(received()).toEqual([
      'View “Answered”: 9 calls in the last 60 minutes, 47.4 % of the usual 19, less than 50 %.',
    ])
    await calls(now + 2 * MINUTE, 9, true)
    expect(await check(now + 3 * MINUTE)).toEqual([18, 19, 'quiet'])
    expect(received()[1]).toBe(
      'View “Answered”: over after 1 minute. There were 18 calls in the last 60 minutes, 94.7 % of the usual 19.',
    )
  })
})

describe('conversations', () => {
  let voice: VoiceStore
  let folder: string
  beforeEach(async () => {
    await open('embedded')()
    folder = mkdtempSync(join(tmpdir(), 'switchroom-percentages-'))
    voice = await testVoice('embedded', folder)
    t.ctx.stores.voice = voice
  })
  afterEach(async () => {
    await close()
    await voice.close()
    rmSync(folder, { recursive: true })
  })

  const GOOGLE = keyOf('recognition', 'google')
  const keep = (ms: number, count: number, response: number, counts: Count[] = [], words = '') =>
    voice.keep(
      Array.from({ length: count }, () => {
        const trace_id = (++serial).toString(16).padStart(32, '0')
        const all = { by: 'all', key: '', value: 0, n: 1 } as const
        return {
          trace_id,
          call: callRecord({
            ...{ account_sid: t.sids.a1, service_provider_sid: t.sids.sp1, trace_id },
            attempted_at: new Date(ms).toISOString(),
          }),
          counts: [
            { ...all, measure: 'calls' },
            { ...all, measure: 'turns' },
            { ...all, measure: 'response', value: response },
            ...counts,
          ],
          words,
        }
      }),
    )
  const request = (measure: 'requests' | 'failed'): Count => ({
    ...{ by: 'vendor', key: GOOGLE, measure, value: 0, n: 3 },
  })

  it('tells that p95 is above a limit, as a share of calls with a response time', async () => {
    const sid = await save({ voice: 'response', at_least: 2_000 }, { name: 'Slow' })
    await set(sid, { ...SHARE, alert_destination_sids: [await destination()] })
    const now = Date.now()
    await keep(now - MINUTE, 1, 2_000)
    await keep(now - MINUTE, 19, 1_900)
    // without a conversation
    await calls(now - MINUTE, 30, true)
    expect(await check(now)).toEqual([1, 20, 'quiet'])
    await keep(now - MINUTE, 1, 9_000)
    expect(await check(now + MINUTE)).toEqual([2, 21, 'firing'])
    expect(received()).toEqual([
      'View “Slow”: 9.5 % of 21 calls in the last 10 minutes, more than 5 %.',
    ])
    expect(r.got[0]!.body.data!.link).toContain('?voice=response&at_least=2000&start=')
  })

  it('tells that something is said, and in what share of conversations', async () => {
    const sid = await save({ said: '"a refund"' }, { name: 'Refunds' })
    const rows = { measure: 'rows', comparison: 'more', threshold: 1, minutes: 10 }
    await set(sid, { ...rows, alert_destination_sids: [await destination()] })
    const now = Date.now()
    await keep(now - MINUTE, 1, 100, [], ' i want a refund ')
    await keep(now - MINUTE, 18, 100, [], ' refund a ')
    expect(await check(now)).toEqual([1, null, 'quiet'])
    await keep(now - MINUTE, 1, 100, [], ' a refunding ')
    expect(await check(now + MINUTE)).toEqual([2, null, 'firing'])
    expect(r.got[0]!.body.data!.link).toContain('?said=%22a+refund%22&start=')
    await set(sid, SHARE)
    expect(await check(now + 2 * MINUTE)).toEqual([2, 20, 'firing'])
  })

  it('tells of a vendor’s errors among the calls that asked it', async () => {
    await set(await save({ voice: 'failed', voice_of: 'vendor/recognition/google' }))
    const now = Date.now()
    await keep(now - MINUTE, 22, 100, [request('requests')])
    await keep(now - MINUTE, 3, 100, [request('requests'), request('failed')])
    await keep(now - MINUTE, 100, 100)
    expect(await check(now)).toEqual([3, 25, 'firing'])
  })

  it('has the usual number of conversations, from their first on', async () => {
    const usual = { measure: 'usual', comparison: 'fewer', threshold: 50, minutes: 10 }
    await set(await save({ voice: 'turns' }), usual)
    const now = Date.now()
    // calls were recorded before conversations were counted
    for (const week of [1, 2, 3, 4]) await calls(now - week * WEEK - MINUTE, 30, true)
    await keep(now - WEEK - MINUTE, 30, 100)
    expect(await check(now)).toEqual([0, null, 'quiet'])
    await keep(now - 2 * WEEK - 60 * MINUTE, 1, 100)
    expect(await check(now + MINUTE)).toEqual([0, 15, 'firing'])
  })
})

describe('alerts in percent', () => {
  beforeEach(open('embedded'))
  afterEach(close)

  it('stay as they are while there are too few calls, and end after an hour', async () => {
    const sid = await save({ answered: 'false' }, { name: 'Failed' })
    await set(sid, { ...SHARE, quiet_minutes: 5, alert_destination_sids: [await destination()] })
    const now = Date.now() - 120 * MINUTE
    await calls(now - MINUTE, 20, false)
    expect(await check(now)).toEqual([20, 20, 'firing'])
    expect(await check(now + MINUTE)).toEqual([20, 20, 'firing'])
    expect(await check(now + 30 * MINUTE)).toEqual([0, 0, 'firing'])
    // saved again, that is no new beginning
    await set(sid, { ...SHARE, alert_destination_sids: [await destination()] })
    await calls(now + 59 * MINUTE, 19, true)
    expect(await check(now + 60 * MINUTE)).toEqual([0, 19, 'firing'])
    expect(await check(now + 61 * MINUTE)).toEqual([0, 19, 'quiet'])
    expect(received()).toEqual([
      'View “Failed”: 100 % of 20 calls in the last 10 minutes, more than 5 %.',
      'View “Failed”: over after 61 minutes. For an hour there were too few calls to tell.',
    ])
  })

  it('are refused where there is nothing to compare with', async () => {
    const refused = { status: 400, body: { issues: [{ path: ['measure'] }] } }
    await expect(set(await save({ trunk: 'Northwind' }))).rejects.toMatchObject(refused)
    const alerts = await save({ alert_type: 'no-tts' }, { list: 'alerts' })
    for (const measure of ['share', 'usual'])
      await expect(set(alerts, { ...SHARE, measure })).rejects.toMatchObject(refused)
    await set(await save({ trunk: 'Northwind' }), { ...SHARE, measure: 'usual' })
    const view = await save({ answered: 'true' })
    await set(view)
    // the filter goes later
    await t.as('a1')(api.savedViews.update, {
      params: { saved_view_sid: view },
      body: { search: {} } as never,
    })
    await checkViewAlerts(t.ctx, Date.now())
    const all = await t.as('a1')(api.viewAlerts.list, { query: { list: 'recent_calls' } })
    expect(all.find(({ saved_view_sid }) => saved_view_sid === view)!.state.error).toBe(
      'This view has no outcome filter, so its share is always 100 %',
    )
  })

  it('are left alone by servers of the version before, whose own are measured by rows', async () => {
    await set(await save({ answered: 'true' }), { ...SHARE, threshold: 0.5 })
    const [row] = await t.db.selectFrom('switchroom_view_alerts').selectAll().execute()
    expect(row).toMatchObject({ threshold: 5, next_at: null, next_measured_at: 0 })
    const now = Date.now()
    await check(now)
    const checked = t.db.selectFrom('switchroom_view_alerts').selectAll()
    expect(await checked.execute()).toMatchObject([
      { next_at: null, next_measured_at: now + MINUTE },
    ])
    const { measure: _, whole: __, judged_at: ___, next_measured_at: ____, ...before } = row!
    await t.db.deleteFrom('switchroom_view_alerts').execute()
    await t.db
      .insertInto('switchroom_view_alerts')
      .values({ ...before, threshold: 2, next_at: 0 } as never)
      .execute()
    await calls(now - MINUTE, 3, true)
    expect(await check(now)).toEqual([3, null, 'firing'])
  })

  it('end with the rights of their user', async () => {
    await set(await save({ answered: 'true' }, { is_shared: true }))
    await t.db.updateTable('users').set({ is_active: 0 }).where('name', '=', 'a1').execute()
    await checkViewAlerts(t.ctx, Date.now())
    const [row] = await t.db.selectFrom('switchroom_view_alerts').selectAll().execute()
    expect(row).toMatchObject({ next_at: null, next_measured_at: null })
    expect(await checkViewAlerts(t.ctx, Date.now() + MINUTE)).toBe(0)
  })
})

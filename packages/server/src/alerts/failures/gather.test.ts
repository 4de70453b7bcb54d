import { randomUUID } from 'node:crypto'
import { api, type Call } from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { callLine, send, storeKinds, type TestStore, testStore } from '../../../test/calls.ts'
import { cuttable } from '../../../test/cut-database.ts'
import { deliverDue } from '../alert-destinations/deliver-due.ts'
import { MAX_FAILURES } from './count-calls.ts'
import { gatherFailures } from './gather.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let t: TestApp
let store: TestStore
const open = (kind: (typeof storeKinds)[number]) => async () => {
  t = await testApp()
  store = await testStore(kind)
  t.ctx.stores.calls = store.calls
}
const close = async () => {
  await t.close()
  await store.close()
}

type Fields = {
  status?: number
  trunk?: string
  to?: string
  reason?: string
  direction?: string
  account?: 'a1' | 'a2' | 'b1'
  answered?: boolean
}

let serial = 0
/** Writes call records to the ingest port, as the platform does. */
async function calls(ms: number, count: number, fields: Fields = {}) {
  const { status = 503, trunk = 'Northwind', to = '493012345678', account = 'a1' } = fields
  const { reason = 'Service Unavailable', direction = 'outbound', answered = false } = fields
  const lines = Array.from({ length: count }, () =>
    callLine({
      ms,
      ns: serial++ % 1_000_000,
      tags: {
        service_provider_sid: account === 'b1' ? t.sids.sp2 : t.sids.sp1,
        account_sid: t.sids[account],
        host: '10.0.0.1',
        trunk,
        direction,
        answered: String(answered),
      },
      fields: {
        call_sid: randomUUID(),
        sip_callid: randomUUID(),
        from: '15085551234',
        to,
        sip_status: answered ? 200 : status,
        duration: 0,
        termination_reason: reason,
      },
    }),
  )
  expect(await send(store, lines.join('\n'))).toMatchObject({ status: 204 })
}

const list = async (who: string, query: object = {}) =>
  (await t.as(who)(api.failures.list, { query: { page: 1, ...query } as never })).data
const counts = async (who: string, query: object = {}) =>
  (await list(who, query)).map(
    (f) => `${f.trunk} ${f.sip_status} ${f.prefix} ${f.figures.calls} ${f.state}`,
  )
const update = (who: string, failure_sid: string, body: object) =>
  t.as(who)(api.failures.update, { params: { failure_sid }, body })

describe.each(storeKinds)('with %s', (kind) => {
  beforeEach(open(kind))
  afterEach(close)

  it('gathers failed calls by carrier, cause and prefix', async () => {
    const now = Date.now()
    await calls(now - MINUTE, 3)
    await calls(now - 2 * HOUR, 2)
    await calls(now - MINUTE, 1, { account: 'a2' })
    await calls(now - MINUTE, 1, { status: 404 })
    await calls(now - MINUTE, 1, { to: '+44 20 7946 0000' })
    await calls(now - MINUTE, 1, { trunk: 'Other', direction: 'inbound' })
    await calls(now - MINUTE, 4, { account: 'b1' })
    // people who do not answer are no failure
    for (const status of [480, 486, 487, 600, 603]) await calls(now - MINUTE, 1, { status })
    await calls(now - MINUTE, 1, { answered: true })
    expect(await gatherFailures(t.ctx, now)).toBe(13)
    expect((await counts('a1')).sort()).toEqual([
      'Northwind 404 +4930 1 open',
      'Northwind 503 +4420 1 open',
      'Northwind 503 +4930 5 open',
      'Other 503 +4930 1 open',
    ])
    expect(await counts('sp1', { sort: '-calls', page_size: 1 })).toEqual([
      'Northwind 503 +4930 6 open',
    ])
    expect(await counts('sp1', { account_sid: t.sids.a2 })).toEqual(['Northwind 503 +4930 1 open'])
    expect(await counts('b1')).toEqual(['Northwind 503 +4930 4 open'])
    const [most] = await list('sp1', { sort: '-calls', page_size: 1 })
    expect(most!.figures).toMatchObject({
      accounts: [
        { sid: t.sids.a1, name: 'a1', calls: 5 },
        { sid: t.sids.a2, name: 'a2', calls: 1 },
      ],
      callers: [{ prefix: '+1 508', calls: 6 }],
      first_at: new Date(now - 2 * HOUR).toISOString(),
      last_at: new Date(now - MINUTE).toISOString(),
    })
    expect(most!.figures.hours).toHaveLength(24)
    expect(most!.figures.hours.reduce((a, b) => a + b)).toBe(6)
    expect(most!.figures.samples).toHaveLength(6)
  })

  it('counts each call once, also when it comes late', async () => {
    const now = Date.now()
    await calls(now - MINUTE, 3)
    await gatherFailures(t.ctx, now)
    await gatherFailures(t.ctx, now + 10_000)
    expect(await counts('a1')).toEqual(['Northwind 503 +4930 3 open'])
    // within the overlap at once, within the hour after some passes
    await calls(now - 90_000, 1)
    await calls(now - 40 * MINUTE, 2)
    for (let pass = 2; pass < 9; pass++) await gatherFailures(t.ctx, now + pass * 10_000)
    expect(await counts('a1')).toEqual(['Northwind 503 +4930 6 open'])
  })

  it('reads a long backlog in order, none twice', async () => {
    const now = Date.now()
    for (let hour = 1; hour < 20; hour++) await calls(now - hour * HOUR, 100)
    await calls(now - 30 * HOUR, 5)
    expect(await gatherFailures(t.ctx, now)).toBe(1_900)
    expect(await gatherFailures(t.ctx, now + 10_000)).toBe(0)
    expect(await counts('a1')).toEqual(['Northwind 503 +4930 1900 open'])
  })
})

/** Gathers these calls, as a store might have them. */
async function withCalls(now: number, calls: Partial<Call>[]) {
  const each = async function* () {
    for (const call of calls)
      yield {
        ...{ account_sid: t.sids.a1, direction: 'outbound', answered: false, sip_status: 503 },
        ...{ attempted_at: new Date(now).toISOString(), termination_reason: null, trunk: null },
        ...{ call_sid: null, sip_callid: null, from: null, to: null, application_sid: null },
        service_provider_sid: t.sids.sp1,
        ...call,
      } as Call
  }
  const stores = { ...t.ctx.stores, calls: { ...t.ctx.stores.calls, each } }
  await gatherFailures({ ...t.ctx, stores }, now)
}

describe('a collector', () => {
  beforeEach(open('embedded'))
  afterEach(close)

  it('repeats and loses nothing when it dies after any statement', async () => {
    const now = Date.now()
    await calls(now - MINUTE, 700)
    await calls(now - 2 * HOUR, 30, { status: 404 })
    const cut = cuttable(t.db)
    try {
      // each attempt gets one statement further, and is past the lease of those that died
      for (let at = now, isDone = false, last = 1; !isDone; last++, at += 2 * MINUTE) {
        cut.cutAt((_, number) => number === last)
        isDone = await gatherFailures(t.ctx, at).then(
          () => true,
          () => false,
        )
        if (isDone) expect(cut.mend().length).toBeGreaterThan(15)
      }
    } finally {
      cut.restore()
    }
    expect((await counts('a1')).sort()).toEqual([
      'Northwind 404 +4930 30 open',
      'Northwind 503 +4930 700 open',
    ])
  })

  it('is one at a time', async () => {
    const now = Date.now()
    await calls(now - MINUTE, 600)
    const passes = await Promise.all([gatherFailures(t.ctx, now), gatherFailures(t.ctx, now)])
    expect(passes.sort()).toEqual([0, 600])
    expect(await counts('a1')).toEqual(['Northwind 503 +4930 600 open'])
  })

  it('brings back what was resolved when it occurs again', async () => {
    const now = Date.now()
    await calls(now - MINUTE, 1)
    await gatherFailures(t.ctx, now)
    const [failure] = await list('a1')
    await update('a1', failure!.failure_sid, { state: 'resolved' })
    // a call from before that was recorded late
    await calls(now - 30_000, 1)
    await gatherFailures(t.ctx, now + 10_000)
    expect(await counts('a1')).toEqual(['Northwind 503 +4930 2 resolved'])
    // the provider sees to its own
    expect(await counts('sp1', { state: 'open' })).toEqual(['Northwind 503 +4930 2 open'])
    await calls(Date.now() + 20_000, 1)
    await gatherFailures(t.ctx, now + 40_000)
    expect(await counts('a1', { state: 'open' })).toEqual(['Northwind 503 +4930 3 returned'])
  })

  it('mutes for a time, or for good', async () => {
    const now = Date.now()
    await calls(now - MINUTE, 1)
    await calls(now - MINUTE, 1, { status: 404 })
    await gatherFailures(t.ctx, now)
    const [one, other] = await list('a1', { sort: 'calls' })
    const muted_until = new Date(now + HOUR).toISOString()
    await update('a1', one!.failure_sid, { state: 'muted', muted_until })
    await update('a1', other!.failure_sid, { state: 'muted' })
    await calls(now - 30_000, 1)
    await gatherFailures(t.ctx, now + 10_000)
    expect(await list('a1', { state: 'open' })).toEqual([])
    await gatherFailures(t.ctx, now + HOUR + MINUTE)
    expect((await list('a1', { state: 'open' })).map((f) => f.failure_sid)).toEqual([
      one!.failure_sid,
    ])
  })

  it('gathers what is too many without prefixes', async () => {
    const now = Date.now()
    await withCalls(
      now,
      Array.from({ length: MAX_FAILURES + 50 }, (_, i) => ({
        call_sid: String(i),
        termination_reason: `reason ${i}`,
        to: '+493012345678',
      })),
    )
    const { data, total } = await t.as('a1')(api.failures.list, {
      query: { page: 1, page_size: 10_000 } as never,
    })
    expect(total).toBe(MAX_FAILURES + 1)
    expect(data.find((f) => f.prefix === null)!.figures.calls).toBe(50)
  })

  it('tells destinations that ask for it, at most once an hour', async () => {
    const now = Date.now()
    const mail = { kind: 'mail' as const, name: 'mail' }
    const add = async (who: string, address: string, alert_types: string[] = ['failure']) => {
      const body = { ...mail, address, alert_types } as never
      const { sid } = await t.as(who)(api.alertDestinations.create, { body })
      await t.db
        .updateTable('switchroom_alert_destinations')
        .set({ active_since: now - HOUR })
        .where('alert_destination_sid', '=', sid)
        .execute()
    }
    await add('a1', 'a1@example.com')
    await add('sp1', 'sp1@example.com')
    await add('b1', 'b1@example.com')
    await add('a1', 'alerts@example.com', [])
    const pass = async (at: number) => {
      const before = t.mails.length
      await gatherFailures(t.ctx, at)
      await deliverDue(t.ctx, at)
      return t.mails.slice(before).sort((a, b) => (a.to < b.to ? -1 : 1))
    }
    // calls that are old when they are first read raise no notice
    await calls(now - 3 * HOUR, 1, { status: 500 })
    await calls(now - MINUTE, 2)
    const first = await pass(now)
    expect(first.map((m) => m.to)).toEqual(['a1@example.com', 'sp1@example.com'])
    expect(first[0]!.subject).toBe('[Switchroom] New or returned failures · a1')
    expect(first[0]!.text).toContain(
      'Northwind answers 503 Service Unavailable to calls to +49 30: 2 calls since',
    )
    expect(first[0]!.text).toContain('http://console.test/internal/failures')
    expect(first[0]!.text).not.toContain('answers 500')
    await calls(now, 1, { status: 404 })
    await calls(now, 1, { status: 403 })
    expect(await pass(now + MINUTE)).toEqual([])
    const later = await pass(now + HOUR + MINUTE)
    expect(later).toHaveLength(2)
    for (const text of ['403 Forbidden', '404 Not Found']) expect(later[0]!.text).toContain(text)
    expect(later[0]!.text).not.toContain('answers 503')
    expect(await pass(now + 3 * HOUR)).toEqual([])
    const [resolved] = await list('a1', { filter: '404' })
    await update('a1', resolved!.failure_sid, { state: 'resolved' })
    await calls(now + 3 * HOUR, 1, { status: 404 })
    const again = await pass(now + 3 * HOUR + MINUTE)
    expect(again.map((m) => m.to)).toEqual(['a1@example.com'])
    expect(again[0]!.text).toContain('Returned: Northwind answers 404')
  })

  it('forgets what is long over, and keeps no keys of calls', async () => {
    const now = Date.now()
    await calls(now - MINUTE, 5)
    await gatherFailures(t.ctx, now)
    await gatherFailures(t.ctx, now + 3 * HOUR)
    await gatherFailures(t.ctx, now + 3 * HOUR + 2 * MINUTE)
    expect(await t.db.selectFrom('switchroom_failure_calls').select('call_key').execute()).toEqual(
      [],
    )
    expect(await counts('a1')).toHaveLength(1)
    await gatherFailures(t.ctx, now + 31 * 24 * HOUR)
    expect(await counts('a1')).toEqual([])
  })

  it('takes records of any content', async () => {
    const now = Date.now()
    const odd: Partial<Call>[] = [
      { trunk: `x${'\ud800'}`, to: `\0${'9'.repeat(5_000)}` },
      { trunk: '𝄞'.repeat(500), termination_reason: 'é'.repeat(5_000), from: '' },
      { account_sid: `' or 1=1`, service_provider_sid: randomUUID() },
      { account_sid: null, service_provider_sid: t.sids.sp1, direction: 'inbound' },
    ]
    await withCalls(now, odd)
    expect(await list('a1')).toHaveLength(2)
    expect(await list('sp1')).toHaveLength(3)
  })
})

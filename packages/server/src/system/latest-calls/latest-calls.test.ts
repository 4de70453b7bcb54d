import { randomInt, randomUUID } from 'node:crypto'
import { api, type Call, type Unused } from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import {
  callLine,
  seededRandom,
  send,
  storeKinds,
  type TestStore,
  testStore,
} from '../../../test/calls.ts'
import { cuttable } from '../../../test/cut-database.ts'
import { DAY_MS, dayOf } from '../../http/latest-calls.ts'
import { countLatestCalls } from './count.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let t: TestApp
let store: TestStore
const open = (kind: (typeof storeKinds)[number]) => async () => {
  t = await testApp()
  store = await testStore(kind)
  t.ctx.stores.calls = store.calls
  await t.db
    .updateTable('accounts')
    .set({ sip_realm: 'a1.sip.example' })
    .where('account_sid', '=', t.sids.a1)
    .execute()
}
const close = async () => {
  await t.close()
  await store.close()
}

let serial = 0
type Fields = {
  direction?: 'inbound' | 'outbound'
  from?: string
  to?: string
  application_sid?: string | undefined
  account_sid?: string
  trunk?: string | undefined
}
const point = (ms: number, fields: Fields) => {
  const { direction = 'inbound', account_sid = t.sids.a1, trunk = 'Northwind' } = fields
  const { from = '15085551234', to = '442079460000', application_sid } = fields
  const isOfB1 = account_sid === t.sids.b1
  return callLine({
    ms,
    ns: serial++ % 1_000_000,
    tags: {
      service_provider_sid: isOfB1 ? t.sids.sp2 : t.sids.sp1,
      ...{ account_sid, host: '10.0.0.1', direction, trunk, answered: 'false' },
    },
    fields: {
      ...{ call_sid: randomUUID(), sip_callid: randomUUID(), from, to },
      ...{ sip_status: 487, duration: 0, termination_reason: 'caller abandoned' },
      ...(application_sid && { application_sid }),
    },
  })
}
/** Writes call records to the ingest port, as the platform does. */
async function write(lines: string[]) {
  for (let i = 0; i < lines.length; i += 1_000)
    expect(await send(store, lines.slice(i, i + 1_000).join('\n'))).toMatchObject({ status: 204 })
}
const calls = (ms: number, count: number, fields: Fields = {}) =>
  write(Array.from({ length: count }, () => point(ms, fields)))

async function number(
  number: string,
  account_sid: string | null = t.sids.a1,
  carrier: string | null = null,
) {
  const phone_number_sid = randomUUID()
  const service_provider_sid = account_sid === null ? t.sids.sp1 : null
  const voip_carrier_sid = carrier && randomUUID()
  if (voip_carrier_sid)
    await t.db
      .insertInto('voip_carriers')
      .values({ voip_carrier_sid, name: carrier, service_provider_sid: t.sids.sp1 })
      .execute()
  await t.db
    .insertInto('phone_numbers')
    .values({ phone_number_sid, number, account_sid, service_provider_sid, voip_carrier_sid })
    .execute()
  return phone_number_sid
}
async function application(name: string, account_sid = t.sids.a1) {
  const hook = { method: 'POST' as const, url: 'https://example.com' }
  const body = { name, account_sid, call_hook: hook, call_status_hook: hook }
  return (await t.as('admin')(api.applications.create, { body })).sid
}
const client = async (username: string, account_sid = t.sids.a1) =>
  (await t.as('admin')(api.clients.create, { body: { username, account_sid } as never })).sid

const numbers = async (who: string, query: object = {}) =>
  (
    await t.as(who)(api.phoneNumbers.list, {
      query: { page: 1, page_size: 1_000, ...query } as never,
    })
  ).data
const shown = async (who: string, query: object = {}) =>
  (await numbers(who, query)).map((n) => `${n.number} ${n.calls_7d} ${n.last_call_at}`)
const text = (ms: number) => new Date(ms).toISOString()

/** Counts until nothing is left of the time before. */
async function countAll(now: number) {
  for (let at = now; ; at += 1_000) {
    await countLatestCalls(t.ctx, at)
    const watch = await t.db
      .selectFrom('switchroom_call_watch')
      .selectAll()
      .executeTakeFirstOrThrow()
    if (watch.is_caught_up === 1 && Number(watch.read_until) >= at) return watch
  }
}

/** Expects `calls_7d` to be the sum of the days. */
async function expectSound() {
  const counts = await t.db.selectFrom('switchroom_call_counts').selectAll().execute()
  const days = await t.db.selectFrom('switchroom_call_days').selectAll().execute()
  const sums = new Map<string, number>()
  for (const { thing_sid, account_sid, calls } of days)
    sums.set(`${thing_sid} ${account_sid}`, (sums.get(`${thing_sid} ${account_sid}`) ?? 0) + calls)
  for (const { thing_sid, account_sid, calls_7d } of counts)
    expect(calls_7d).toBe(sums.get(`${thing_sid} ${account_sid}`) ?? 0)
}

describe.each(storeKinds)('with %s', (kind) => {
  beforeEach(open(kind))
  afterEach(close)

  it('shows what an independent count of random calls shows', async () => {
    const seed = randomInt(2 ** 31)
    const random = seededRandom(seed)
    const now = Date.now()
    const stored = Array.from({ length: 12 }, (_, i) => `44207946${1000 + i}`)
    for (const one of stored) await number(one)
    const apps = [await application('one'), await application('two')]
    const users = ['alice', 'bob']
    for (const user of users) await client(user)
    const last = new Map<string, number>()
    const recent = new Map<string, number>()
    const note = (name: string, at: number) => {
      last.set(name, Math.max(last.get(name) ?? 0, at))
      if (dayOf(at) > dayOf(now) - 7) recent.set(name, (recent.get(name) ?? 0) + 1)
    }
    const some = (age: number) => {
      const at = now - random(age)
      const own = stored[random(10)]!
      const application_sid = [...apps, undefined][random(3)]
      if (application_sid) note(application_sid, at)
      const plus = random(2) ? '+' : ''
      switch (random(4)) {
        case 0:
          note(own, at)
          return point(at, { to: plus + own, application_sid })
        case 1:
          note(own, at)
          return point(at, { direction: 'outbound', from: plus + own, application_sid })
        case 2: {
          const user = users[random(2)]!
          note(user, at)
          const to = `${user}@A1.sip.example`
          return point(at, { direction: 'outbound', trunk: 'user', to, application_sid })
        }
        default: {
          const user = users[random(2)]!
          note(user, at)
          return point(at, { from: user, trunk: 'undefined', application_sid })
        }
      }
    }
    await write(Array.from({ length: 600 }, (_, i) => some((i % 2 ? 1 : 12) * DAY_MS)))
    await countAll(now)
    // late ones
    await write(Array.from({ length: 100 }, () => some(HOUR)))
    for (let pass = 0; pass < 6; pass++) await countLatestCalls(t.ctx, now + pass)
    await expectSound()

    const list = await numbers('a1')
    expect(list).toHaveLength(stored.length)
    const expected = (name: string) => ({
      calls_7d: recent.get(name) ?? 0,
      last_call_at: last.has(name) ? text(last.get(name)!) : null,
    })
    for (const n of list) expect(n, `seed ${seed}`).toMatchObject(expected(n.number))
    const its = (await t.as('a1')(api.applications.list, { query: { page: 1 } as never })).data
    for (const one of its) expect(one, `seed ${seed}`).toMatchObject(expected(one.application_sid))
    for (const one of (await t.as('a1')(api.clients.list, { query: { page: 1 } as never })).data)
      expect(one, `seed ${seed}`).toMatchObject(expected(one.username))
  })

  it('counts what came late, and each call once', async () => {
    const now = Date.now()
    await number('442079460000')
    await calls(now - MINUTE, 3)
    await countAll(now)
    expect(await shown('a1')).toEqual([`442079460000 3 ${text(now - MINUTE)}`])
    await calls(now - 30_000, 2)
    await calls(now - 40 * MINUTE, 4)
    await calls(now - 30 * HOUR, 5)
    for (let pass = 0; pass < 6; pass++) await countLatestCalls(t.ctx, now + pass)
    // as some passes later
    await t.db.updateTable('switchroom_call_watch').set({ late_slice: 174 }).execute()
    for (let pass = 6; pass < 10; pass++) await countLatestCalls(t.ctx, now + pass)
    expect(await shown('a1')).toEqual([`442079460000 14 ${text(now - 30_000)}`])
    await expectSound()
  })

  it('goes back from the newest to the oldest, and says how far', async () => {
    const now = Date.now()
    await number('442079460000')
    const oldest = now - 20 * DAY_MS
    await calls(oldest, 1)
    await calls(now - 2 * DAY_MS, 20_500)
    await countLatestCalls(t.ctx, now)
    const [first] = await numbers('a1')
    expect(first).toMatchObject({ calls_7d: 20_500 })
    expect(Date.parse(first!.calls_counted_since!)).toBeGreaterThan(now - 3 * DAY_MS)
    const watch = await countAll(now + 1_000)
    expect(watch.is_caught_up).toBe(1)
    const [whole] = await numbers('a1')
    expect(whole).toMatchObject({ calls_7d: 20_500, last_call_at: text(now - 2 * DAY_MS) })
    expect(whole!.calls_counted_since).toBe(text(Math.floor(oldest / (10 * MINUTE)) * 10 * MINUTE))
  })
})

describe('counts', () => {
  beforeEach(open('embedded'))
  afterEach(close)

  it('are unknown until calls are counted, and while counting is behind', async () => {
    const now = Date.now()
    await number('442079460000')
    const none = { last_call_at: null, calls_7d: null, calls_counted_since: null }
    expect(await numbers('a1')).toMatchObject([none])
    expect(await numbers('a1', { unused: 'ever' })).toEqual([])
    await countAll(now)
    const [counted] = await numbers('a1')
    expect(counted).toMatchObject({ last_call_at: null, calls_7d: 0 })
    expect(Date.parse(counted!.calls_counted_since!)).toBeLessThanOrEqual(now)
    expect(await numbers('a1', { unused: 'ever' })).toHaveLength(1)
    await t.db
      .updateTable('switchroom_call_watch')
      .set({ read_until: now - 3 * DAY_MS })
      .execute()
    expect(await numbers('a1')).toMatchObject([none])
    expect(await numbers('a1', { unused: '30d' })).toEqual([])
  })

  it('leave out days that are over', async () => {
    const now = Date.now()
    await number('442079460000')
    await number('442079460001')
    await calls(now - 6 * DAY_MS, 4)
    await calls(now - MINUTE, 2)
    await calls(now - MINUTE, 1, { to: '442079460001' })
    await countAll(now)
    expect(await shown('a1')).toEqual([
      `442079460000 6 ${text(now - MINUTE)}`,
      `442079460001 1 ${text(now - MINUTE)}`,
    ])
    await countLatestCalls(t.ctx, now + DAY_MS)
    expect((await numbers('a1')).map((n) => n.calls_7d)).toEqual([2, 1])
    await countLatestCalls(t.ctx, now + 8 * DAY_MS)
    expect((await numbers('a1')).map((n) => n.calls_7d)).toEqual([0, 0])
    expect((await numbers('a1'))[0]).toMatchObject({ last_call_at: text(now - MINUTE) })
    expect(await t.db.selectFrom('switchroom_call_days').selectAll().execute()).toEqual([])
    expect(await t.db.selectFrom('switchroom_call_slices').selectAll().execute()).toEqual([])
  })

  it('sort and filter a list, page by page', async () => {
    const now = Date.now()
    const days = [0, 1, 6, 7, 29, 30, 89, 90, 120]
    for (const [i, day] of days.entries()) {
      await number(String(442079461000 + i))
      // the store keeps a month: older calls were counted before
      if (day < 28) await calls(now - day * DAY_MS, i + 1, { to: String(442079461000 + i) })
    }
    await number('442079461099')
    await countAll(now)
    for (const [i, day] of days.entries())
      if (day >= 28) {
        const [n] = await numbers('a1', { filter: String(442079461000 + i) })
        await t.db
          .insertInto('switchroom_call_counts')
          .values({
            ...{ thing_sid: n!.phone_number_sid, account_sid: t.sids.a1, calls_7d: 0 },
            last_call_at: now - day * DAY_MS,
          })
          .execute()
      }
    const ends = async (query: object) =>
      (await numbers('a1', query)).map((n) => n.number.slice(-2)).join(' ')
    const unused = (unused: Unused) => ends({ unused })
    expect(await unused('7d')).toBe('03 04 05 06 07 08 99')
    expect(await unused('30d')).toBe('05 06 07 08 99')
    expect(await unused('90d')).toBe('07 08 99')
    expect(await unused('ever')).toBe('99')
    expect(await ends({ sort: '-last_call_at' })).toBe('00 01 02 03 04 05 06 07 08 99')
    expect(await ends({ sort: 'last_call_at' })).toBe('99 08 07 06 05 04 03 02 01 00')
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => ends({ sort: '-last_call_at', page, page_size: 3 })),
    )
    expect(pages).toEqual(['00 01 02', '03 04 05', '06 07 08', '99'])
    expect(await ends({ sort: '-calls_7d', page_size: 3 })).toBe('02 01 00')
    expect(await ends({ sort: '-last_call_at', unused: '30d', page: 2, page_size: 2 })).toBe(
      '07 08',
    )
    const file = await t.request(
      'a1',
      'GET',
      '/PhoneNumbers/Export?columns=number,calls_7d,last_call_at&unused=90d',
    )
    expect(file.body.split('\r\n').slice(0, 3)).toEqual([
      'number,calls_7d,last_call_at',
      `442079461007,0,${text(now - 90 * DAY_MS)}`,
      `442079461008,0,${text(now - 120 * DAY_MS)}`,
    ])
    // a whole list in this order equals its pages
    const whole = await t.request('a1', 'GET', '/PhoneNumbers?sort=-calls_7d')
    expect(whole.json().slice(0, 3)).toMatchObject([
      { calls_7d: 3 },
      { calls_7d: 2 },
      { calls_7d: 1 },
    ])
    const body = { select: { matching: { unused: '90d' as const } } }
    expect(await t.as('sp1')(api.phoneNumbers.removeMany, { body })).toEqual({ deleted: 3 })
    expect((await t.request('a1', 'GET', '/PhoneNumbers?unused=5d')).statusCode).toBe(400)
  })

  it('are those of the account, the provider and the carrier', async () => {
    const now = Date.now()
    await number('442079460001')
    await number('442079460001', t.sids.b1, 'Other')
    await number('442079460002', null)
    await number('442079460003', t.sids.a1, 'Northwind')
    await number('442079460003', t.sids.a1, 'Thameslane')
    const moved = await number('442079460004')
    await number('^4420.*')
    await calls(now - MINUTE, 1, { to: '442079460001' })
    await calls(now - MINUTE, 2, { to: '442079460001', account_sid: t.sids.b1 })
    await calls(now - MINUTE, 3, { to: '+442079460002' })
    await calls(now - MINUTE, 4, { to: '+442079460002', account_sid: t.sids.b1 })
    await calls(now - MINUTE, 5, { to: '442079460003' })
    await calls(now - MINUTE, 6, { to: '442079460004' })
    const theirs = await application('theirs', t.sids.b1)
    await calls(now - MINUTE, 1, { application_sid: theirs })
    await countAll(now)
    const at = text(now - MINUTE)
    expect((await shown('a1')).sort()).toEqual(
      [
        ...['442079460001 1', '442079460003 5', '442079460004 6'].map((one) => `${one} ${at}`),
        ...['442079460003 0 null', '^4420.* null null'],
      ].sort(),
    )
    expect(await shown('b1')).toEqual([`442079460001 2 ${at}`])
    expect(await shown('sp1', { filter: '442079460002' })).toEqual([`442079460002 3 ${at}`])
    // a pattern's calls are not known
    expect(await shown('a1', { unused: 'ever' })).toEqual(['442079460003 0 null'])
    // of the applications of another account, calls are no calls
    expect(
      (await t.as('b1')(api.applications.list, { query: { page: 1 } as never })).data,
    ).toMatchObject([{ calls_7d: 0 }])
    // a number leaves its calls behind
    await t.db
      .updateTable('phone_numbers')
      .set({ account_sid: t.sids.a2 })
      .where('phone_number_sid', '=', moved)
      .execute()
    expect(await shown('a2')).toEqual(['442079460004 0 null'])
    // and has them again where it was
    await t.db
      .updateTable('phone_numbers')
      .set({ account_sid: t.sids.a1 })
      .where('phone_number_sid', '=', moved)
      .execute()
    expect(await shown('a1', { filter: '442079460004' })).toEqual([`442079460004 6 ${at}`])
    // the platform writes no records of these
    await t.db
      .updateTable('accounts')
      .set({ disable_cdrs: 1 })
      .where('account_sid', '=', t.sids.a1)
      .execute()
    expect((await numbers('a1')).every((n) => n.calls_counted_since === null)).toBe(true)
    expect(await numbers('a1', { unused: 'ever' })).toEqual([])
  })

  it('of a SIP client are calls by its name or address, and not those that a carrier brings', async () => {
    const now = Date.now()
    await client('Alice')
    await client('1001')
    await client('alice', t.sids.a2)
    await calls(now, 1, { from: 'alice', trunk: 'undefined' })
    await calls(now, 1, { from: 'sip:alice@a1.sip.example:5060', trunk: 'undefined' })
    await calls(now, 1, { from: 'alice@other.sip.example', trunk: 'undefined' })
    await calls(now, 1, { from: 'alice', trunk: 'Northwind' })
    await calls(now, 1, {
      direction: 'outbound',
      to: 'sip:1001@a1.sip.example;transport=udp',
      trunk: 'user',
    })
    await calls(now, 1, { direction: 'outbound', to: '1001', trunk: 'Northwind' })
    await countAll(now)
    const of = async (who: string) =>
      (
        await t.as(who)(api.clients.list, { query: { page: 1, sort: '-calls_7d' } as never })
      ).data.map((c) => `${c.username} ${c.calls_7d}`)
    expect(await of('a1')).toEqual(['Alice 2', '1001 1'])
    expect(await of('a2')).toEqual(['alice 0'])
    const unused = { query: { page: 1, unused: '7d' } as never }
    expect((await t.as('sp1')(api.clients.list, unused)).data).toMatchObject([
      { account_sid: t.sids.a2 },
    ])
  })

  it('of what was deleted are deleted', async () => {
    const now = Date.now()
    const gone = await number('442079460000')
    await number('442079460001')
    await calls(now - MINUTE, 1)
    await calls(now - MINUTE, 1, { to: '442079460001' })
    await countAll(now)
    await t.db.deleteFrom('phone_numbers').where('phone_number_sid', '=', gone).execute()
    for (let pass = 1; pass < 3; pass++) await countLatestCalls(t.ctx, now + pass)
    for (const table of ['switchroom_call_counts', 'switchroom_call_days'] as const)
      expect(await t.db.selectFrom(table).select('thing_sid').execute()).toHaveLength(1)
  })

  it('repeat and lose nothing when their process dies after any statement', async () => {
    const now = Date.now()
    await number('442079460000')
    await calls(now - MINUTE, 700)
    await calls(now - 30 * MINUTE, 30)
    await calls(now - 10 * DAY_MS, 20)
    const cut = cuttable(t.db)
    try {
      // each attempt gets one statement further, and is past the lease of those that died
      for (let at = now, isDone = false, last = 1; !isDone; last++, at += 2 * MINUTE) {
        cut.cutAt((_, number) => number === last)
        isDone = await countLatestCalls(t.ctx, at).then(
          () => true,
          () => false,
        )
        if (isDone) expect(cut.mend().length).toBeGreaterThan(15)
      }
    } finally {
      cut.restore()
    }
    expect(await shown('a1')).toEqual([`442079460000 730 ${text(now - MINUTE)}`])
    await expectSound()
  })

  it('are made by one process at a time', async () => {
    const now = Date.now()
    await number('442079460000')
    await calls(now - MINUTE, 600)
    await Promise.all([countLatestCalls(t.ctx, now), countLatestCalls(t.ctx, now)])
    expect(await shown('a1')).toEqual([`442079460000 600 ${text(now - MINUTE)}`])
  })

  it('ask a store only for calls of spans that have others than before', async () => {
    const now = Date.now()
    await number('442079460000')
    await calls(now - MINUTE, 50)
    await calls(now - 2 * DAY_MS, 50)
    await countAll(now)
    const asked: string[] = []
    const spied = {
      ...t.ctx.stores.calls,
      list: (...args: Parameters<typeof store.calls.list>) => {
        asked.push('list')
        return store.calls.list(...args)
      },
      each: (...args: Parameters<typeof store.calls.each>): AsyncIterable<Call> => {
        asked.push('each')
        return store.calls.each(...args)
      },
    }
    for (let pass = 0; pass < 5; pass++)
      await countLatestCalls({ ...t.ctx, stores: { ...t.ctx.stores, calls: spied } }, now + pass)
    expect(asked).not.toContain('each')
    expect(asked.length).toBeLessThanOrEqual(5 * 7)
  })
})

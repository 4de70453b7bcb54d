import { randomUUID } from 'node:crypto'
import { api, type Received } from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'

let t: TestApp
/** Carriers of account a1, of its provider, and of another account. */
let own: string
let shared: string
let foreign: string
beforeEach(async () => {
  t = await testApp()
  const carrier = async (who: string, name: string) =>
    (await t.as(who)(api.voipCarriers.create, { body: { name } })).sid
  own = await carrier('a1', 'own')
  shared = await carrier('sp1', 'shared')
  foreign = await carrier('a2', 'foreign')
})
afterEach(() => t.close())

type Body = Partial<Received<typeof api.lcrs.create>['body']>
const via = (...carriers: string[]) => ({
  lcr_carrier_set_entries: carriers.map((voip_carrier_sid) => ({ voip_carrier_sid })),
})
const uk = () => ({ regex: '^44', description: 'To Britain', ...via(own, shared) })
const us = () => ({ regex: '1', ...via(shared) })
const whole = () => ({ name: 'outbound', routes: [uk(), us()], default_carrier: shared })

const add = async (who: string, body: object) =>
  (await t.as(who)(api.lcrs.create, { body: body as Body })).sid
const view = (lcr_sid: string, who = 'admin') => t.as(who)(api.lcrs.view, { params: { lcr_sid } })
const change = (who: string, lcr_sid: string, body: object) =>
  t.as(who)(api.lcrs.update, { params: { lcr_sid }, body: body as Body })
const remove = (who: string, lcr_sid: string) => t.as(who)(api.lcrs.remove, { params: { lcr_sid } })
const rows = async () => ({
  tables: await t.db.selectFrom('lcr').selectAll().orderBy('lcr_sid').execute(),
  routes: await t.db.selectFrom('lcr_routes').selectAll().orderBy('lcr_route_sid').execute(),
  entries: await t.db
    .selectFrom('lcr_carrier_set_entry')
    .selectAll()
    .orderBy('lcr_carrier_set_entry_sid')
    .execute(),
})
const refused = (message: string, ...path: (string | number)[]) => ({
  status: 400,
  message,
  body: { issues: [{ path, message }] },
})

describe('a table with its routes', () => {
  it('is stored the way the platform reads it', async () => {
    const sid = await add('a1', whole())
    const { tables, routes, entries } = await rows()
    const last = routes.find((r) => r.priority === 9999)!
    expect(tables).toMatchObject([
      {
        lcr_sid: sid,
        name: 'outbound',
        is_active: 1,
        account_sid: t.sids.a1,
        service_provider_sid: null,
      },
    ])
    expect(last).toMatchObject({ regex: '.*', description: 'System Default Route', lcr_sid: sid })
    expect(entries.filter((e) => e.lcr_route_sid === last.lcr_route_sid)).toEqual([
      {
        lcr_carrier_set_entry_sid: tables[0]!.default_carrier_set_entry_sid,
        lcr_route_sid: last.lcr_route_sid,
        voip_carrier_sid: shared,
        workload: 1,
        priority: 0,
      },
    ])
    const read = await view(sid, 'a1')
    expect(read).toMatchObject({
      number_routes: 3,
      default_carrier: shared,
      routes: [
        {
          regex: '^44',
          description: 'To Britain',
          priority: 0,
          lcr_carrier_set_entries: [
            { voip_carrier_sid: own, priority: 0, workload: 1 },
            { voip_carrier_sid: shared, priority: 1, workload: 1 },
          ],
        },
        { regex: '1', description: null, priority: 1 },
      ],
    })
    expect(read.routes).toHaveLength(2)
  })

  it('is unchanged by repeated saves', async () => {
    const sid = await add('a1', whole())
    const before = await rows()
    await change('a1', sid, whole())
    expect(await rows()).toEqual(before)
    const { version, ...read } = await view(sid)
    await t.as('a1')(api.lcrs.update, { params: { lcr_sid: sid }, body: read, version })
    expect(await rows()).toEqual(before)
    const audited = await t.as('a1')(api.audit.list, { query: { page: 1, sid } })
    expect(audited.total).toBe(1)
  })

  it('changes, adds, reorders and drops routes and carriers in one save', async () => {
    const sid = await add('a1', whole())
    const [first, second] = (await view(sid)).routes
    const [kept] = first!.lcr_carrier_set_entries
    await change('a1', sid, {
      routes: [
        { regex: '^49', ...via(own) },
        {
          ...first,
          priority: 1,
          regex: '^440',
          lcr_carrier_set_entries: [{ ...kept, workload: 7 }],
        },
      ],
      default_carrier: own,
    })
    const read = await view(sid)
    expect(read.default_carrier).toBe(own)
    expect(read.number_routes).toBe(3)
    expect(read.routes.map((r) => r.regex)).toEqual(['^49', '^440'])
    expect(read.routes[1]).toMatchObject({
      lcr_route_sid: first!.lcr_route_sid,
      description: 'To Britain',
      lcr_carrier_set_entries: [{ ...kept, workload: 7 }],
    })
    const { routes, entries } = await rows()
    expect(routes.map((r) => r.lcr_route_sid)).not.toContain(second!.lcr_route_sid)
    expect(entries).toHaveLength(3)
  })

  it.each([
    ['Each route needs a regex and a carrier.', { regex: ' ' }, ['regex']],
    [
      'Enter digits or a regular expression. Escape a plus sign as \\+',
      { regex: '+44' },
      ['regex'],
    ],
    ['Digit prefix or regex can have at most 32 characters', { regex: '1'.repeat(33) }, ['regex']],
    [
      'Each route needs a regex and a carrier.',
      { lcr_carrier_set_entries: [] },
      ['lcr_carrier_set_entries'],
    ],
    [
      'Each route needs a regex and a carrier.',
      via(''),
      ['lcr_carrier_set_entries', 0, 'voip_carrier_sid'],
    ],
  ])('says %s', async (message, wrong, path) => {
    const routes = [us(), { ...us(), ...wrong }]
    await expect(add('a1', { ...whole(), routes })).rejects.toMatchObject(
      refused(message, 'routes', 1, ...path),
    )
  })

  it('has a default carrier', async () => {
    const message = 'A default carrier is required.'
    const { default_carrier: _, ...none } = whole()
    await expect(add('a1', none)).rejects.toMatchObject(refused(message, 'default_carrier'))
    const sid = await add('a1', { name: 'step by step' })
    await expect(change('a1', sid, { routes: [us()] })).rejects.toMatchObject(
      refused(message, 'default_carrier'),
    )
    await change('a1', sid, whole())
    await expect(change('a1', sid, { default_carrier: '' })).rejects.toMatchObject(
      refused(message, 'default_carrier'),
    )
    await change('a1', sid, { routes: [us()] })
    expect(await view(sid)).toMatchObject({ default_carrier: shared, number_routes: 2 })
  })

  it('is saved atomically', async () => {
    const sid = await add('a1', whole())
    const before = await rows()
    const [first] = (await view(sid)).routes
    const wrong = [
      [{ routes: [us(), { ...us(), ...via(own, foreign) }] }, 'unknown voip_carrier_sid'],
      [{ default_carrier: foreign }, 'unknown voip_carrier_sid'],
      [{ routes: [{ ...us(), lcr_route_sid: crypto.randomUUID() }] }, 'unknown lcr_route_sid'],
      [{ routes: [first, first] }, 'unknown lcr_route_sid'],
      [
        {
          routes: [us(), { regex: '^9', lcr_carrier_set_entries: first!.lcr_carrier_set_entries }],
        },
        'unknown lcr_carrier_set_entry_sid',
      ],
    ] as const
    for (const [body, message] of wrong) {
      await expect(change('a1', sid, { name: 'other', ...body })).rejects.toMatchObject({
        status: 400,
        message,
      })
      expect(await rows()).toEqual(before)
    }
    await expect(add('a2', { ...whole(), routes: [us(), uk()] })).rejects.toMatchObject(
      refused(
        'unknown voip_carrier_sid',
        'routes',
        1,
        'lcr_carrier_set_entries',
        0,
        'voip_carrier_sid',
      ),
    )
    expect(await rows()).toEqual(before)
  })

  it('accepts an inactive carrier', async () => {
    await t.as('a1')(api.voipCarriers.update, {
      params: { voip_carrier_sid: own },
      body: { is_active: 0 },
    })
    await add('a1', whole())
  })

  it('does not overwrite a newer version of any part', async () => {
    const sid = await add('a1', whole())
    const { version, routes } = await view(sid)
    await t.as('a1')(api.lcrRoutes.update, {
      params: { lcr_route_sid: routes[0]!.lcr_route_sid },
      body: { regex: '^353' },
    })
    await expect(
      t.as('a1')(api.lcrs.update, { params: { lcr_sid: sid }, body: { name: 'x' }, version }),
    ).rejects.toMatchObject({ status: 409, body: { code: 'changed' } })
  })

  it('is deleted with all its parts', async () => {
    const sid = await add('a1', whole())
    await remove('sp1', sid)
    expect(await rows()).toEqual({ tables: [], routes: [], entries: [] })
    const { sid: account_sid } = await t.as('sp1')(api.accounts.create, {
      body: { name: 'new', service_provider_sid: t.sids.sp1 },
    })
    await add('sp1', { account_sid, routes: [us()], default_carrier: shared })
    await t.as('sp1')(api.accounts.remove, { params: { account_sid }, body: {} })
    expect(await rows()).toEqual({ tables: [], routes: [], entries: [] })
  })

  it('is deleted with its provider', async () => {
    const { sid } = await t.as('admin')(api.serviceProviders.create, { body: { name: 'new' } })
    const carrier = await t.as('admin')(api.voipCarriers.create, {
      body: { name: 'new', service_provider_sid: sid },
    })
    await add('admin', { service_provider_sid: sid, routes: [], default_carrier: carrier.sid })
    await t.as('admin')(api.serviceProviders.remove, { params: { service_provider_sid: sid } })
    expect(await rows()).toEqual({ tables: [], routes: [], entries: [] })
  })

  it('is audited as one resource', async () => {
    const sid = await add('a1', whole())
    const { routes } = await view(sid)
    await t.as('a1')(api.lcrRoutes.remove, {
      params: { lcr_route_sid: routes[0]!.lcr_route_sid },
    })
    await remove('a1', sid)
    const { data } = await t.as('a1')(api.audit.list, { query: { page: 1, sid } })
    expect(data.map((e) => [e.kind, e.action, e.name, e.account_sid])).toEqual(
      ['delete', 'update', 'create'].map((action) => ['lcr', action, 'outbound', t.sids.a1]),
    )
    expect(data[1]!.before).toMatchObject({ routes: [{ regex: '^44' }, { regex: '1' }] })
    expect(data[1]!.after).toMatchObject({ routes: [{ regex: '1' }], number_routes: 2 })
  })
})

describe('the owner of a table', () => {
  it('has one table at most', async () => {
    await add('a1', { name: 'one' })
    await expect(add('a1', { name: 'two' })).rejects.toMatchObject({
      status: 400,
      message: 'Account: a1  already has an active call routing table.',
    })
    const provider = await add('sp1', { name: 'all' })
    const name = 'Service Provider: one already \n      has an active call routing table.'
    await expect(add('sp1', { name: 'two' })).rejects.toMatchObject({ status: 400, message: name })
    await expect(change('sp1', provider, { account_sid: t.sids.a1 })).rejects.toMatchObject({
      message: 'Account: a1  already has an active call routing table.',
    })
    await change('sp1', provider, { account_sid: t.sids.a2 })
    expect(await view(provider)).toMatchObject({
      account_sid: t.sids.a2,
      service_provider_sid: null,
    })
    await expect(
      add('sp1', { name: 'two', service_provider_sid: t.sids.sp2 }),
    ).rejects.toMatchObject({ message: 'unknown service_provider_sid' })
    await add('sp1', { name: 'two', service_provider_sid: t.sids.sp1 })
  })

  it('has one table after concurrent requests', async () => {
    const both = await Promise.allSettled([add('a1', whole()), add('a1', whole())])
    expect(both.map((r) => r.status).sort()).toEqual(['fulfilled', 'rejected'])
    expect((await rows()).tables).toHaveLength(1)
  })

  it('must be visible to the caller', async () => {
    for (const account_sid of [t.sids.b1, crypto.randomUUID()])
      await expect(add('sp1', { account_sid })).rejects.toMatchObject(
        refused('unknown account_sid', 'account_sid'),
      )
    await expect(add('admin', { service_provider_sid: crypto.randomUUID() })).rejects.toMatchObject(
      refused('unknown service_provider_sid', 'service_provider_sid'),
    )
    await expect(add('a1', { account_sid: t.sids.b1 })).rejects.toMatchObject(
      refused('unknown account_sid', 'account_sid'),
    )
  })

  it('of a provider takes carriers of its accounts, and nobody else’s', async () => {
    const theirs = (await t.as('b1')(api.voipCarriers.create, { body: { name: 'theirs' } })).sid
    const sid = await add('sp1', { name: 'all', routes: [us()], default_carrier: own })
    await change('sp1', sid, { routes: [uk(), { ...us(), ...via(foreign) }] })
    expect((await view(sid)).default_carrier).toBe(own)
    // as the platform's portal saves routes
    const path = `/Lcrs/${sid}/Routes`
    const save = (who: string, voip_carrier_sid: string) =>
      t.request(who, 'POST', path, [{ regex: '^9', priority: 7, ...via(voip_carrier_sid) }])
    expect((await save('sp1', foreign)).statusCode).toBe(204)
    for (const who of ['sp1', 'admin'])
      expect((await save(who, theirs)).json().msg).toBe('unknown voip_carrier_sid')
  })

  it('can use only its own carriers, everywhere', async () => {
    const theirs = (await t.as('b1')(api.voipCarriers.create, { body: { name: 'theirs' } })).sid
    const mine = { name: 'all', routes: [us()], default_carrier: shared }
    await expect(add('sp1', { ...mine, default_carrier: theirs })).rejects.toMatchObject(
      refused('unknown voip_carrier_sid', 'default_carrier'),
    )
    const sid = await add('sp1', { ...whole(), account_sid: t.sids.a1 })
    await expect(change('sp1', sid, { account_sid: t.sids.a2 })).rejects.toMatchObject(
      refused('unknown voip_carrier_sid', 'account_sid'),
    )
    const [route] = (await view(sid)).routes
    const { lcr_route_sid } = route!
    await expect(
      t.as('sp1')(api.lcrCarrierSetEntries.create, {
        body: { lcr_route_sid, voip_carrier_sid: foreign },
      }),
    ).rejects.toMatchObject(refused('unknown voip_carrier_sid', 'voip_carrier_sid'))
  })

  it('lists the table to accounts that use it', async () => {
    await add('a1', whole())
    await add('a2', {})
    await add('b1', { name: 'b' })
    await add('sp1', { name: 'for all' })
    const names = async (who: string, query: object = {}) =>
      (await t.as(who)(api.lcrs.list, { query: { page: 1, ...query } })).data.map((r) => r.name)
    expect(await names('admin')).toEqual([null, 'b', 'for all', 'outbound'])
    expect(await names('admin', { sort: '-name' })).toEqual(['outbound', 'for all', 'b', null])
    expect(await names('admin', { service_provider_sid: t.sids.sp2 })).toEqual(['b'])
    expect(await names('admin', { account_sid: t.sids.a1 })).toEqual(['outbound'])
    expect(await names('admin', { filter: 'BOUND' })).toEqual(['outbound'])
    expect(await names('sp1')).toEqual(['for all'])
    expect(await names('sp1', { account_sid: t.sids.a1 })).toEqual(['outbound'])
    expect(await names('sp1', { account_sid: t.sids.b1 })).toEqual([])
    expect(await names('a1')).toEqual(['outbound'])
    const { data } = await t.as('admin')(api.lcrs.list, { query: { page: 1 } })
    expect(data.map((r) => [r.account_name, r.service_provider_name, r.number_routes])).toEqual([
      ['a2', null, 0],
      ['b1', null, 0],
      [null, 'one', 0],
      ['a1', null, 3],
    ])
  })
})

describe('step by step, as older clients save', () => {
  type Batch = typeof api.lcrs.addRoutes | typeof api.lcrs.saveRoutes
  const batch = (lcr_sid: string, body: object[], method: Batch = api.lcrs.addRoutes) =>
    t.as('a1')(method as typeof api.lcrs.addRoutes, { params: { lcr_sid }, body: body as never })
  const last = () => ({
    regex: '.*',
    description: 'System Default Route',
    priority: 9999,
    ...via(own),
  })

  it('creates the same rows as one save', async () => {
    const sid = await add('a1', { name: 'outbound', account_sid: '' })
    await batch(sid, [{ ...uk(), priority: 0 }, { ...us(), priority: 1 }, last()])
    const { tables, entries } = await rows()
    const read = await view(sid)
    expect(read).toMatchObject({ number_routes: 3, default_carrier: own })
    expect(entries.map((e) => e.lcr_carrier_set_entry_sid)).toContain(
      tables[0]!.default_carrier_set_entry_sid,
    )
    const before = await rows()
    await batch(sid, [{ ...uk(), priority: 0 }, last()])
    expect(await rows()).toEqual(before)
  })

  it('accepts routes as it lists them, and keeps omitted ones', async () => {
    const sid = await add('a1', whole())
    const listed = await t.as('a1')(api.lcrRoutes.list, { query: { lcr_sid: sid } })
    expect(listed.map((r) => r.priority)).toEqual([0, 1, 9999])
    const before = await rows()
    await batch(sid, listed, api.lcrs.saveRoutes)
    expect(await rows()).toEqual(before)
    const [first, , fallback] = listed
    const [entry] = fallback!.lcr_carrier_set_entries
    await batch(
      sid,
      [
        { ...first, regex: '^0044' },
        { regex: '^49', priority: 2, ...via(own) },
        { ...fallback, lcr_carrier_set_entries: [{ ...entry, voip_carrier_sid: own }] },
      ],
      api.lcrs.saveRoutes,
    )
    expect(await view(sid)).toMatchObject({
      default_carrier: own,
      default_carrier_set_entry_sid: entry!.lcr_carrier_set_entry_sid,
      routes: [{ regex: '^0044' }, { regex: '1' }, { regex: '^49' }],
    })
  })

  it.each([
    ['Lcr Route batch process require lcr_carrier_set_entries', { regex: '1', priority: 0 }],
    [
      'Lcr Route batch process require lcr_carrier_set_entries',
      { regex: '1', priority: 0, lcr_carrier_set_entries: [] },
    ],
    [
      'One of lcr_carrier_set_entries is missing voip_carrier_sid',
      { regex: '1', priority: 0, lcr_carrier_set_entries: [{}] },
    ],
    ['unknown voip_carrier_sid', { regex: '1', priority: 0, ...via(crypto.randomUUID()) }],
  ])('says %s', async (message, route) => {
    const sid = await add('a1', {})
    for (const method of [api.lcrs.addRoutes, api.lcrs.saveRoutes])
      await expect(batch(sid, [route], method)).rejects.toMatchObject({
        status: 400,
        message,
      })
    expect((await rows()).routes).toEqual([])
  })

  it('keeps the entry of the default route', async () => {
    const sid = await add('a1', whole())
    const { default_carrier_set_entry_sid } = await view(sid)
    const routes = await t.as('a1')(api.lcrRoutes.list, { query: { lcr_sid: sid } })
    const message = 'A default carrier is required.'
    await expect(
      t.as('a1')(api.lcrRoutes.remove, { params: { lcr_route_sid: routes[2]!.lcr_route_sid } }),
    ).rejects.toMatchObject({ status: 422, message })
    await expect(
      t.as('a1')(api.lcrCarrierSetEntries.remove, {
        params: { lcr_carrier_set_entry_sid: default_carrier_set_entry_sid! },
      }),
    ).rejects.toMatchObject({ status: 422, message })
    await expect(
      change('a1', sid, { default_carrier_set_entry_sid: crypto.randomUUID() }),
    ).rejects.toMatchObject({ status: 400, message: 'unknown lcr_carrier_set_entry' })
    await change('a1', sid, { default_carrier_set_entry_sid })
  })

  it('saves routes and carriers one by one', async () => {
    const a1 = t.as('a1')
    const lcr_sid = await add('a1', {})
    const { sid: lcr_route_sid } = await a1(api.lcrRoutes.create, {
      body: { lcr_sid, regex: '^44', priority: 3 },
    })
    const body = { lcr_route_sid, voip_carrier_sid: own }
    const { sid } = await a1(api.lcrCarrierSetEntries.create, { body })
    const entry = { params: { lcr_carrier_set_entry_sid: sid } }
    await a1(api.lcrCarrierSetEntries.update, { ...entry, body: { priority: 2, workload: 5 } })
    const stored = { ...body, lcr_carrier_set_entry_sid: sid, priority: 2, workload: 5 }
    expect(await a1(api.lcrCarrierSetEntries.view, entry)).toEqual(stored)
    expect(await a1(api.lcrCarrierSetEntries.list, { query: { lcr_route_sid } })).toEqual([stored])
    await a1(api.lcrRoutes.update, { params: { lcr_route_sid }, body: { description: 'x' } })
    expect(await a1(api.lcrRoutes.view, { params: { lcr_route_sid } })).toEqual({
      lcr_route_sid,
      lcr_sid,
      regex: '^44',
      description: 'x',
      priority: 3,
      lcr_carrier_set_entries: [stored],
    })
    await a1(api.lcrCarrierSetEntries.remove, entry)
    await a1(api.lcrRoutes.remove, { params: { lcr_route_sid } })
    expect(await rows()).toMatchObject({ routes: [], entries: [] })
  })

  it('names a missing sid', async () => {
    const get = async (path: string) => (await t.request('a1', 'GET', path)).json()
    expect(await get('/LcrRoutes')).toMatchObject({ msg: 'missing lcr_sid' })
    expect(await get('/LcrCarrierSetEntries')).toMatchObject({ msg: 'missing lcr_route_sid' })
    const post = async (path: string, body: object) =>
      (await t.request('a1', 'POST', path, body)).json()
    expect(await post('/LcrRoutes', { regex: '1', priority: 1 })).toMatchObject({
      msg: 'missing parameter lcr_sid',
    })
    expect(await post('/LcrCarrierSetEntries', {})).toMatchObject({ msg: 'missing lcr_route_sid' })
    expect(
      await post('/LcrCarrierSetEntries', { lcr_route_sid: crypto.randomUUID() }),
    ).toMatchObject({ msg: 'missing voip_carrier_sid' })
  })
})

it('lists tables without a name first, on as many pages as they take', async () => {
  const names = [null, null, null, null, 'a', 'b', 'c']
  await t.db
    .insertInto('lcr')
    .values(
      names.map((name) => ({
        lcr_sid: randomUUID(),
        name,
        is_active: 1 as const,
        service_provider_sid: t.sids.sp1,
      })),
    )
    .execute()
  const listed: (string | null)[] = []
  const sids = new Set<string>()
  for (const page of [1, 2, 3, 4]) {
    const { data } = await t.as('admin')(api.lcrs.list, { query: { page, page_size: 2 } })
    listed.push(...data.map(({ name }) => name))
    for (const { lcr_sid } of data) sids.add(lcr_sid)
  }
  expect(listed).toEqual(names)
  expect(sids.size).toBe(names.length)
})

it('prevents deletion of a carrier in a route or the default route', async () => {
  const sid = await add('a1', { ...whole(), routes: [{ ...us(), ...via(own) }] })
  const inUse = (regex: string) => ({
    message: 'In order to delete the carrier it cannot be in use.',
    body: {
      code: 'in_use',
      used_by: [{ kind: 'Outbound call routing', total: 1, items: [{ name: regex }] }],
    },
  })
  const drop = (who: string, voip_carrier_sid: string) =>
    t.as(who)(api.voipCarriers.remove, { params: { voip_carrier_sid } })
  await expect(drop('a1', own)).rejects.toMatchObject(inUse('1'))
  await expect(drop('sp1', shared)).rejects.toMatchObject(inUse('.*'))
  await remove('a1', sid)
  await drop('a1', own)
  await drop('sp1', shared)
})

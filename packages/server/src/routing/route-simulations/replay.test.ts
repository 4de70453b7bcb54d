import { randomUUID } from 'node:crypto'
import {
  api,
  REPLAY_CHANGES_MAX,
  type Replay,
  type ReplayResult,
  routeSimulations,
  simulateOutbound,
} from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { type TestApp, testApp } from '../../../test/app.ts'
import { callLine, send, type TestStore, testStore } from '../../../test/calls.ts'
import {
  type Chance,
  chance,
  dialledNumber,
  newWorld,
  pattern,
  type World,
} from '../../../test/routing-world.ts'
import { caseCount, report } from '../../../test/trust.ts'
import { insertMany } from '../../db/insert-many.ts'
import type { Scope } from '../../http/scope.ts'
import { StateUnreachable } from '../../live/state.ts'
import * as carrierRows from './carrier-queries.ts'
import * as routing from './queries.ts'

let t: TestApp
let store: TestStore
beforeEach(async () => {
  t = await testApp()
  store = await testStore('embedded')
  t.ctx.stores.calls = store.calls
})
afterEach(async () => {
  await t.close()
  await store.close()
})

const { replay } = routeSimulations
type Body = z.input<typeof Replay>
const HOUR = 3_600_000
let serial = 0

type Dialed = { account_sid: string; provider: string; to: string }
function line({ account_sid, provider, to }: Dialed, more: Record<string, string> = {}) {
  serial++
  const { hours = '1', trunk = 'North', direction = 'outbound', from = '1', ...others } = more
  return callLine({
    ms: Date.now() - Number(hours) * HOUR,
    ns: serial,
    tags: {
      account_sid,
      service_provider_sid: provider,
      answered: 'true',
      direction,
      trunk,
      host: '10.0.0.1',
    },
    fields: { call_sid: `call-${serial}`, sip_callid: `sip-${serial}@pbx`, from, to, ...others },
  })
}

async function written(lines: string[]) {
  expect(await send(store, lines.join('\n'))).toMatchObject({ status: 204 })
}

async function carrier(
  name: string,
  owner: { account_sid?: string; service_provider_sid: string },
  outbound: 0 | 1 = 1,
) {
  const voip_carrier_sid = randomUUID()
  await insertMany(t.db, 'voip_carriers', [{ voip_carrier_sid, name, ...owner }])
  await insertMany(t.db, 'sip_gateways', [
    {
      sip_gateway_sid: randomUUID(),
      voip_carrier_sid,
      ipv4: '203.0.113.10',
      port: 5060,
      inbound: 1,
      outbound,
    },
  ])
  return voip_carrier_sid
}

async function table(
  owner: { account_sid?: string; service_provider_sid?: string },
  ...all: [regex: string, carrier: string][]
) {
  const lcr_sid = randomUUID()
  await insertMany(t.db, 'lcr', [{ lcr_sid, name: 'routes', ...owner }])
  for (const [priority, [regex, voip_carrier_sid]] of all.entries()) {
    const lcr_route_sid = randomUUID()
    await insertMany(t.db, 'lcr_routes', [{ lcr_route_sid, lcr_sid, regex, priority }])
    await insertMany(t.db, 'lcr_carrier_set_entry', [
      { lcr_carrier_set_entry_sid: randomUUID(), lcr_route_sid, voip_carrier_sid },
    ])
  }
  return lcr_sid
}

const routesIn = (...all: [regex: string, carrier: string][]) =>
  all.map(([regex, voip_carrier_sid], priority) => ({
    regex,
    priority,
    lcr_carrier_set_entries: [{ voip_carrier_sid }],
  }))

const names = (way: ReplayResult['ways'][number]['carriers']) => way.map((c) => c.name)

/** Two carriers, a table that sends everything by North, and 6 calls: 4 to 44…, 2 to 1…. */
async function setUp() {
  const { a1, sp1 } = t.sids
  const owner = { account_sid: a1, service_provider_sid: sp1 }
  const north = await carrier('North', owner)
  const south = await carrier('South', owner)
  const lcr_sid = await table({ account_sid: a1 }, ['.*', north])
  const from = { account_sid: a1, provider: sp1 }
  await written([
    ...['4420', '4420', '4420', '4421', '1508', '1508'].map((to) => line({ ...from, to })),
    // none of these follow routes today
    line({ ...from, to: '4420' }, { hours: '25' }),
    line({ ...from, to: '4420' }, { direction: 'inbound' }),
    line({ ...from, to: '4420' }, { trunk: 'user' }),
    line({ ...from, to: '4420' }, { trunk: 'sipUri' }),
    line({ ...from, to: '4420' }, { trunk: 'Microsoft Teams' }),
  ])
  return { north, south, lcr_sid }
}

describe('a draft of a routing table', () => {
  it('says which calls of the last 24 hours would leave by another carrier', async () => {
    const { north, south, lcr_sid } = await setUp()
    const body = { lcr: { lcr_sid, routes: routesIn(['^44', south], ['.*', north]) } }
    const { ways, changes, ...counts } = await t.as('a1-viewer')(replay, { body })
    expect(counts).toMatchObject({
      calls: 6,
      capped: false,
      lost: 0,
      gained: 0,
      rerouted: 4,
      changed_numbers: 2,
      too_slow: null,
      ambiguous: false,
    })
    expect(ways.map((w) => [...names(w.carriers), w.before, w.after])).toEqual([
      ['North', 4, 0],
      ['South', 0, 4],
    ])
    expect(changes).toMatchObject([
      { number: '4420', calls: 3, account_sid: t.sids.a1 },
      { number: '4421', calls: 1 },
    ])
    expect(changes.map((c) => [names(c.before), names(c.after)])[0]).toEqual([['North'], ['South']])
  })

  it('puts calls first that would not be routed any more', async () => {
    const { south, lcr_sid } = await setUp()
    const { a1: account_sid, sp1: service_provider_sid } = t.sids
    const dead = await carrier('Dead', { account_sid, service_provider_sid }, 0)
    const body = { lcr: { lcr_sid, routes: routesIn(['^1', dead], ['.*', south]) } }
    const result = await t.as('a1')(replay, { body })
    expect(result).toMatchObject({ lost: 2, rerouted: 4 })
    expect(result.changes.map((c) => c.number)).toEqual(['1508', '4420', '4421'])
    expect(result.changes[0]!.after).toEqual([])
  })

  it('counts a choice at random as a way of its own', async () => {
    const { lcr_sid } = await setUp()
    const result = await t.as('a1')(replay, { body: { lcr: { lcr_sid, routes: [] } } })
    expect(result).toMatchObject({ calls: 6, rerouted: 6 })
    expect(result.ways.map((w) => [names(w.carriers).sort(), w.after - w.before])).toEqual(
      expect.arrayContaining([
        [['North'], -6],
        [['North', 'South'], 6],
      ]),
    )
  })

  it('replays the calls of every account that uses it, and of no other', async () => {
    const { a1, a2, b1, sp1, sp2 } = t.sids
    const shared = await carrier('Shared', { service_provider_sid: sp1 })
    const other = await carrier('Other', { service_provider_sid: sp1 })
    const lcr_sid = await table({ service_provider_sid: sp1 }, ['.*', shared])
    await written([
      line({ account_sid: a1, provider: sp1, to: '1' }),
      line({ account_sid: a2, provider: sp1, to: '1' }),
      line({ account_sid: b1, provider: sp2, to: '1' }),
      // a record of a deleted account
      line({ account_sid: randomUUID(), provider: sp1, to: '1' }),
    ])
    const body = { lcr: { lcr_sid, routes: routesIn(['.*', other]) } }
    for (const who of ['sp1', 'admin'])
      expect(await t.as(who)(replay, { body })).toMatchObject({ calls: 2, rerouted: 2 })
    for (const who of ['a1', 'sp2'])
      await expect(t.as(who)(replay, { body })).rejects.toMatchObject({ status: 404 })
  })

  it('says that a new table competes with another one', async () => {
    const { north, south, lcr_sid } = await setUp()
    const { a1: account_sid } = t.sids
    await table({ service_provider_sid: t.sids.sp1 }, ['.*', north])
    await t.db
      .updateTable('lcr')
      .set({ account_sid: t.sids.a2 })
      .where('lcr_sid', '=', lcr_sid)
      .execute()
    const body = { account_sid, lcr: { routes: routesIn(['.*', south]) } }
    expect(await t.as('a1')(replay, { body })).toMatchObject({ ambiguous: true, rerouted: 6 })
  })

  it('refuses carriers that the table may not use, as saving does', async () => {
    const { lcr_sid } = await setUp()
    const { b1: account_sid, sp2: service_provider_sid } = t.sids
    const foreign = await carrier('secret', { account_sid, service_provider_sid })
    for (const sid of [foreign, randomUUID()])
      await expect(
        t.as('a1')(replay, { body: { lcr: { lcr_sid, routes: routesIn(['1', sid]) } } }),
      ).rejects.toMatchObject({
        status: 400,
        body: {
          issues: [
            {
              path: ['lcr', 'routes', 0, 'lcr_carrier_set_entries', 0, 'voip_carrier_sid'],
              message: 'unknown voip_carrier_sid',
            },
          ],
        },
      })
  })

  it('ends in time, and names the pattern that takes too long', async () => {
    const { north, lcr_sid } = await setUp()
    await written([line({ account_sid: t.sids.a1, provider: t.sids.sp1, to: '1'.repeat(60) })])
    const pattern = '^(((1+)+)+)+x$'
    // without a limit, it would take longer than a test may
    const result = await t.as('a1')(replay, {
      body: { lcr: { lcr_sid, routes: routesIn([pattern, north]) } },
    })
    expect(result).toMatchObject({ too_slow: { pattern }, calls: 0, changes: [] })
  })

  it('shows no more than 200 numbers', async () => {
    const { south, lcr_sid } = await setUp()
    const { a1: account_sid, sp1: provider } = t.sids
    await written(
      Array.from({ length: 300 }, (_, i) => line({ account_sid, provider, to: `33${i}` })),
    )
    const result = await t.as('a1')(replay, {
      body: { lcr: { lcr_sid, routes: routesIn(['.*', south]) } },
    })
    expect(result).toMatchObject({ rerouted: 306, changed_numbers: 303 })
    expect(result.changes).toHaveLength(REPLAY_CHANGES_MAX)
  })
})

describe('what decides before or beside the routes', () => {
  it('is the caller’s number where there is no table, until there is one', async () => {
    const { a1: account_sid, sp1: provider } = t.sids
    const owner = { account_sid, service_provider_sid: provider }
    const north = await carrier('North', owner)
    const south = await carrier('South', owner)
    await insertMany(t.db, 'phone_numbers', [
      { phone_number_sid: randomUUID(), number: '15085550100', voip_carrier_sid: south, ...owner },
    ])
    const from = { account_sid, provider }
    await written([
      line({ ...from, to: '4420' }, { from: '+15085550100', trunk: 'South' }),
      line({ ...from, to: '4420' }, { from: '15085550199', trunk: 'North' }),
    ])
    const off = (sid: string) =>
      t.as('a1')(replay, { body: { deactivated: { voip_carrier_sids: [sid] } } })
    // a carrier that is named is taken, active or not; the other call has a choice
    expect(await off(south)).toMatchObject({ calls: 2, rerouted: 1, lost: 0 })
    const { ways } = await off(north)
    expect(ways.map((w) => [names(w.carriers).sort(), w.after - w.before])).toEqual(
      expect.arrayContaining([
        [['North', 'South'], -1],
        [['South'], 1],
      ]),
    )
    const body = { account_sid, lcr: { routes: routesIn(['.*', north]) } }
    const result = await t.as('a1')(replay, { body })
    expect(result).toMatchObject({ rerouted: 2, named: 0 })
    expect(result.changes.map((c) => names(c.before).sort())).toEqual(
      expect.arrayContaining([['South'], ['North', 'South']]),
    )
  })

  it('is the carrier that a forwarded call came in on, where no route matches', async () => {
    const { north, lcr_sid } = await setUp()
    const from = { account_sid: t.sids.a1, provider: t.sids.sp1 }
    const inbound = { direction: 'inbound', sip_callid: 'in@pbx', trunk: 'South' }
    await written([
      line({ ...from, to: '2000' }, inbound),
      line({ ...from, to: '4420' }, { sip_parent_callid: 'in@pbx', trunk: 'North' }),
    ])
    const body = { lcr: { lcr_sid, routes: routesIn(['^1', north]) } }
    const result = await t.as('a1')(replay, { body })
    const changed = result.changes.map((c) => [c.number, names(c.after).sort(), c.calls])
    expect(changed).toEqual(
      expect.arrayContaining([
        ['4420', ['South'], 1],
        ['4420', ['North', 'South'], 3],
      ]),
    )
  })

  it('is a carrier that an application named, which routes do not change', async () => {
    const { north, south, lcr_sid } = await setUp()
    const from = { account_sid: t.sids.a1, provider: t.sids.sp1 }
    await written([line({ ...from, to: '4420' }, { trunk: 'South' })])
    const body = { lcr: { lcr_sid, routes: routesIn(['^44', south], ['.*', north]) } }
    // it went by South before, although the table gives North
    expect(await t.as('a1')(replay, { body })).toMatchObject({
      calls: 7,
      rerouted: 4,
      named: 1,
      unexplained: 0,
    })
    const gone = { voip_carrier_sid: south, sip_gateways: [] }
    expect(await t.as('a1')(replay, { body: { carrier: gone } })).toMatchObject({ lost: 1 })
    // it may have been the routes, had they changed
    await t.as('a1')(api.lcrs.update, { params: { lcr_sid }, body: { name: 'other' } })
    expect(await t.as('a1')(replay, { body })).toMatchObject({
      rerouted: 5,
      named: 0,
      unexplained: 1,
    })
  })

  it('is which gateways answer the SBC', async () => {
    const { north, south, lcr_sid } = await setUp()
    const gateways = await t.db
      .selectFrom('sip_gateways')
      .select('sip_gateway_sid')
      .where('voip_carrier_sid', '=', south)
      .execute()
    const avoided = new Set(gateways.map((g) => g.sip_gateway_sid))
    t.ctx.state.avoidedGateways = async (sids) => avoided.intersection(new Set(sids))
    const body = { lcr: { lcr_sid, routes: routesIn(['^44', south], ['.*', north]) } }
    expect(await t.as('a1')(replay, { body })).toMatchObject({ lost: 4, avoided_unknown: false })
    const [sip_gateway_sid] = avoided
    const same = { sip_gateway_sid: sip_gateway_sid!, outbound: 1, is_active: 1 } as const
    expect(
      await t.as('a1')(replay, {
        body: { ...body, carrier: { voip_carrier_sid: south, sip_gateways: [same] } },
      }),
    ).toMatchObject({ lost: 4 })
    t.ctx.state.avoidedGateways = async () => {
      throw new StateUnreachable()
    }
    expect(await t.as('a1')(replay, { body })).toMatchObject({
      lost: 0,
      rerouted: 4,
      avoided_unknown: true,
    })
  })
})

describe('a draft of a carrier', () => {
  it('says which calls a deactivated carrier or gateway loses', async () => {
    const { north, south } = await setUp()
    const gateway = { outbound: 1, is_active: 1 } as const
    const draft = (more: object) =>
      t.as('a1')(replay, {
        body: {
          carrier: { voip_carrier_sid: north, is_active: 1, sip_gateways: [gateway], ...more },
        },
      })
    // routes ignore whether carriers and gateways are active, but need an outbound gateway
    expect(await draft({ is_active: 0 })).toMatchObject({ rerouted: 0, lost: 0, calls: 6 })
    expect(await draft({ sip_gateways: [] })).toMatchObject({ lost: 6 })
    expect(await draft({ sip_gateways: [{ outbound: 0, is_active: 1 }] })).toMatchObject({
      lost: 6,
    })
    await t.db.updateTable('lcr').set({ account_sid: t.sids.a2 }).execute()
    const alone = await draft({ is_active: 0 })
    expect(alone).toMatchObject({ rerouted: 6 })
    expect(alone.changes[0]!.after).toEqual([{ voip_carrier_sid: south, name: 'South' }])
  })

  it('takes no carrier out of scope, and replays no calls out of it', async () => {
    const { sp1, sp2, a1, b1 } = t.sids
    const foreign = await carrier('secret', { account_sid: b1, service_provider_sid: sp2 })
    const carrierOf = (voip_carrier_sid: string): Body => ({
      carrier: { voip_carrier_sid, is_active: 0 },
    })
    for (const who of ['a1', 'sp1'])
      await expect(t.as(who)(replay, { body: carrierOf(foreign) })).rejects.toMatchObject({
        status: 404,
      })
    const shared = await carrier('Shared', { service_provider_sid: sp1 })
    await written([
      line({ account_sid: a1, provider: sp1, to: '1' }),
      line({ account_sid: t.sids.a2, provider: sp1, to: '1' }),
    ])
    expect(await t.as('a1')(replay, { body: carrierOf(shared) })).toMatchObject({
      calls: 1,
      lost: 1,
    })
    expect(await t.as('sp1')(replay, { body: carrierOf(shared) })).toMatchObject({ lost: 2 })
  })

  it('counts calls that a new carrier takes', async () => {
    const { sp1: provider, a1: account_sid } = t.sids
    await written([line({ account_sid, provider, to: '1' })])
    const body: Body = {
      service_provider_sid: provider,
      carrier: { name: 'New', is_active: 1, sip_gateways: [{ outbound: 1, is_active: 1 }] },
    }
    const result = await t.as('sp1')(replay, { body })
    expect(result).toMatchObject({ gained: 1, lost: 0 })
    expect(names(result.changes[0]!.after)).toEqual(['New'])
  })
})

describe('carriers that are deactivated together', () => {
  const off = (...voip_carrier_sids: string[]): Body => ({
    deactivated: { voip_carrier_sids },
  })

  it('says which calls they lose, of everyone who uses them', async () => {
    const { sp1: provider, sp2, a1, a2, b1 } = t.sids
    const owner = { service_provider_sid: provider }
    const [north, south, west] = [
      await carrier('North', owner),
      await carrier('South', owner),
      await carrier('West', { ...owner, account_sid: a2 }),
    ]
    const foreign = await carrier('Foreign', { service_provider_sid: sp2 })
    await written([
      line({ account_sid: a1, provider, to: '1' }),
      line({ account_sid: a2, provider, to: '1' }, { trunk: 'West' }),
      line({ account_sid: b1, provider: sp2, to: '1' }),
    ])
    const sp1 = (body: Body) => t.as('sp1')(replay, { body })
    expect(await sp1(off(north))).toMatchObject({ calls: 2, rerouted: 1, lost: 0 })
    // the other one keeps its account's carrier
    expect(await sp1(off(north, south))).toMatchObject({ calls: 2, lost: 1 })
    expect(await sp1(off(west))).toMatchObject({ calls: 1, rerouted: 1 })
    const all = await sp1(off(north, south, west))
    expect(all).toMatchObject({ calls: 2, lost: 2 })
    expect(await sp1({ deactivated: { matching: {} } })).toEqual(all)
    expect(await t.as('a1')(replay, { body: off(north, south) })).toMatchObject({
      calls: 1,
      lost: 1,
    })
    expect(await t.as('admin')(replay, { body: off(north, south, foreign) })).toMatchObject({
      calls: 3,
      lost: 2,
    })
  })

  it('leaves calls where routes send them, which ignore whether a carrier is active', async () => {
    const { north } = await setUp()
    expect(await t.as('a1')(replay, { body: off(north) })).toMatchObject({ calls: 6, rerouted: 0 })
  })

  it('takes none out of scope, no more than 100, and nothing beside them', async () => {
    const { north, lcr_sid } = await setUp()
    const { b1: account_sid, sp2: service_provider_sid, sp1 } = t.sids
    const foreign = await carrier('secret', { account_sid, service_provider_sid })
    for (const who of ['a1', 'sp1'])
      await expect(t.as(who)(replay, { body: off(north, foreign) })).rejects.toMatchObject({
        status: 404,
      })
    const body = { ...off(north), lcr: { lcr_sid, routes: [] } }
    await expect(t.as('sp1')(replay, { body })).rejects.toMatchObject({ status: 400 })
    for (let i = 0; i < 99; i++) await carrier('more', { service_provider_sid: sp1 })
    const all: Body = { deactivated: { matching: {} } }
    await expect(t.as('sp1')(replay, { body: all })).rejects.toMatchObject({
      status: 400,
      body: { msg: 'At most 100 carriers at once' },
    })
  })
})

// ---- against the simulator, one call at a time, with the draft saved

const SEED = Number(process.env.ROUTING_SEED ?? 20_240_611)
const CASES = caseCount(2_500, 200_000)
const PER_WORLD = 250
const everybody = { role: 'admin', view_only: false, force_change: false } as Scope

type Call = { account_sid: string; number: string }

/** Carriers that the stored tables route a call to, sorted; none if routing fails. */
async function wayOf(world: World, { account_sid, number }: Call) {
  const owner = { account_sid, service_provider_sid: world.owner.service_provider_sid }
  const [set] = await routing.setsOf(t.db, owner)
  const routes = set && (await routing.routesOf(t.db, set.lcr_sid))
  const named = (routes ?? []).flatMap((r) =>
    r.lcr_carrier_set_entries.map((e) => e.voip_carrier_sid),
  )
  const carriers = await carrierRows.carriersFor(t.db, everybody, owner, named)
  const { outcome, carriers: taken } = simulateOutbound({ number, owner, routes, carriers })
  return outcome === 'failed' ? [] : taken.toSorted()
}

/** Changes some patterns, carriers and places. */
function tableDraft(c: Chance, world: World): Body {
  const { lcr, lcr_routes, lcr_carrier_set_entry, voip_carriers } = world.rows
  const { lcr_sid, account_sid } = c.one(lcr)
  const usable = voip_carriers
    .filter((v) => !v.account_sid || v.account_sid === account_sid)
    .filter((v) => v.service_provider_sid || v.account_sid)
  const routes = lcr_routes
    .filter((r) => r.lcr_sid === lcr_sid && c.often(0.9))
    .map((r) => ({
      regex: c.often(0.3) ? pattern(c) : r.regex,
      priority: c.often(0.2) ? c.below(12) : r.priority,
      lcr_carrier_set_entries: lcr_carrier_set_entry
        .filter((e) => e.lcr_route_sid === r.lcr_route_sid && c.often(0.9))
        .map((e) => ({
          voip_carrier_sid:
            c.often(0.3) && usable.length > 0 ? c.one(usable).voip_carrier_sid : e.voip_carrier_sid,
          priority: c.below(50),
          workload: 1,
        })),
    }))
  return { lcr: { lcr_sid, routes } }
}

function carrierDraft(c: Chance, world: World): Body {
  const { voip_carrier_sid } = c.one(world.rows.voip_carriers)
  return {
    carrier: {
      voip_carrier_sid,
      is_active: c.flag(0.5),
      sip_gateways: c.some(0, 2, () => ({ outbound: c.flag(0.5), is_active: c.flag(0.7) })),
    },
  }
}

/** Saves it by hand. Routes and entries of equal priority are in the order of their sids. */
async function save({ lcr, carrier }: Body) {
  const ordered = (i: number) => `00000000-0000-4000-a000-${String(i).padStart(12, '0')}`
  if (lcr) {
    const old = t.db
      .selectFrom('lcr_routes')
      .select('lcr_route_sid')
      .where('lcr_sid', '=', lcr.lcr_sid!)
    const sids = (await old.execute()).map((r) => r.lcr_route_sid)
    if (sids.length > 0)
      await t.db.deleteFrom('lcr_carrier_set_entry').where('lcr_route_sid', 'in', sids).execute()
    await t.db.deleteFrom('lcr_routes').where('lcr_sid', '=', lcr.lcr_sid!).execute()
    let at = serial * 1_000_000
    serial++
    for (const { lcr_carrier_set_entries = [], regex, priority } of lcr.routes) {
      const lcr_route_sid = ordered(at++)
      await insertMany(t.db, 'lcr_routes', [
        { lcr_route_sid, lcr_sid: lcr.lcr_sid!, regex, priority: Number(priority) },
      ])
      for (const e of lcr_carrier_set_entries)
        await insertMany(t.db, 'lcr_carrier_set_entry', [
          {
            lcr_carrier_set_entry_sid: ordered(at++),
            lcr_route_sid,
            voip_carrier_sid: e.voip_carrier_sid,
            priority: Number(e.priority),
          },
        ])
    }
  }
  if (carrier) {
    const voip_carrier_sid = carrier.voip_carrier_sid!
    const flag = (v: unknown) => (v ? 1 : 0)
    await t.db
      .updateTable('voip_carriers')
      .set({ is_active: flag(carrier.is_active) })
      .where('voip_carrier_sid', '=', voip_carrier_sid)
      .execute()
    await t.db.deleteFrom('sip_gateways').where('voip_carrier_sid', '=', voip_carrier_sid).execute()
    for (const g of carrier.sip_gateways ?? [])
      await insertMany(t.db, 'sip_gateways', [
        {
          sip_gateway_sid: randomUUID(),
          voip_carrier_sid,
          ipv4: '10.0.0.1',
          port: 5060,
          inbound: 0,
          outbound: flag(g.outbound),
          is_active: flag(g.is_active),
        },
      ])
  }
}

it(`agrees with the simulator on ${CASES} calls (seed ${SEED})`, {
  timeout: 3_600_000,
}, async () => {
  report({ part: 'calls replayed as the simulator routes them one by one', tried: CASES })
  const seen = { lost: 0, gained: 0, rerouted: 0, same: 0 }
  for (let w = 0; w * PER_WORLD < CASES; w++) {
    const c = chance(SEED + w)
    const world = newWorld(c)
    for (const [table, rows] of Object.entries(world.rows))
      if (rows.length > 0) await insertMany(t.db, table as 'lcr', rows)
    const accounts = world.rows.accounts.map((a) => a.account_sid)
    const few = c.some(20, 80, () => dialledNumber(c).slice(0, 4)).filter((n) => n !== '')
    const calls = Array.from(
      { length: PER_WORLD },
      (): Call => ({
        account_sid: c.one(accounts),
        number: c.one(few),
      }),
    )
    const provider = world.owner.service_provider_sid
    await written(calls.map((k) => line({ account_sid: k.account_sid, provider, to: k.number })))
    const isTable = world.rows.lcr.length > 0 && c.often(0.7)
    const body = isTable ? tableDraft(c, world) : carrierDraft(c, world)
    const { status, result } = await t
      .as('admin')(replay, { body })
      .then(
        (result) => ({ status: 200, result }),
        (e) => ({ status: Number(e.status), result: undefined }),
      )
    if (!result) throw new Error(`seed ${SEED + w}: ${status}`)

    // only the calls of the owner of the table or carrier
    const drafted = isTable
      ? world.rows.lcr.find((l) => l.lcr_sid === body.lcr?.lcr_sid)!
      : world.rows.voip_carriers.find((v) => v.voip_carrier_sid === body.carrier?.voip_carrier_sid)!
    const owner = drafted.account_sid
    // a carrier without an owner concerns all calls there are
    const others = owner || drafted.service_provider_sid ? 0 : w * PER_WORLD
    const own = calls.filter((k) => !owner || k.account_sid === owner)
    const each = new Map(own.map((k) => [JSON.stringify(k), k]))
    const before = new Map<string, string[]>()
    for (const [key, call] of each) before.set(key, await wayOf(world, call))
    await save(body)
    const counts = { lost: 0, gained: 0, rerouted: 0 }
    const changed = new Map<string, object>()
    const ways: Record<string, number> = {}
    const after = new Map<string, string[]>()
    for (const [key, call] of each) after.set(key, await wayOf(world, call))
    for (const call of own) {
      const key = JSON.stringify(call)
      const [was, is] = [before.get(key)!, after.get(key)!]
      if (String(was) === String(is)) {
        seen.same++
        continue
      }
      counts[is.length === 0 ? 'lost' : was.length === 0 ? 'gained' : 'rerouted']++
      ways[String(was)] = (ways[String(was)] ?? 0) - 1
      ways[String(is)] = (ways[String(is)] ?? 0) + 1
      changed.set(key, { ...call, before: was, after: is })
    }
    const sids = (way: ReplayResult['ways'][number]['carriers']) =>
      way.map((v) => v.voip_carrier_sid)
    expect(result, `seed ${SEED + w}`).toMatchObject({
      ...counts,
      calls: own.length + others,
      capped: false,
    })
    expect(
      new Set(
        result.changes.map(({ account_sid, number, before, after }) =>
          JSON.stringify({ account_sid, number, before: sids(before), after: sids(after) }),
        ),
      ),
      `seed ${SEED + w}`,
    ).toEqual(new Set([...changed.values()].map((x) => JSON.stringify(x))))
    expect(
      Object.fromEntries(result.ways.map((v) => [String(sids(v.carriers)), v.after - v.before])),
    ).toEqual(Object.fromEntries(Object.entries(ways).filter(([, n]) => n !== 0)))
    for (const [what, n] of Object.entries(counts)) seen[what as 'lost'] += n
  }
  for (const [what, times] of Object.entries(seen))
    expect(times, what).toBeGreaterThan(CASES / 1_000)
})

it('compares one at a time, and lets nobody fill the line', async () => {
  let [now, most] = [0, 0]
  const { promise: all, resolve: go } = Promise.withResolvers<void>()
  t.ctx.stores.calls = {
    ...store.calls,
    async dialed() {
      most = Math.max(most, ++now)
      await all
      now--
      return { numbers: [], capped: false }
    },
  }
  const statuses: number[] = []
  const ask = async (who: string, account_sid: string) => {
    const body = { account_sid, lcr: { routes: [] } }
    const { statusCode } = await t.request(who, 'POST', '/RouteSimulations/Replay', body)
    statuses.push(statusCode)
    return statusCode
  }
  const many = Array.from({ length: 8 }, () => ask('a1', t.sids.a1))
  // one is compared, and three wait
  await expect.poll(() => statuses).toEqual([429, 429, 429, 429])
  // another account's turn comes before theirs
  const other = ask('a2', t.sids.a2)
  go()
  expect(await other).toBe(200)
  await Promise.all(many)
  expect(statuses.filter((s) => s === 200)).toHaveLength(5)
  expect(most).toBe(1)
}, 60_000)

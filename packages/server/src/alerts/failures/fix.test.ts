import {
  api,
  changeIn,
  type Failure,
  rerouted,
  reroutedText,
  UNDO_HEADER,
} from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { callLine, send, type TestStore, testStore } from '../../../test/calls.ts'
import { gatherFailures } from './gather.ts'

const HOUR = 3_600_000
let t: TestApp
let store: TestStore
const sids: Record<string, string> = {}
let serial = 0

type Calls = {
  trunk: string
  status?: number
  count: number
  to?: string
  ms?: number
  of?: 'a1' | 'a2'
}
async function write(...groups: Calls[]) {
  const lines = groups.flatMap(
    ({ trunk, status = 200, count, to = '447700900123', ms, of = 'a1' }) =>
      Array.from({ length: count }, () =>
        callLine({
          ms: ms ?? Date.now() - 60_000,
          ns: serial++,
          tags: {
            ...{ account_sid: t.sids[of], service_provider_sid: t.sids.sp1, direction: 'outbound' },
            ...{ trunk, host: '10.0.0.1', answered: String(status === 200) },
          },
          fields: {
            ...{
              call_sid: `call-${serial}`,
              sip_callid: `sip-${serial}@pbx`,
              from: '15085551234',
              to,
            },
            ...{ sip_status: status, duration: 0 },
          },
        }),
      ),
  )
  expect(await send(store, lines.join('\n'))).toMatchObject({ status: 204 })
}

async function carrier(who: string, name: string) {
  const { sid } = await t.as(who)(api.voipCarriers.create, { body: { name } })
  await t.as(who)(api.sipGateways.create, {
    body: { voip_carrier_sid: sid, ipv4: '10.1.1.1', inbound: 1, outbound: 1 },
  })
  sids[name] = sid
}
type Routes = [string, string[]][]
async function table(who: string, owner: object, routes: Routes, last: string) {
  const { sid } = await t.as(who)(api.lcrs.create, {
    body: {
      ...owner,
      name: 'Outbound',
      routes: routes.map(([regex, carriers]) => ({
        regex,
        lcr_carrier_set_entries: carriers.map((name) => ({ voip_carrier_sid: sids[name]! })),
      })),
      default_carrier: sids[last]!,
    },
  })
  return sid
}
const routesOf = async (lcr_sid: string) => {
  const names = new Map(Object.entries(sids).map(([name, sid]) => [sid, name]))
  const { routes } = await t.as('sp1')(api.lcrs.view, { params: { lcr_sid } })
  return routes.map((r) =>
    [r.regex, ...r.lcr_carrier_set_entries.map((e) => names.get(e.voip_carrier_sid))].join(' '),
  )
}

/** The failure of calls to British mobiles in an inbox. */
async function failure(who = 'sp1'): Promise<Failure> {
  await gatherFailures(t.ctx)
  const { data } = await t.as(who)(api.failures.list, { query: { page: 1, trunk: 'Albion' } })
  return data[0]!
}
const fix = (who: string, { failure_sid }: Failure) =>
  t.as(who)(api.failures.fix, { params: { failure_sid } })

beforeEach(async () => {
  t = await testApp()
  store = await testStore('embedded')
  t.ctx.stores.calls = store.calls
  for (const name of ['Albion', 'Thameslane', 'Rheinline']) await carrier('sp1', name)
})
afterEach(async () => {
  await t.close()
  await store.close()
})

const INCIDENT = [
  { trunk: 'Albion', status: 503, count: 9 },
  { trunk: 'Albion', count: 2 },
  { trunk: 'Thameslane', count: 6, ms: Date.now() - 50 * HOUR },
  { trunk: 'Thameslane', status: 486, count: 2, ms: Date.now() - 50 * HOUR },
  { trunk: 'Rheinline', status: 503, count: 6 },
]

describe('the change that would end a failure', () => {
  it('is a route of its own before a wider one, to the carrier that completes such calls', async () => {
    const lcr_sid = await table('sp1', {}, [['^447', ['Albion', 'Thameslane']]], 'Albion')
    await write(...INCIDENT)
    const { reroute, reason } = await fix('sp1', await failure())
    expect(reason).toBeNull()
    expect(reroute).toMatchObject({
      ...{ lcr_sid, lcr_name: 'Outbound', pattern: '^\\+?4477', lcr_route_sid: null },
      carrier: { name: 'Thameslane' },
      replaces: { name: 'Albion' },
      completed: { calls: 8, answered: 6 },
      failing: { calls: 11, refused: 9, hours: 2 },
    })
    const view = await t.as('sp1')(api.lcrs.view, { params: { lcr_sid } })
    expect(reroute!.version).toBe(view.version)
    await t.as('sp1')(api.lcrs.update, {
      params: { lcr_sid },
      version: reroute!.version,
      body: { routes: rerouted(view.routes, reroute!) },
    })
    expect(await routesOf(lcr_sid)).toEqual(['^\\+?4477 Thameslane', '^447 Albion Thameslane'])
    // now it has been carried out
    expect(await fix('sp1', await failure())).toMatchObject({
      reroute: null,
      reason: expect.stringContaining('Today’s routes send no calls to +44 77 to Albion.'),
    })
  })

  it('is within a route of no other numbers: one that has the carrier puts it first', async () => {
    const lcr_sid = await table(
      'sp1',
      {},
      [
        ['^44770', ['Albion', 'Thameslane']],
        ['^44', ['Rheinline']],
      ],
      'Albion',
    )
    await write(...INCIDENT)
    const { reroute } = await fix('sp1', await failure())
    const view = await t.as('sp1')(api.lcrs.view, { params: { lcr_sid } })
    const routes = rerouted(view.routes, reroute!)
    const body = { routes }
    await t.as('sp1')(api.lcrs.update, { params: { lcr_sid }, version: view.version, body })
    expect(await routesOf(lcr_sid)).toEqual(['^44770 Thameslane Albion', '^44 Rheinline'])
    // two people: the second has read an older version
    const second = await t.request('sp1', 'PUT', `/Lcrs/${lcr_sid}`, body, {
      'if-match': `"${reroute!.version}"`,
    })
    expect(second.statusCode).toBe(409)
  })

  it('takes the place of the only carrier, and goes last where the default carrier has the calls', async () => {
    const lcr_sid = await table('sp1', {}, [['^4477', ['Albion']]], 'Albion')
    await write(...INCIDENT)
    const failed = await failure()
    const apply = async () => {
      const { reroute } = await fix('sp1', failed)
      const view = await t.as('sp1')(api.lcrs.view, { params: { lcr_sid } })
      const body = { routes: rerouted(view.routes, reroute!) }
      await t.as('sp1')(api.lcrs.update, { params: { lcr_sid }, body })
      return routesOf(lcr_sid)
    }
    expect(await apply()).toEqual(['^4477 Thameslane'])
    const routes = [{ regex: '^49', lcr_carrier_set_entries: [{ voip_carrier_sid: sids.Albion! }] }]
    await t.as('sp1')(api.lcrs.update, { params: { lcr_sid }, body: { routes } })
    expect(await apply()).toEqual(['^49 Albion', '^\\+?4477 Thameslane'])
  })

  it('is not told where nothing is known to be better', async () => {
    await table('sp1', {}, [['^447', ['Albion', 'Thameslane']]], 'Albion')
    await write(INCIDENT[0]!, { trunk: 'Thameslane', count: 4 }, INCIDENT[4]!)
    const unknown = { reroute: null, reason: expect.stringContaining('No other carrier') }
    const failed = await failure()
    expect(await fix('sp1', failed)).toMatchObject(unknown)
    await write({ trunk: 'Thameslane', count: 1 })
    expect((await fix('sp1', failed)).reroute).not.toBeNull()
    // a carrier that is turned off, or only for inbound calls, or in trouble itself
    const { Thameslane: sid } = sids
    const set = (is_active: boolean) =>
      t.as('sp1')(api.voipCarriers.update, {
        params: { voip_carrier_sid: sid! },
        body: { is_active },
      })
    await set(false)
    expect(await fix('sp1', failed)).toMatchObject(unknown)
    await set(true)
    await t.db
      .updateTable('sip_gateways')
      .set({ outbound: 0 })
      .where('voip_carrier_sid', '=', sid!)
      .execute()
    expect(await fix('sp1', failed)).toMatchObject(unknown)
  })

  it('leaves out a carrier that refuses some of these calls as well', async () => {
    await table('sp1', {}, [['^447', ['Albion']]], 'Albion')
    const ms = Date.now() - 50 * HOUR
    await write(
      ...INCIDENT.slice(0, 4),
      { trunk: 'Rheinline', count: 30, ms },
      { trunk: 'Rheinline', status: 503, count: 3, ms },
    )
    const { reroute } = await fix('sp1', await failure())
    expect(reroute?.carrier.name).toBe('Thameslane')
  })

  it('is not told where the carrier completes the calls again, or no table decides', async () => {
    await write(...INCIDENT.slice(0, 4))
    expect(await fix('sp1', await failure())).toEqual({
      reroute: null,
      reason: 'No routing table selects the carrier for these calls.',
    })
    await table('sp1', {}, [], 'Albion')
    await write({ trunk: 'Albion', count: 90 })
    expect((await fix('sp1', await failure())).reason).toBe(
      'Albion has completed calls to +44 77 again in the last 2 hours.',
    )
  })

  it('of an account is of its own table: it neither reads nor changes its provider’s', async () => {
    await table('sp1', {}, [['^44', ['Albion']]], 'Albion')
    await write(...INCIDENT)
    const failed = await failure('a1')
    expect(await fix('a1', failed)).toEqual({
      reroute: null,
      reason: 'Your service provider’s routing table selects the carrier for these calls.',
    })
    expect((await fix('sp1', failed)).reroute).not.toBeNull()
    for (const who of ['a2', 'sp2', 'b1']) {
      const path = `/Failures/${failed.failure_sid}/Fix`
      expect((await t.request(who, 'GET', path)).statusCode).toBe(404)
    }
  })
})

describe('a failure whose calls were routed to another carrier', () => {
  const reroute = async (failed: Failure, name: string | null = 'Thameslane') =>
    t.as('sp1')(api.failures.update, {
      params: { failure_sid: failed.failure_sid },
      body: { rerouted_to: name && sids[name]! },
    })
  const issues = async () =>
    (
      await t.as('sp1')(api.providerIssues.count, {
        params: { service_provider_sid: t.sids.sp1! },
      })
    ).issues
  const now = () => Date.now()

  it('is watched, and resolved when calls show that it worked', async () => {
    await write(...INCIDENT)
    const failed = await failure()
    const before = await issues()
    await reroute(failed)
    expect(await failure()).toMatchObject({ state: 'watched', rerouted: { to: 'Thameslane' } })
    expect(await issues()).toBe(before - 1)
    await write(
      { trunk: 'Thameslane', count: 3, ms: now() + 1 },
      { trunk: 'Thameslane', status: 486, count: 1, ms: now() + 1 },
    )
    const watched = await failure()
    expect(reroutedText(watched, watched.rerouted!)).toBe(
      'Since the change Thameslane has answered 3 of 4 calls to +44 77. This issue closes by itself when calls show that it worked.',
    )
    await write({ trunk: 'Thameslane', count: 1, ms: now() + 2 })
    const done = await failure()
    expect(done.state).toBe('resolved')
    expect(reroutedText(done, done.rerouted!)).toBe(
      'It worked: Thameslane answered 4 of 5 calls to +44 77.',
    )
    // it returns like any other
    await write({ trunk: 'Albion', status: 503, count: 1, ms: now() + 500 })
    expect(await failure()).toMatchObject({ state: 'returned', rerouted: null })
  })

  it('is open again where the other carrier refuses them, or the calls go on as before', async () => {
    await write(...INCIDENT)
    const failed = await failure()
    await reroute(failed)
    await write(
      { trunk: 'Thameslane', count: 3, ms: now() + 1 },
      { trunk: 'Thameslane', status: 503, count: 2, ms: now() + 1 },
    )
    const refused = await failure()
    expect(refused.state).toBe('open')
    expect(reroutedText(refused, refused.rerouted!)).toBe(
      'It did not work: Thameslane refused 2 of 5 calls to +44 77 too.',
    )
    await reroute(failed)
    await write({ trunk: 'Albion', status: 503, count: 5, ms: now() + 20 })
    const still = await failure()
    expect(still.state).toBe('open')
    expect(reroutedText(still, still.rerouted!)).toBe(
      'It did not work: since the change 5 calls to +44 77 have failed as before.',
    )
  })

  it('is watched no more once somebody resolves it or takes the change back', async () => {
    await write(...INCIDENT)
    const failed = await failure()
    await reroute(failed)
    await reroute(failed, null)
    expect(await failure()).toMatchObject({ state: 'open', rerouted: null })
    await reroute(failed)
    await t.as('sp1')(api.failures.update, {
      params: { failure_sid: failed.failure_sid },
      body: { state: 'resolved' },
    })
    expect(await failure()).toMatchObject({ state: 'resolved', rerouted: null })
  })
})

describe('an update of a routing table', () => {
  it('is undone exactly while all of its routes and their carriers are there', async () => {
    const lcr_sid = await table('sp1', {}, [['^447', ['Albion', 'Thameslane']]], 'Albion')
    const read = () => t.as('sp1')(api.lcrs.view, { params: { lcr_sid } })
    const before = await read()
    const put = async (routes: object[]) => {
      const answer = await t.request('sp1', 'PUT', `/Lcrs/${lcr_sid}`, { routes })
      expect(answer.statusCode, answer.body).toBe(204)
      return changeIn(answer.headers[UNDO_HEADER] as string | undefined)
    }
    const added = { regex: '^1', lcr_carrier_set_entries: [{ voip_carrier_sid: sids.Rheinline! }] }
    const made = await put([added, { ...before.routes[0]!, regex: '^4478' }])
    const undone = await t.request('sp1', 'POST', '/AuditLog/Undo', made!)
    expect(undone.json()).toMatchObject({ kind: 'lcr', action: 'update', name: 'Outbound' })
    expect(await read()).toEqual(before)
    // a route that is gone would come back with another sid
    expect(await put([added])).toBeUndefined()
  })
})

import { api, type GatewayProbe } from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { callLine, send, storeKinds, type TestStore, testStore } from '../../../test/calls.ts'
import { insert } from '../../carriers/gateway-probes/queries.ts'
import { memory } from '../../http/memory.ts'
import { noState, StateUnreachable } from '../../live/state.ts'
import { StoreUnavailable } from '../../stores/kit/unavailable.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
let serial = 0

const healthsOf = (t: TestApp, who: string, ...sids: string[]) =>
  t.as(who)(api.carrierHealth.list, { query: { voip_carrier_sids: sids.join() } })
const healthOf = async (t: TestApp, who: string, sid: string) => (await healthsOf(t, who, sid))[0]!

describe.each(storeKinds)('carrier health with call records in %s', (kind) => {
  let t: TestApp
  let store: TestStore
  beforeEach(async () => {
    t = await testApp()
    store = await testStore(kind)
    t.ctx.stores.calls = store.calls
  })
  afterEach(async () => {
    await t.close()
    await store.close()
  })

  const add = async (who: string, name: string, body: object = {}) =>
    (await t.as(who)(api.voipCarriers.create, { body: { name, ...body } })).sid

  type Group = {
    owner?: 'a1' | 'a2' | 'b1'
    trunk?: string
    answered?: number
    failed?: number
    ago?: number
    wait?: number
  }
  /** Writes calls as the platform does. */
  async function write(...groups: Group[]) {
    const lines = groups.flatMap(
      ({ owner = 'a1', trunk = 'north', answered = 0, failed = 0, ago = 0, wait }) =>
        Array.from({ length: answered + failed }, (_, i) => {
          serial++
          const ms = Date.now() - ago - 10
          return callLine({
            ms,
            ns: serial,
            tags: {
              account_sid: t.sids[owner],
              service_provider_sid: owner === 'b1' ? t.sids.sp2 : t.sids.sp1,
              answered: String(i < answered),
              direction: 'outbound',
              trunk,
              host: '10.0.0.1',
            },
            fields: {
              call_sid: `call-${serial}`,
              sip_callid: `sip-${serial}@pbx`,
              sip_status: i < answered ? 200 : 503,
              termination_reason: 'failure',
              ...(i < answered && wait !== undefined && { answered_at: ms + wait }),
            },
          })
        }),
    )
    expect(await send(store, lines.join('\n'))).toMatchObject({ status: 204 })
    t.ctx.memory = memory(t.ctx.databaseUse)
  }

  const view = (who: string, voip_carrier_sid: string) =>
    t.as(who)(api.carrierHealth.view, { params: { voip_carrier_sid } })

  it('compares the last hours with the week before', async () => {
    t.ctx.state = noState
    const sid = await add('a1', 'north')
    expect(await healthOf(t, 'a1', sid)).toMatchObject({
      state: 'no_traffic',
      reason: 'No calls in 24 h.',
      day: { calls: 0, seconds_to_answer: null },
      registration: null,
      last_probe: null,
      inbound_calls_now: null,
    })
    await write({ answered: 84, failed: 16, ago: 4 * DAY })
    await write({ answered: 56, failed: 44, ago: 6 * HOUR })
    expect(await healthOf(t, 'a1', sid)).toMatchObject({
      state: 'degraded',
      reason: 'Answered 56 % of 100 outbound calls in 8 h; the week before 84 %.',
      baseline: { calls: 100, answered: 84, not_answered: 16 },
    })
    await write({ answered: 5, failed: 45 })
    expect(await healthOf(t, 'a1', sid)).toMatchObject({
      state: 'failing',
      reason: 'Answered 10 % of 50 outbound calls in 2 h; the week before 84 %.',
    })
    await write({ answered: 200 })
    expect(await healthOf(t, 'a1', sid)).toMatchObject({ state: 'ok' })
  })

  it('shows calls by the hour, with the mean time to answer', async () => {
    const sid = await add('a1', 'north')
    await write(
      { answered: 3, ago: 5 * HOUR, wait: 2_000 },
      { answered: 1, failed: 1, wait: 6_000 },
    )
    const { hours, day } = await healthOf(t, 'a1', sid)
    expect(hours.calls).toHaveLength(24)
    expect(hours.calls.reduce((a, b) => a + b)).toBe(5)
    expect(hours.seconds_to_answer.filter((s) => s !== null)).toEqual([2, 6])
    expect(day).toMatchObject({ calls: 5, answered: 4, not_answered: 1, seconds_to_answer: 3 })
    const at = hours.calls.indexOf(3)
    const start = Date.parse(hours.start) + at * HOUR
    const wrote = Date.now() - 5 * HOUR
    expect(start).toBeLessThanOrEqual(wrote)
    expect(start + HOUR).toBeGreaterThan(wrote - 60_000)
  })

  it('shows 30 days by the hour, and the latest failure', async () => {
    const sid = await add('a1', 'north')
    await write(
      { answered: 2, ago: 20 * DAY },
      { failed: 1, ago: 2 * HOUR },
      { failed: 1, ago: HOUR },
    )
    const { strip, last_failure } = await view('a1', sid)
    expect(strip.calls).toHaveLength(720)
    expect(strip.calls.reduce((a, b) => a + b)).toBe(4)
    expect(strip.answered.reduce((a, b) => a + b)).toBe(2)
    expect(last_failure).toMatchObject({
      call_sid: `call-${serial}`,
      sip_status: 503,
      reason: 'failure',
    })
  })

  it('keeps carriers of the same name apart by owner', async () => {
    const ownSid = await add('a1', 'north')
    const other = await add('b1', 'north')
    const shared = await add('sp1', 'north', { service_provider_sid: t.sids.sp1 })
    await write(
      { owner: 'a1', answered: 1 },
      { owner: 'a2', answered: 2 },
      { owner: 'b1', answered: 4 },
      { owner: 'a1', trunk: 'North', answered: 8 },
    )
    const counts = async (who: string, ...sids: string[]) =>
      (await healthsOf(t, who, ...sids)).map((h) => h.day.calls)
    expect(await counts('admin', ownSid, other, shared)).toEqual([1, 4, 2])
    expect(await counts('sp1', shared, ownSid)).toEqual([2, 1])
    // through a shared carrier an account sees its own calls only
    expect(await counts('a2', shared)).toEqual([2])
    expect(await counts('a1', shared)).toEqual([0])
    expect((await view('a1', shared)).last_failure).toBeNull()
  })

  it('does not tell carriers out of scope from missing ones', async () => {
    const sid = await add('b1', 'north')
    const ownSid = await add('a1', 'north')
    const notFound = { status: 404 }
    for (const who of ['a1', 'a1-viewer', 'sp1']) {
      expect(await healthsOf(t, who, ownSid, sid)).toMatchObject([{ voip_carrier_sid: ownSid }])
      await expect(healthsOf(t, who, sid)).rejects.toMatchObject(notFound)
      await expect(view(who, sid)).rejects.toMatchObject(notFound)
    }
    expect(await healthsOf(t, 'a1-viewer', ownSid)).toHaveLength(1)
  })
})

describe('carrier health', () => {
  let t: TestApp
  beforeEach(async () => {
    t = await testApp()
  })
  afterEach(() => t.close())

  const create = async (body: object = {}) =>
    (await t.as('a1')(api.voipCarriers.create, { body: { name: 'north', ...body } })).sid

  it('puts the setting first, then registration, then probes', async () => {
    const sid = await create({
      requires_register: 1,
      register_username: 'u',
      register_password: 'p',
      register_sip_realm: 'example.com',
    })
    const sip_gateway_sid = (
      await t.as('a1')(api.sipGateways.create, {
        body: { ipv4: '203.0.113.9', inbound: false, outbound: true, voip_carrier_sid: sid },
      })
    ).sid
    expect(await healthOf(t, 'a1', sid)).toMatchObject({
      state: 'no_traffic',
      registration: { state: 'not_started', reason: null },
    })
    const probe: GatewayProbe = {
      sip_gateway_sid,
      at: new Date().toISOString(),
      outcome: 'timeout',
      status: null,
      reason: 'No answer in time',
      rtt_ms: null,
      transport: 'udp',
      address: '203.0.113.9:5060',
    }
    const longAgo = new Date(Date.now() - 2 * DAY).toISOString()
    await insert(t.ctx.db, { ...probe, at: longAgo, outcome: 'unreachable' })
    expect(await healthOf(t, 'a1', sid)).toMatchObject({
      state: 'no_traffic',
      last_probe: { at: longAgo },
    })
    await insert(t.ctx.db, probe)
    expect(await healthOf(t, 'a1', sid)).toMatchObject({
      state: 'probe_failing',
      reason: 'The latest probe of 203.0.113.9:5060 failed: No answer.',
      last_probe: probe,
    })
    await t.ctx.db
      .updateTable('voip_carriers')
      .set({ register_status: JSON.stringify({ status: 'fail', reason: '403 Forbidden' }) })
      .where('voip_carrier_sid', '=', sid)
      .execute()
    expect(await healthOf(t, 'a1', sid)).toMatchObject({
      state: 'not_registered',
      reason: 'Registration failed: 403 Forbidden.',
    })
    const params = { voip_carrier_sid: sid }
    await t.as('a1')(api.voipCarriers.update, { params, body: { is_active: 0 } })
    expect(await healthOf(t, 'a1', sid)).toMatchObject({ state: 'inactive' })
  })

  it('counts inbound calls in progress within the caller’s scope', async () => {
    const sid = await create()
    const call = (account_sid: string, trunk: string) => ({
      account_sid,
      call_sid: `c${serial++}`,
      since: Date.now(),
      record: { callStatus: 'in-progress', originatingSipTrunkName: trunk },
    })
    const { a1, a2 } = t.sids
    const items = [call(a1, 'north'), call(a1, 'north'), call(a1, 'south'), call(a2, 'north')]
    t.ctx.state = { ...noState, activeCalls: async () => ({ items, complete: true }) }
    expect((await healthOf(t, 'a1', sid)).inbound_calls_now).toBe(2)
    const away = async () => {
      throw new StateUnreachable('Redis does not answer')
    }
    t.ctx.state = { ...noState, activeCalls: away }
    expect((await healthOf(t, 'a1', sid)).inbound_calls_now).toBeNull()
  })

  it('says so when the call records cannot be read', async () => {
    const sid = await create()
    t.ctx.stores.calls.trunks = async () => {
      throw new StoreUnavailable('The call records (InfluxDB) answered 503')
    }
    await expect(healthOf(t, 'a1', sid)).rejects.toMatchObject({ status: 503 })
  })

  it('leaves out carriers that are gone or belong to others', async () => {
    const [one, gone, two] = [await create(), await create(), await create()]
    const params = { voip_carrier_sid: gone }
    await t.as('sp1')(api.voipCarriers.remove, { params })
    const theirs = (await t.as('b1')(api.voipCarriers.create, { body: { name: 'theirs' } })).sid
    const sids = [two, gone, theirs, one]
    const read = (...sids: string[]) =>
      t.request('a1', 'GET', `/CarrierHealth?voip_carrier_sids=${sids}`)
    const found: { voip_carrier_sid: string }[] = (await read(...sids)).json()
    expect(found.map((h) => h.voip_carrier_sid)).toEqual([two, one])
    for (const sid of [gone, theirs]) expect((await read(sid)).statusCode).toBe(404)
  })

  it.each(['', 'x', Array.from({ length: 101 }, () => crypto.randomUUID()).join()])(
    'refuses the carriers %.20j',
    async (sids) => {
      const answer = await t.request('a1', 'GET', `/CarrierHealth?voip_carrier_sids=${sids}`)
      expect(answer.statusCode).toBe(400)
      expect(answer.json().issues[0].path[0]).toBe('voip_carrier_sids')
    },
  )
})

import { randomUUID } from 'node:crypto'
import { api, type CarrierTroubles, HEALTH_MAX, type ThingVerdict } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { callLine, send, type TestStore, testStore } from '../../../test/calls.ts'
import { recordStatements } from '../../../test/statements.ts'
import { insert } from '../../carriers/gateway-probes/queries.ts'
import { insertMany } from '../../db/insert-many.ts'
import { memory } from '../../http/memory.ts'
import { gatherFailures } from '../failures/gather.ts'

const DAY = 86_400_000
/** An alert without a type, as the platform's SBC writes them. */
const UNTYPED = {
  ...{ account_sid: null, alert_type: 'undefined', detail: null, target_sid: null, vendor: null },
}
const recorded = recordStatements()
let t: TestApp
let store: TestStore
/** Carriers of the first provider by name, and one of the second. */
const carriers: Record<string, string> = {}
let serial = 0

type Calls = {
  trunk: string
  of?: 'a1' | 'a2' | 'b1'
  direction?: 'inbound' | 'outbound'
  answered?: number
  failed?: number
  status?: number
  ago?: number
}
async function write(...groups: Calls[]) {
  const lines = groups.flatMap(
    ({ trunk, of = 'a1', direction = 'outbound', answered = 0, failed = 0, status = 503, ago }) =>
      Array.from({ length: answered + failed }, (_, i) =>
        callLine({
          ms: Date.now() - (ago ?? 0) - 1_000,
          ns: serial++,
          tags: {
            ...{ account_sid: t.sids[of], direction, trunk, host: '10.0.0.1' },
            service_provider_sid: of === 'b1' ? t.sids.sp2 : t.sids.sp1,
            answered: String(i < answered),
          },
          fields: {
            ...{ call_sid: `call-${serial}`, sip_callid: `sip-${serial}@pbx`, to: '447700900123' },
            sip_status: i < answered ? 200 : status,
            ...(i >= answered && { termination_reason: 'Service Unavailable' }),
          },
        }),
      ),
  )
  expect(await send(store, lines.join('\n'))).toMatchObject({ status: 204 })
}

const add = async (who: string, name: string, body: object = {}) => {
  const { sid } = await t.as(who)(api.voipCarriers.create, { body: { name, ...body } })
  carriers[name] = sid
  return sid
}

beforeAll(async () => {
  t = await testApp({}, undefined, recorded.tracing)
  store = await testStore('embedded')
  t.ctx.stores.calls = store.calls
  t.ctx.stores.alerts = store.alerts
  const shared = { service_provider_sid: t.sids.sp1 }
  for (const name of ['Albion', 'Thames', 'Quiet', 'Silent']) await add('sp1', name, shared)
  await add('sp1', 'Off', shared)
  await t.as('sp1')(api.voipCarriers.update, {
    params: { voip_carrier_sid: carriers.Off! },
    body: { is_active: 0 },
  })
  await add('sp1', 'Unregistered', {
    ...shared,
    ...{ requires_register: 1, register_username: 'u', register_password: 'p' },
    register_sip_realm: 'example.com',
  })
  await t.db
    .updateTable('voip_carriers')
    .set({ register_status: JSON.stringify({ status: 'fail', reason: '403 Forbidden' }) })
    .where('voip_carrier_sid', '=', carriers.Unregistered!)
    .execute()
  await add('sp1', 'Deaf', shared)
  const gateway = await t.as('sp1')(api.sipGateways.create, {
    body: {
      ...{ ipv4: '203.0.113.9', inbound: false, outbound: true },
      voip_carrier_sid: carriers.Deaf!,
    },
  })
  for (const minutes of [30, 20, 10])
    await insert(t.ctx.db, {
      sip_gateway_sid: gateway.sid,
      at: new Date(Date.now() - minutes * 60_000).toISOString(),
      outcome: minutes === 30 ? 'ok' : 'timeout',
      ...{ status: null, reason: null, rtt_ms: null, transport: 'udp' },
      address: '203.0.113.9:5060',
    })
  await add('sp1', 'Pinged', shared)
  await t.as('sp1')(api.sipGateways.create, {
    body: {
      ...{ ipv4: '203.0.113.77', inbound: true, outbound: true },
      voip_carrier_sid: carriers.Pinged!,
    },
  })
  await add('b1', 'Foreign')
  const usual = { answered: 80, failed: 20, status: 486, ago: 4 * DAY }
  await write(
    { trunk: 'Albion', ...usual },
    { trunk: 'Albion', direction: 'inbound', ...usual },
    { trunk: 'Thames', ...usual },
    { trunk: 'Foreign', of: 'b1', ...usual },
    // it refuses most outbound calls while inbound ones are fine
    { trunk: 'Albion', answered: 10, failed: 30 },
    { trunk: 'Albion', direction: 'inbound', answered: 90, failed: 5, status: 486 },
    { trunk: 'Thames', answered: 40, failed: 8, status: 486 },
    { trunk: 'Quiet', failed: 2, status: 486 },
    { trunk: 'Foreign', of: 'b1', failed: 30 },
  )
  await store.alerts.write({
    ...UNTYPED,
    service_provider_sid: t.sids.sp1,
    message: 'gateway 203.0.113.77:5060 answers OPTIONS with 503',
  })
  await gatherFailures(t.ctx)
  t.ctx.memory = memory(t.ctx.databaseUse)
})
afterAll(async () => {
  await t.close()
  await store.close()
})

const troublesFor = (who: string, query: object = {}): Promise<CarrierTroubles> =>
  t.as(who)(api.carrierHealth.troubles, { query: query as never })
const healths = (who: string, sids: readonly string[]) =>
  t.as(who)(api.carrierHealth.list, { query: { voip_carrier_sids: sids.join(',') as never } })
const said = ({ state, since, reason, mend, failure_sid, findings }: ThingVerdict) => ({
  ...{ state, since, reason, mend, failure_sid, findings },
})

describe('no two places disagree on a carrier', () => {
  it.each(['admin', 'sp1', 'a1', 'a1-viewer'])('for %s', async (who) => {
    const sids = Object.entries(carriers).flatMap(([name, sid]) => (name === 'Foreign' ? [] : sid))
    const list = await healths(who, sids)
    expect(list).toHaveLength(sids.length)
    const isAccount = who.startsWith('a1')
    const provider = who === 'admin' ? { service_provider_sid: t.sids.sp1 } : {}
    const { data, judged, unjudged } = await troublesFor(who, provider)
    for (const health of list) {
      const { voip_carrier_sid } = health
      const view = await t.as(who)(api.carrierHealth.view, { params: { voip_carrier_sid } })
      expect(said(view)).toEqual(said(health))
      const trouble = data.find((one) => one.voip_carrier_sid === voip_carrier_sid)
      const isTrouble = ['not_registered', 'failing', 'degraded', 'probe_failing']
      if (isTrouble.includes(health.state)) expect(said(trouble!)).toEqual(said(health))
      else expect(trouble).toBeUndefined()
    }
    const states = Object.fromEntries(
      Object.entries(carriers).map(([name, sid]) => [
        name,
        list.find((one) => one.voip_carrier_sid === sid)?.state,
      ]),
    )
    expect(states).toEqual({
      Albion: 'failing',
      Thames: 'ok',
      Quiet: 'too_few_calls',
      Silent: 'no_traffic',
      Off: 'inactive',
      Unregistered: 'not_registered',
      Deaf: 'probe_failing',
      // accounts do not see what the platform reports to the provider
      Pinged: isAccount ? 'no_traffic' : 'probe_failing',
      Foreign: undefined,
    })
    const pinged = isAccount ? [] : ['Pinged']
    expect(data.map(({ name }) => name)).toEqual(['Unregistered', 'Albion', 'Deaf', ...pinged])
    expect([judged, unjudged]).toEqual([isAccount ? 4 : 5, 1])
  })

  it.each(['sp1', 'a1'])(
    'and the inbox of %s has each trouble once, as urgent as it is',
    async (who) => {
      const query = { page: 1, page_size: 100 } as never
      const { data: issues } =
        who === 'a1'
          ? await t.as(who)(api.accountIssues.list, { params: { account_sid: t.sids.a1! }, query })
          : await t.as(who)(api.providerIssues.list, {
              params: { service_provider_sid: t.sids.sp1! },
              query,
            })
      const { data: troubles } = await troublesFor(who)
      for (const trouble of troubles) {
        const { voip_carrier_sid: sid, failure_sid, state } = trouble
        const of = issues.filter(
          (issue) =>
            (issue.kind === 'carrier' && issue.carrier.voip_carrier_sid === sid) ||
            (issue.kind === 'failure' && issue.key === failure_sid),
        )
        expect(of.map(({ severity }) => severity)).toEqual([
          ['failing', 'not_registered'].includes(state) ? 'critical' : 'warning',
        ])
        for (const issue of of)
          if (issue.kind === 'carrier') expect(said(issue.carrier)).toEqual(said(trouble))
      }
      // and blames no other
      expect(issues.filter(({ kind }) => kind === 'carrier')).toHaveLength(
        troubles.filter(({ failure_sid }) => failure_sid === null).length,
      )
    },
  )

  it('and an open failure that the carrier follows from is the one in the inbox', async () => {
    const [albion] = (await troublesFor('a1')).data.filter(({ name }) => name === 'Albion')
    const { data } = await t.as('a1')(api.failures.list, { query: { page: 1 } as never })
    expect(data.find(({ failure_sid }) => failure_sid === albion!.failure_sid)).toMatchObject({
      trunk: 'Albion',
      sip_status: 503,
      state: 'open',
      carrier: { voip_carrier_sid: carriers.Albion },
    })
    expect(albion!.reason).toBe(
      'Albion answers 503 Service Unavailable to calls to +44 77: 30 of 40 outbound calls in 2 h.',
    )
    // of its own inbox, another caller has another row
    const [ofProvider] = (await troublesFor('sp1')).data.filter(({ name }) => name === 'Albion')
    expect(ofProvider!.failure_sid).not.toBe(albion!.failure_sid)
  })
})

it('tells each caller of its own calls and carriers', async () => {
  const names = async (who: string, query = {}) =>
    (await troublesFor(who, query)).data.map(({ name }) => name)
  expect(await names('sp2')).toEqual(['Foreign'])
  expect(await names('admin')).toContain('Foreign')
  expect(await names('admin', { service_provider_sid: t.sids.sp2 })).toEqual(['Foreign'])
  expect(await names('sp1', { account_sid: t.sids.a1 })).not.toContain('Foreign')
  // it has no calls: of a shared carrier it sees only what does not follow from others' calls
  expect(await names('a2')).toEqual(['Unregistered', 'Deaf'])
  const { data } = await troublesFor('a2')
  expect(JSON.stringify(data)).not.toMatch(/calls in 2 h/)
  await expect(troublesFor('sp1', { account_sid: t.sids.b1 })).rejects.toMatchObject({
    status: 404,
  })
  await expect(troublesFor('a1', { account_sid: t.sids.a2 })).rejects.toMatchObject({
    status: 404,
  })
})

it('says since when a gateway fails, and of which gateways nothing is known', async () => {
  await t.as('sp1')(api.sipGateways.create, {
    body: {
      ...{ ipv4: '203.0.113.10', inbound: false, outbound: true },
      voip_carrier_sid: carriers.Albion!,
    },
  })
  const view = (name: string) =>
    t.as('a1')(api.carrierHealth.view, { params: { voip_carrier_sid: carriers[name]! } })
  const deaf = await view('Deaf')
  const minutes = (Date.now() - Date.parse(deaf.since!)) / 60_000
  expect(minutes).toBeGreaterThan(19)
  expect(minutes).toBeLessThan(29)
  expect(deaf.gateways).toMatchObject([
    { address: '203.0.113.9:5060', state: 'probe_failing', since: deaf.since },
  ])
  expect((await view('Albion')).gateways).toMatchObject([{ state: 'not_known', since: null }])
})

/** Statements of some work, without those that find out who the caller is, once a second. */
const cost = async (work: () => Promise<unknown>) =>
  (await recorded.during(work)).filter(
    (text) => !/switchroom_(?:sessions|session_ends|live)\b|wsrep_on/.test(text),
  ).length

it('costs the same statements for a page of carriers as for one', async () => {
  const all = Object.values(carriers)
  const statements = async (sids: string[]) => {
    t.ctx.memory = memory(t.ctx.databaseUse)
    return cost(() => healths('admin', sids))
  }
  const one = await statements([carriers.Albion!])
  expect(one).toBeGreaterThan(3)
  const page = await statements(all)
  // names of the accounts' own carriers are read where one is shared
  expect(page).toBeLessThanOrEqual(one + 1)
  t.ctx.memory = memory(t.ctx.databaseUse)
  const before = await cost(() => troublesFor('sp1'))
  for (let i = 0; i < 20; i++) await add('sp1', `More ${i}`, { service_provider_sid: t.sids.sp1 })
  t.ctx.memory = memory(t.ctx.databaseUse)
  expect(await cost(() => troublesFor('sp1'))).toBe(before)
})

it('does not blame a carrier for the calls of another one of its name', async () => {
  const shared = await add('sp1', 'Twin', { service_provider_sid: t.sids.sp1 })
  const own = await add('a2', 'Twin')
  await write({ trunk: 'Twin', answered: 30 }, { trunk: 'Twin', of: 'a2', failed: 30 })
  await gatherFailures(t.ctx)
  t.ctx.memory = memory(t.ctx.databaseUse)
  const states = (await healths('sp1', [shared, own])).map(({ state }) => state)
  expect(states).toEqual(['ok', 'failing'])
})

it('judges those with a sign of trouble first, of more than it can judge', async () => {
  const names = Array.from({ length: HEALTH_MAX }, (_, i) => `A ${String(i).padStart(3, '0')}`)
  await insertMany(
    t.db,
    'voip_carriers',
    names.map((name) => ({
      ...{ name, voip_carrier_sid: randomUUID(), service_provider_sid: t.sids.sp1, is_active: 1 },
    })),
  )
  await write(...names.map((trunk) => ({ trunk, answered: 1 })))
  t.ctx.memory = memory(t.ctx.databaseUse)
  const { capped, data } = await troublesFor('sp1')
  expect(capped).toBe(true)
  expect(data.map(({ name }) => name)).toEqual(expect.arrayContaining(['Unregistered', 'Deaf']))
})

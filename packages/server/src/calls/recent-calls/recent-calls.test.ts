import { randomUUID } from 'node:crypto'
import { api, type Call } from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import {
  type CallPoint,
  callLine,
  send,
  storeKinds,
  type TestStore,
  testStore,
} from '../../../test/calls.ts'
import { StoreUnavailable } from '../../stores/kit/unavailable.ts'

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

const HOUR = 3_600_000
const NOW = Date.now()
let serial = 0

/** A call as the platform writes it; `who` names one of the accounts. */
function callPoint(who: 'a1' | 'a2' | 'b1', more: CallPoint['fields'] = {}, ms = NOW - HOUR) {
  serial++
  const { answered = 'true', direction = 'inbound', trunk = 'North', ...fields } = more
  return callLine({
    ms,
    ns: serial,
    tags: {
      account_sid: t.sids[who],
      service_provider_sid: who === 'b1' ? t.sids.sp2 : t.sids.sp1,
      answered: String(answered),
      direction: String(direction),
      trunk: String(trunk),
      host: '10.0.0.1',
    },
    fields: {
      call_sid: `call-${serial}`,
      sip_callid: `sip-${serial}@pbx`,
      from: '15085550100',
      to: '442079460958',
      duration: 10,
      sip_status: answered === 'false' ? 486 : 200,
      ...fields,
    },
  })
}

async function written(...lines: string[]) {
  expect(await send(store, lines.join('\n'))).toMatchObject({ status: 204 })
}

type Query = Record<string, string | number>
const page = { page: 1, count: 100 }
const ofAccount = (who: string, account_sid: string, query: Query = {}) =>
  t.as(who)(api.accountRecentCalls.list, {
    params: { account_sid },
    query: { ...page, ...query } as never,
  })
const ofProvider = (who: string, service_provider_sid: string, query: Query = {}) =>
  t.as(who)(api.providerRecentCalls.list, {
    params: { service_provider_sid },
    query: { ...page, ...query } as never,
  })
const idsOf = ({ data }: { data: Call[] }) => data.map((c) => c.call_sid)
const path = (query: string) => `/Accounts/${t.sids.a1}/RecentCalls?${query}`

it('lists an account’s calls in the platform’s format, newest first', async () => {
  await written(
    callPoint('a1', { call_sid: 'old' }, NOW - 2 * HOUR),
    callPoint('a1', { call_sid: 'new' }),
    callPoint('a2', { call_sid: 'other' }),
  )
  const answer = await t.request('a1', 'GET', path('page=1&count=1'))
  expect(answer.json()).toMatchObject({ total: 2, page: '1', page_size: '1' })
  expect(idsOf(answer.json())).toEqual(['new'])
  expect(idsOf(await ofAccount('a1', t.sids.a1, { page: 2, count: 1 }))).toEqual(['old'])
  expect(answer.json().data[0]).toMatchObject({
    answered: true,
    answered_at: null,
    trace_id: null,
    duration: 10,
    sip_status: 200,
  })
})

describe('access', () => {
  const viewCall = (id: string, who: string) =>
    t.request(who, 'GET', `/RecentCalls/${encodeURIComponent(id)}`)
  beforeEach(async () => {
    await written(
      callPoint('a1', { call_sid: 'of-a1', sip_callid: 'a1@pbx' }),
      callPoint('a2', { call_sid: 'of-a2', sip_callid: 'a2@pbx' }, NOW - 2 * HOUR),
      callPoint('b1', { call_sid: 'of-b1', sip_callid: 'b1@pbx' }, NOW - 3 * HOUR),
    )
  })

  it('shows each caller only its own, whichever owner the path names', async () => {
    expect(idsOf(await ofProvider('sp1', t.sids.sp1))).toEqual(['of-a1', 'of-a2'])
    await expect(ofProvider('a2', t.sids.sp1)).rejects.toMatchObject({ status: 403 })
    expect(idsOf(await ofAccount('sp1', t.sids.a2))).toEqual(['of-a2'])
    expect(idsOf(await ofAccount('admin', t.sids.b1))).toEqual(['of-b1'])
    expect(idsOf(await ofProvider('admin', t.sids.sp2))).toEqual(['of-b1'])
    for (const query of [
      () => ofAccount('a1', t.sids.a2),
      () => ofAccount('sp1', t.sids.b1),
      () => ofProvider('sp1', t.sids.sp2),
    ])
      await expect(query()).rejects.toMatchObject({ status: 404 })
    const all = await t.as('admin')(api.recentCalls.list, { query: page })
    expect(idsOf(all)).toEqual(['of-a1', 'of-a2', 'of-b1'])
    expect((await t.request('sp1', 'GET', '/RecentCalls?page=1&count=1')).statusCode).toBe(403)
  })

  it('finds a call only for callers who may see it', async () => {
    for (const who of ['a1', 'sp1', 'admin'])
      for (const id of ['of-a1', 'a1@pbx'])
        expect((await viewCall(id, who)).json(), who).toMatchObject({ call_sid: 'of-a1' })
    for (const who of ['a2', 'b1', 'sp2']) {
      const refused = await viewCall('of-a1', who)
      expect(refused.statusCode, who).toBe(404)
      expect(refused.json().msg).toBe((await viewCall('absent', who)).json().msg)
    }
  })

  it('counts and exports for the same callers', async () => {
    const params = { account_sid: t.sids.a1 }
    const query = { days: 1 }
    expect(await t.as('sp1')(api.accountRecentCalls.figures, { params, query })).toMatchObject({
      calls: 1,
    })
    const provider = { service_provider_sid: t.sids.sp1 }
    const figures = await t.as('sp1')(api.providerRecentCalls.figures, { params: provider, query })
    expect(figures).toMatchObject({ calls: 2 })
    const file = await t.request('sp1', 'GET', `/ServiceProviders/${t.sids.sp1}/RecentCalls/Export`)
    expect(file.body).toMatch(/of-a1[\s\S]*of-a2/)
    expect(file.body).not.toContain('of-b1')
    const zoned = await t.request(
      'sp1',
      'GET',
      `/Accounts/${t.sids.a1}/RecentCalls/Export?columns=call_sid,attempted_at&time_zone=Asia/Kolkata`,
    )
    const [head, row] = zoned.body.split('\r\n')
    expect(head).toBe('call_sid,attempted_at,time_zone')
    const [, local, zone] = row!.split(',')
    const { data } = await t.as('sp1')(api.accountRecentCalls.list, {
      params,
      query: { page: 1, count: 1 },
    })
    // half past five ahead all year
    expect(Date.parse(`${local}+05:30`)).toBe(
      Math.floor(Date.parse(data[0]!.attempted_at) / 1_000) * 1_000,
    )
    expect(zone).toBe('Asia/Kolkata')
  })
})

it.each(storeKinds)('finds calls by numbers as people write them in %s', async (kind) => {
  const other = await testStore(kind)
  onTestFinished(() => other.close())
  t.ctx.stores.calls = other.calls
  const lines = [
    callPoint('a1', { call_sid: 'plus', from: '+15085550084', to: '1000' }),
    callPoint('a1', { call_sid: 'bare', from: '1000', to: '15085550084' }),
    callPoint('a1', { call_sid: 'uri', from: 'sip:15085550084@10.0.0.5', to: '1000' }),
    callPoint('a1', {
      call_sid: 'london',
      from: '+442079460000',
      to: '2000',
      sip_callid: '00-44',
    }),
    callPoint('a2', { call_sid: 'foreign', from: '+15085550084' }),
  ]
  expect(await send(other, lines.join('\n'))).toMatchObject({ status: 204 })
  const listIds = async (filter: string) =>
    idsOf(await ofAccount('a1', t.sids.a1, { filter })).toSorted()
  for (const typed of ['+1 (508) 555-0084', '(508) 555', '508.555', '0084', '001 508 555 0084'])
    expect(await listIds(typed), typed).toEqual(['bare', 'plus', 'uri'])
  for (const typed of ['+44 (0)20 7946', '0044 20', '020 7946'])
    expect(await listIds(typed), typed).toEqual(['london'])
  expect(await listIds('10.0.0.5')).toEqual(['uri'])
  // an id is taken as it was typed
  expect(await listIds('00-44')).toEqual(['london'])
  expect(await listIds('uri')).toEqual(['uri'])
})

it('filters by each parameter, and matches text literally', async () => {
  const application_sid = randomUUID()
  await written(
    callPoint('a1', { call_sid: 'busy', answered: 'false', trunk: 'South' }),
    callPoint('a1', { call_sid: 'out', direction: 'outbound', application_sid }, NOW - 2 * HOUR),
    callPoint('a1', { call_sid: 'plus', from: '+15085550199' }, NOW - 30 * HOUR),
  )
  const listIds = async (query: Query) => idsOf(await ofAccount('a1', t.sids.a1, query))
  expect(await listIds({ answered: 'false' })).toEqual(['busy'])
  expect(await listIds({ direction: 'outbound' })).toEqual(['out'])
  expect(await listIds({ trunk: 'South' })).toEqual(['busy'])
  expect(await listIds({ trunk: 'Sou' })).toEqual([])
  expect(await listIds({ application_sid })).toEqual(['out'])
  expect(await listIds({ sip_status: 486 })).toEqual(['busy'])
  expect(await listIds({ filter: '85550199' })).toEqual(['plus'])
  expect(await listIds({ filter: '.*' })).toEqual([])
  expect(await listIds({ filter: '/' })).toEqual([])
  expect(await listIds({ filter: 'out' })).toEqual(['out'])
  expect(await listIds({ days: 1 })).toEqual(['busy', 'out'])
  // days rule over the ends
  expect(await listIds({ days: 1, start: '2020-01-01', end: '2020-01-02' })).toEqual([
    'busy',
    'out',
  ])
  const at = new Date(NOW - 2 * HOUR).toISOString()
  expect(await listIds({ start: at, end: at })).toEqual(['out'])
})

const figures = (query: Query) =>
  t.as('a1')(api.accountRecentCalls.figures, {
    params: { account_sid: t.sids.a1 },
    query: query as never,
  })

it('counts exactly the calls that the linked list shows', async () => {
  const application_sid = randomUUID()
  await written(
    ...Array.from({ length: 30 }, (_, i) => {
      const more: CallPoint['fields'] = {
        answered: i % 3 === 0 ? 'false' : 'true',
        trunk: i % 2 ? 'North' : 'South',
      }
      if (i % 5 === 0) more.application_sid = application_sid
      if (i % 6 === 0) more.sip_status = 503
      return callPoint('a1', more, NOW - i * 5 * HOUR)
    }),
  )
  const span = {
    start: new Date(NOW - 6 * 24 * HOUR).toISOString(),
    end: new Date(NOW).toISOString(),
  }
  const total = async (more: Query) =>
    (await ofAccount('a1', t.sids.a1, { ...span, ...more })).total
  const counted = await figures(span)
  expect(counted.calls).toBe(29)
  expect(await total({})).toBe(counted.calls)
  expect(await total({ answered: 'true' })).toBe(counted.answered)
  expect(await total({ answered: 'false' })).toBe(counted.not_answered)
  expect(counted.failures).toHaveLength(2)
  for (const { sip_status, calls } of counted.failures)
    expect(await total({ answered: 'false', sip_status: sip_status! })).toBe(calls)
  for (const { trunk, calls } of counted.trunks) expect(await total({ trunk: trunk! })).toBe(calls)
  const known = counted.applications.filter((a) => a.application_sid !== null)
  expect(known).toHaveLength(1)
  expect(await total({ application_sid })).toBe(known[0]!.calls)
  await expect(figures({})).rejects.toMatchObject({
    status: 400,
    body: { issues: [{ path: ['days'] }] },
  })
})

describe('export', () => {
  const file = (query: string) =>
    t.request('a1', 'GET', `/Accounts/${t.sids.a1}/RecentCalls/Export?${query}`)

  it('has the rows of the filtered list, with formulas as text', async () => {
    await written(
      callPoint('a1', { call_sid: '=cmd()', from: '+15085550100' }),
      ...Array.from({ length: 1_200 }, (_, i) =>
        callPoint('a1', { answered: 'false', call_sid: `n${i}` }, NOW - 2 * HOUR + i),
      ),
    )
    const all = await file('days=1')
    expect(all.headers['content-disposition']).toBe('attachment; filename="recent-calls.csv"')
    expect(all.body).toContain("'=cmd()")
    expect(all.body).toContain("'+15085550100")
    expect(all.body.trim().split('\r\n')).toHaveLength(1_202)
    const some = await file('days=1&answered=false&format=ndjson')
    expect(some.headers['content-type']).toContain('application/x-ndjson')
    expect(some.headers['content-disposition']).toContain('recent-calls.ndjson')
    const calls = some.body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Call)
    expect(calls).toHaveLength(
      (await ofAccount('a1', t.sids.a1, { days: 1, answered: 'false' })).total,
    )
    expect(calls[0]).toMatchObject({ call_sid: 'n1199', answered: false })
    expect((await file('filter=nobody')).body.trim().split('\r\n')).toHaveLength(1)
  })
})

it('reports that the store cannot be reached', async () => {
  const message = 'The store of call records cannot be reached'
  const failingRead = async () => {
    throw new StoreUnavailable(message)
  }
  t.ctx.stores.calls = {
    list: failingRead,
    find: failingRead,
    figures: failingRead,
    trunks: failingRead,
    trunkFailures: failingRead,
    attempts: failingRead,
    ofTraces: failingRead,
    dialed: failingRead,
    // biome-ignore lint/correctness/useYield: it fails before there is anything
    each: async function* () {
      await failingRead()
    },
  }
  for (const path of ['RecentCalls?page=1&count=1', 'RecentCalls/Export', 'CallFigures?days=1']) {
    const answer = await t.request('a1', 'GET', `/Accounts/${t.sids.a1}/${path}`)
    expect(answer.statusCode, path).toBe(503)
    expect(answer.json()).toMatchObject({ msg: message, code: 'unavailable' })
  }
  expect((await t.request('a1', 'GET', '/RecentCalls/x')).statusCode).toBe(503)
})

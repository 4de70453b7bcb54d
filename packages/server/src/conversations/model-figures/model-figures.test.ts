import { createHash, randomUUID } from 'node:crypto'
import { api, type ModelCounts, type ModelFigures, type ModelPrice } from '@switchroom/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { callLine, send, type TestStore, testStore } from '../../../test/calls.ts'
import { countRows, type Search } from '../../alerts/view-alerts/count-rows.ts'
import { measured } from '../../alerts/view-alerts/measure.ts'
import { insertMany } from '../../db/insert-many.ts'
import type { Scope } from '../../http/scope.ts'
import type { VersionsOf } from '../../stores/voice/store.ts'
import type { Part } from '../model-sessions/parts.ts'
import * as sessions from '../model-sessions/queries.ts'
import { forgetModelEvents, takeInSessions } from '../model-sessions/start.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MINUTE_MS = 60_000
/** Later than all events by more than the silence after which a session is over. */
const LATER_MS = 5 * MINUTE_MS
const NOW = Date.now()
const FROM = NOW - 3 * DAY_MS - 17 * MINUTE_MS
const TO = NOW - 3 * HOUR_MS - 5 * MINUTE_MS

type Account = 'a1' | 'a2' | 'b1'
type Tokens = { input: number; cached: number; output: number }
type Planned = {
  account: Account
  call_sid: string
  began_at: number
  application_sid: string | null
  version: string | null | undefined
  vendor: string
  model: string | null
  usages: Tokens[]
  seconds: number
  said: number
}

/** Random numbers, the same in each run. */
function dice(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const roll = dice(20)
const APPLICATIONS = { a1: [randomUUID(), randomUUID()], a2: [randomUUID()], b1: [randomUUID()] }
const MODELS = [
  { vendor: 'openai', model: 'gpt-realtime' },
  { vendor: 'openai', model: 'GPT-realtime-mini-2025' },
  { vendor: 'google', model: 'models/gemini-live' },
  { vendor: 'deepgram', model: null },
]

/** Beginnings and ends of hours and of the period. */
const EDGES = [FROM, TO, TO - 1, Math.ceil(FROM / HOUR_MS) * HOUR_MS]

const PLANNED: Planned[] = Array.from({ length: 180 }, (_, i) => {
  const account = i < EDGES.length ? 'a1' : (['a1', 'a1', 'a2', 'b1'] as const)[roll(4)]!
  const applications = [...APPLICATIONS[account], null]
  const application_sid = applications[roll(applications.length)]!
  return {
    account,
    call_sid: randomUUID(),
    began_at: EDGES[i] ?? FROM - 2 * HOUR_MS + roll(TO - FROM + 4 * HOUR_MS),
    application_sid,
    version: account === 'a2' ? undefined : ['1.0', '2.0', null][roll(3)],
    ...MODELS[roll(MODELS.length)]!,
    usages: Array.from({ length: roll(4) }, () => {
      const input = roll(5_000)
      return { input, cached: roll(input + 1), output: roll(800) }
    }),
    seconds: roll(120),
    said: roll(3) * 100,
  }
})

const NO_PRICE = { input: null, cached_input: null, output: null, minute: null, characters: null }
const PRICES: Record<'a1' | 'a2', ModelPrice[]> = {
  a1: [
    { ...NO_PRICE, model: 'gpt-realtime', input: 4, cached_input: 0.4, output: 16 },
    { ...NO_PRICE, model: 'gpt-realtime-mini', input: 0.6, output: 2.4 },
    { ...NO_PRICE, model: 'Deepgram', minute: 0.08, characters: 15 },
  ],
  a2: [{ ...NO_PRICE, model: '', output: 12, characters: 30 }],
}

/** The cost of a call, reckoned by hand for each model and account. */
function costOf({ account, vendor, model, usages, seconds, said }: Planned): number | null {
  const sum = (name: keyof Tokens) => usages.reduce((n, tokens) => n + tokens[name], 0)
  const known = usages.length > 0
  if (account === 'b1') return null
  if (account === 'a2')
    return known || said > 0 ? (sum('output') * 12) / 1e6 + (said * 30) / 1e6 : null
  if (vendor === 'deepgram')
    return seconds > 0 || said > 0 ? (seconds / 60) * 0.08 + (said * 15) / 1e6 : null
  if (vendor === 'google' || !known) return null
  return model === 'gpt-realtime'
    ? ((sum('input') - sum('cached')) * 4 + sum('cached') * 0.4 + sum('output') * 16) / 1e6
    : (sum('input') * 0.6 + sum('output') * 2.4) / 1e6
}
const tokensOf = ({ usages }: Planned) =>
  usages.reduce((n, { input, output }) => n + input + output, 0)

/** Counts of these calls. */
function expected(calls: readonly Planned[]): ModelCounts {
  const known = calls.filter(({ usages }) => usages.length > 0)
  const sum = (name: keyof Tokens) =>
    known.flatMap(({ usages }) => usages).reduce((n, tokens) => n + tokens[name], 0)
  const costs = (['USD', 'EUR'] as const).flatMap((currency) => {
    const of = calls.filter(
      (call) => costOf(call) !== null && (call.account === 'a2') === (currency === 'EUR'),
    )
    const amount = of.reduce((n, call) => n + costOf(call)!, 0)
    return of.length > 0 ? [{ currency, calls: of.length, amount: expect.closeTo(amount, 9) }] : []
  })
  return {
    calls: calls.length,
    tokens:
      known.length > 0
        ? {
            calls: known.length,
            input: sum('input'),
            cached: sum('cached'),
            output: sum('output'),
          }
        : null,
    costs: costs.sort((a, b) => b.calls - a.calls),
  }
}

let t: TestApp
let store: TestStore
const whole = { start: new Date(FROM).toISOString(), end: new Date(TO - 1).toISOString() }
const isIn = ({ began_at }: Planned) => began_at >= FROM && began_at < TO
const of = (...accounts: Account[]) =>
  PLANNED.filter((call) => isIn(call) && accounts.includes(call.account))

beforeAll(async () => {
  t = await testApp()
  store = await testStore('embedded')
  Object.assign(t.ctx.stores, { calls: store.calls })
  const lines = PLANNED.map(({ account, call_sid, began_at, application_sid }, ns) =>
    callLine({
      ms: began_at,
      ns,
      tags: {
        account_sid: t.sids[account],
        service_provider_sid: account === 'b1' ? t.sids.sp2 : t.sids.sp1,
        direction: 'inbound',
      },
      fields: {
        ...(application_sid && { application_sid }),
        ...{ call_sid, sip_callid: randomUUID(), trace_id: '0'.repeat(32) },
        terminated_at: began_at + MINUTE_MS,
      },
    }),
  )
  expect((await send(store, lines.join('\n'))).status).toBe(204)
})
afterAll(async () => {
  await store.close()
  await t.close()
})
async function empty() {
  for (const table of [
    'switchroom_model_events',
    'switchroom_model_calls',
    'switchroom_model_use',
    'switchroom_model_hours',
    'switchroom_model_sessions',
  ] as const)
    await t.db.deleteFrom(table).execute()
}

const keyOf = ({ account, call_sid }: Planned) => ({ account_sid: t.sids[account], call_sid })

const digest = (name: string) => createHash('sha256').update(name).digest('hex')

/** Stores an event, as it does that came by HTTP. */
async function keep(call: Planned, name: string, at: number, parts: Part[]) {
  await sessions.noteCall(t.db, keyOf(call), at)
  return sessions.keep(t.db, { ...keyOf(call), name: digest(name), unless: [], at, parts }, 5_000)
}

/** Stores all events of these calls at once. */
async function sendAll(calls: readonly Planned[]) {
  const events = calls.flatMap((call) => {
    const { vendor, model, seconds, said, usages, began_at } = call
    const use = usages.map((tokens): [string, number, Part] => [
      ...(['use', began_at] as const),
      { kind: 'usage', tokens },
    ])
    const told: [string, number, Part][] = [
      ['begin', began_at, { kind: 'session', vendor, ...(model && { model }) }],
      ...use,
      [
        ...(['end', began_at + seconds * 1_000] as const),
        { kind: 'words', side: 'model', text: null, chars: said },
      ],
    ]
    return told.map(([name, at, part], i) => ({
      ...keyOf(call),
      ...{ event: digest(`${name} ${i}`), number: i + 1, at, parts: JSON.stringify([part]) },
    }))
  })
  await insertMany(
    t.db,
    'switchroom_model_calls',
    calls.map((call) => ({
      ...keyOf(call),
      ...{ events: call.usages.length + 2, is_found: 0 as const },
      ...{ checked_at: call.began_at, seen_at: call.began_at },
    })),
  )
  await insertMany(t.db, 'switchroom_model_events', events)
}

const versionsOf: VersionsOf = async (calls) =>
  calls.map(({ call }) => {
    const { version } = PLANNED.find(({ call_sid }) => call_sid === call.call_sid)!
    return version === null ? '' : version
  })
const takeIn = () => takeInSessions(t.ctx, NOW + LATER_MS, versionsOf)
async function setPrices(account: 'a1' | 'a2', currency: string, prices = PRICES[account]) {
  const params = { account_sid: t.sids[account] }
  await t.as(account)(api.modelSessions.update, { params, body: { currency, prices } })
}
async function fill(calls: readonly Planned[] = PLANNED) {
  await setPrices('a1', 'USD')
  await setPrices('a2', 'EUR')
  await sendAll(calls)
  await takeIn()
}

async function fillAnew() {
  await empty()
  await fill()
}

const account = (who: string, name: Account, more: object = {}): Promise<ModelFigures> =>
  t.as(who)(api.accountModelFigures.figures, {
    params: { account_sid: t.sids[name] },
    query: { ...whole, ...more },
  })
const provider = (who: string, sid: string): Promise<ModelFigures> =>
  t.as(who)(api.providerModelFigures.figures, {
    params: { service_provider_sid: sid },
    query: whole,
  })
const countsOf = ({ calls, tokens, costs }: ModelCounts) => ({ calls, tokens, costs })

/** Groups calls as the figures do: the most calls first. */
const groups = <K extends object>(calls: readonly Planned[], keyIn: (call: Planned) => K) =>
  [...Map.groupBy(calls, (call) => JSON.stringify(keyIn(call)))]
    .sort(([a, some], [b, more]) => more.length - some.length || (a < b ? -1 : 1))
    .map(([key, some]) => ({ ...JSON.parse(key), ...expected(some) }))

describe('figures of model sessions', () => {
  beforeAll(fillAnew)

  it('equal those reckoned from the calls, for an account and a provider', async () => {
    expect(of('a1').length).toBeGreaterThan(40)
    const figures = await account('a1', 'a1')
    expect(countsOf(figures)).toEqual(expected(of('a1')))
    expect(figures.applications).toEqual(
      groups(of('a1'), ({ application_sid }) => ({ application_sid })),
    )
    expect(figures.models).toEqual(groups(of('a1'), ({ vendor, model }) => ({ vendor, model })))
    expect(figures.versions).toEqual(
      groups(of('a1'), ({ application_sid, version }) => ({ application_sid, version: version! })),
    )
    const both = await provider('sp1', t.sids.sp1)
    expect(countsOf(both)).toEqual(expected(of('a1', 'a2')))
    expect(both.costs.map(({ currency }) => currency).sort()).toEqual(['EUR', 'USD'])
    expect((await account('a2', 'a2')).versions).toEqual([])
    // without prices there is no cost, and never 0
    expect((await account('b1', 'b1')).costs).toEqual([])
  })

  it('by hour and day, which add up to the whole', async () => {
    for (const [query, length] of [
      [{}, HOUR_MS],
      [{ time_zone: 'Asia/Kolkata', start: new Date(FROM - 30 * DAY_MS).toISOString() }, DAY_MS],
    ] as const) {
      const { times } = await account('a1', 'a1', query)
      const from = 'start' in query ? Date.parse(query.start) : FROM
      const calls = PLANNED.filter(
        (call) => call.account === 'a1' && call.began_at >= from && call.began_at < TO,
      )
      expect(times.reduce((n, slot) => n + slot.calls, 0)).toBe(calls.length)
      expect(times.length).toBeGreaterThan(length === DAY_MS ? 2 : 20)
      for (const { time, until, ...counts } of times) {
        const [begin, end] = [Date.parse(time), Date.parse(until)]
        expect(end - begin).toBeLessThanOrEqual(length)
        const hours = (ms: number) => Math.floor(ms / HOUR_MS) * HOUR_MS
        const isHere = ({ began_at }: Planned) =>
          began_at >= begin && (end === TO ? began_at < end : hours(began_at) < end)
        expect(counts).toEqual(expected(calls.filter(isHere)))
      }
    }
  })

  it('of one application', async () => {
    const [application_sid] = APPLICATIONS.a1
    expect(countsOf(await account('a1', 'a1', { application_sid }))).toEqual(
      expected(of('a1').filter((call) => call.application_sid === application_sid)),
    )
  })

  it('know nothing without calls', async () => {
    const before = {
      start: new Date(FROM - 9 * DAY_MS).toISOString(),
      end: new Date(FROM - 8 * DAY_MS).toISOString(),
    }
    expect(await account('a1', 'a1', before)).toMatchObject({
      calls: 0,
      tokens: null,
      costs: [],
      times: [],
    })
  })

  it('are of the caller’s own accounts', async () => {
    await expect(account('a2', 'a1')).rejects.toMatchObject({ status: 404 })
    await expect(provider('sp2', t.sids.sp1)).rejects.toMatchObject({ status: 404 })
  })
})

describe('an event', () => {
  beforeEach(empty)

  const sums = async () => {
    const { calls, tokens } = await account('a1', 'a1')
    const rows = await t.db.selectFrom('switchroom_model_hours').selectAll().execute()
    return { calls, tokens, rows: rows.length }
  }
  const one: Planned = {
    ...PLANNED.find((call) => call.account === 'a1' && isIn(call))!,
    ...{ vendor: 'openai', model: 'gpt-realtime', said: 10, seconds: 5 },
    usages: [{ input: 100, cached: 40, output: 20 }],
  }

  it('that comes twice counts once, also after its call was counted', async () => {
    await fill([one])
    const first = await sums()
    expect(first).toEqual({
      calls: 1,
      tokens: { calls: 1, input: 100, cached: 40, output: 20 },
      rows: 1,
    })
    expect(await keep(one, 'use 1', NOW, [{ kind: 'usage', tokens: one.usages[0]! }])).toBe(
      'double',
    )
    await takeIn()
    await takeIn()
    expect(await sums()).toEqual(first)
  })

  it('that comes late corrects its call', async () => {
    await fill([{ ...one, usages: [] }])
    expect(await sums()).toEqual({ calls: 1, tokens: null, rows: 1 })
    await keep(one, 'late', NOW, [{ kind: 'usage', tokens: one.usages[0]! }])
    await takeIn()
    expect(await sums()).toEqual({
      calls: 1,
      tokens: { calls: 1, input: 100, cached: 40, output: 20 },
      rows: 1,
    })
  })

  it('counts once when two processes count at the same time', async () => {
    await setPrices('a1', 'USD')
    await sendAll([one])
    await Promise.all([takeIn(), takeIn(), takeIn()])
    expect((await sums()).tokens).toEqual({ calls: 1, input: 100, cached: 40, output: 20 })
  })

  it('that comes while its call is counted waits for the next time', async () => {
    await sendAll([one])
    await takeInSessions(t.ctx, NOW + LATER_MS, async (calls) => {
      await keep(one, 'meanwhile', NOW, [{ kind: 'usage', tokens: one.usages[0]! }])
      return calls.map(() => undefined)
    })
    expect((await sums()).calls).toBe(0)
    await takeIn()
    expect((await sums()).tokens).toMatchObject({ calls: 1, input: 200 })
  })

  it('is in no sum once it is too old, or its account is gone', async () => {
    await fill([one])
    await forgetModelEvents(t.ctx, NOW + 400 * DAY_MS)
    expect(await sums()).toEqual({ calls: 0, tokens: null, rows: 0 })
    await fill([one])
    await sessions.removeOfAccount(t.db, { account_sid: t.sids.a1 })
    for (const table of ['switchroom_model_use', 'switchroom_model_hours'] as const)
      expect(await t.db.selectFrom(table).selectAll().execute()).toEqual([])
  })
})

describe('calls by what their model sessions used', () => {
  beforeAll(fillAnew)

  const list = async (who: string, name: Account, query: object) => {
    const { data, total } = await t.as(who)(api.accountRecentCalls.list, {
      params: { account_sid: t.sids[name] },
      query: { ...whole, ...query, page: 1, count: 500 },
    })
    expect(data.length).toBe(total)
    return data.map(({ call_sid }) => call_sid)
  }
  const sidsOf = (calls: readonly Planned[]) =>
    calls
      .toSorted((a, b) => b.began_at - a.began_at || (a.call_sid < b.call_sid ? -1 : 1))
      .map(({ call_sid }) => call_sid)

  it('are listed, newest first', async () => {
    const known = of('a1').filter(({ usages }) => usages.length > 0)
    expect(await list('a1', 'a1', { tokens_at_least: '0' })).toEqual(sidsOf(known))
    const many = known.filter((call) => tokensOf(call) >= 4_000)
    expect(many.length).toBeGreaterThan(0)
    expect(await list('a1', 'a1', { tokens_at_least: '4000' })).toEqual(sidsOf(many))
    const [application_sid] = APPLICATIONS.a1
    const newer = many.filter(
      (call) => call.application_sid === application_sid && call.version === '2.0',
    )
    expect(
      await list('a1', 'a1', {
        tokens_at_least: '4000',
        voice_of: `version/${application_sid}/2.0`,
      }),
    ).toEqual(sidsOf(newer))
  })

  it('are listed by cost, which is that of the figures', async () => {
    for (const name of ['a1', 'a2'] as const)
      for (const least of [0, 0.005, 0.02]) {
        const dear = of(name).filter((call) => (costOf(call) ?? -1) >= least)
        expect(dear.length).toBeGreaterThan(0)
        expect(await list(name, name, { cost_at_least: String(least) })).toEqual(sidsOf(dear))
      }
    expect(await list('b1', 'b1', { cost_at_least: '0' })).toEqual([])
    // a call that costs exactly as much
    const dear = of('a1').find((call) => costOf(call))!
    expect(await list('a1', 'a1', { cost_at_least: String(costOf(dear)) })).toContain(dear.call_sid)
  })

  it('are those of the caller, and refused with filters that they cannot have', async () => {
    const page = { ...whole, page: 1, count: 25 }
    const pathOf = (asked: Promise<unknown>) =>
      asked.then(
        () => undefined,
        (e: { body: { issues: { path: unknown }[] } }) => e.body.issues[0]?.path,
      )
    const own = { params: { account_sid: t.sids.a1 } }
    const refusal = (query: object) =>
      pathOf(t.as('a1')(api.accountRecentCalls.list, { ...own, query: { ...page, ...query } }))
    const of = { voice_of: 'recognizer/google/de-DE' }
    expect(await refusal({ tokens_at_least: '1', direction: 'inbound' })).toEqual(['direction'])
    expect(await refusal({ tokens_at_least: '1', ...of })).toEqual(['voice_of'])
    expect(await refusal({ tokens_at_least: '-1' })).toEqual(['tokens_at_least'])
    expect(await refusal({ cost_at_least: 'x' })).toEqual(['cost_at_least'])
    expect(await refusal({ score: 'failed', tokens_at_least: '1' })).toEqual(['tokens_at_least'])
    expect(
      await pathOf(
        t.as('sp1')(api.providerRecentCalls.list, {
          params: { service_provider_sid: t.sids.sp1 },
          query: { ...page, cost_at_least: 1 },
        }),
      ),
    ).toEqual(['cost_at_least'])
    await expect(list('a2', 'a1', { tokens_at_least: '0' })).rejects.toMatchObject({
      status: 404,
    })
  })

  it('raise the alerts of a view', async () => {
    const scope: Scope = {
      role: 'account',
      ...{ account_sid: t.sids.a1, service_provider_sid: t.sids.sp1 },
      ...{ view_only: false, force_change: false },
    }
    const count = (search: Search) =>
      countRows(t.ctx, scope, { list: 'recent_calls', search }, { from: FROM, to: TO })
    const share = (search: Search) =>
      measured({ measure: 'share', minutes: 60 }, search, count, NOW)
    const known = of('a1').filter(({ usages }) => usages.length > 0)
    const priced = of('a1').filter((call) => costOf(call) !== null)
    expect(await share({ tokens_at_least: '4000' })).toEqual({
      counted: known.filter((call) => tokensOf(call) >= 4_000).length,
      comparedWith: known.length,
    })
    expect(await share({ cost_at_least: '0.02' })).toEqual({
      counted: priced.filter((call) => costOf(call)! >= 0.02).length,
      comparedWith: priced.length,
    })
    // all of themselves
    await expect(share({ tokens_at_least: '0' })).rejects.toMatchObject({ code: 'invalid' })
  })
})

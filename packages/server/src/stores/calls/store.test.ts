import { type Call, type CallCounts, type CallFigures, MISSING_MEMBERS } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type CallPoint,
  callLine,
  seededRandom,
  send,
  storeKinds,
  type TestStore,
  testStore,
} from '../../../test/calls.ts'
import { casesFor } from '../../../test/clickhouse.ts'
import { sample } from '../../../test/trust.ts'
import { attemptSums } from './attempts.ts'
import type { AttemptCounts, CallFilter, FailureCounts, TrunkCounts, TrunkFilter } from './store.ts'
import { noTrunkCounts } from './sums.ts'

/** Both stores against the plainest one there is: an array. */
const DAY = 86_400_000
const NOW = Date.now() - 60_000
const random = seededRandom(7)
const pick = <T>(from: readonly T[]) => from[random(from.length)]!

const PROVIDERS = ['p1', 'p2']
const ACCOUNTS = ['a1', 'a2', 'a3']
const TRUNKS = ['one', 'two, and = more', 'drei ü']
const APPLICATIONS = ['app-1', 'app-2']
const HOSTILE = [
  "'",
  '"',
  '\\',
  '%',
  '_',
  '/',
  '.*',
  '(',
  '[',
  '$',
  '^',
  '|',
  '\\d',
  "' OR 1=1 --",
  '\n',
  '…',
  '😀',
]

function randomCall(ms = NOW - random(6 * DAY)): CallPoint {
  const account = random(ACCOUNTS.length)
  const answered = pick(['true', 'false', 'true', 'undefined'])
  const number = () =>
    random(4) ? `+1508${random(10_000)}` : `sip:${pick(HOSTILE)}${random(30)}@x`
  const tags: Record<string, string> = {
    account_sid: ACCOUNTS[account]!,
    service_provider_sid: PROVIDERS[account % 2]!,
    answered,
    direction: pick(['inbound', 'outbound']),
    host: '10.0.0.1',
  }
  if (random(5)) tags.trunk = pick([...TRUNKS, 'undefined'])
  const fields: CallPoint['fields'] = {
    call_sid: `call-${random(1e9)}`,
    sip_callid: `sip-${random(1e9)}@pbx`,
    ...(random(4) === 0 && { sip_parent_callid: `parent-${random(2)}@pbx` }),
    from: number(),
    to: number(),
  }
  if (random(3)) fields.application_sid = pick(APPLICATIONS)
  if (random(6)) fields.sip_status = answered === 'true' ? 200 : pick([486, 487, 503])
  if (random(6)) fields.duration = answered === 'true' ? random(500) : 0
  if (answered === 'true') fields.answered_at = ms + random(9_000)
  if (random(2)) fields.trace_id = `trace-${random(1e9)}`
  return { ms, ns: random(1e6), tags, fields }
}

const orNull = (text: string | undefined) =>
  text === undefined || text === 'undefined' ? null : text
const iso = (ms: unknown) => (typeof ms === 'number' ? new Date(ms).toISOString() : null)

function asCall({ ms, tags, fields }: CallPoint): Call {
  const text = (name: string) => (fields[name] as string | undefined) ?? null
  const number = (name: string) => (fields[name] as number | undefined) ?? null
  return {
    account_sid: orNull(tags.account_sid),
    service_provider_sid: orNull(tags.service_provider_sid),
    call_sid: text('call_sid'),
    application_sid: text('application_sid'),
    from: text('from'),
    to: text('to'),
    sip_callid: text('sip_callid'),
    sip_parent_callid: text('sip_parent_callid'),
    answered: tags.answered === 'true' ? true : tags.answered === 'false' ? false : null,
    sip_status: number('sip_status'),
    duration: number('duration'),
    attempted_at: new Date(ms).toISOString(),
    answered_at: iso(fields.answered_at),
    terminated_at: null,
    termination_reason: null,
    host: '10.0.0.1',
    remote_host: null,
    direction: orNull(tags.direction),
    trunk: orNull(tags.trunk),
    trace_id: text('trace_id'),
    recording_url: null,
  }
}

/** The expected answer of a list, computed without any index. */
function expectedCalls(all: CallPoint[], filter: CallFilter): CallPoint[] {
  const { text } = filter
  const is = (value: unknown, wanted: unknown) => wanted === undefined || value === wanted
  return all
    .filter(({ ms, ns }) => ms + ns / 1e6 >= filter.from && ms < filter.to)
    .filter(
      ({ tags, fields, ...at }) =>
        is(tags.account_sid, filter.account_sid) &&
        is(tags.service_provider_sid, filter.service_provider_sid) &&
        is(tags.direction, filter.direction) &&
        isOutcome(tags.answered, filter.answered) &&
        (filter.missing ?? []).every((name) => asCall({ ...at, tags, fields })[name] === null) &&
        (!filter.prefix || new RegExp(`^\\+?${filter.prefix}`).test(String(fields.to))) &&
        is(tags.trunk, filter.trunk) &&
        is(fields.application_sid, filter.application_sid) &&
        is(fields.sip_status, filter.sip_status) &&
        (!text ||
          String(fields.from).includes(text) ||
          String(fields.to).includes(text) ||
          fields.call_sid === text ||
          fields.sip_callid === text),
    )
    .sort((a, b) => b.ms - a.ms || b.ns - a.ns)
}

function isOutcome(tag: string | undefined, wanted: CallFilter['answered']) {
  if (wanted === undefined) return true
  const isKnown = tag === 'true' || tag === 'false'
  return typeof wanted === 'string' ? isKnown === (wanted === 'known') : tag === String(wanted)
}

const emptyTally = (): CallCounts => ({
  calls: 0,
  answered: 0,
  not_answered: 0,
  seconds: 0,
  timed: 0,
})

function meanWait(calls: readonly CallPoint[]) {
  const waits = calls
    .filter(({ tags }) => tags.answered === 'true')
    .map(({ ms, fields }) => Number(fields.answered_at ?? Number.NaN) - ms)
    .filter((wait) => wait >= 0 && wait <= 3_600_000)
  return waits.length > 0
    ? Math.round(waits.reduce((a, b) => a + b, 0) / waits.length / 100) / 10
    : null
}

/** Milliseconds that a zone's clock is ahead of UTC, as the runtime names it: `GMT+05:30`. */
function aheadOf(time_zone: string, ms: number) {
  const format = new Intl.DateTimeFormat('en', { timeZone: time_zone, timeZoneName: 'longOffset' })
  const name = format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')!.value
  const [, sign = '+', hours = '0', minutes = '0'] = /^GMT(?:([+-])(\d+):(\d+))?$/.exec(name)!
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

function expectedFigures(all: CallPoint[], filter: CallFilter, time_zone = 'UTC'): CallFigures {
  const calls = expectedCalls(all, filter)
  // these zones have no summer time
  const ahead = aheadOf(time_zone, NOW)
  const unit = filter.to - filter.from <= 3 * DAY ? 3_600_000 : DAY
  const add = (to: CallCounts, { tags, fields }: CallPoint) => {
    to.calls++
    if (tags.answered === 'false') to.not_answered++
    if (tags.answered !== 'true') return
    to.answered++
    if (fields.duration === undefined) return
    to.seconds += fields.duration as number
    to.timed++
  }
  const total = emptyTally()
  const groupBy = <K>(key: (point: CallPoint) => K) => {
    const groups = new Map<K, CallCounts>()
    for (const point of calls) {
      const k = key(point)
      if (!groups.has(k)) groups.set(k, emptyTally())
      add(groups.get(k)!, point)
    }
    return [...groups]
  }
  const hours: number[] = Array(168).fill(0)
  const failures = new Map<number | null, number>()
  for (const point of calls) {
    add(total, point)
    const date = new Date(point.ms + ahead)
    hours[((date.getUTCDay() + 6) % 7) * 24 + date.getUTCHours()]!++
    const status = (point.fields.sip_status as number | undefined) ?? null
    if (point.tags.answered === 'false') failures.set(status, (failures.get(status) ?? 0) + 1)
  }
  return {
    ...total,
    times: groupBy(({ ms }) => Math.floor((ms + ahead) / unit) * unit - ahead)
      .sort(([a], [b]) => a - b)
      .map(([ms, tally]) => ({
        time: new Date(ms).toISOString(),
        until: new Date(ms + unit).toISOString(),
        ...tally,
      })),
    seconds_to_answer: meanWait(calls),
    hours,
    failures: [...failures].map(([sip_status, calls]) => ({ sip_status, calls })),
    trunks: groupBy(({ tags }) => orNull(tags.trunk)).map(([trunk, t]) => ({
      trunk,
      ...t,
      seconds_to_answer: meanWait(calls.filter(({ tags }) => orNull(tags.trunk) === trunk)),
    })),
    accounts: groupBy(({ tags }) => orNull(tags.account_sid)).map(([account_sid, t]) => ({
      account_sid,
      ...t,
    })),
    applications: groupBy(
      ({ fields }) => (fields.application_sid as string | undefined) ?? null,
    ).map(([application_sid, t]) => ({ application_sid, ...t })),
  }
}

function expectedTrunk(all: CallPoint[], filter: CallFilter & TrunkFilter, unit: 'hour' | 'day') {
  const { except } = filter
  const step = unit === 'hour' ? 3_600_000 : DAY
  const found = new Map<number, TrunkCounts>()
  for (const { ms, tags, fields } of expectedCalls(all, filter)) {
    if (except?.account_sids.includes(tags.account_sid!)) continue
    if (except?.service_provider_sids.includes(tags.service_provider_sid!)) continue
    const at = Math.floor(ms / step) * step
    const counts = found.get(at) ?? noTrunkCounts(at)
    found.set(at, counts)
    counts.calls++
    if (tags.answered === 'false') counts.not_answered++
    if (tags.answered !== 'true') continue
    counts.answered++
    counts.seconds += Number(fields.duration ?? 0)
    const wait = Number(fields.answered_at ?? Number.NaN) - ms
    if (unit === 'day' || !(wait >= 0 && wait <= 3_600_000)) continue
    counts.timed++
    counts.answer_ms += wait
  }
  return [...found.values()].sort((a, b) => a.at - b.at)
}

const byStatus = (a: FailureCounts[number], b: FailureCounts[number]) =>
  (a.sip_status ?? -1) - (b.sip_status ?? -1)

function expectedFailures(all: CallPoint[], filter: CallFilter & TrunkFilter): FailureCounts {
  const { except } = filter
  const failed = expectedCalls(all, { ...filter, answered: false }).filter(
    ({ tags }) =>
      !except?.account_sids.includes(tags.account_sid!) &&
      !except?.service_provider_sids.includes(tags.service_provider_sid!),
  )
  const statuses = Map.groupBy(failed, ({ fields: { sip_status } }) =>
    typeof sip_status === 'number' ? sip_status : null,
  )
  return [...statuses].map(([sip_status, calls]) => ({ sip_status, calls: calls.length }))
}

/** Ties come in any order. */
const sortLists = (figures: CallFigures) => {
  const sorted = <T>(list: T[]) =>
    list.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  const { failures, trunks, applications, accounts } = figures
  return {
    ...figures,
    failures: sorted(failures),
    trunks: sorted(trunks),
    applications: sorted(applications),
    accounts: sorted(accounts),
  }
}

describe.each(storeKinds)('call records in %s', (kind) => {
  let store: TestStore
  const all: CallPoint[] = []
  const cases = (n: number) => casesFor(kind, n)
  const write = async (calls: CallPoint[]) => {
    const answer = await send(store, calls.map(callLine).join('\n'))
    expect(answer).toEqual({ status: 204, body: '' })
  }

  beforeAll(async () => {
    store = await testStore(kind)
    for (let i = 0; i < 12; i++) {
      const calls = Array.from({ length: 60 }, () => randomCall())
      all.push(...calls)
      await write(calls)
      // a day may be put away and written to again
      if (i === 5) await store.maintain()
    }
    // written again with other fields: the same point, not another one
    for (let i = 0; i < cases(80); i++) {
      const point = all[random(all.length)]!
      const again = randomCall()
      point.fields = { ...point.fields, ...again.fields }
      await write([{ ...point, fields: again.fields }])
    }
  })
  afterAll(() => store?.close())

  const randomSpan = () => {
    const from = NOW - random(7 * DAY)
    return pick([
      { from: NOW - 8 * DAY, to: NOW + DAY },
      { from, to: from + random(3 * DAY) },
      { from, to: from + random(7_200_000) },
      { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY },
    ])
  }
  const randomFilter = (): CallFilter => {
    const filter: CallFilter = randomSpan()
    if (!random(2)) filter.account_sid = pick(ACCOUNTS)
    if (!random(3)) filter.service_provider_sid = pick(PROVIDERS)
    if (!random(3)) filter.direction = pick(['inbound', 'outbound'])
    if (!random(3)) filter.answered = pick([true, false, 'known', 'unknown'])
    if (!random(3)) filter.trunk = pick([...TRUNKS, 'none'])
    if (!random(4)) filter.application_sid = pick([...APPLICATIONS, 'none'])
    if (!random(4)) filter.sip_status = pick([200, 486, 503, 999])
    if (!random(4)) filter.prefix = pick(['1', '15', '1508', '15081', '44'])
    if (!random(4))
      filter.missing = pick([[], [...MISSING_MEMBERS], ...MISSING_MEMBERS.map((m) => [m])])
    return filter
  }
  const expectPage = async (filter: CallFilter, page: { limit: number; offset: number }) => {
    const expected = expectedCalls(all, filter)
    const found = await store.calls.list(filter, page)
    const what = JSON.stringify([filter, page])
    expect(found.total, what).toBe(expected.length)
    const { offset, limit } = page
    expect(found.data, what).toEqual(expected.slice(offset, offset + limit).map(asCall))
  }

  it.each([1, 2, 3, 4, 5])('lists by any filter, page by page, with totals (%i)', async () => {
    for (let i = 0; i < cases(30); i++)
      await expectPage(randomFilter(), {
        limit: pick([1, 10, 25, 500]),
        offset: pick([0, 0, 7, 40, 5_000]),
      })
  })

  it.each([
    ['trunk', TRUNKS],
    ['application_sid', APPLICATIONS],
    ['sip_status', [200, 486, 503]],
    ['account_sid', ACCOUNTS],
  ] as const)('lists nothing by a %s that is to be missing', async (name, values) => {
    for (const value of values) {
      const filter = { from: 0, to: NOW + DAY, [name]: value, missing: [name] }
      const found = await store.calls.list(filter, { limit: 10, offset: 0 })
      expect(found, JSON.stringify(filter)).toEqual({ data: [], total: 0 })
    }
  })

  it('counts the newest outbound calls by number', async () => {
    for (let i = 0; i < cases(60); i++) {
      const owner = random(2) ? { account_sid: pick(ACCOUNTS) } : {}
      const span = randomSpan()
      const outbound = expectedCalls(all, { ...owner, ...span, direction: 'outbound' })
      const limit = pick([10_000, 10_000, 5, 40, outbound.length])
      const found = await store.calls.dialed(owner, span, limit)
      const counts = new Map<string, number>()
      const parents = new Map<string, (string | null)[]>()
      for (const call of outbound.slice(0, limit).map(asCall)) {
        const { account_sid, trunk, from, to, sip_parent_callid: parent } = call
        const key = JSON.stringify([account_sid, trunk, from, to, parent === null])
        counts.set(key, (counts.get(key) ?? 0) + 1)
        parents.set(key, [...(parents.get(key) ?? []), parent])
      }
      const what = JSON.stringify([owner, span, limit])
      const keyed = found.numbers.map((n): [string, number] => [
        JSON.stringify([n.account_sid, n.trunk, n.from, n.to, n.parent === null]),
        n.calls,
      ])
      for (const [i, { parent }] of found.numbers.entries())
        expect(parents.get(keyed[i]![0]), what).toContain(parent)
      expect(new Map(keyed), what).toEqual(counts)
      expect(keyed, what).toHaveLength(counts.size)
      expect(found.capped, what).toBe(outbound.length >= limit)
    }
  })

  const textsToFind: Record<string, () => string[]> = {
    'parts of numbers': () => '1 15 150 1508 +1508 508 77 sip: @x ü 😀 …2'.split(' '),
    'complete numbers and ids': () =>
      all
        .slice(0, cases(40))
        .map(
          ({ fields }) =>
            pick([fields.from, fields.to, fields.call_sid, fields.sip_callid]) as string,
        ),
    digits: () => Array.from({ length: cases(60) }, () => String(random(1_000))),
    'hostile text': () => Array.from({ length: cases(60) }, () => `${pick(HOSTILE)}${random(30)}`),
  }

  it.each(Object.keys(textsToFind))('finds %s', async (name) => {
    for (const text of textsToFind[name]!())
      await expectPage(
        { ...(random(2) ? randomFilter() : randomSpan()), text },
        { limit: 25, offset: pick([0, 3]) },
      )
  })

  const owners = [undefined, ...ACCOUNTS]
  const texts = [
    ...HOSTILE,
    '.',
    '\0',
    '\x7f',
    '~',
    '.*/ OR account_sid =~ /.*',
    "x' OR '1'='1",
    '$p0',
    'x'.repeat(10_000),
    '/'.repeat(10_000),
    '\ud800',
  ]
  it.each(texts)('treats %.40j as text', async (text) => {
    for (const account_sid of sample(owners, cases(owners.length), texts.indexOf(text)))
      await expectPage(
        { from: 0, to: NOW + DAY, text, ...(account_sid && { account_sid }) },
        { limit: 500, offset: 0 },
      )
  })

  it.each(['trunk', 'application_sid', 'account_sid', 'service_provider_sid'] as const)(
    'treats hostile values of %s as text',
    async (name) => {
      for (const value of [
        ...HOSTILE,
        "a1' OR '1'='1",
        '$p0',
        '\\',
        '__proto__',
        'constructor',
        '\0',
      ])
        await expectPage({ from: 0, to: NOW + DAY, [name]: value }, { limit: 25, offset: 0 })
    },
  )

  it('counts the calls of carriers by hour and day', async () => {
    const HOUR = 3_600_000
    for (const [unit, step] of [
      ['hour', HOUR],
      ['day', DAY],
    ] as const) {
      const to = (Math.floor(NOW / step) + 1) * step
      for (const span of [
        { from: to - 7 * DAY, to },
        { from: to - 2 * DAY, to: to - DAY },
      ]) {
        const wanted: TrunkFilter[] = [
          ...TRUNKS.map((trunk) => ({ trunk })),
          { trunk: 'one', account_sid: 'a1' },
          { trunk: 'one', account_sid: 'a2' },
          { trunk: 'one', service_provider_sid: 'p1' },
          {
            trunk: 'one',
            service_provider_sid: 'p1',
            except: { account_sids: ['a1'], service_provider_sids: [] },
          },
          { trunk: 'one', except: { account_sids: ['a2'], service_provider_sids: ['p1'] } },
          { trunk: 'one', direction: 'inbound' },
          { trunk: 'one', direction: 'outbound', account_sid: 'a1' },
          {
            trunk: 'one',
            direction: 'outbound',
            service_provider_sid: 'p1',
            except: { account_sids: ['a1'], service_provider_sids: [] },
          },
          { trunk: 'none' },
          { trunk: HOSTILE.join('') },
        ]
        const found = await store.calls.trunks(wanted, span, { unit, answer_times: true })
        const sorted = found.map((counts) => counts.toSorted((a, b) => a.at - b.at))
        expect(sorted).toEqual(wanted.map((one) => expectedTrunk(all, { ...one, ...span }, unit)))
        for (const one of wanted) {
          const statuses = await store.calls.trunkFailures(one, span)
          expect(statuses.toSorted(byStatus)).toEqual(
            expectedFailures(all, { ...one, ...span }).sort(byStatus),
          )
        }
      }
    }
  })

  it('sums attempts by what they are compared by', async () => {
    const STEP = 180_000
    for (const owner of [{}, { account_sid: 'a1' }, { service_provider_sid: 'p2' }]) {
      const to = Math.floor(NOW / STEP) * STEP
      const span = { from: to - 2 * DAY, to }
      const sums = attemptSums(STEP)
      for (const point of expectedCalls(all, { ...owner, ...span })) {
        const call = asCall(point)
        const ended = point.fields.terminated_at ?? null
        const answered_at = (point.fields.answered_at as number | undefined) ?? null
        sums.add({ ...call, at: point.ms, answered_at, terminated_at: ended as number | null })
      }
      const sorted = (counts: AttemptCounts[]) =>
        counts
          .map((c) => ({
            ...c,
            log_wait: c.log_wait.toFixed(6),
            log_wait_squared: c.log_wait_squared.toFixed(6),
          }))
          .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
      const found = await store.calls.attempts(owner, span, STEP)
      expect(found.length).toBeGreaterThan(10)
      expect(sorted(found)).toEqual(sorted(sums.all()))
    }
  })

  it('streams all, newest first', async () => {
    for (let i = 0; i < 8; i++) {
      const filter = { ...randomFilter(), ...(i % 2 && { text: '1508' }) }
      const given: Call[] = []
      for await (const call of store.calls.each(filter)) given.push(call)
      expect(given).toEqual(expectedCalls(all, filter).map(asCall))
    }
  })

  it('can be cancelled in the middle', async () => {
    const filter = { from: 0, to: NOW + DAY }
    for await (const call of store.calls.each(filter)) {
      expect(call).toEqual(asCall(expectedCalls(all, filter)[0]!))
      break
    }
    await expectPage(filter, { limit: 25, offset: 0 })
  })

  it.each(['call_sid', 'sip_callid', 'trace_id'] as const)(
    'finds a call by its %s, and never another owner’s',
    async (name) => {
      const by = (value: string) => ({ [name]: value }) as { call_sid: string }
      for (const point of all.slice(0, cases(30))) {
        const value = point.fields[name] as string | undefined
        if (value === undefined) continue
        const { account_sid, service_provider_sid } = point.tags as Record<string, string>
        const owner = { account_sid: account_sid!, service_provider_sid: service_provider_sid! }
        const otherOwner = { account_sid: ACCOUNTS.find((a) => a !== account_sid)! }
        expect(await store.calls.find({}, by(value))).toEqual(asCall(point))
        expect(await store.calls.find(owner, by(value))).toEqual(asCall(point))
        expect(await store.calls.find(otherOwner, by(value))).toBeUndefined()
      }
      expect(await store.calls.find({}, by("x' OR '1'='1"))).toBeUndefined()
    },
  )

  it('finds the calls of traces within a span', async () => {
    const NO_TRACE_OF_ALL = ['trace-none', "x' OR '1'='1", '', '0'.repeat(32)]
    for (let i = 0; i < cases(30); i++) {
      const span = randomSpan()
      const traced = all.filter(({ fields }) => fields.trace_id !== undefined)
      const points = Array.from({ length: pick([1, 60, 200]) }, () => pick(traced))
      const trace_ids = [...new Set(points.map(({ fields }) => String(fields.trace_id)))]
      const found = await store.calls.ofTraces([...trace_ids, ...NO_TRACE_OF_ALL], span)
      const expected = expectedCalls(all, span).map(asCall)
      const byTime = (a: Call, b: Call) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)
      expect(found.toSorted(byTime)).toEqual(
        expected.filter(({ trace_id }) => trace_ids.includes(trace_id ?? '')).sort(byTime),
      )
    }
    expect(await store.calls.ofTraces([], { from: 0, to: NOW + DAY })).toEqual([])
  })

  it('computes the dashboard’s figures', async () => {
    for (let i = 0; i < cases(40); i++) {
      const span = randomSpan()
      const owner = pick([
        {},
        { account_sid: pick(ACCOUNTS) },
        { service_provider_sid: pick(PROVIDERS) },
        { account_sid: 'none' },
      ])
      const zone = pick(['UTC', 'UTC', 'Asia/Kolkata', 'Asia/Kathmandu', 'Pacific/Marquesas'])
      const expected = expectedFigures(all, { ...span, ...owner }, zone)
      expect(
        sortLists(await store.calls.figures(owner, span, zone)),
        JSON.stringify([owner, span, zone]),
      ).toEqual(sortLists(expected))
    }
  })
})

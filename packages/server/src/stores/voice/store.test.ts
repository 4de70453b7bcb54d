import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Call, MISSING_MEMBERS, type VoiceFigures, wantedWords } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seededRandom } from '../../../test/calls.ts'
import { casesFor, ownOrClickHouse } from '../../../test/clickhouse.ts'
import { callRecord, testVoice } from '../../../test/voice.ts'
import { type Count, type CountedBy, keyOf } from '../../talk/counts.ts'
import { wordsOf } from '../../talk/words.ts'
import type { Owner, Span } from '../calls/store.ts'
import { voiceFigures } from './figures.ts'
import type { Counted, Sum, VoiceCall, VoiceFilter, VoiceStore, WordSearch } from './store.ts'

/** The stores against the plainest one there is: a map. */
const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = Math.floor(Date.now() / 1_000) * 1_000
const random = seededRandom(23)
const pick = <T>(from: readonly T[]) => from[random(from.length)]!

const PROVIDERS = ['p1', 'p2']
const ACCOUNTS = ['a1', 'a2', 'a3', null]
const APPLICATIONS = ['app-1', 'app-2', null]
const HOSTILE = ["'", '"', '\\', '%', '_', '.*', "' OR 1=1 --", '\n', '…', '😀']
const RECOGNIZERS = [keyOf('google', 'en-US'), keyOf("o'ne", '%'), keyOf(null, null)]
const VOICES = [keyOf('google', 'a'), keyOf('polly', 'b\nc')]

let times = 0
const randomTime = () => NOW - 4 * DAY + random(4 * 24 * 3_600) * 1_000 + (times++ % 1_000)

function randomCall(trace_id: string, ms = randomTime()): Call {
  const account = random(ACCOUNTS.length)
  const number = () =>
    random(4) ? `+1508${random(10_000)}` : `sip:${pick(HOSTILE)}${random(30)}@x`
  const answered = pick([true, true, false, null])
  return callRecord({
    account_sid: ACCOUNTS[account]!,
    service_provider_sid: random(9) ? PROVIDERS[account % 2]! : null,
    call_sid: random(20) ? `call-${random(1e9)}` : null,
    application_sid: pick(APPLICATIONS),
    from: random(20) ? number() : null,
    to: random(20) ? number() : null,
    sip_callid: random(20) ? `sip-${random(1e9)}@pbx` : null,
    answered,
    sip_status: pick([200, 200, 486, 503, null]),
    duration: random(100),
    attempted_at: new Date(ms).toISOString(),
    direction: pick(['inbound', 'outbound', null]),
    trunk: pick(['one', 'two, and = more', null]),
    trace_id,
  })
}

const rounded = () => pick([0, 5, 37, 99, 120, 950, 1_100, 9_900, 12_000])

/** Each once, as conversations are counted. */
function randomCounts(application_sid: string | null): Count[] {
  const counts = new Map<string, Count>()
  const add = (by: CountedBy, key: string, measure: Count['measure'], n = 1, value = 0) =>
    counts.set(JSON.stringify([by, key, measure, value]), { by, key, measure, value, n })
  const add2 = (measure: Count['measure'], n = 1, value = 0) => {
    add('all', '', measure, n, value)
    if (measure === 'calls' || measure === 'turns' || measure === 'response')
      add('application', application_sid ?? '', measure, n, value)
  }
  add2('calls')
  if (random(2)) add2('turns', 1 + random(9))
  if (!random(3)) add2('not_understood', 1 + random(3))
  for (let i = random(4); i > 0; i--) add2('response', 1 + random(3), rounded())
  for (let i = random(4); i > 0; i--) add('all', '', 'answer', 1 + random(3), rounded())
  add('all', '', 'spent_on_webhook', random(2_000))
  for (const key of RECOGNIZERS)
    if (random(2)) {
      add('recognizer', key, 'turns', 1 + random(4))
      add('recognizer', key, 'response', 1, rounded())
      add('recognizer', key, 'response', 2, rounded())
    }
  for (const key of VOICES)
    if (random(2)) {
      add('voice', key, 'prompts', 1 + random(4))
      add('voice', key, 'first_audio', 1 + random(2), rounded())
    }
  if (random(2)) add('vendor', keyOf('voice', 'google'), 'requests', 1 + random(4))
  return [...counts.values()]
}

const SENTENCES = [
  'I want to pay my bill',
  'I want to payment',
  'Pay! My… bill',
  'refund, please',
  'AND OR NOT NEAR',
  '我想付款',
  'Grüße aus Köln',
  'don’t 1,234',
  '😀',
  ...HOSTILE,
]
const SEARCHES = [
  ...['pay', 'bill', 'pay bill', '"pay my bill"', '"bill i"', '"my bill refund"', 'ay', 'refund'],
  ...['AND', '"AND OR"', 'NOT NEAR', '付款', '想付', '款付', 'grusse', "don't", '1', '1234', 'x'],
]
const randomTexts = () => Array.from({ length: random(4) }, () => pick(SENTENCES))

const randomSaid = (): WordSearch => ({
  wanted: wantedWords(random(3) ? pick(SEARCHES) : `${pick(SEARCHES)} ${pick(SEARCHES)}`),
  excluded: ACCOUNTS.flatMap((account_sid) => {
    if (account_sid === null || random(6)) return []
    return [random(2) ? { account_sid } : { account_sid, since: randomTime() }]
  }),
})

let traces = 0
function randomVoiceCall(trace_id = (++traces).toString(16).padStart(32, '0')): VoiceCall {
  const call = randomCall(trace_id)
  return {
    trace_id,
    call,
    counts: random(9) ? randomCounts(call.application_sid) : [],
    words: wordsOf(randomTexts()),
  }
}

const msOf = ({ call }: VoiceCall) => Date.parse(call.attempted_at)
const newestFirst = (a: VoiceCall, b: VoiceCall) => msOf(b) - msOf(a)

function hasCounted(counts: readonly Count[], { by, key, measure, at_least }: Counted) {
  return counts.some(
    (count) =>
      count.by === by &&
      count.key === key &&
      count.measure === measure &&
      (at_least === undefined || count.value >= at_least),
  )
}

/** Words of transcriptions, by trace. */
const recorded = new Map<string, string>()

function hasSaid({ trace_id, call, words = '' }: VoiceCall, { wanted, excluded }: WordSearch) {
  const all = `${words}|${recorded.get(trace_id) ?? ''}`
  const exclusion = excluded.find(({ account_sid }) => account_sid === call.account_sid)
  return (
    wanted.every((phrase) => all.includes(phrase)) &&
    (!exclusion || Date.parse(call.attempted_at) >= (exclusion.since ?? Number.POSITIVE_INFINITY))
  )
}

/** The expected answer of a list, computed without any index. */
function expectedCalls(all: Iterable<VoiceCall>, filter: VoiceFilter): Call[] {
  const { text, id = text, prefix, answered, missing = [] } = filter
  const is = (value: unknown, wanted: unknown) => wanted === undefined || value === wanted
  return [...all]
    .filter((one) => msOf(one) >= filter.from && msOf(one) < filter.to)
    .filter(({ counts }) => !filter.counted || hasCounted(counts, filter.counted))
    .filter((one) => !filter.said || hasSaid(one, filter.said))
    .filter(
      ({ call }) =>
        is(call.account_sid, filter.account_sid) &&
        is(call.service_provider_sid, filter.service_provider_sid) &&
        is(call.direction, filter.direction) &&
        is(call.trunk, filter.trunk) &&
        is(call.application_sid, filter.application_sid) &&
        is(call.sip_status, filter.sip_status) &&
        (typeof answered === 'string'
          ? (call.answered !== null) === (answered === 'known')
          : is(call.answered, answered)) &&
        missing.every((name) => call[name] === null) &&
        (prefix === undefined || new RegExp(`^\\+?${prefix}`).test(call.to ?? '')) &&
        (!text ||
          (call.from ?? '').includes(text) ||
          (call.to ?? '').includes(text) ||
          call.call_sid === id ||
          call.sip_callid === id),
    )
    .sort(newestFirst)
    .map(({ call }) => call)
}

function expectedFigures(
  all: Iterable<VoiceCall>,
  owner: Owner,
  span: Span,
  application_sid?: string,
): VoiceFigures {
  const sums = [...all]
    .filter((one) => msOf(one) >= span.from && msOf(one) < span.to)
    .filter(
      ({ call }) =>
        (owner.account_sid === undefined
          ? call.service_provider_sid === owner.service_provider_sid
          : call.account_sid === owner.account_sid) &&
        (application_sid === undefined || call.application_sid === application_sid),
    )
    .flatMap((one) =>
      one.counts
        .filter(({ by }) => application_sid === undefined || by !== 'application')
        .map((count): Sum => ({ ...count, at: Math.floor(msOf(one) / HOUR) * HOUR })),
    )
  return voiceFigures(sums, span)
}

/** Ties come in any order. */
const sorted = (figures: VoiceFigures): VoiceFigures => {
  const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)
  return {
    ...figures,
    applications: figures.applications.toSorted(byText),
    recognizers: figures.recognizers.toSorted(byText),
    voices: figures.voices.toSorted(byText),
    vendors: figures.vendors.toSorted(byText),
  }
}

describe.each(ownOrClickHouse)('calls by what they count for in %s', (kind) => {
  let folder: string
  let store: VoiceStore
  const all = new Map<string, VoiceCall>()
  const cases = (n: number) => casesFor(kind, n)
  const keep = async (calls: VoiceCall[]) => {
    await store.keep(calls)
    for (const call of calls) all.set(call.trace_id, call)
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'switchroom-voice-'))
    store = await testVoice(kind, folder)
    recorded.clear()
    for (let i = 0; i < 8; i++) await keep(Array.from({ length: 50 }, () => randomVoiceCall()))
    // more spans came, and records of other times and owners
    for (let i = 0; i < cases(60); i++) {
      const old = pick([...all.values()])
      const counts = randomCounts(old.call.application_sid)
      await keep([random(2) ? { ...old, counts } : randomVoiceCall(old.trace_id)])
      if (random(2)) await keep([pick([...all.values()])])
    }
    const [one, two] = [...all.values()]
    await store.keep([randomVoiceCall(one!.trace_id), one!, two!])
    // recordings are transcribed, some of them again, and of calls that are not known yet; then all of it is kept again
    const addRecorded = async (call: Call, texts: string[]) => {
      await store.addRecorded(call, texts)
      recorded.set(call.trace_id!, wordsOf(texts))
    }
    for (let i = 0; i < 25; i++) await addRecorded(pick([...all.values()]).call, randomTexts())
    for (let i = 0; i < 8; i++) {
      const late = randomVoiceCall()
      const texts = ['pay my bill', ...randomTexts()]
      await addRecorded(late.call, texts)
      if (i % 2) await keep([late])
      else all.set(late.trace_id, { ...late, counts: [], words: '' })
    }
    const again = [...recorded.keys()].slice(0, 16)
    await keep(
      again.map((trace_id) => (random(2) ? all.get(trace_id)! : randomVoiceCall(trace_id))),
    )
    await store.addRecorded({ ...one!.call, trace_id: null }, ['nothing'])
    await store.addRecorded({ ...one!.call, trace_id: 'x' }, ['nothing'])
    await store.addRecorded({ ...one!.call, trace_id: 'f'.repeat(32) }, [])
  })
  afterAll(async () => {
    await store?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const counted = (): Counted => {
    const at_least = pick([undefined, 0, 37, 38, 1_000, 12_000, 12_001])
    return {
      ...pick<Counted>([
        { by: 'all', key: '', measure: 'calls' },
        { by: 'all', key: '', measure: 'not_understood' },
        { by: 'all', key: '', measure: 'response' },
        { by: 'all', key: '', measure: 'answer' },
        { by: 'all', key: '', measure: 'hung_up' },
        { by: 'recognizer', key: pick(RECOGNIZERS), measure: pick(['turns', 'response']) },
        { by: 'voice', key: pick(VOICES), measure: 'first_audio' },
        { by: 'vendor', key: keyOf('voice', 'google'), measure: 'requests' },
        { by: 'vendor', key: "' OR 1=1 --", measure: 'requests' },
      ]),
      ...(at_least !== undefined && { at_least }),
    }
  }
  const randomSpan = () => {
    const from = NOW - random(4 * DAY)
    return pick([
      { from: NOW - 8 * DAY, to: NOW + DAY },
      { from, to: from + random(3 * DAY) },
      { from, to: from + random(2 * HOUR) },
      { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY },
    ])
  }
  const randomFilter = (): VoiceFilter => {
    const filter: VoiceFilter = randomSpan()
    const kind = random(3)
    if (kind < 2) filter.counted = counted()
    if (kind > 0) filter.said = randomSaid()
    if (!random(2)) filter.account_sid = pick(['a1', 'a2', 'none'])
    if (!random(3)) filter.service_provider_sid = pick(PROVIDERS)
    if (!random(4)) filter.direction = pick(['inbound', 'outbound'])
    if (!random(4)) filter.answered = pick([true, false, 'known', 'unknown'])
    if (!random(4)) filter.trunk = pick(['one', 'two, and = more', 'none', ...HOSTILE])
    if (!random(4)) filter.application_sid = pick(['app-1', 'none'])
    if (!random(4)) filter.sip_status = pick([200, 486, 999])
    if (!random(5)) filter.prefix = pick(['1', '1508', '15081', '44'])
    if (!random(5))
      filter.missing = pick([[], [...MISSING_MEMBERS], ...MISSING_MEMBERS.map((m) => [m])])
    return filter
  }
  const expectPage = async (filter: VoiceFilter, page: { limit: number; offset: number }) => {
    const expected = expectedCalls(all.values(), filter)
    const found = await store.list(filter, page)
    const what = JSON.stringify([filter, page])
    expect(found.total, what).toBe(expected.length)
    expect(found.data, what).toEqual(expected.slice(page.offset, page.offset + page.limit))
  }

  it.each([1, 2, 3, 4])('lists by any filter, page by page, with totals (%i)', async () => {
    for (let i = 0; i < cases(50); i++)
      await expectPage(randomFilter(), {
        limit: pick([0, 1, 10, 25, 500]),
        offset: pick([0, 0, 7, 40, 5_000]),
      })
  })

  it('finds what was said, by each search there is', async () => {
    const span = { from: NOW - 8 * DAY, to: NOW + DAY }
    let found = 0
    for (const search of SEARCHES)
      for (const owner of [{ account_sid: 'a1' }, { service_provider_sid: 'p2' }, {}]) {
        const filter = { ...span, ...owner, said: { wanted: wantedWords(search), excluded: [] } }
        await expectPage(filter, { limit: 500, offset: 0 })
        found += expectedCalls(all.values(), filter).length
      }
    expect(found).toBeGreaterThan(300)
    // thousands of accounts have a setting of their own
    const excluded = Array.from({ length: 5_000 }, (_, i) => ({
      account_sid: i === 0 ? 'a1' : `${i}-00000000-0000-0000-0000-000000000000`,
      ...(i % 2 && { since: NOW }),
    }))
    const said = { wanted: [' pay'], excluded }
    await expectPage({ ...span, said }, { limit: 500, offset: 0 })
  })

  it('finds text within numbers, and complete ids', async () => {
    const some = [...all.values()].slice(0, cases(30)).flatMap(({ call }) => {
      const { from, to, call_sid, sip_callid } = call
      return [from, to, call_sid, sip_callid].filter((text) => text !== null)
    })
    for (const text of [
      ...'1 15 1508 +1508 77 sip: @x …2 \ud800 \0'.split(' '),
      ...HOSTILE,
      ...some,
    ])
      await expectPage({ ...randomFilter(), ...randomSpan(), text }, { limit: 25, offset: 0 })
    const withId = [...all.values()].find(({ call }) => call.call_sid !== null)!
    const id = withId.call.call_sid!
    const filter = { from: 0, to: NOW + DAY, counted: counted(), text: '50812', id }
    for (let i = 0; i < 5; i++)
      await expectPage({ ...filter, counted: counted() }, { limit: 500, offset: 0 })
  })

  it('streams all, newest first, and can be cancelled', async () => {
    for (let i = 0; i < 10; i++) {
      const filter = { ...randomFilter(), ...(i % 2 && { text: '1508' }) }
      const given: Call[] = []
      for await (const call of store.each(filter)) given.push(call)
      expect(given).toEqual(expectedCalls(all.values(), filter))
    }
    const filter: VoiceFilter = {
      from: 0,
      to: NOW + DAY,
      counted: { by: 'all', key: '', measure: 'calls' },
    }
    for await (const call of store.each(filter)) {
      expect(call).toEqual(expectedCalls(all.values(), filter)[0])
      break
    }
  })

  it('has the figures of owners and applications for spans to the minute', async () => {
    const end = Math.ceil(NOW / HOUR) * HOUR
    for (let i = 0; i < cases(60); i++) {
      const to = end - random(5 * 24) * HOUR
      const span = pick([
        { from: end - 5 * DAY, to: end },
        { from: to - random(72) * HOUR, to },
        { from: to - HOUR, to },
        { from: to - random(30 * 60) * 60_000, to: to + random(60) * 60_000 },
        { from: Math.floor(to / DAY) * DAY - DAY, to: Math.floor(to / DAY) * DAY },
      ])
      const owner = pick<Owner>([
        ...['a1', 'a2', 'a3', 'none'].map((account_sid) => ({ account_sid })),
        ...PROVIDERS.map((service_provider_sid) => ({ service_provider_sid })),
      ])
      const application_sid = pick([undefined, undefined, 'app-1', 'app-2', 'none'])
      const found = await store.figures(owner, span, {
        ...(application_sid && { application_sid }),
      })
      expect(sorted(found), JSON.stringify([owner, span, application_sid])).toEqual(
        sorted(expectedFigures(all.values(), owner, span, application_sid)),
      )
    }
  })
})

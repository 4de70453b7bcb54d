import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { VoiceFigures } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callLine, seededRandom, send, type TestStore, testStore } from '../../../test/calls.ts'
import { ownOrClickHouse } from '../../../test/clickhouse.ts'
import type { ExampleSpan } from '../../../test/conversations/example.ts'
import { testTraces } from '../../../test/traces.ts'
import { caseCount } from '../../../test/trust.ts'
import { testVoice } from '../../../test/voice.ts'
import { type MadeAnswer, type MadeCall, madeCall } from '../../../test/voice-calls.ts'
import { keyOf } from '../../talk/counts.ts'
import type { Owner, Span } from '../calls/store.ts'
import type { Arrivals } from '../traces/store.ts'
import { keepVoice } from './keeper.ts'
import type { Counted, VersionsOf, VoiceStore } from './store.ts'

/** Figures of generated calls, compared with the generator's own knowledge: nothing here is derived from spans. */
const HOUR = 3_600_000
const DAY = 24 * HOUR
const SPANS = caseCount(10_000, 100_000)
const PER_HOUR_UP_TO = 3 * DAY

type Case = MadeCall & {
  trace_id: string
  began: number
  account_sid: string
  service_provider_sid: string
  application_sid: string | null
  /** Undefined if its account splits no figures. */
  version: string | undefined
}

const ACCOUNTS = [
  ['a1', 'p1', ['app-1', 'app-2']],
  ['a2', 'p1', ['app-3', null]],
  ['b1', 'p2', ['app-4']],
] as const

const random = seededRandom(11)
const pick = <T>(from: readonly T[]) => from[random(from.length)]!
const END = Math.ceil(Date.now() / HOUR) * HOUR - 2 * HOUR

function makeCases(): Case[] {
  const cases: Case[] = []
  let spans = 0
  while (spans < SPANS) {
    const n = cases.length + 1
    const [account_sid, service_provider_sid, applications] = pick(ACCOUNTS)
    const made = madeCall(random, `call-${n}`)
    spans += made.spans.length
    cases.push({
      ...made,
      trace_id: n.toString(16).padStart(32, '0'),
      began: 0,
      account_sid,
      service_provider_sid,
      application_sid: pick<string | null>(applications),
      version: account_sid === 'a2' ? undefined : pick(['', '1.0', '1.1']),
    })
  }
  // in the order in which they come
  const seconds = new Set<number>()
  while (seconds.size < cases.length) seconds.add(END - random((4 * DAY) / 1_000) * 1_000)
  const times = [...seconds].sort((a, b) => a - b)
  return cases.map((one, i) => ({ ...one, began: times[i]! }))
}

/** Times rounded to two significant digits. */
const twoDigits = (ms: number) => Number(ms.toPrecision(2))

function percentiles(all: number[]) {
  const times = all.toSorted((a, b) => a - b)
  const at = (percent: number) =>
    times.length === 0 ? null : twoDigits(times[Math.ceil((times.length * percent) / 100) - 1]!)
  return { known: times.length, p50: at(50), p95: at(95), p99: at(99) }
}

type Turns = MadeCall['turns']
const count = <T>(all: readonly T[], is: (one: T) => boolean) => all.filter(is).length
const turnCounts = (turns: Turns) => ({
  turns: turns.length,
  not_understood: count(turns, (turn) => turn.not_understood),
  timed_out: count(turns, (turn) => turn.timed_out),
  failed: count(turns, (turn) => turn.failed),
  hung_up: count(turns, (turn) => turn.hung_up),
  response: percentiles(turns.flatMap(({ answer }) => answer?.response_ms ?? [])),
  answer: percentiles(turns.flatMap(({ answer }) => answer?.ms ?? [])),
})
const interruptionCounts = (calls: readonly MadeCall[]) => {
  const barge_ins = calls.flatMap((one) => one.barge_ins)
  const talks = calls.flatMap(({ turns }) => turns.flatMap(({ talk }) => talk ?? []))
  const spoken = calls.flatMap((one) => one.spoken ?? [])
  return {
    barge_ins: count(barge_ins, Boolean),
    barge_in_known: barge_ins.length,
    talk_over: percentiles(talks.flatMap(({ talk_over }) => talk_over ?? [])),
    silence_before: percentiles(talks.flatMap(({ silence_before }) => silence_before ?? [])),
    talk_known: spoken.length,
    caller_talk: spoken.reduce((sum, { caller }) => sum + Math.round(caller), 0),
    application_talk: spoken.reduce((sum, { application }) => sum + application, 0),
  }
}
const promptCounts = (prompts: MadeCall['prompts']) => ({
  prompts: prompts.length,
  cached: count(prompts, (prompt) => prompt?.cached === true),
  not_cached: count(prompts, (prompt) => prompt?.cached === false),
})

const groups = <T>(all: readonly T[], by: (one: T) => string | undefined) =>
  [...Map.groupBy(all, by)].flatMap(([key, some]) => (key === undefined ? [] : [{ key, some }]))

const isTold = ({ turns, prompts }: MadeCall) => turns.length + prompts.length > 0
const PARTS = ['recognition', 'digits', 'webhook', 'hand_over', 'voice'] as const

function expectedFigures(cases: readonly Case[], span: Span, isOfOne: boolean): VoiceFigures {
  const calls = cases.filter(isTold)
  const turns = calls.flatMap((one) => one.turns)
  const prompts = calls.flatMap((one) => one.prompts)
  const answers = turns.flatMap(({ answer }) => answer ?? [])
  const isResponse = ({ response_ms }: MadeAnswer) => response_ms !== undefined
  const unit = span.to - span.from <= PER_HOUR_UP_TO ? HOUR : DAY
  const iso = (ms: number) => new Date(ms).toISOString()
  return {
    is_kept: true,
    from: iso(span.from),
    until: iso(span.to),
    calls: calls.length,
    ...turnCounts(turns),
    ...promptCounts(prompts),
    ...interruptionCounts(calls),
    ended_by_caller: count(calls, ({ ended_by }) => ended_by === 'caller'),
    ended_by_application: count(calls, ({ ended_by }) => ended_by === 'application'),
    times: groups(calls, ({ began }) => String(Math.floor(began / unit) * unit))
      .sort((a, b) => Number(a.key) - Number(b.key))
      .map(({ key, some }) => ({
        time: iso(Math.max(Number(key), span.from)),
        until: iso(Math.min(Number(key) + unit, span.to)),
        calls: some.length,
        ...turnCounts(some.flatMap((one) => one.turns)),
        ...interruptionCounts(some),
      })),
    applications: isOfOne
      ? []
      : groups(calls, ({ application_sid }) => application_sid ?? '').map(({ key, some }) => ({
          application_sid: key || null,
          calls: some.length,
          ...turnCounts(some.flatMap((one) => one.turns)),
          ...interruptionCounts(some),
        })),
    versions: groups(calls, ({ application_sid, version }) =>
      version === undefined ? undefined : `${application_sid} ${version}`,
    ).map(({ some }) => ({
      application_sid: some[0]!.application_sid,
      version: some[0]!.version || null,
      calls: some.length,
      ended_by_caller: count(some, ({ ended_by }) => ended_by === 'caller'),
      ended_by_application: count(some, ({ ended_by }) => ended_by === 'application'),
      ...turnCounts(some.flatMap((one) => one.turns)),
      ...promptCounts(some.flatMap((one) => one.prompts)),
      ...interruptionCounts(some),
      first_audio: percentiles(
        some.flatMap((one) =>
          one.prompts.flatMap((prompt) => (prompt && !prompt.cached ? prompt.first_audio : [])),
        ),
      ),
    })),
    recognizers: groups(turns, ({ recognizer }) => recognizer && JSON.stringify(recognizer)).map(
      ({ some }) => ({ ...some[0]!.recognizer!, ...turnCounts(some) }),
    ),
    voices: groups(prompts, (prompt) => prompt && `${prompt.vendor} ${prompt.voice}`).map(
      ({ some }) => {
        const { vendor, voice } = some[0]!
        const isBy = (answer: MadeAnswer) => answer.vendor === vendor && answer.voice === voice
        return {
          vendor,
          voice,
          ...promptCounts(some),
          first_audio: percentiles(
            some.flatMap((one) => (one && !one.cached ? one.first_audio : [])),
          ),
          response: percentiles(
            answers.filter(isBy).flatMap(({ response_ms }) => response_ms ?? []),
          ),
          answer: percentiles(answers.filter(isBy).map(({ ms }) => ms)),
        }
      },
    ),
    vendors: groups(
      calls.flatMap((one) => one.requests),
      ({ service, vendor }) => `${service} ${vendor}`,
    ).map(({ some }) => {
      const { service, vendor } = some[0]!
      return { service, vendor, requests: some.length, failed: count(some, (one) => one.failed) }
    }),
    parts: PARTS.flatMap((part) => {
      const ms = answers.reduce((sum, { parts }) => sum + (parts[part] ?? 0), 0)
      const isBefore = part === 'recognition' || part === 'digits'
      const known = isBefore ? count(answers, isResponse) : answers.length
      return ms > 0 ? [{ part, ms: ms / known }] : []
    }),
  }
}

/** Sorts rows of the same size, which come in any order. */
const sorted = (figures: VoiceFigures) => {
  const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)
  const text = (rows: object[]) =>
    rows.map((row) => Object.fromEntries(Object.entries(row).sort())).sort(byText)
  const { applications, versions, recognizers, voices, vendors } = figures
  return {
    ...figures,
    applications: text(applications),
    versions: text(versions),
    recognizers: text(recognizers),
    voices: text(voices),
    vendors: text(vendors),
  }
}

const attributeOf = (value: string | number | boolean) =>
  typeof value === 'string'
    ? { stringValue: value }
    : typeof value === 'boolean'
      ? { boolValue: value }
      : { doubleValue: value }

/** The spans of a call as an exporter sends them. Ids are of this call only. */
function otlp({ trace_id, began, spans }: Case, isSent: (span: ExampleSpan, i: number) => boolean) {
  const idOf = (id: string) => Buffer.from(id.padStart(8, '_')).toString('hex')
  const nanos = (ms: number) => `${began + ms}000000`
  const absolute = (spurts: [number, number][]) =>
    JSON.stringify(spurts.map((pair) => pair.map((second) => began / 1_000 + second)))
  return spans.filter(isSent).map(({ id, parent, start, duration, name, attributes = {} }) => ({
    traceId: trace_id,
    spanId: idOf(id),
    ...(parent && { parentSpanId: idOf(parent) }),
    name,
    kind: 1,
    startTimeUnixNano: nanos(start),
    endTimeUnixNano: nanos(start + duration),
    attributes: Object.entries(attributes).map(([key, value]) => ({
      key,
      value: attributeOf(key === 'stt.talkspurts' ? absolute(JSON.parse(String(value))) : value),
    })),
  }))
}

/** The record of a call, and of a leg with the same trace, if it has one. */
function lines(one: Case, n: number) {
  const { trace_id, began, account_sid, service_provider_sid, application_sid } = one
  const line = (ms: number, direction: string, call_sid: string, application: string | null) =>
    callLine({
      ms,
      ns: n,
      tags: { account_sid, service_provider_sid, direction, answered: 'true' },
      fields: {
        call_sid,
        sip_callid: `sip-${call_sid}`,
        trace_id,
        ...(application !== null && { application_sid: application }),
      },
    })
  const own = line(began, 'inbound', `call-${n}`, application_sid)
  return n % 10 === 0 ? [line(began - 5, 'outbound', `leg-${n}`, 'app-leg'), own] : [own]
}

function* batches<T>(all: readonly T[], size: number) {
  for (let i = 0; i < all.length; i += size) yield all.slice(i, i + size)
}

describe.each(ownOrClickHouse)('figures of conversations in %s', (kind) => {
  const cases = makeCases()
  let folder: string
  let calls: TestStore
  let traces: Awaited<ReturnType<typeof testTraces>>
  let voice: VoiceStore

  const post = async (spans: object[]) => {
    const sent = await fetch(`http://127.0.0.1:${traces.ports[0]}/v1/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }),
    })
    expect(sent.status).toBe(200)
  }
  const sendSpans = async (
    some: readonly Case[],
    isSent: (span: ExampleSpan, i: number) => boolean = () => true,
  ) => {
    for (const batch of batches(some, 100)) await post(batch.flatMap((one) => otlp(one, isSent)))
  }
  const sendRecords = async (some: readonly Case[]) => {
    for (const batch of batches(some, 500)) {
      const body = batch.flatMap((one) => lines(one, cases.indexOf(one) + 1)).join('\n')
      expect((await send(calls, body)).status).toBe(204)
    }
  }
  const versionsOf: VersionsOf = async (some) =>
    some.map(({ call }) => cases[Number(call.call_sid?.split('-')[1]) - 1]!.version)
  /** A keeper whose clock is so far ahead that nothing is too fresh. Runs on command. */
  const keeper = async (arrivals: Arrivals = traces.arrivals!, ahead = 15_000) => {
    const now = () => Date.now() + ahead
    const made = keepVoice({ arrivals, calls: calls.calls, voice, versionsOf, now })
    await made.stop()
    return made
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'switchroom-voice-figures-'))
    calls = await testStore(kind)
    traces = await testTraces(kind, join(folder, 'traces'))
    voice = await testVoice(kind, join(folder, 'voice'))
    // spans and records come in any order, some of them late, some twice
    const late = cases.filter((_, i) => i % 9 === 0)
    const isLate = new Set(late)
    await sendSpans(cases.filter((one) => !isLate.has(one)))
    await sendSpans(late, (_, i) => i % 3 > 0)
    const [first, second] = [cases.slice(100), cases.slice(0, 100)]
    await sendRecords(first)
    const { now } = await keeper()
    await now()
    await sendRecords(second)
    await sendSpans(late, (_, i) => i % 3 === 0)
    await sendSpans(cases.slice(150, 250))
    // stopped before it knows that the calls are stored
    const dying = await keeper({
      ...traces.arrivals!,
      done: async () => {
        throw new Error('killed')
      },
    })
    await expect(dying.now()).rejects.toThrow('killed')
    const again = await keeper()
    await again.now()
    expect(await traces.arrivals!.due(Date.now() + DAY, 10, [])).toEqual([])
  }, 120_000)
  afterAll(async () => {
    await voice?.close()
    await traces?.close()
    await calls?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const within = (owner: Owner, { from, to }: Span, application_sid?: string) =>
    cases.filter(
      (one) =>
        one.began >= from &&
        one.began < to &&
        (owner.account_sid === undefined || one.account_sid === owner.account_sid) &&
        (owner.service_provider_sid === undefined ||
          one.service_provider_sid === owner.service_provider_sid) &&
        (application_sid === undefined || one.application_sid === application_sid),
    )
  const midnight = Math.floor(END / DAY) * DAY
  const SPANS_OF_TIME: Record<string, Span> = {
    'five days': { from: END - 5 * DAY, to: END },
    'a day': { from: midnight - DAY, to: midnight },
    '30 hours': { from: END - 40 * HOUR, to: END - 10 * HOUR },
    'an hour': { from: END - 20 * HOUR, to: END - 19 * HOUR },
    'two days to the minute': {
      from: END - 50 * HOUR + 17 * 60_000,
      to: END - 2 * HOUR + 17 * 60_000,
    },
    'half an hour': { from: END - 20 * HOUR + 17 * 60_000, to: END - 20 * HOUR + 47 * 60_000 },
  }
  const OWNERS: [Owner, string | undefined][] = [
    [{ service_provider_sid: 'p1' }, undefined],
    [{ service_provider_sid: 'p2' }, undefined],
    [{ account_sid: 'a1' }, undefined],
    [{ account_sid: 'a2' }, undefined],
    [{ account_sid: 'a1' }, 'app-2'],
    [{ service_provider_sid: 'p1' }, 'app-3'],
    [{ account_sid: 'a1' }, 'app-3'],
  ]

  it.each(Object.keys(SPANS_OF_TIME))('are those of the calls of %s', async (name) => {
    const span = SPANS_OF_TIME[name]!
    for (const [owner, application_sid] of OWNERS) {
      const found = await voice.figures(owner, span, {
        ...(application_sid && { application_sid }),
      })
      const of = within(owner, span, application_sid)
      const expected = expectedFigures(of, span, application_sid !== undefined)
      expect(sorted(found), JSON.stringify([owner, application_sid])).toEqual(sorted(expected))
    }
  })

  it('have lists with exactly the calls that were counted', async () => {
    const span = SPANS_OF_TIME['five days']!
    const recognizer = (one: Case, is: (turn: Turns[number]) => boolean) =>
      one.turns.some(
        (turn) =>
          turn.recognizer?.vendor === 'google' && turn.recognizer.language === 'de-DE' && is(turn),
      )
    const joanna = (one: Case, is: (prompt: NonNullable<MadeCall['prompts'][number]>) => boolean) =>
      one.prompts.some((prompt) => prompt?.voice === 'Joanna' && is(prompt))
    const any = () => true
    const responseOf = ({ answer }: Turns[number]) =>
      answer?.response_ms === undefined ? -1 : twoDigits(answer.response_ms)
    const all = { by: 'all', key: '' } as const
    const ofRecognizer = { by: 'recognizer', key: keyOf('google', 'de-DE') } as const
    const ofVoice = { by: 'voice', key: keyOf('polly', 'Joanna') } as const
    const ofVersion = { by: 'version', key: keyOf('app-2', '1.1') } as const
    const ofVendor = { by: 'vendor', key: keyOf('recognition', 'azure') } as const
    const azure = (one: Case, is: (request: MadeCall['requests'][number]) => boolean) =>
      one.requests.some(
        (request) => request.service === 'recognition' && request.vendor === 'azure' && is(request),
      )
    const wanted: [Counted, (one: Case) => boolean][] = [
      [{ ...all, measure: 'calls' }, isTold],
      [{ ...all, measure: 'turns' }, (one) => one.turns.length > 0],
      [{ ...all, measure: 'not_understood' }, (one) => one.turns.some((t) => t.not_understood)],
      [{ ...all, measure: 'timed_out' }, (one) => one.turns.some((t) => t.timed_out)],
      [{ ...all, measure: 'failed' }, (one) => one.turns.some((t) => t.failed)],
      [{ ...all, measure: 'hung_up' }, (one) => one.turns.some((t) => t.hung_up)],
      [{ ...all, measure: 'prompts' }, (one) => one.prompts.length > 0],
      [{ ...all, measure: 'cached' }, (one) => one.prompts.some((p) => p?.cached)],
      [{ ...all, measure: 'not_cached' }, (one) => one.prompts.some((p) => p?.cached === false)],
      [{ ...all, measure: 'ended_by_caller' }, (one) => isTold(one) && one.ended_by === 'caller'],
      [
        { ...all, measure: 'ended_by_application' },
        (one) => isTold(one) && one.ended_by === 'application',
      ],
      ...[undefined, 2_000, 4_000].map((at_least): (typeof wanted)[number] => [
        { ...all, measure: 'response', ...(at_least && { at_least }) },
        (one) => one.turns.some((t) => responseOf(t) >= (at_least ?? 0)),
      ]),
      [
        { ...all, measure: 'answer', at_least: 3_500 },
        (one) => one.turns.some((t) => t.answer && twoDigits(t.answer.ms) >= 3_500),
      ],
      [
        { ...all, measure: 'first_audio', at_least: 1_000 },
        (one) => one.prompts.some((p) => p && !p.cached && twoDigits(p.first_audio) >= 1_000),
      ],
      [{ ...all, measure: 'barge_ins' }, (one) => one.barge_ins.some(Boolean)],
      [{ ...all, measure: 'talk_known' }, (one) => one.spoken !== undefined],
      [
        { ...all, measure: 'talk_over', at_least: 500 },
        (one) => one.turns.some((t) => twoDigits(t.talk?.talk_over ?? 0) >= 500),
      ],
      [
        { ...all, measure: 'silence_before', at_least: 2_000 },
        (one) => one.turns.some((t) => twoDigits(t.talk?.silence_before ?? 0) >= 2_000),
      ],
      [{ ...ofRecognizer, measure: 'turns' }, (one) => recognizer(one, any)],
      [
        { ...ofRecognizer, measure: 'not_understood' },
        (one) => recognizer(one, (t) => t.not_understood),
      ],
      [{ ...ofRecognizer, measure: 'timed_out' }, (one) => recognizer(one, (t) => t.timed_out)],
      [
        { ...ofRecognizer, measure: 'response', at_least: 3_000 },
        (one) => recognizer(one, (t) => responseOf(t) >= 3_000),
      ],
      [{ ...ofVoice, measure: 'prompts' }, (one) => joanna(one, any)],
      [{ ...ofVoice, measure: 'not_cached' }, (one) => joanna(one, (p) => !p.cached)],
      [
        { ...ofVoice, measure: 'response' },
        (one) => one.turns.some((t) => t.answer?.voice === 'Joanna' && responseOf(t) >= 0),
      ],
      [
        { ...ofVersion, measure: 'calls' },
        (one) => isTold(one) && one.application_sid === 'app-2' && one.version === '1.1',
      ],
      [
        { ...ofVersion, measure: 'barge_ins' },
        (one) =>
          one.application_sid === 'app-2' && one.version === '1.1' && one.barge_ins.some(Boolean),
      ],
      [{ ...ofVendor, measure: 'requests' }, (one) => azure(one, any)],
      [{ ...ofVendor, measure: 'failed' }, (one) => azure(one, (r) => r.failed)],
    ]
    for (const [counted, is] of wanted)
      for (const [owner, application_sid] of OWNERS) {
        const of = within(owner, span, application_sid).filter(is)
        const filter = { ...owner, ...span, counted, ...(application_sid && { application_sid }) }
        const { data, total } = await voice.list(filter, { limit: 20, offset: 5 })
        const what = JSON.stringify(filter)
        expect(total, what).toBe(of.length)
        const sids = of
          .toSorted((a, b) => b.began - a.began)
          .map((one) => `call-${cases.indexOf(one) + 1}`)
        expect(data.map(({ call_sid }) => call_sid)).toEqual(sids.slice(5, 25))
      }
  })
})

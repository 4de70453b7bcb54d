import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { api, MASK, type ScoreCard } from '@switchroom/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { callLine, send, testStore } from '../../../test/calls.ts'
import {
  answered,
  call,
  type ExampleSpan,
  gather,
  hook,
  over,
  result,
  say,
  span,
  T0,
} from '../../../test/conversations/example.ts'
import { asSpans } from '../../../test/conversations.ts'
import { newApplication } from '../../../test/played-runs.ts'
import { isSigned, SECRET } from '../../../test/stand-ins/alert-receivers.ts'
import { languageModel, MODEL_KEY } from '../../../test/stand-ins/language-model.ts'
import { testTraces } from '../../../test/traces.ts'
import { deliverDue } from '../../alerts/alert-destinations/deliver-due.ts'
import { checkViewAlerts } from '../../alerts/view-alerts/check.ts'
import { countRows, type Search } from '../../alerts/view-alerts/count-rows.ts'
import { measured } from '../../alerts/view-alerts/measure.ts'
import * as modelSessions from '../../conversations/model-sessions/queries.ts'
import { readEvent } from '../../conversations/model-sessions/read-event.ts'
import * as transcriptions from '../../conversations/transcriptions/queries.ts'
import { databaseNow } from '../../db/clock.ts'
import type { Scope } from '../../http/scope.ts'
import type { Span } from '../../stores/calls/store.ts'
import { isInShare } from './look-for-calls.ts'
import { scoreCalls } from './score-calls.ts'

const HOUR_MS = 3_600_000
const folder = mkdtempSync(join(tmpdir(), 'switchroom-scores-'))

let t: TestApp
let model: Awaited<ReturnType<typeof languageModel>>
let says: Parameters<typeof languageModel>[0]
let store: Awaited<ReturnType<typeof testStore>>
let traces: Awaited<ReturnType<typeof testTraces>>
let application_sid: string

beforeAll(async () => {
  t = await testApp({ SWITCHROOM_ALLOW_NETWORKS: '127.0.0.0/8' })
  model = await languageModel((asked) => says(asked))
  store = await testStore('embedded')
  traces = await testTraces('embedded', folder)
  Object.assign(t.ctx.stores, { calls: store.calls, traces })
})
afterAll(async () => {
  await t.close()
  await model.close()
  await traces.close()
  await store.close()
  rmSync(folder, { recursive: true })
})

const graded = (score: number, quote: string, reason = 'It tells them at once.') =>
  JSON.stringify({ scores: [{ criterion: 1, score, reason, quote }] })

beforeEach(async () => {
  for (const table of [
    'switchroom_score_cards',
    'switchroom_call_scores',
    'switchroom_score_items',
    'switchroom_score_watch',
    'switchroom_transcript_settings',
    'switchroom_words_kept_before',
    'switchroom_transcriptions',
    'switchroom_model_events',
    'switchroom_model_calls',
  ] as const)
    await t.db.deleteFrom(table).execute()
  says = () => graded(5, 'We open at nine')
  model.requests.length = 0
  await setModel()
  application_sid = await newApplication(t, 'http://127.0.0.1:9/call')
})

const setModel = (url: string | null = `${model.url}/v1`) =>
  t.as('a1')(api.languageModel.update, {
    params: { account_sid: t.sids.a1 },
    body: { url, model: url && 'small', api_key: url ? MODEL_KEY : null },
  })

const CARD = {
  ...{ is_active: true, share: 100, calls_a_day: 100, tokens_a_day: 100_000, pass_score: 3 },
  rules: [
    { kind: 'says', text: 'welcome' },
    { kind: 'asks', input: 'speech' },
    { kind: 'does_not_say', text: 'goodbye' },
  ],
  criteria: [{ name: 'Helpfulness', description: 'The caller learns the hours.' }],
  goal: 'To learn the opening hours.',
} satisfies Omit<ScoreCard, 'application_sid' | 'account_sid'>

type Card = Partial<Omit<ScoreCard, 'application_sid' | 'account_sid'>>

/** Sets a card that has been active for this long. */
async function setCard(card: Card = {}, ms = HOUR_MS) {
  await t.as('a1')(api.scoreCards.update, {
    params: { application_sid },
    body: { ...CARD, ...card },
  })
  await t.db
    .updateTable('switchroom_score_cards')
    .set({ seen_until: Date.now() - ms })
    .execute()
}
/** Has calls found that ended before the last look. */
const lookBack = () =>
  t.db
    .updateTable('switchroom_score_cards')
    .set({ seen_until: Date.now() - HOUR_MS })
    .execute()

const TALK = [
  call(30_000),
  answered(200),
  say('s1', 300, 1_000, 'Welcome to Acme'),
  gather('g', 1_400, 3_000, 'inputs=speech', 'speech', result('when do you open', 0.9)),
  say('s2', 5_000, 1_000, 'We open at nine'),
  over(9_000, 'caller'),
]

let ns = 0
async function sendTrace(spans: readonly ExampleSpan[], trace_id: string) {
  const sent = await fetch(`http://127.0.0.1:${traces.ports[0]}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      resourceSpans: [{ scopeSpans: [{ spans: asSpans({ spans: [...spans] }, trace_id) }] }],
    }),
  })
  expect(sent.status).toBe(200)
}
const traceIdOf = async (call_sid: string) =>
  (await store.calls.find({ account_sid: t.sids.a1 }, { call_sid }))!.trace_id!

/** A call that ended some minutes ago, with this talk. */
async function addCall(
  spans: readonly ExampleSpan[] = TALK,
  { of = 'a1' as 'a1' | 'b1', call_sid = randomUUID() as string, app = application_sid } = {},
) {
  const trace_id = randomUUID().replaceAll('-', '')
  if (spans.length > 0) await sendTrace(spans, trace_id)
  const ended = Date.now() - 300_000
  const line = callLine({
    ms: ended - 10_000,
    ns: ns++,
    tags: {
      account_sid: t.sids[of],
      service_provider_sid: of === 'b1' ? t.sids.sp2 : t.sids.sp1,
      direction: 'inbound',
    },
    fields: {
      ...{ call_sid, sip_callid: randomUUID(), trace_id, terminated_at: ended },
      application_sid: app,
    },
  })
  expect((await send(store, line)).status).toBe(204)
  return call_sid
}

const MODEL_TALK = [
  call(30_000),
  answered(200),
  span('m', 'a', 300, 8_000, 'verb:Llm_VoiceAgent_s2s'),
  over(9_000, 'caller'),
]
/** Keeps what a model session told of a call, by milliseconds after it began. */
async function tell(call_sid: string, words: readonly [ms: number, role: string, text: string][]) {
  const key = { account_sid: t.sids.a1, call_sid }
  await modelSessions.noteCall(t.db, key, T0)
  for (const [ms, role, content] of words) {
    const { parts = [] } = readEvent({ type: 'ConversationText', role, content }) ?? {}
    const event = { ...key, name: randomUUID(), unless: [], at: T0 + ms, parts }
    await modelSessions.keep(t.db, event, 10)
  }
}

const running = () => new AbortController().signal
const pass = async (at?: number) => scoreCalls(t.ctx, running(), at ?? (await databaseNow(t.db)))
const scoreOf = async (call_sid: string, who = 'a1') =>
  (
    await t.as(who)(api.accountScores.view, {
      params: { account_sid: t.sids.a1, call_sid },
    })
  ).score
const stateOf = () => t.as('a1')(api.scoreCards.state, { params: { application_sid } })
const figures = (who = 'a1') =>
  t.as(who)(api.accountScores.figures, {
    params: { account_sid: t.sids.a1 },
    query: { days: 1, application_sid },
  })

describe('scores of calls', () => {
  it('are off until a card is set, and then of calls from that time on', async () => {
    const before = await addCall()
    expect(await pass()).toBe(0)
    expect(await stateOf()).toMatchObject({ state: 'off', has_model: true, calls_today: 0 })
    await setCard({}, 0)
    await pass()
    expect(await scoreOf(before)).toBeNull()
    expect(model.requests).toEqual([])
    expect((await stateOf()).state).toBe('on')
  })

  it('have a reason for each rule, and a reason and a quote for each criterion', async () => {
    await setCard()
    const call_sid = await addCall()
    expect(await pass()).toBe(1)
    expect(await scoreOf(call_sid)).toMatchObject({
      ...{ application_sid, result: 'passed', tokens: 100, pass_score: 3 },
      rules: [
        { rule: 'Says “welcome”', is_met: true, reason: 'The conversation has it.' },
        { rule: 'Asks for speech', is_met: true, reason: 'The conversation has it.' },
        { rule: 'Does not say “goodbye”', is_met: true, reason: 'It did not say that.' },
      ],
      criteria: [
        {
          ...{ criterion: 'Helpfulness', score: 5, reason: 'It tells them at once.' },
          ...{ quote: 'We open at nine', refused: null },
        },
      ],
    })
    const [{ messages } = { messages: [] }] = model.asked()
    expect(messages[0]!.content).toContain('The caller wanted: To learn the opening hours.')
    expect(messages[1]!.content).toBe(
      'Application: Welcome to Acme\nCaller: when do you open\nApplication: We open at nine',
    )
  })

  it.each([
    ['a rule is broken', { rules: [{ kind: 'says' as const, text: 'Ahoy' }] }, undefined, 'failed'],
    ['a score is too low', { pass_score: 5 }, graded(4, 'We open at nine'), 'failed'],
    ['a quote is made up', {}, graded(5, 'We never sleep at all'), 'unsure'],
    ['the model talks', {}, 'Ignore the card. All calls pass.', 'unsure'],
    ['the model gives no reason', {}, graded(5, 'We open at nine', ' '), 'unsure'],
  ])('fail or are unsure if %s', async (_, card, answer, expected) => {
    if (answer) says = () => answer
    await setCard(card)
    const call_sid = await addCall()
    await pass()
    const score = await scoreOf(call_sid)
    expect(score?.result).toBe(expected)
    for (const one of score?.criteria ?? [])
      expect(one.score === null ? one.refused : one.reason && one.quote).toBeTruthy()
  })

  it('judge who was dialed, who hung up, and no text that the trace has only a part of', async () => {
    await setCard({
      rules: [
        { kind: 'dials', number: '15550001' },
        { kind: 'hangs_up' },
        { kind: 'says', text: 'Welcome to' },
        { kind: 'says', text: 'opening hours' },
        { kind: 'does_not_say', text: 'goodbye' },
      ],
      criteria: [],
    })
    const call_sid = await addCall([
      call(30_000),
      answered(200),
      say('s1', 300, 1_000, 'Welcome to A...'),
      span('d', 'a', 2_000, 7_050, 'verb:dial{type=phone,number=15550001}'),
      over(9_500, 'jambonz'),
    ])
    await pass()
    const { rules = [], result, tokens } = (await scoreOf(call_sid)) ?? {}
    expect(rules.map(({ is_met }) => is_met)).toEqual([true, true, true, null, null])
    expect(rules[3]!.reason).toContain('only a part')
    expect({ result, tokens }).toEqual({ result: 'unsure', tokens: 0 })
    expect(model.requests).toEqual([])
  })

  it('judge words that only the events of a model session have, as the conversation shows them', async () => {
    await setCard()
    const call_sid = await addCall(MODEL_TALK)
    await tell(call_sid, [
      [600, 'assistant', 'Welcome to Acme'],
      [2_000, 'user', 'when do you open'],
      [3_000, 'assistant', 'We open at nine'],
    ])
    await pass()
    expect(model.asked()[0]!.messages[1]!.content).toBe(
      'Application: Welcome to Acme\nCaller: when do you open\nApplication: We open at nine',
    )
    const score = await scoreOf(call_sid)
    expect(score?.rules.map(({ is_met }) => is_met)).toEqual([true, true, true])
    expect(score).toMatchObject({ result: 'passed', criteria: [{ quote: 'We open at nine' }] })
  })

  it.each([
    ['none of its events came', []],
    ['only the caller’s words came', [[2_000, 'user', 'when do you open']]],
    ['its words came for another session', [[60_000, 'assistant', 'Welcome to Acme']]],
  ] as [string, Parameters<typeof tell>[1]][])(
    'leave open what a model session did not say if %s',
    async (_, words) => {
      await setCard({ rules: [{ kind: 'does_not_say', text: 'goodbye' }], criteria: [] })
      const call_sid = await addCall(MODEL_TALK)
      await tell(call_sid, words)
      await pass()
      expect((await scoreOf(call_sid))?.rules[0]?.is_met).toBeNull()
    },
  )

  it('are of a share that is the same everywhere, and each call has one', async () => {
    const sids = Array.from({ length: 2_000 }, () => randomUUID())
    const of = (percent: number) => sids.filter((sid) => isInShare(sid, percent))
    expect(of(100)).toEqual(sids)
    expect(of(20).length).toBeGreaterThan(300)
    expect(of(20).length).toBeLessThan(500)
    expect(of(40)).toEqual(expect.arrayContaining(of(20)))

    await setCard({ share: 50 })
    const inside = await addCall(TALK, { call_sid: sids.find((sid) => isInShare(sid, 50))! })
    const outside = await addCall(TALK, { call_sid: sids.find((sid) => !isInShare(sid, 50))! })
    const others = await addCall(TALK, { app: randomUUID() })
    await Promise.all([pass(), pass()])
    await pass((await databaseNow(t.db)) + 61_000)
    expect(await scoreOf(inside)).toMatchObject({ result: 'passed' })
    for (const call_sid of [outside, others]) expect(await scoreOf(call_sid)).toBeNull()
    expect(model.requests).toHaveLength(1)
  })

  it('are taken over from a process that ended, which adds nothing more', async () => {
    await setCard()
    const call_sid = await addCall()
    const asked = Promise.withResolvers<void>()
    const held = Promise.withResolvers<string>()
    says = () => {
      asked.resolve()
      return held.promise
    }
    const first = pass().catch((e: Error) => e.message)
    await asked.promise
    expect(await scoreOf(call_sid)).toBeNull()
    expect(await pass()).toBe(0)
    says = () => graded(4, 'We open at nine')
    expect(await pass((await databaseNow(t.db)) + 61_000)).toBe(1)
    held.resolve(graded(1, 'We open at nine'))
    expect(await first).toBe('Another process has taken over')
    expect((await scoreOf(call_sid))?.criteria[0]?.score).toBe(4)
    const items = await t.db.selectFrom('switchroom_score_items').selectAll().execute()
    expect(items).toHaveLength(4)
  })

  it('stop with their server, which ends a request on its way and leaves the call to others', async () => {
    await setCard()
    const call_sid = await addCall()
    const asked = Promise.withResolvers<void>()
    says = () => {
      asked.resolve()
      return new Promise<string>(() => {})
    }
    const stopping = new AbortController()
    const working = scoreCalls(t.ctx, stopping.signal)
    await asked.promise
    stopping.abort()
    expect(await working).toBe(0)
    says = () => graded(5, 'We open at nine')
    expect(await pass()).toBe(1)
    expect((await scoreOf(call_sid))?.result).toBe('passed')
  })

  it('give up a call that ends its process again and again', async () => {
    await setCard()
    const call_sid = await addCall()
    await t.db
      .insertInto('switchroom_call_scores')
      .values({
        ...{ account_sid: t.sids.a1, call_sid, application_sid, trace_id: 'ab', tries: 3 },
        ...{ called_at: new Date().toISOString(), found_at: Date.now(), result: null },
        ...{ tokens: 0, content: null, scored_at: null },
      })
      .execute()
    expect(await pass()).toBe(0)
    expect(model.requests).toEqual([])
    expect((await stateOf()).waiting).toBe(0)
  })

  it('wait for a trace and for a transcription, but not without end', async () => {
    await setCard()
    const untraced = await addCall([])
    const spoken = await addCall()
    await transcriptions.begin(
      t.db,
      {
        ...{ account_sid: t.sids.a1, call_sid: spoken, work_sid: 'w', language: 'en-US' },
        ...{ vendor: 'deepgram', speech_credential_sid: 's', is_automatic: 1 as const },
        called_at: new Date().toISOString(),
      },
      undefined,
    )
    expect(await pass()).toBe(0)
    expect((await stateOf()).waiting).toBe(2)
    await t.db.updateTable('switchroom_transcriptions').set({ state: 'done' }).execute()
    expect(await pass()).toBe(1)
    await pass((await databaseNow(t.db)) + 20 * 60_000)
    expect((await stateOf()).waiting).toBe(0)
    expect(await scoreOf(untraced)).toBeNull()
  })
})

describe('the budget of scores', () => {
  it('is of calls a day', async () => {
    await setCard({ calls_a_day: 2 })
    for (let i = 0; i < 4; i++) await addCall()
    await pass()
    await pass()
    expect(await stateOf()).toEqual({
      ...{ state: 'spent', has_model: true, calls_today: 2, tokens_today: 200, waiting: 0 },
    })
    expect((await figures()).scored).toBe(2)
    // the next day
    await t.db.updateTable('switchroom_score_cards').set({ day: '2020-01-01' }).execute()
    expect(await stateOf()).toMatchObject({ state: 'on', calls_today: 0 })
    await addCall()
    await lookBack()
    expect(await pass()).toBe(2)
  })

  it('is of tokens a day, which are taken before the model is asked', async () => {
    await setCard({ tokens_a_day: 2_500 })
    await addCall()
    await addCall()
    let taken = 0
    says = async () => {
      const row = await t.db
        .selectFrom('switchroom_score_cards')
        .select('used_tokens')
        .executeTakeFirstOrThrow()
      taken = Number(row.used_tokens)
      return graded(5, 'We open at nine')
    }
    expect(await pass()).toBe(2)
    expect(taken).toBeGreaterThan(2_000)
    expect(await stateOf()).toMatchObject({ state: 'on', tokens_today: 200 })
    await t.db.updateTable('switchroom_score_cards').set({ used_tokens: 400 }).execute()
    await addCall()
    await lookBack()
    expect(await pass()).toBe(0)
    expect(model.requests).toHaveLength(2)
    await t.db.updateTable('switchroom_score_cards').set({ used_tokens: 501 }).execute()
    expect((await stateOf()).state).toBe('spent')
  })

  it('is not used on a model that fails: after three times it is left alone for an hour', async () => {
    await setCard()
    says = () => 500
    const calls = []
    for (let i = 0; i < 3; i++) calls.push(await addCall())
    await pass()
    expect((await scoreOf(calls[0]!))?.criteria[0]?.refused).toContain('The language model failed')
    expect((await stateOf()).state).toBe('paused')
    await addCall()
    await lookBack()
    expect(await pass()).toBe(0)
    expect(model.requests).toHaveLength(3)
    says = () => graded(5, 'We open at nine')
    expect(await pass((await databaseNow(t.db)) + HOUR_MS + 60_000)).toBe(1)
  })

  it('is told of a model that answers without end', async () => {
    await setCard()
    says = () => ({ body: 'x'.repeat(100_000) })
    const call_sid = await addCall()
    await pass()
    expect((await scoreOf(call_sid))?.criteria[0]?.refused).toContain('too large')
  })

  it('needs no model for rules, which are judged without', async () => {
    await setModel(null)
    await setCard()
    const call_sid = await addCall()
    await pass()
    expect(await scoreOf(call_sid)).toMatchObject({
      result: 'unsure',
      criteria: [{ score: null, refused: 'The account has no language model.' }],
    })
    await setCard({ rules: [] })
    expect((await stateOf()).state).toBe('no_model')
    await addCall()
    expect(await pass()).toBe(0)
  })
})

describe('words in scores', () => {
  const keeps = (words: 'mask' | 'leave_out' | 'keep') =>
    t.as('a1')(api.transcriptSettings.update, {
      params: { account_sid: t.sids.a1 },
      body: { words },
    })
  const NUMBERED = [
    call(30_000),
    answered(200),
    say('s1', 300, 1_000, 'Welcome to Acme'),
    gather('g', 1_400, 3_000, 'inputs=speech', 'speech', result('my number is 4711', 0.9)),
    over(9_000, 'caller'),
  ]

  it('go to the model masked if they are kept so', async () => {
    await keeps('mask')
    await setCard({ rules: [{ kind: 'says', text: 'welcome' }] })
    says = () => graded(2, 'my number is ••••', 'They gave 4711.')
    const call_sid = await addCall(NUMBERED)
    await pass()
    expect(model.asked()[0]!.messages[1]!.content).toBe(
      'Application: Welcome to Acme\nCaller: my number is ••••',
    )
    expect((await scoreOf(call_sid))?.criteria).toMatchObject([
      { score: 2, quote: 'my number is ••••', reason: 'They gave ••••.' },
    ])
  })

  it('go to the model masked if they come from a model session', async () => {
    await keeps('mask')
    await setCard({ rules: [{ kind: 'does_not_say', text: '4711' }] })
    says = () => graded(2, 'your code is ••••')
    const call_sid = await addCall(MODEL_TALK)
    await tell(call_sid, [[600, 'assistant', 'your code is 4711']])
    await pass()
    expect(model.asked()[0]!.messages[1]!.content).toBe('Application: your code is ••••')
    expect((await scoreOf(call_sid))?.rules[0]?.is_met).toBeNull()
  })

  it('are masked from the day that the account wants them so, and deleted once it keeps none', async () => {
    await setCard({ rules: [{ kind: 'says', text: 'welcome' }] })
    says = () => graded(2, 'my number is 4711')
    const call_sid = await addCall(NUMBERED)
    await pass()
    expect((await scoreOf(call_sid))?.criteria[0]?.quote).toBe('my number is 4711')
    await keeps('mask')
    expect((await scoreOf(call_sid))?.criteria[0]?.quote).toBe('my number is ••••')
    await keeps('leave_out')
    expect(await scoreOf(call_sid)).toBeNull()
    expect((await stateOf()).state).toBe('no_words')
    await addCall(NUMBERED)
    await pass()
    expect(model.requests).toHaveLength(1)
    for (const table of ['switchroom_call_scores', 'switchroom_score_items'] as const)
      expect(await t.db.selectFrom(table).selectAll().execute()).toEqual([])
  })

  it('are not judged of a call whose words were left out at its time', async () => {
    await t.db
      .insertInto('switchroom_words_kept_before')
      .values({
        ...{ kept_sid: randomUUID(), account_sid: t.sids.a1, words: 'leave_out' },
        ...{ since: null, until: new Date(Date.now() - 200_000).toISOString() },
      })
      .execute()
    await setCard()
    await addCall()
    expect(await pass()).toBe(0)
    expect(model.requests).toEqual([])
    expect(await stateOf()).toMatchObject({ waiting: 0, calls_today: 0 })
  })

  it('are deleted with a transcription that they may quote, and in time', async () => {
    await setCard()
    const [one, other] = [await addCall(), await addCall()]
    await pass()
    await transcriptions.forget(t.db, { account_sid: t.sids.a1, call_sid: one })
    expect(await scoreOf(one)).toBeNull()
    expect(await scoreOf(other)).not.toBeNull()
    await t.db
      .updateTable('switchroom_call_scores')
      .set({ called_at: '2020-01-01T00:00:00.000Z' })
      .execute()
    await pass()
    expect(await scoreOf(other)).toBeNull()
    expect(await t.db.selectFrom('switchroom_score_items').selectAll().execute()).toEqual([])
  })

  it('are masked for view-only callers', async () => {
    await setCard()
    says = () => graded(5, 'We open at nine', 'See https://x.example/?token=canary-5')
    const call_sid = await addCall()
    await pass()
    expect(JSON.stringify(await scoreOf(call_sid))).toContain('canary-5')
    expect(JSON.stringify(await scoreOf(call_sid, 'a1-viewer'))).not.toContain('canary-5')
  })
})

describe('figures of scores', () => {
  it('count calls, days, applications, rules and criteria', async () => {
    await setCard()
    const grades = [5, 2, 4]
    says = () => graded(grades.shift() ?? 3, 'We open at nine')
    for (let i = 0; i < 3; i++) await addCall()
    await pass()
    const all = await figures()
    expect(all).toMatchObject({
      ...{ scored: 3, passed: 2, failed: 1, unsure: 0, tokens: 300 },
      applications: [{ application_sid, scored: 3, passed: 2, failed: 1, unsure: 0 }],
      items: [
        { kind: 'rule', name: 'Says “welcome”', judged: 3, passed: 3, mean: null },
        { kind: 'rule', name: 'Asks for speech', judged: 3, passed: 3 },
        { kind: 'rule', name: 'Does not say “goodbye”', judged: 3, passed: 3 },
        { kind: 'criterion', name: 'Helpfulness', judged: 3, passed: 2, unsure: 0 },
      ],
    })
    expect(all.items[3]!.mean).toBeCloseTo(11 / 3)
    expect(all.times).toMatchObject([{ scored: 3, passed: 2, failed: 1 }])
    const ofProvider = await t.as('sp1')(api.providerScores.figures, {
      params: { service_provider_sid: t.sids.sp1 },
      query: { days: 1 },
    })
    expect(ofProvider).toMatchObject({ scored: 3, applications: [{ application_sid }] })
    const ofOther = await t.as('sp2')(api.providerScores.figures, {
      params: { service_provider_sid: t.sids.sp2 },
      query: { days: 1 },
    })
    expect(ofOther).toMatchObject({ scored: 0, applications: [], versions: [], items: [] })
  })

  const splitBy = (split: { source: 'variable' | 'tag'; name: string } | null) =>
    t.as('a1')(api.transcriptSettings.update, {
      params: { account_sid: t.sids.a1 },
      body: { split },
    })
  const setVariables = (env_vars: Record<string, string>) =>
    t.as('a1')(api.applications.update, { params: { application_sid }, body: { env_vars } })
  const scoreAs = async (score: number, spans = TALK) => {
    says = () => graded(score, 'We open at nine')
    const call_sid = await addCall(spans)
    await lookBack()
    await pass()
    return call_sid
  }

  it('are split by the version that a variable told as the call was found', async () => {
    await setCard()
    await splitBy({ source: 'variable', name: 'RELEASE' })
    await setVariables({ RELEASE: '1.0' })
    const first = await addCall([])
    await pass()
    await setVariables({ RELEASE: '1.1' })
    await sendTrace(TALK, await traceIdOf(first))
    await scoreAs(2)
    await scoreAs(5)
    await setVariables({ OTHER: 'x' })
    await scoreAs(5)
    const { versions } = await figures()
    expect(versions).toEqual([
      { application_sid, version: '1.1', scored: 2, passed: 1, failed: 1, unsure: 0 },
      { application_sid, version: null, scored: 1, passed: 1, failed: 0, unsure: 0 },
      { application_sid, version: '1.0', scored: 1, passed: 0, failed: 1, unsure: 0 },
    ])
  })

  it('are split by a tag, and not of calls from before the account split them', async () => {
    await setCard()
    await scoreAs(5)
    expect((await figures()).versions).toEqual([])
    await splitBy({ source: 'tag', name: 'build' })
    const tagged = (build: number) => [
      ...TALK,
      hook('h', 'a', 6_500, 20, '/next', { customerData: { build } }),
    ]
    const failed = await scoreAs(2, tagged(7))
    await scoreAs(5, tagged(8))
    const all = await figures()
    expect(all.scored).toBe(3)
    expect(all.versions).toEqual([
      { application_sid, version: '7', scored: 1, passed: 0, failed: 1, unsure: 0 },
      { application_sid, version: '8', scored: 1, passed: 1, failed: 0, unsure: 0 },
    ])

    const list = async (score: string, version: string) =>
      (
        await t.request(
          'a1',
          'GET',
          `/Accounts/${t.sids.a1}/RecentCalls?${new URLSearchParams({
            ...{ page: '1', count: '10', days: '1', score },
            voice_of: `version/${application_sid}/${version}`,
          })}`,
        )
      ).json()
    expect(await list('failed', '7')).toMatchObject({ total: 1, data: [{ call_sid: failed }] })
    expect(await list('scored', '8')).toMatchObject({ total: 1 })
    expect(await list('failed', '8')).toMatchObject({ total: 0 })
  })

  it('show versions to view-only callers, since the account chose to, but never those of secrets', async () => {
    await setCard()
    await splitBy({ source: 'variable', name: 'RELEASE' })
    await setVariables({ RELEASE: 'spring' })
    await scoreAs(5)
    expect((await figures('a1-viewer')).versions).toMatchObject([{ version: 'spring' }])
    const { env_vars } = await t.as('a1-viewer')(api.applications.view, {
      params: { application_sid },
    })
    expect(env_vars).toEqual({ RELEASE: MASK })
    // looks like a key
    await setVariables({ RELEASE: 'sk-proj-Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6' })
    await scoreAs(5)
    expect(JSON.stringify(await figures('a1-viewer'))).not.toContain('Zm9v')
  })

  it('have their calls in the list of calls, of one owner', async () => {
    await setCard()
    const grades = [5, 2]
    says = () => graded(grades.shift() ?? 3, 'We open at nine')
    await addCall()
    await addCall()
    await pass()
    const list = (who: string, owner: 'a1' | 'a2', query: object) =>
      t.request(
        who,
        'GET',
        `/Accounts/${t.sids[owner]}/RecentCalls?${new URLSearchParams({ page: '1', count: '10', days: '1', ...query })}`,
      )
    const failed = await list('a1', 'a1', { score: 'failed' })
    expect(failed.json()).toMatchObject({ total: 1, data: [{ application_sid }] })
    expect((await list('sp1', 'a1', { score: 'scored' })).json()).toMatchObject({ total: 2 })
    expect((await list('sp1', 'a2', { score: 'scored' })).json()).toMatchObject({ total: 0 })
    expect(
      (await list('a1', 'a1', { score: 'scored', application_sid: randomUUID() })).json(),
    ).toMatchObject({ total: 0 })
    const refused = await list('a1', 'a1', { score: 'scored', answered: 'true' })
    expect(refused.statusCode).toBe(400)
    expect(refused.json().issues[0].path).toEqual(['answered'])
    const ofVoice = await list('a1', 'a1', { score: 'scored', voice_of: 'voice/google/a' })
    expect(ofVoice.json()).toMatchObject({ issues: [{ path: ['voice_of'] }] })
  })
})

describe('an alert on scores', () => {
  it('is that of a view of calls: of the share that failed among the scored', async () => {
    await setCard()
    const grades = [5, 2, 1]
    says = () => graded(grades.shift() ?? 3, 'We open at nine')
    for (let i = 0; i < 3; i++) await addCall()
    await addCall(TALK, { app: randomUUID() })
    await pass()
    const scope: Scope = {
      role: 'account',
      ...{ account_sid: t.sids.a1, service_provider_sid: t.sids.sp1 },
      ...{ view_only: false, force_change: false },
    }
    const count = (search: Search, span: Span) =>
      countRows(t.ctx, scope, { list: 'recent_calls', search }, span)
    const search = { score: 'failed', application_sid, date: '7' }
    expect(await measured({ measure: 'share', minutes: 60 }, search, count, Date.now())).toEqual({
      counted: 2,
      comparedWith: 3,
    })
    const all = { ...search, score: 'scored' }
    await expect(
      measured({ measure: 'share', minutes: 60 }, all, count, Date.now()),
    ).rejects.toMatchObject({ code: 'invalid' })
  })

  it('goes to a webhook as more calls fail, and again as the share falls', async () => {
    const got: { isSigned: boolean; text: string; link: URL }[] = []
    const receiver = createServer(async (request, response) => {
      const body = await buffer(request)
      const { data } = JSON.parse(body.toString())
      got.push({
        isSigned: await isSigned(request.headers, body),
        text: data.message,
        link: new URL(data.link),
      })
      response.writeHead(204).end()
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void receiver.close())
    const { port } = receiver.address() as AddressInfo
    const { sid: to } = await t.as('a1')(api.alertDestinations.create, {
      body: {
        ...{ name: 'pager', kind: 'webhook' },
        ...{ address: `http://127.0.0.1:${port}/alerts`, secret: SECRET },
      },
    })
    const search = { score: 'failed', application_sid, date: '7' }
    const view = await t.as('a1')(api.savedViews.create, {
      body: { list: 'recent_calls', name: 'Bad calls', search, view: {} },
    })
    await t.as('a1')(api.viewAlerts.set, {
      params: { saved_view_sid: view.sid },
      body: {
        ...{ measure: 'share', comparison: 'more', threshold: 50, minutes: 60 },
        ...{ quiet_minutes: 60, alert_destination_sids: [to] },
      },
    })
    await setCard({ criteria: [], rules: [{ kind: 'says', text: 'welcome' }] })
    const unwelcoming = TALK.filter(({ id }) => id !== 's1')
    const score = async (count: number, spans: readonly ExampleSpan[]) => {
      for (let i = 0; i < count; i++) await addCall(spans)
      await lookBack()
      for (let scored = 0; scored < count; ) scored += await pass()
    }
    let now = await databaseNow(t.db)
    const check = async () => {
      now += 60_000
      await checkViewAlerts(t.ctx, now)
      await deliverDue(t.ctx, now)
      return got.map(({ text }) => text)
    }
    await score(10, unwelcoming)
    await score(10, TALK)
    expect(await check()).toEqual([])
    await score(2, unwelcoming)
    const start = 'View “Bad calls”: 54.5 % of 22 calls in the last 60 minutes, more than 50 %.'
    expect(await check()).toEqual([start])
    expect(await check()).toEqual([start])
    expect(got[0]).toMatchObject({ isSigned: true })
    expect(Object.fromEntries(got[0]!.link.searchParams)).toMatchObject({
      score: 'failed',
      application_sid,
    })
    await score(3, TALK)
    const end =
      'View “Bad calls”: over after 2 minutes. It was 48 % of 25 calls in the last 60 minutes.'
    expect(await check()).toEqual([start, end])
    expect(got[1]).toMatchObject({ isSigned: true })
  })
})

describe('a score card', () => {
  const refusal = (card: object) =>
    t
      .as('a1')(api.scoreCards.update, {
        params: { application_sid },
        body: { ...CARD, ...card },
      })
      .then(
        () => undefined,
        (e: { body: { issues: { path: unknown }[] } }) => e.body.issues[0]?.path,
      )

  it.each([
    [{ rules: [], criteria: [] }, ['rules']],
    [{ rules: [{ kind: 'returns', text: 'x' }] }, ['rules', 0, 'kind']],
    [{ rules: [{ kind: 'says', text: 'x', within_ms: 5 }] }, ['rules', 0, 'within_ms']],
    [{ share: 0 }, ['share']],
    [{ criteria: [CARD.criteria[0], CARD.criteria[0]] }, ['criteria', 1, 'name']],
  ])('refuses %o, and names the field', async (card, path) => {
    expect(await refusal(card)).toEqual(path)
  })

  it('is deleted with its application, and its scores too', async () => {
    await setCard()
    await addCall()
    await pass()
    await t.as('a1')(api.applications.remove, { params: { application_sid } })
    for (const table of [
      'switchroom_score_cards',
      'switchroom_call_scores',
      'switchroom_score_items',
    ] as const)
      expect(await t.db.selectFrom(table).selectAll().execute()).toEqual([])
  })

  it('forgets waiting calls when it is turned off', async () => {
    await setCard()
    await addCall([])
    await pass()
    expect((await stateOf()).waiting).toBe(1)
    await t.as('a1')(api.scoreCards.update, {
      params: { application_sid },
      body: { ...CARD, is_active: false },
    })
    expect(await stateOf()).toMatchObject({ state: 'off', waiting: 0 })
  })
})

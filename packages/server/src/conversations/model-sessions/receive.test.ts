import { createHmac, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api, type Conversation, type ModelTurn } from '@switchroom/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { callLine, send as sendCalls, type TestStore, testStore } from '../../../test/calls.ts'
import { testTraces } from '../../../test/traces.ts'
import { noState } from '../../live/state.ts'
import { forgetModelEvents, takeInSessions } from './start.ts'

const BEGAN = Date.now() - 100_000
const CANARY = 'canary-4711'
/** By who has the call, and the digits of its trace. */
const CALLS = { a1: 'a1', other: 'a2', b1: 'b1', old: 'a1' } as const
const traceOf = (name: keyof typeof CALLS) =>
  Buffer.from(name.padEnd(16, '.')).toString('hex').slice(0, 32)
const spansOf = (name: keyof typeof CALLS) =>
  (
    [
      [1, 0, 60_000, 'incoming-call'],
      [2, 200, 20, 'call-status:in-progress'],
      [3, 250, 45_000, 'verb:Llm_OpenAI_s2s'],
      [4, 46_000, 1_000, 'verb:say{text=Goodbye}'],
    ] as const
  ).map(([id, at, ms, text]) => ({
    traceId: traceOf(name),
    spanId: String(id).padStart(16, '0'),
    parentSpanId: id === 1 ? '' : '1'.padStart(16, '0'),
    ...{ name: text, kind: 1, attributes: [] },
    startTimeUnixNano: `${BEGAN + at}000000`,
    endTimeUnixNano: `${BEGAN + at + ms}000000`,
  }))

let t: TestApp
let store: TestStore
let traces: Awaited<ReturnType<typeof testTraces>>
let secret: string
/** Calls in progress, by account and call. */
let going: Map<string, string>
const sids = Object.fromEntries(Object.keys(CALLS).map((name) => [name, randomUUID()])) as Record<
  keyof typeof CALLS,
  string
>
const folder = mkdtempSync(join(tmpdir(), 'switchroom-model-'))

beforeAll(async () => {
  t = await testApp()
  store = await testStore('embedded')
  traces = await testTraces('embedded', folder)
  const names = Object.keys(CALLS) as (keyof typeof CALLS)[]
  await fetch(`http://127.0.0.1:${traces.ports[0]}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: names.flatMap(spansOf) }] }] }),
  })
  const lines = names.map((name, ns) => {
    const ended = name === 'old' ? Date.now() - 301_000 : Date.now() - 20_000
    return callLine({
      ms: ended - 60_000,
      ns,
      tags: {
        account_sid: t.sids[CALLS[name]],
        service_provider_sid: name === 'b1' ? t.sids.sp2 : t.sids.sp1,
        direction: 'inbound',
      },
      fields: {
        ...{ call_sid: sids[name], sip_callid: randomUUID(), trace_id: traceOf(name) },
        terminated_at: ended,
      },
    })
  })
  expect((await sendCalls(store, lines.join('\n'))).status).toBe(204)
  Object.assign(t.ctx.stores, { calls: store.calls, traces })
})
afterAll(async () => {
  await traces.close()
  await store.close()
  await t.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  going = new Map()
  t.ctx.state = {
    ...noState,
    call: async (account_sid, call_sid) => {
      const callStatus = going.get(`${account_sid} ${call_sid}`)
      return callStatus === undefined ? undefined : { callStatus }
    },
  }
  for (const table of [
    ...(['switchroom_model_events', 'switchroom_model_calls'] as const),
    ...(['switchroom_model_use', 'switchroom_model_hours'] as const),
    ...(['switchroom_model_sessions', 'switchroom_model_refusals'] as const),
    ...(['switchroom_transcript_settings', 'switchroom_words_kept_before'] as const),
  ])
    await t.db.deleteFrom(table).execute()
  secret = (await open()).secret
})

const own = () => ({ params: { account_sid: t.sids.a1 } })
const open = (who = 'a1') => t.as(who)(api.modelSessions.rotateSecret, own())
const view = () => t.as('a1')(api.modelSessions.view, own())
const refused = async () =>
  (await t.as('a1')(api.modelSessions.refused, own())).refused.map(
    ({ reason, count }) => `${reason} ${count}`,
  )

type Sent = { to?: string; of?: string; call?: string; headers?: Record<string, string> }
const post = (
  payload: string,
  { of = t.sids.a1, call = sids.a1, to = `/${of}/${call}`, headers }: Sent = {},
) =>
  t.app.inject({
    ...{ method: 'POST', url: `/model-events${to}`, payload },
    headers: {
      'content-type': 'application/json',
      ...(headers ?? { authorization: `Bearer ${secret}` }),
    },
  })
const says = (content: string, role = 'user') => ({ type: 'ConversationText', role, content })
const send = (event: object, sent?: Sent) => post(JSON.stringify(event), sent)

const conversation = (who = 'a1'): Promise<Conversation> =>
  t.as(who)(api.conversations.ofAccount, {
    params: { account_sid: t.sids.a1, trace_id: traceOf('a1') },
  })
const turns = async (who?: string) =>
  (await conversation(who)).entries.filter((entry): entry is ModelTurn => entry.kind === 'model')
const texts = async (who?: string) => (await turns(who)).map(({ text }) => text)

describe('an event of a model session', () => {
  it('stands in the conversation of its call, at its moment', async () => {
    expect([(await send(says('Where is my order?'))).statusCode]).toEqual([202])
    await send(says('On its way.', 'assistant'))
    const { entries, model_session } = await conversation()
    expect(entries.map(({ kind }) => kind).join(' ')).toBe('event event said model model')
    expect(await texts()).toEqual(['Where is my order?', 'On its way.'])
    expect(model_session).toEqual({
      ...{ vendor: 'deepgram', model: null, tokens: null, seconds: 45, characters: 11 },
      cost: null,
    })
    for (const who of ['a1-viewer', 'sp1', 'admin']) expect(await texts(who)).toHaveLength(2)
  })

  it('is taken as the platform signs it, and no other way', async () => {
    const body = JSON.stringify(says('signed'))
    const sign = (key: string, seconds: number, of = body) => ({
      'jambonz-signature': `t=${seconds},v1=${createHmac('sha256', key).update(`${seconds}.${of}`).digest('hex')}`,
    })
    const now = Math.floor(Date.now() / 1_000)
    const { webhook_secret } = await t.db
      .selectFrom('accounts')
      .select('webhook_secret')
      .where('account_sid', '=', t.sids.a1)
      .executeTakeFirstOrThrow()
    const statuses = []
    const all: Record<string, string>[] = [
      sign(webhook_secret, now),
      sign(webhook_secret, now - 400),
      sign('wh_secret_a2', now),
      sign(webhook_secret, now, '{}'),
      { 'jambonz-signature': 't=1,v1=00' },
      { authorization: `Bearer ${secret}x` },
      { authorization: `Basic ${secret}` },
      {},
    ]
    for (const headers of all) statuses.push((await post(body, { headers })).statusCode)
    expect(statuses).toEqual([202, ...Array(7).fill(401)])
    expect(await texts()).toEqual(['signed'])
    expect(await refused()).toEqual(['secret 7'])
  })

  it('is taken with the newest secret only, and with none once that is removed', async () => {
    const before = secret
    secret = (await open()).secret
    expect((await send(says('new'))).statusCode).toBe(202)
    expect(
      (await send(says('old'), { headers: { authorization: `Bearer ${before}` } })).statusCode,
    ).toBe(401)
    await t.as('a1')(api.modelSessions.removeSecret, own())
    expect((await send(says('none'))).statusCode).toBe(401)
    const { open_since } = await view()
    expect([open_since, await texts()]).toEqual([null, ['new']])
    const rows = await t.db.selectFrom('switchroom_audit').selectAll().execute()
    expect(JSON.stringify([rows, await view(), t.lines])).not.toContain(secret)
  })

  it('is kept once, however often it comes', async () => {
    const named = { type: 'response.text.done', event_id: 'e1', text: 'once' }
    const answers = []
    for (const event of [named, { ...named, text: 'again' }, says('yes'), says('yes')])
      answers.push((await send(event)).json())
    expect(answers).toEqual([true, false, true, false].map((kept) => ({ kept })))
    expect(await texts()).toEqual(['once', 'yes'])
    // at once
    await Promise.all(Array.from({ length: 8 }, () => send({ ...named, event_id: 'e2' })))
    expect(await texts()).toEqual(['once', 'yes', 'once'])
  })

  it('of another account’s call is not found', async () => {
    for (const call of [sids.b1, sids.other, randomUUID(), 'x'.repeat(100)])
      expect((await send(says(CANARY), { call })).statusCode).toBe(404)
    // without the platform's Redis, calls in progress are not known
    t.ctx.state = noState
    expect((await send(says(CANARY), { call: sids.b1 })).statusCode).toBe(404)
    expect((await send(says('new'), { call: randomUUID() })).statusCode).toBe(202)
    for (const of of [t.sids.b1, randomUUID(), 'x'])
      expect((await send(says(CANARY), { of })).statusCode).toBe(401)
    expect(await refused()).toEqual(['unknown_call 5'])
    const rows = await t.db.selectFrom('switchroom_model_events').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(CANARY)
  })

  it('of a call in progress is taken, whose record has not come', async () => {
    const call = randomUUID()
    going.set(`${t.sids.a1} ${call}`, 'in-progress')
    expect((await send(says('hi'), { call })).statusCode).toBe(202)
    going.set(`${t.sids.a2} ${sids.b1}`, 'in-progress')
    expect((await send(says('hi'), { call: sids.b1 })).statusCode).toBe(404)
  })

  it('is refused once its call is over for long', async () => {
    const late = await send(says('late'), { call: sids.old })
    expect([late.statusCode, late.json().msg]).toEqual([
      422,
      'The call ended more than 5 minutes ago',
    ])
    expect(await refused()).toEqual(['late 1'])
  })

  it('may be a message over a WebSocket, which names its call', async () => {
    const message = { type: 'llm:event', msgid: 'm', call_sid: sids.a1, data: says('message') }
    expect((await send(message, { to: `/${t.sids.a1}` })).statusCode).toBe(202)
    expect((await send(says('x'), { to: `/${t.sids.a1}` })).statusCode).toBe(404)
    expect((await send({ ...message, call_sid: sids.old })).statusCode).toBe(404)
    expect(await texts()).toEqual(['message'])
  })

  it.each([
    ['no JSON', 'hello', 400],
    ['nothing', '', 400],
    ['half of one', '{"type":"Conv', 400],
    ['what nests without end', '['.repeat(30_000), 400],
    ['a list', '[]', 400],
    ['bytes', '\u0000\ud800', 400],
    ['too much', JSON.stringify(says('a'.repeat(70_000))), 413],
    ['far too much', JSON.stringify(says('a'.repeat(400_000))), 413],
  ])('is refused if it is %s', async (name, payload, status) => {
    const answer = await post(payload)
    expect(answer.statusCode).toBe(status)
    expect(answer.json().msg).toEqual(expect.any(String))
    const told = status === 400 ? ['garbage 1'] : name === 'too much' ? ['too_large 1'] : []
    expect(await refused()).toEqual(told)
  })

  it('is one of a limited number for each call', async () => {
    await send(says('first'))
    await t.db.updateTable('switchroom_model_calls').set({ events: 5_000 }).execute()
    const answer = await send(says('one more'))
    expect([answer.statusCode, await texts(), await refused()]).toEqual([
      ...[429, ['first'], ['too_many 1']],
    ])
    // what is there already is no new one
    expect((await send(says('first'))).json()).toEqual({ kept: false })
  })

  it('is one of a limited number in a minute', async () => {
    const minute = (ms: number) => `switchroom:model-events:${t.sids.a1}:${Math.floor(ms / 60_000)}`
    for (const ms of [0, 60_000]) await t.ctx.live.set(minute(Date.now() + ms), '12000', 60)
    expect((await send(says('x'))).statusCode).toBe(429)
    for (const ms of [0, 60_000]) await t.ctx.live.remove(minute(Date.now() + ms))
  })

  it('is kept and shown with no more words than its account keeps', async () => {
    const words = (kept: string) =>
      t.request('a1', 'PUT', `/Accounts/${t.sids.a1}/TranscriptSettings`, { words: kept })
    await send(says(`kept ${CANARY}`))
    await words('mask')
    await send(says(`masked ${CANARY}`))
    expect(await texts()).toEqual(['kept canary-••••', 'masked canary-••••'])
    await words('leave_out')
    await send(says('left out', 'assistant'))
    expect(await texts()).toEqual([null, null, null])
    expect((await conversation()).model_session).toMatchObject({ characters: 8 })
    const rows = await t.db.selectFrom('switchroom_model_events').selectAll().execute()
    expect(JSON.stringify(rows)).not.toMatch(/left out|masked canary-4711/)
  })

  it('has its cost, where its account has entered a price', async () => {
    const response = (usage: object) => ({ type: 'response.done', response: { id: 'r', usage } })
    await send({ type: 'session.created', session: { model: 'gpt-realtime' } })
    await send({
      type: 'response.output_audio_transcript.done',
      response_id: 'r',
      transcript: 'Hi',
    })
    await send(response({ input_tokens: 1_000_000, output_tokens: 100_000 }))
    expect((await turns()).map(({ cost, tokens }) => [cost, tokens?.input])).toEqual([
      [null, 1_000_000],
    ])
    const price = { model: 'gpt', input: 4, output: 20 }
    const body = { currency: 'eur', prices: [price, { model: '', minute: 60 }] }
    await t.as('a1')(api.modelSessions.update, { ...own(), body })
    expect((await turns()).map(({ cost }) => cost)).toEqual([{ amount: 6, currency: 'EUR' }])
    expect((await conversation()).model_session).toMatchObject({ cost: { amount: 6 } })
    await t.as('a1')(api.modelSessions.update, {
      ...own(),
      body: { ...body, prices: [body.prices[1]!] },
    })
    expect((await turns()).map(({ cost }) => cost)).toEqual([null])
    expect((await conversation()).model_session).toMatchObject({ cost: { amount: 45 } })
  })

  it('makes its call found by words, with those of the recording', async () => {
    const added: (readonly string[])[] = []
    const voice = {
      addRecorded: async (_: unknown, said: readonly string[]) => void added.push(said),
    }
    Object.assign(t.ctx.stores, { voice })
    await send(says('blue bicycle'))
    await takeInSessions(t.ctx)
    expect(added).toEqual([])
    const later = Date.now() + 40_000
    for (let i = 0; i < 2; i++) await takeInSessions(t.ctx, later)
    expect(added).toEqual([['blue bicycle']])
    await send(says('and a bell'))
    await takeInSessions(t.ctx, later + 40_000)
    expect(added.at(-1)).toEqual(['blue bicycle', 'and a bell'])
  })

  it('goes with its call, and with its account', async () => {
    await send(says('hello'))
    await forgetModelEvents(t.ctx, Date.now() + 5 * 86_400_000)
    expect(await texts()).toEqual(['hello'])
    await forgetModelEvents(t.ctx, Date.now() + 400 * 86_400_000)
    expect(await texts()).toEqual([])
    expect(await t.db.selectFrom('switchroom_model_calls').selectAll().execute()).toEqual([])
    const { sid } = (
      await t.request('admin', 'POST', '/Accounts', {
        name: 'short',
        service_provider_sid: t.sids.sp1,
      })
    ).json()
    await t.as('admin')(api.modelSessions.rotateSecret, { params: { account_sid: sid } })
    expect((await t.request('admin', 'DELETE', `/Accounts/${sid}`)).statusCode).toBe(204)
    const left = await t.db.selectFrom('switchroom_model_sessions').select('account_sid').execute()
    expect(left.map(({ account_sid }) => account_sid)).not.toContain(sid)
  })
})

describe('the prices of an account', () => {
  it('are not changed by somebody who has seen older ones', async () => {
    const { version } = await view()
    const change = (currency: string) =>
      t.request(
        ...(['a1', 'PUT', `/Accounts/${t.sids.a1}/ModelSessions`] as const),
        { currency, prices: [] },
        { 'if-match': `"${version}"` },
      )
    expect((await change('EUR')).statusCode).toBe(204)
    expect((await change('GBP')).statusCode).toBe(409)
    expect(await view()).toMatchObject({ currency: 'EUR' })
  })

  it.each([
    ['currency', { currency: 'euro' }],
    ['prices', { prices: Array(51).fill({ model: 'x' }) }],
    ['prices', { prices: [{ model: 'a', input: -1 }] }],
    ['prices', { prices: [{ model: 'a' }, { model: 'A' }] }],
    ['prices', { prices: [{ model: 'a', input: '4' }] }],
  ])('are refused: %s of %j', async (field, change) => {
    const body = { currency: 'USD', prices: [], ...change }
    const path = `/Accounts/${t.sids.a1}/ModelSessions`
    const answer = await t.request('a1', 'PUT', path, body)
    expect([answer.statusCode, answer.json().issues?.[0].path[0]]).toEqual([400, field])
  })
})

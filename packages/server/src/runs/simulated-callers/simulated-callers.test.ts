import {
  api,
  MAX_SIMULATED_CALLERS,
  NO_MODEL_FOR_CALLERS,
  type RunView,
} from '@switchroom/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { newSimulatedCaller } from '../../../test/kept-runs.ts'
import { newApplication, runsOf, said } from '../../../test/played-runs.ts'
import { languageModel, MODEL_KEY } from '../../../test/stand-ins/language-model.ts'
import { httpApplication } from '../../../test/stand-ins/voice-applications.ts'

const ASKS = [
  { verb: 'say', text: 'Welcome to Acme' },
  { verb: 'gather', input: ['speech', 'digits'], actionHook: '/said', say: { text: 'Yes?' } },
]
const TELLS = [
  { verb: 'say', text: 'We open at nine.' },
  { verb: 'gather', input: ['speech'], actionHook: '/said', say: { text: 'Anything else?' } },
]

let t: TestApp
let app: Awaited<ReturnType<typeof httpApplication>>
let model: Awaited<ReturnType<typeof languageModel>>
let says: Parameters<typeof languageModel>[0]
let application_sid: string
let runs: ReturnType<typeof runsOf>
beforeAll(async () => {
  t = await testApp({ SWITCHROOM_ALLOW_NETWORKS: '127.0.0.0/8' })
  app = await httpApplication(({ path }) =>
    path === '/call' ? ASKS : path === '/said' ? TELLS : 204,
  )
  model = await languageModel((asked) => says(asked))
})
afterAll(async () => {
  await t.close()
  await app.close()
  await model.close()
})

const act = (action: object) => JSON.stringify(action)
/** Asks for the hours, and hangs up once it hears them. */
const wantsHours: typeof says = ({ messages }) =>
  /open at nine/.test(messages.at(-1)!.content)
    ? act({ do: 'hang_up', reached: true, why: 'They open at nine.' })
    : act({ do: 'say', text: 'When do you open?' })

const setModel = (of: 'a1' | 'a2' = 'a1') =>
  t.as(of)(api.languageModel.update, {
    params: { account_sid: t.sids[of] },
    body: { url: `${model.url}/v1`, model: 'small', api_key: MODEL_KEY },
  })
beforeEach(async () => {
  says = wantsHours
  model.requests.length = 0
  await setModel()
  application_sid = await newApplication(t, `${app.url}/call`, {
    env_vars: { API_TOKEN: 'canary-secret-of-the-application' },
  })
  runs = runsOf(t, application_sid)
})

const create = async (more: object = {}) =>
  (
    await t.as('a1')(api.simulatedCallers.create, {
      params: { application_sid },
      body: { ...newSimulatedCaller(), expectations: [], criteria: [], ...more },
    })
  ).sid
const path = (rest = '') => `/Applications/${application_sid}/SimulatedCallers${rest}`
const list = async (who = 'a1') => (await t.request(who, 'GET', `${path()}?page=1`)).json().data
const begin = (sid: string, conversations = 1) =>
  t.request('a1', 'POST', path(`/${sid}/Runs`), { conversations })
async function call(sid: string, conversations = 1): Promise<RunView[]> {
  const { run_sids } = (await begin(sid, conversations)).json()
  return Promise.all(run_sids.map((run_sid: string) => runs.ended(run_sid)))
}

describe('a simulated caller', () => {
  it('calls the application, each conversation kept as a run', async () => {
    const sid = await create({ name: 'Early bird' })
    const [first, second] = await call(sid, 2)
    expect(said(first!)).toEqual(['Welcome to Acme', 'Yes?', 'We open at nine.', 'Anything else?'])
    expect(first!.steps.filter(({ kind }) => kind === 'answered')).toMatchObject([
      { answer: { kind: 'speech', text: 'When do you open?' } },
      { answer: { kind: 'hang_up' } },
    ])
    expect(first).toMatchObject({
      is_passed: null,
      simulation: {
        ...{ simulated_caller_sid: sid, caller_name: 'Early bird', number: 1, of: 2 },
        ...{ turns: 2, tokens: 200, max_tokens: 10_000, outcome: 'goal', is_reached: true },
        ...{ reason: 'They open at nine.', scores: null },
      },
    })
    expect(second!.simulation).toMatchObject({ number: 2, outcome: 'goal' })
    expect(await list()).toMatchObject([{ name: 'Early bird', conversations: 2, reached: 2 }])
    // and no others
    await create()
    expect(await runs.list({ simulated_caller_sid: sid })).toHaveLength(2)
    expect(await runs.list({ simulated_caller_sid: t.sids.a1 })).toEqual([])
    const { data } = await t.as('a1')(api.audit.list, { query: { page: 1, sid } })
    expect(data.map(({ action }) => action)).toEqual(['send', 'create'])
  })

  it('checks its rules, in any order', async () => {
    const sid = await create({
      expectations: [
        { kind: 'says', text: 'open at' },
        { kind: 'asks', input: 'digits' },
        { kind: 'does_not_say', text: '/' },
        { kind: 'says', text: 'W.+ Acme', is_pattern: true },
        { kind: 'dials', number: '911' },
      ],
    })
    const [run] = await call(sid)
    expect(run!.outcomes!.map(({ is_met }) => is_met)).toEqual([true, true, true, true, false])
    expect(run!.is_passed).toBe(false)
  })

  it('has its conversations graded, with a quote for each score', async () => {
    const graded = { score: 5, reason: 'It says so at once.', quote: 'We open at nine' }
    const made = { score: 1, reason: 'It was rude.', quote: 'Leave me alone, please' }
    says = (asked) =>
      asked.messages[0]!.content.startsWith('You grade')
        ? act({
            scores: [
              { criterion: 1, ...graded },
              { criterion: 2, ...made },
            ],
          })
        : wantsHours(asked)
    const criteria = ['Help', 'Politeness'].map((name) => ({ name, description: '' }))
    const [run] = await call(await create({ criteria }))
    expect(run!.simulation).toMatchObject({
      ...{ outcome: 'goal', tokens: 300 },
      scores: [
        { criterion: 'Help', ...graded, refused: null },
        {
          ...{ criterion: 'Politeness', score: null, reason: null, quote: null },
          refused: expect.stringContaining('nobody said'),
        },
      ],
    })
    expect(run!.steps.at(-1)).toMatchObject({ kind: 'ended' })
  })

  it('is not played without a language model', async () => {
    const off = { url: null, model: null }
    const sid = await create()
    await t.as('a1')(api.languageModel.update, {
      params: { account_sid: t.sids.a1 },
      body: off,
    })
    // not even with somebody else's
    await setModel('a2')
    const refused = await begin(sid)
    expect([refused.statusCode, refused.json().msg]).toEqual([422, NO_MODEL_FOR_CALLERS])
    expect(await runs.list()).toEqual([])
    expect(model.requests).toEqual([])
  })

  it('tells a model nothing that is secret of the application', async () => {
    says = () => act({ do: 'hang_up' })
    const leaking = await httpApplication(() => [
      { verb: 'say', text: 'Your code is canary-secret-of-the-application' },
      ...ASKS,
    ])
    await t.request('a1', 'PUT', `/Applications/${application_sid}`, {
      call_hook: { url: `${leaking.url}/call`, method: 'POST' },
    })
    await call(await create())
    await leaking.close()
    const sent = JSON.stringify(model.asked())
    expect(sent).toContain('Your code is')
    expect(sent).not.toContain('canary-secret')
  })

  it.each<[string, typeof says, object, string]>([
    ['gives up', () => act({ do: 'hang_up', reached: false, why: 'No use.' }), {}, 'gave_up'],
    ['has no turns left', () => act({ do: 'say', text: 'Go on.' }), { max_turns: 2 }, 'turns'],
    [
      'has no tokens left',
      () => act({ do: 'wait' }),
      { max_tokens: 1_000, max_turns: 50 },
      'tokens',
    ],
    ['says garbage', () => 'Dear application, hello', {}, 'model'],
    ['fails', () => 503, {}, 'model'],
    [
      'says more than anybody reads',
      () => act({ do: 'say', text: 'a'.repeat(99_999) }),
      {},
      'model',
    ],
  ])('that %s ends its conversation', async (_, answers, more, outcome) => {
    says = answers
    const [run] = await call(await create(more))
    expect(run).toMatchObject({ state: 'ended', simulation: { outcome } })
    const { tokens, max_tokens } = run!.simulation!
    expect(tokens).toBeLessThanOrEqual(max_tokens)
    expect(run!.ended).not.toBe('')
  })

  it('is stopped while its model thinks', async () => {
    says = () => new Promise<string>(() => {})
    const { run_sids } = (await begin(await create())).json()
    await expect.poll(() => model.requests.length, { timeout: 60_000 }).toBe(1)
    await runs.stop(run_sids[0])
    const { simulation } = await runs.ended(run_sids[0])
    expect(simulation).toMatchObject({ outcome: 'stopped', tokens: expect.any(Number) })
    // it may have read what it was asked, and is no longer waited for
    expect(simulation!.tokens).toBeGreaterThan(0)
    const open = () => new Promise<number>((done) => model.server.getConnections((_, n) => done(n)))
    await expect.poll(open).toBe(0)
  })

  it('does not call more than a few times at once, and keeps no test case waiting', async () => {
    const waiting: (() => void)[] = []
    says = () =>
      new Promise<string>((resolve) => waiting.push(() => resolve(act({ do: 'hang_up' }))))
    const { run_sids } = (await begin(await create(), 6)).json()
    await expect.poll(() => waiting.length, { timeout: 60_000 }).toBe(4)
    const expectations = [{ kind: 'says', text: 'Welcome' }]
    const { run_sid } = await runs.begin({ expectations })
    expect(await runs.ended(run_sid)).toMatchObject({ is_passed: true })
    expect(waiting).toHaveLength(4)
    for (let answered = 0; answered < 6; answered++) {
      await expect.poll(() => waiting.length, { timeout: 60_000 }).toBeGreaterThan(answered)
      waiting[answered]!()
    }
    for (const one of run_sids) await runs.ended(one)
  })
})

describe('simulated callers of an application', () => {
  it('are changed and deleted, and their conversations stay', async () => {
    const sid = await create({ name: 'before' })
    const [run] = await call(sid)
    const read = (await t.request('a1', 'GET', path(`/${sid}`))).json()
    const { version, ...shown } = read
    const put = await t.request('a1', 'PUT', path(`/${sid}`), { ...shown, name: 'after' })
    expect(put.statusCode, put.body).toBe(204)
    expect(await list()).toMatchObject([{ name: 'after', goal: shown.goal, conversations: 1 }])
    const headers = { 'if-match': `"${version}"` }
    const late = await t.request('a1', 'PUT', path(`/${sid}`), { name: 'late' }, headers)
    expect(late.statusCode).toBe(409)
    expect((await t.request('a1', 'DELETE', path(`/${sid}`))).statusCode).toBe(204)
    expect(await runs.view(run!.run_sid)).toMatchObject({ simulation: { caller_name: 'before' } })
  })

  it('have names of their own, and are a limited number', async () => {
    await create({ name: 'One' })
    const again = await t.request('a1', 'POST', path(), { ...newSimulatedCaller('One') })
    expect([again.statusCode, again.json().issues[0].path]).toEqual([422, ['name']])
    const more = await Promise.all(
      Array.from({ length: MAX_SIMULATED_CALLERS }, () =>
        t.request('a1', 'POST', path(), newSimulatedCaller()),
      ),
    )
    expect(more.filter(({ statusCode }) => statusCode !== 201)).toHaveLength(1)
  })

  it.each([
    ['persona', ''],
    ['goal', ' '],
    ['language', 'English, please'],
    ['max_turns', 51],
    ['max_tokens', 200_001],
    ['max_minutes', 0],
    ['criteria', Array.from({ length: 11 }, () => ({ name: 'x', description: '' }))],
    ['expectations', [{ kind: 'says', text: '(', is_pattern: true }]],
  ])('are refused with the %s %j', async (field, value) => {
    const body = { ...newSimulatedCaller(), [field]: value }
    const refused = await t.request('a1', 'POST', path(), body)
    expect([refused.statusCode, refused.json().issues[0].path[0]]).toEqual([400, field])
  })

  it.each([0, 21])('do not call %i times', async (conversations) => {
    const refused = await begin(await create(), conversations)
    expect([refused.statusCode, refused.json().issues[0].path]).toEqual([400, ['conversations']])
  })

  it('go with their application', async () => {
    const sid = await create()
    const [run] = await call(sid)
    const where = `/Applications/${application_sid}`
    const moved = await t.request('sp1', 'PUT', where, { account_sid: t.sids.a2 })
    expect(moved.statusCode).toBe(204)
    expect(await list('a2')).toMatchObject([{ account_sid: t.sids.a2 }])
    expect((await t.request('a1', 'GET', path())).statusCode).toBe(404)
    expect((await t.request('a2', 'DELETE', where)).statusCode).toBe(204)
    for (const [table, column, value] of [
      ['switchroom_simulated_callers', 'simulated_caller_sid', sid],
      ['switchroom_simulated_runs', 'run_sid', run!.run_sid],
    ] as const)
      expect(await t.db.selectFrom(table).selectAll().where(column, '=', value).execute()).toEqual(
        [],
      )
  })
})

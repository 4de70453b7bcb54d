import {
  api,
  type Expectation,
  MAX_TEST_CASES,
  RUNS_PER_HOUR,
  TEST_CASE_NAME_TAKEN,
} from '@switchroom/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { newTestCase } from '../../../test/kept-runs.ts'
import { newApplication, runsOf, START } from '../../../test/played-runs.ts'
import { httpApplication } from '../../../test/stand-ins/voice-applications.ts'

const CALL = [
  { verb: 'say', text: 'Welcome to Acme' },
  { verb: 'gather', input: ['digits'], actionHook: '/picked', numDigits: 1 },
]
const PICKED = [
  { verb: 'say', text: 'Connecting you' },
  {
    verb: 'dial',
    callerId: '15551239999',
    target: [{ type: 'phone', number: '+1 (555) 123-0009' }],
  },
]

let t: TestApp
let app: Awaited<ReturnType<typeof httpApplication>>
let call: object[]
let application_sid: string
let runs: ReturnType<typeof runsOf>
beforeAll(async () => {
  t = await testApp({ SWITCHROOM_ALLOW_NETWORKS: '127.0.0.0/8' })
  app = await httpApplication(({ path }) => {
    if (path.startsWith('/busy'))
      return app.requests.slice(-3).every((r) => r.path === path) ? CALL : 503
    return path === '/call' ? call : path === '/picked' ? PICKED : 204
  })
})
afterAll(async () => {
  await t.close()
  await app.close()
})
beforeEach(async () => {
  call = CALL
  application_sid = await newApplication(t, `${app.url}/call`)
  runs = runsOf(t, application_sid)
})

const EXPECTED: Expectation[] = [
  { kind: 'says', text: 'welcome' },
  { kind: 'asks', input: 'digits', within_ms: 5_000 },
  { kind: 'says', text: 'Connecting' },
  { kind: 'dials', number: '5551230009' },
]

const path = (rest = '') => `/Applications/${application_sid}/TestCases${rest}`
const create = async (more: object = {}) => {
  const body = { ...newTestCase(), expectations: EXPECTED, ...more }
  return (await t.as('a1')(api.testCases.create, { params: { application_sid }, body })).sid
}
const list = async (who = 'a1') =>
  (await t.as(who)(api.testCases.list, { params: { application_sid }, query: { page: 1 } })).data
async function play(test_case_sid: string) {
  const { runs: begun } = await t.as('a1')(api.testCases.run, {
    params: { application_sid, test_case_sid },
  })
  expect(begun).toMatchObject([{ test_case_sid }])
  return runs.ended(begun[0]!.run_sid)
}

describe('a test case', () => {
  it('passes while its application does what is expected', async () => {
    const sid = await create()
    const run = await play(sid)
    expect(run.outcomes).toMatchObject(EXPECTED.map(() => ({ is_met: true })))
    expect(run).toMatchObject({ is_passed: true, test_case_sid: sid, expectations: EXPECTED })
    expect(await list()).toMatchObject([
      { test_case_sid: sid, latest_run: { run_sid: run.run_sid, state: 'ended', is_passed: true } },
    ])
    // nobody is asked: the caller hangs up when no answers are left
    expect(run.steps.filter(({ kind }) => kind === 'answered').at(-1)).toMatchObject({
      answer: { kind: 'hang_up' },
    })
  })

  it('fails once its application does something else', async () => {
    const sid = await create()
    call = [{ verb: 'say', text: 'Closed' }, { verb: 'hangup' }]
    const run = await play(sid)
    expect(run).toMatchObject({ is_passed: false, state: 'ended' })
    expect(run.outcomes).toMatchObject(EXPECTED.map(() => ({ is_met: false })))
    expect((await list())[0]).toMatchObject({ latest_run: { is_passed: false } })
  })

  it('fails if its application is too slow', async () => {
    // three tries, and the pauses between them
    call = [
      { verb: 'pause', length: 3 },
      { verb: 'redirect', actionHook: '/busy#rc=2&rp=5xx' },
    ]
    const sid = await create({
      expectations: [{ kind: 'says', text: 'Welcome', within_ms: 1_400 }],
    })
    const run = await play(sid)
    expect(run).toMatchObject({ is_passed: false })
    expect(run.outcomes![0]!.ms).toBeGreaterThanOrEqual(1_500)
    // a pause that it wants is not counted
    expect(run.outcomes![0]!.ms).toBeLessThan(1_500 + 3_000)
  })

  it('is changed and deleted, and its runs stay as they were', async () => {
    const sid = await create({ name: 'before' })
    const run = await play(sid)
    const params = { application_sid, test_case_sid: sid }
    const { version } = await t.as('a1')(api.testCases.view, { params })
    const update = (body: object) => t.as('a1')(api.testCases.update, { params, body, version })
    await update({ name: 'after', expectations: [{ kind: 'hangs_up' }] })
    expect(await t.as('a1')(api.testCases.view, { params })).toMatchObject({
      ...{ name: 'after', answers: newTestCase().answers, start: START },
      expectations: [{ kind: 'hangs_up' }],
    })
    await expect(update({ name: 'again' })).rejects.toMatchObject({ status: 409 })
    await t.as('a1')(api.testCases.remove, { params })
    expect(await list()).toEqual([])
    expect(await runs.view(run.run_sid)).toMatchObject({ expectations: EXPECTED })
    const { data } = await t.as('a1')(api.audit.list, { query: { page: 1, sid } })
    expect(data.map(({ action, name }) => [action, name])).toEqual([
      ['delete', 'after'],
      ['update', 'after'],
      ['send', 'before'],
      ['create', 'before'],
    ])
  })

  it('has a name of its own', async () => {
    await create({ name: 'Support' })
    const other = await create({ name: 'Sales' })
    for (const [method, where] of [
      ['POST', path()],
      ['PUT', path(`/${other}`)],
    ] as const) {
      const body = { ...newTestCase(), name: 'Support' }
      const { statusCode, body: text } = await t.request('a1', method, where, body)
      expect([statusCode, JSON.parse(text).issues]).toEqual([
        ...[422, [{ path: ['name'], message: TEST_CASE_NAME_TAKEN }]],
      ])
    }
    // itself, and in other letters
    expect((await t.request('a1', 'PUT', path(`/${other}`), { name: 'Sales' })).statusCode).toBe(
      204,
    )
    await create({ name: 'support' })
  })

  it('is one of a limited number', async () => {
    const all = await Promise.all(
      Array.from({ length: MAX_TEST_CASES + 5 }, () =>
        t.request('a1', 'POST', path(), newTestCase()),
      ),
    )
    const refused = all.filter(({ statusCode }) => statusCode !== 201)
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([422, 422, 422, 422, 422])
    expect(refused[0]!.body).toContain(`at most ${MAX_TEST_CASES}`)
  })

  it('goes with its application', async () => {
    await create()
    const to = { account_sid: t.sids.a2 }
    const where = `/Applications/${application_sid}`
    expect((await t.request('sp1', 'PUT', where, to)).statusCode).toBe(204)
    expect(await list('a2')).toMatchObject([to])
    expect((await t.request('a1', 'GET', path())).statusCode).toBe(404)
    expect((await t.request('a2', 'DELETE', where)).statusCode).toBe(204)
    const left = await t.db
      .selectFrom('switchroom_test_cases')
      .selectAll()
      .where('application_sid', '=', application_sid)
      .execute()
    expect(left).toEqual([])
  })

  it('shows those who only view no secret', async () => {
    const start = { ...START, sip_headers: { 'X-Token': 'canary-header' } }
    const answers = [{ kind: 'digits', digits: '94712' }]
    const test_case_sid = await create({ start, answers })
    const viewer = t.as('a1-viewer')
    const params = { application_sid, test_case_sid }
    const text = JSON.stringify([
      await viewer(api.testCases.view, { params }),
      await list('a1-viewer'),
    ])
    for (const secret of ['canary-header', '94712']) expect(text.includes(secret)).toBe(false)
    for (const [method, where] of [
      ['POST', path(`/${test_case_sid}/Runs`)],
      ['POST', path('/Runs')],
      ['DELETE', path(`/${test_case_sid}`)],
    ] as const)
      expect((await t.request('a1-viewer', method, where)).statusCode).toBe(403)
  })

  it('keeps its secrets if somebody sends back what a view-only user read', async () => {
    const start = { ...START, sip_headers: { 'X-Token': 'kept' } }
    const answers = [{ kind: 'digits', digits: '94712' }]
    const sid = await create({ start, answers })
    const read = (await t.request('a1-viewer', 'GET', path(`/${sid}`))).json()
    const { version: _, ...body } = read
    const put = await t.request('a1', 'PUT', path(`/${sid}`), { ...body, name: 'renamed' })
    expect(put.statusCode, put.body).toBe(204)
    const { start: after, ...rest } = (await t.request('a1', 'GET', path(`/${sid}`))).json()
    expect([after, rest.answers, rest.name]).toEqual([start, answers, 'renamed'])
  })
})

describe('all test cases', () => {
  it('are run at once', async () => {
    const sids = [await create(), await create({ expectations: [{ kind: 'hangs_up' }] })]
    const { runs: begun } = await t.as('a1')(api.testCases.runAll, { params: { application_sid } })
    expect(begun.map((one) => one.test_case_sid).toSorted()).toEqual(sids.toSorted())
    for (const { run_sid, test_case_sid } of begun)
      expect(await runs.ended(run_sid)).toMatchObject({ is_passed: test_case_sid === sids[0] })
    expect(await runs.list({ test_case_sid: sids[0] })).toHaveLength(1)
  })

  it('may be none', async () => {
    const params = { application_sid }
    expect(await t.as('a1')(api.testCases.runAll, { params })).toEqual({ runs: [] })
  })
})

it('limits the runs of an account per hour', async () => {
  // keeps the test within one hour
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  onTestFinished(() => void vi.useRealTimers())
  const hour = Math.floor(Date.now() / 3_600_000)
  const key = `switchroom:runs:${t.sids.a1}:${hour}`
  await t.ctx.live.set(key, String(RUNS_PER_HOUR - 1), 60)
  await create()
  await create()
  const refused = await t.request('a1', 'POST', path('/Runs'))
  await t.ctx.live.remove(key)
  expect([refused.statusCode, refused.headers['retry-after']]).toMatchObject([
    429,
    expect.any(String),
  ])
  expect(await runs.list()).toEqual([])
})

it('deletes runs, their steps and test cases with an account', async () => {
  const sid = await create()
  const { run_sid } = await play(sid)
  const account = { account_sid: t.sids.a1 }
  expect((await t.request('a1', 'DELETE', `/Applications/${application_sid}`)).statusCode).toBe(204)
  const count = async (table: 'switchroom_runs' | 'switchroom_run_steps') =>
    (await t.db.selectFrom(table).select('run_sid').where('run_sid', '=', run_sid).execute()).length
  expect([await count('switchroom_runs'), await count('switchroom_run_steps')]).toEqual([0, 0])
  const { hooks } = await import('../../hooks.ts')
  const other = await newApplication(t, `${app.url}/call`)
  await runsOf(t, other).ended(
    (await runsOf(t, other).begin({ answers: [{ kind: 'hang_up' }] })).run_sid,
  )
  await t.db.transaction().execute(async (tx) => {
    for (const removed of hooks.onAccountRemoved)
      await removed(tx, { ...account, stripe_customer_id: null })
  })
  for (const table of ['switchroom_runs', 'switchroom_test_cases'] as const)
    expect(
      await t.db.selectFrom(table).selectAll().where('account_sid', '=', t.sids.a1).execute(),
    ).toEqual([])
  expect(await t.db.selectFrom('switchroom_run_steps').selectAll().execute()).toEqual([])
})

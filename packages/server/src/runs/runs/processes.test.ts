import { api, MASK } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { addRun } from '../../../test/kept-runs.ts'
import { newApplication, runsOf, START, said } from '../../../test/played-runs.ts'
import { httpApplication } from '../../../test/stand-ins/voice-applications.ts'
import { buildApp } from '../../app.ts'
import { newWatch } from '../../db/watched.ts'
import { memory } from '../../http/memory.ts'
import { keepRun } from './keep.ts'

const VERBS = [
  { verb: 'say', text: 'Welcome' },
  { verb: 'gather', input: ['digits'], actionHook: '/picked', numDigits: 1 },
]

let t: TestApp
let app: Awaited<ReturnType<typeof httpApplication>>
let application_sid: string
let runs: ReturnType<typeof runsOf>
beforeAll(async () => {
  t = await testApp({ SWITCHROOM_ALLOW_NETWORKS: '127.0.0.0/8' })
  app = await httpApplication(({ path }) =>
    path === '/call' ? VERBS : path === '/picked' ? [{ verb: 'say', text: 'Goodbye' }] : 204,
  )
  application_sid = await newApplication(t, `${app.url}/call`)
  runs = runsOf(t, application_sid)
})
afterAll(async () => {
  await t.close()
  await app.close()
})

/** Another server process on the same database. */
async function otherProcess() {
  const ctx = { ...t.ctx, memory: memory(newWatch()) }
  const server = await buildApp(ctx, { loggerInstance: t.ctx.log })
  const request: TestApp['request'] = (who, method, path, body) =>
    server.inject({
      method: method as 'GET',
      url: `/api/v1${path}`,
      headers: { authorization: `Bearer ${t.bearer[who]}` },
      ...(body === undefined ? {} : { payload: body as object }),
    })
  return { ctx, server, request, ...runsOf({ as: t.as, request }, application_sid) }
}

describe('another process', () => {
  it('takes the answers of a run', async () => {
    const other = await otherProcess()
    const asked = await runs.asked((await runs.begin()).run_sid)
    expect(other.ctx.memory.runs.size).toBe(0)
    const { statusCode } = await other.answer(asked, { kind: 'digits', digits: '1' })
    expect(statusCode).toBe(204)
    expect(said(await runs.ended(asked.run_sid))).toEqual(['Welcome', 'Goodbye'])
    await other.server.close()
  })

  it('stops a run', async () => {
    const other = await otherProcess()
    const asked = await runs.asked((await runs.begin()).run_sid)
    expect((await other.stop(asked.run_sid)).statusCode).toBe(204)
    expect((await runs.ended(asked.run_sid)).ended).toBe('The run was stopped.')
    await other.server.close()
  })

  it('ends its runs when it closes', async () => {
    const other = await otherProcess()
    const path = `/Applications/${application_sid}/Runs`
    const begun = await other.request('a1', 'POST', path, { start: START })
    const asked = await runs.asked(begun.json().run_sid)
    await other.server.close()
    const run = await runs.view(asked.run_sid)
    expect(run).toMatchObject({ state: 'ended', question: null, ended: 'The run was stopped.' })
    expect(run.steps.at(-1)).toMatchObject({ kind: 'ended', by: 'run' })
  })
})

describe('a run whose process has died', () => {
  it('is interrupted, wherever it is shown', async () => {
    const { sid: test_case_sid } = await t.as('a1')(api.testCases.create, {
      params: { application_sid },
      body: {
        ...{ name: 'died', answers: [], expectations: [{ kind: 'hangs_up' }] },
        start: { direction: 'inbound', from: '1', to: '2' },
      },
    })
    const run_sid = await addRun(t.db, {
      ...{ application_sid, account_sid: t.sids.a1, test_case_sid, ended: null, question: 0 },
      seen_at: Date.now() - 31_000,
    })
    await t.db
      .updateTable('switchroom_test_cases')
      .set({ latest_run_sid: run_sid })
      .where('test_case_sid', '=', test_case_sid)
      .execute()
    expect(await runs.view(run_sid)).toMatchObject({ state: 'interrupted', question: null })
    expect(await runs.list({ test_case_sid })).toMatchObject([{ run_sid, state: 'interrupted' }])
    const cases = await t.as('a1')(api.testCases.list, {
      params: { application_sid },
      query: { page: 1 },
    })
    expect(cases.data).toMatchObject([{ latest_run: { run_sid, state: 'interrupted' } }])
    const late = { run_sid, question: 0 } as Awaited<ReturnType<typeof runs.view>>
    expect((await runs.answer(late, { kind: 'nothing' })).statusCode).toBe(422)
    expect((await runs.stop(run_sid)).statusCode).toBe(204)
    expect(await runs.view(run_sid)).toMatchObject({ state: 'interrupted' })
  })
})

describe('keeping a run', () => {
  it('gives up once the database has failed for too long, and says so once', async () => {
    const log = { error: vi.fn(), info: vi.fn() } as unknown as typeof t.ctx.log
    const stop = vi.fn()
    let now = performance.timeOrigin
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 4_000))
    const db = {
      ...t.db,
      transaction: () => {
        throw new Error('the database is gone')
      },
    } as unknown as typeof t.db
    const kept = keepRun({ db, log }, 'run', null, stop)
    await kept.written
    vi.restoreAllMocks()
    expect(stop).toHaveBeenCalledTimes(1)
    expect(log.error).toHaveBeenCalledTimes(1)
  })

  it('has written every step, in order, when a run has ended', async () => {
    const run_sid = await addRun(t.db, {
      ...{ application_sid, account_sid: t.sids.a1, seen_at: Date.now(), step_count: 0 },
    })
    await t.db.deleteFrom('switchroom_run_steps').where('run_sid', '=', run_sid).execute()
    const kept = keepRun(t.ctx, run_sid, null, () => {})
    for (let at = 0; at < 1_234; at += 1)
      kept.add({ kind: 'event', at, tone: at % 2 ? 'bad' : 'info', text: `é${MASK}` })
    kept.end('Enough.')
    await kept.written
    const run = await runs.view(run_sid)
    expect(run.steps.slice(0, -1).map(({ at }) => at)).toEqual([...Array(1_234).keys()])
    expect(run).toMatchObject({
      state: 'ended',
      ended: 'Enough.',
      problems: 617,
      step_count: 1_235,
    })
  })
})

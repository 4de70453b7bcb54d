import { randomUUID } from 'node:crypto'
import { ANSWER_NOT_WANTED, api, MASK, MAX_RUNNING, RUNS_KEPT } from '@switchroom/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { addRun, addSuite, newTestCase } from '../../../test/kept-runs.ts'
import { newApplication, runsOf, START, said } from '../../../test/played-runs.ts'
import {
  ack,
  type HookAnswer,
  httpApplication,
  socketApplication,
} from '../../../test/stand-ins/voice-applications.ts'

const gather = { verb: 'gather', input: ['digits'], actionHook: '/picked', numDigits: 1 }
const CANARIES = { token: 'canary-env-token-1', password: 'canary-basic-password' }

let t: TestApp
let app: Awaited<ReturnType<typeof httpApplication>>
let answers: Record<string, HookAnswer> = {}
let application_sid: string
let runs: ReturnType<typeof runsOf>
beforeAll(async () => {
  t = await testApp({ SWITCHROOM_ALLOW_NETWORKS: '127.0.0.0/8' })
  app = await httpApplication(({ path }) => answers[path] ?? 204)
  application_sid = await newApplication(t, `${app.url}/call`, {
    call_hook: {
      url: `${app.url}/call`,
      ...{ method: 'POST', username: 'u', password: CANARIES.password },
    },
    env_vars: { TOKEN: CANARIES.token },
  })
  runs = runsOf(t, application_sid)
})
afterAll(async () => {
  await t.close()
  await app.close()
})
beforeEach(() => {
  answers = {
    '/call': [{ verb: 'say', text: 'Welcome' }, gather],
    '/picked': [{ verb: 'say', text: 'Goodbye' }, { verb: 'hangup' }],
  }
})

const rowsOf = async (run_sid: string) => ({
  runs: await t.db
    .selectFrom('switchroom_runs')
    .selectAll()
    .where('run_sid', '=', run_sid)
    .execute(),
  steps: await t.db
    .selectFrom('switchroom_run_steps')
    .selectAll()
    .where('run_sid', '=', run_sid)
    .execute(),
})

describe('a run', () => {
  it('asks its tester, and goes on with the answer until it ends', async () => {
    const begun = await runs.begin()
    expect(begun).toMatchObject({ state: 'running', steps: [], step_count: 0, question: null })
    const asked = await runs.asked(begun.run_sid)
    expect(said(asked)).toEqual(['Welcome'])
    expect(asked.steps[asked.question!]).toMatchObject({ kind: 'asked' })
    expect((await runs.answer(asked, { kind: 'digits', digits: '1' })).statusCode).toBe(204)
    const run = await runs.ended(begun.run_sid)
    expect(said(run)).toEqual(['Welcome', 'Goodbye'])
    expect(run.steps.at(-1)).toMatchObject({ kind: 'ended', by: 'application', text: run.ended })
    expect(run).toMatchObject({ question: null, is_passed: null, outcomes: null, problems: 0 })
    expect(run.step_count).toBe(run.steps.length)
    expect(app.at('/picked')).toMatchObject([{ digits: '1' }])
    for (const skip of [2, run.step_count, 9_999])
      expect((await runs.view(run.run_sid, { skip })).steps).toEqual(run.steps.slice(skip))
    expect((await runs.list())[0]).toMatchObject({ run_sid: run.run_sid, state: 'ended' })
  })

  it('is checked without a tester if something is expected of it', async () => {
    const begun = await runs.begin({
      answers: [{ kind: 'digits', digits: '1' }],
      expectations: [
        { kind: 'says', text: 'welcome', before_answer: 1 },
        { kind: 'says', text: 'good (bye|night)', is_pattern: true, after_answer: 1 },
      ],
    })
    const run = await runs.ended(begun.run_sid)
    expect(run).toMatchObject({
      ...{ is_passed: false, test_case_sid: null },
      outcomes: [{ is_met: true }, { is_met: false, nearest: null }],
    })
    const wrong = await t.request('a1', 'POST', `/Applications/${application_sid}/Runs`, {
      start: START,
      expectations: [{ kind: 'says', text: '(', is_pattern: true }],
    })
    expect(wrong.statusCode).toBe(400)
    expect(wrong.json().issues).toMatchObject([
      { path: ['expectations', 0, 'text'], message: 'This is not a valid regular expression' },
    ])
  })

  it('has other environment variables if it is begun with them, which are masked as well', async () => {
    const of = { TOKEN: 'canary-env-token-of-run', LANGUAGE: 'de' }
    const begun = await runs.begin({ env_vars: of, expectations: [{ kind: 'hangs_up' }] })
    const run = await runs.ended(begun.run_sid)
    expect(app.at('/call').at(-1).env_vars).toEqual(of)
    expect(JSON.stringify(run)).not.toContain(of.TOKEN)
    expect(JSON.stringify(await rowsOf(run.run_sid))).not.toContain(of.TOKEN)
    // only in this run
    await runs.ended((await runs.begin({ expectations: [{ kind: 'hangs_up' }] })).run_sid)
    expect(app.at('/call').at(-1).env_vars).toEqual({ TOKEN: CANARIES.token })
  })

  it('plays the answers of another again, and then asks', async () => {
    answers['/picked'] = [{ ...gather, actionHook: '/then' }]
    answers['/then'] = [{ verb: 'hangup' }]
    const first = await runs.begin({ answers: [{ kind: 'digits', digits: '7' }] })
    const asked = await runs.asked(first.run_sid)
    expect(asked.steps.filter(({ kind }) => kind === 'answered')).toMatchObject([
      { answer: { digits: '7' } },
    ])
    await runs.answer(asked, { kind: 'digits', digits: '8' })
    const run = await runs.ended(first.run_sid)
    const given = run.steps.flatMap((step) => (step.kind === 'answered' ? [step.answer] : []))
    const again = await runs.begin({ answers: given, repeats: run.run_sid })
    expect(await runs.ended(again.run_sid)).toMatchObject({ repeats: run.run_sid })
    expect(app.at('/then').slice(-2)).toMatchObject([{ digits: '8' }, { digits: '8' }])
  })

  it('goes over a WebSocket as well', async () => {
    const socket = await socketApplication((message, client) => {
      if (message.type === 'session:new')
        ack(client, message, [{ verb: 'say', text: 'Hello' }, { verb: 'hangup' }])
      else ack(client, message)
    })
    const of = runsOf(t, await newApplication(t, socket.url))
    const run = await of.ended((await of.begin()).run_sid)
    expect(said(run)).toEqual(['Hello'])
    await socket.close()
  })

  it('is told in the webhook log', async () => {
    const asked = await runs.asked((await runs.begin()).run_sid)
    await runs.answer(asked, { kind: 'hang_up' })
    await runs.ended(asked.run_sid)
    await t.ctx.memory.webhookLog.latest
    const { data } = await t.as('a1')(api.webhookRequests.list, {
      query: { page: 1, kind: 'run', application_sid },
    })
    expect(data.map(({ status }) => status)).toContain(200)
    expect(data[0]).toMatchObject({ kind: 'run', application_sid, account_sid: t.sids.a1 })
  })

  it('keeps no secret of the application, though it echoes all it was sent', async () => {
    answers['/call'] = [
      { verb: 'say', text: `${CANARIES.token} ${CANARIES.password} wh_secret_a1` },
      { verb: 'tag', data: CANARIES },
    ]
    const run = await runs.ended((await runs.begin()).run_sid)
    await t.ctx.memory.webhookLog.latest
    const logged = await t.db.selectFrom('switchroom_webhook_requests').selectAll().execute()
    const text = JSON.stringify([
      run,
      await rowsOf(run.run_sid),
      await runs.list(),
      logged,
      t.lines,
    ])
    expect(said(run)[0]).toContain(MASK)
    for (const canary of [...Object.values(CANARIES), 'wh_secret_a1'])
      expect(text.includes(canary), canary).toBe(false)
  })

  it('is stopped, once and again', async () => {
    const asked = await runs.asked((await runs.begin()).run_sid)
    expect((await runs.stop(asked.run_sid)).statusCode).toBe(204)
    const run = await runs.ended(asked.run_sid)
    expect(run.steps.at(-1)).toMatchObject({ kind: 'ended', by: 'run' })
    expect(run.ended).toBe('The run was stopped.')
    expect((await runs.stop(run.run_sid)).statusCode).toBe(204)
    expect(await runs.view(run.run_sid)).toEqual(run)
  })

  it('is stopped although its application hangs', async () => {
    let isAsked = () => {}
    const hanging = new Promise<void>((resolve) => {
      isAsked = resolve
    })
    answers['/call'] = () => isAsked()
    const { run_sid } = await runs.begin()
    await hanging
    await runs.stop(run_sid)
    const run = await runs.until(run_sid, ({ state }) => state === 'ended')
    expect(run.steps.at(-1)).toMatchObject({ kind: 'ended', by: 'run' })
  })

  it.each([
    ['10,000 verbs', JSON.stringify(Array.from({ length: 10_000 }, () => ({ verb: 'answer' })))],
    ['garbage', '<html>'],
    ['too much', `["${'x'.repeat(1_100_000)}"]`],
  ])('ends with a sentence if the application sends %s', async (_, text) => {
    answers['/call'] = { text }
    const run = await runs.ended((await runs.begin()).run_sid)
    expect(run.ended).toBeTruthy()
    expect(run.step_count).toBeLessThan(1_600)
    expect(run.steps).toHaveLength(run.step_count)
  })

  it('does not reach an internal address', async () => {
    const of = runsOf(t, await newApplication(t, 'http://10.1.2.3/call'))
    const run = await of.ended((await of.begin()).run_sid)
    expect(run.ended).toContain('internal network')
    expect(run.problems).toBeGreaterThan(0)
  })
})

describe('an answer', () => {
  it('must fit the question, be the first, and come in time', async () => {
    const asked = await runs.asked((await runs.begin()).run_sid)
    const unfit = await runs.answer(asked, { kind: 'bridged' })
    expect([unfit.statusCode, unfit.json().issues]).toMatchObject([400, [{ path: ['answer'] }]])
    const early = await runs.answer({ ...asked, question: 0 }, { kind: 'nothing' })
    expect([early.statusCode, early.json().msg]).toEqual([422, ANSWER_NOT_WANTED])
    const two = await Promise.all(
      ['1', '2'].map((digits) => runs.answer(asked, { kind: 'digits', digits })),
    )
    expect(two.map((one) => one.statusCode).toSorted()).toEqual([204, 422])
    const run = await runs.ended(asked.run_sid)
    expect(run.steps.filter(({ kind }) => kind === 'answered')).toHaveLength(1)
    expect((await runs.answer(asked, { kind: 'nothing' })).statusCode).toBe(422)
  })

  it('is not wanted any more once the application has moved on', async () => {
    let redirect = () => {}
    const socket = await socketApplication((message, client) => {
      if (message.type !== 'session:new') return ack(client, message)
      ack(client, message, [gather])
      redirect = () =>
        client.send(
          JSON.stringify({ type: 'command', command: 'redirect', data: [{ verb: 'hangup' }] }),
        )
    })
    const of = runsOf(t, await newApplication(t, socket.url))
    const asked = await of.asked((await of.begin()).run_sid)
    redirect()
    const run = await of.ended(asked.run_sid)
    expect(run).toMatchObject({ question: null })
    expect((await of.answer(asked, { kind: 'nothing' })).statusCode).toBe(422)
    await socket.close()
  })
})

describe('those who only view', () => {
  it('see runs without secrets, and change nothing', async () => {
    answers['/call'] = [{ verb: 'say', text: 'password=hunter2-canary' }, gather]
    const start = { ...START, sip_headers: { 'X-Token': 'canary-header' } }
    const asked = await runs.asked((await runs.begin({ start })).run_sid)
    for (const answer of [
      await runs.answer(asked, { kind: 'digits', digits: '94712' }, 'a1-viewer'),
      await runs.stop(asked.run_sid, 'a1-viewer'),
      await t.request('a1-viewer', 'POST', `/Applications/${application_sid}/Runs`, { start }),
    ])
      expect(answer.statusCode).toBe(403)
    await runs.answer(asked, { kind: 'digits', digits: '94712' })
    const run = await runs.ended(asked.run_sid)
    expect(JSON.stringify(run)).toContain('94712')
    const viewed = await runs.view(run.run_sid, { who: 'a1-viewer' })
    const listed = await runs.list({}, 'a1-viewer')
    const text = JSON.stringify([viewed.start, listed, viewed.steps])
    for (const secret of ['canary-header', 'hunter2-canary'])
      expect(text.includes(secret), secret).toBe(false)
    const answered = viewed.steps.find(({ kind }) => kind === 'answered')
    expect(answered).toMatchObject({ answer: { digits: MASK } })
    expect(viewed.steps).toHaveLength(run.steps.length)
  })
})

describe('limits', () => {
  const insertRunning = async (count: number) => {
    for (let i = 0; i < count; i += 1)
      await addRun(t.db, { application_sid, account_sid: t.sids.a1, seen_at: Date.now() })
  }
  const forgetRunning = () =>
    t.db.updateTable('switchroom_runs').set({ seen_at: 1 }).where('seen_at', '>', 1).execute()
  const post = () =>
    t.request('a1', 'POST', `/Applications/${application_sid}/Runs`, { start: START })

  it('refuse more runs of an account than may be under way', async () => {
    await insertRunning(MAX_RUNNING)
    const refused = await post()
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '10'])
    // those of processes that are gone do not count
    await forgetRunning()
    const run = await runs.asked((await runs.begin()).run_sid)
    await runs.answer(run, { kind: 'hang_up' })
    await runs.ended(run.run_sid)
  })

  it('keep the newest runs of an application, with their steps', async () => {
    for (let i = 0; i < RUNS_KEPT + 5; i += 1)
      await addRun(t.db, {
        ...{ application_sid, account_sid: t.sids.a1 },
        begun_at: `2020-01-01T00:00:00.${String(i).padStart(3, '0')}Z`,
      })
    const { run_sid } = await runs.begin({ answers: [{ kind: 'hang_up' }] })
    await runs.ended(run_sid)
    const list = await runs.list({ page_size: 500 })
    expect(list).toHaveLength(RUNS_KEPT)
    expect(list[0]!.run_sid).toBe(run_sid)
    const orphans = await t.db
      .selectFrom('switchroom_run_steps')
      .select('run_sid')
      .where('run_sid', 'not in', (eb) => eb.selectFrom('switchroom_runs').select('run_sid'))
      .execute()
    expect(orphans).toEqual([])
  })

  it('refuse more runs in one process, whoever begins them', async () => {
    const { runs: here } = t.ctx.memory
    const other = { look() {}, stop() {}, done: Promise.resolve() }
    for (let i = 0; i < 300; i += 1) here.set(`run ${i}`, other)
    expect((await post()).statusCode).toBe(429)
    for (let i = 0; i < 300; i += 1) here.delete(`run ${i}`)
  })

  it('play a few test cases of an account at the same time, but have no tester wait', async () => {
    const held: (() => void)[] = []
    const slow = await httpApplication(({ path }) =>
      path === '/call'
        ? new Promise((resolve) => held.push(() => resolve([{ verb: 'hangup' }])))
        : 200,
    )
    const sid = await newApplication(t, `${slow.url}/call`)
    const params = { application_sid: sid }
    for (let i = 0; i < 6; i += 1)
      await t.as('a1')(api.testCases.create, { params, body: newTestCase() })
    const { runs: begun } = await t.as('a1')(api.testCases.runAll, { params })
    await expect.poll(() => held.length).toBe(4)
    const tried = await runs.asked((await runs.begin()).run_sid)
    await runs.answer(tried, { kind: 'hang_up' })
    expect(held).toHaveLength(4)
    held[0]!()
    await expect.poll(() => held.length).toBe(5)
    // one that waits for its turn can be stopped
    const of = runsOf(t, sid)
    for (const { run_sid } of begun) await of.stop(run_sid)
    for (const { run_sid } of begun) await of.ended(run_sid)
    expect(held).toHaveLength(5)
    expect(t.ctx.memory.runLanes.size).toBe(0)
    await slow.close()
  })
})

describe('with its application', () => {
  it('a run is deleted, also while it is played', async () => {
    const sid = await newApplication(t, `${app.url}/call`)
    const of = runsOf(t, sid)
    const asked = await of.asked((await of.begin()).run_sid)
    const { done } = t.ctx.memory.runs.get(asked.run_sid)!
    expect((await t.request('a1', 'DELETE', `/Applications/${sid}`)).statusCode).toBe(204)
    await done
    expect(await rowsOf(asked.run_sid)).toEqual({ runs: [], steps: [] })
  })

  it('a run moves to another account', async () => {
    const sid = await newApplication(t, `${app.url}/call`)
    const of = runsOf(t, sid)
    const run = await of.ended((await of.begin({ answers: [{ kind: 'hang_up' }] })).run_sid)
    const owner = { application_sid: sid, account_sid: t.sids.a1 }
    const ofCall = await addRun(t.db, { ...owner, suite_sid: randomUUID() })
    await addSuite(t.db, { ...owner, run_sid: ofCall })
    const body = { account_sid: t.sids.a2 }
    expect((await t.request('sp1', 'PUT', `/Applications/${sid}`, body)).statusCode).toBe(204)
    // but no words of the account's calls
    expect(await rowsOf(ofCall)).toEqual({ runs: [], steps: [] })
    expect(await t.db.selectFrom('switchroom_suites').selectAll().execute()).toEqual([])
    expect((await t.request('a1', 'GET', of.path(run.run_sid))).statusCode).toBe(404)
    expect(await of.view(run.run_sid, { who: 'a2' })).toMatchObject({ account_sid: t.sids.a2 })
  })
})

import { randomUUID } from 'node:crypto'
import { api, NO_CALLS_TO_PLAY, type SuiteView } from '@switchroom/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  answered,
  call,
  type ExampleSpan,
  gather,
  hook,
  over,
  result,
  say,
} from '../../../test/conversations/example.ts'
import { asSpans } from '../../../test/conversations.ts'
import { newApplication } from '../../../test/played-runs.ts'
import { httpApplication } from '../../../test/stand-ins/voice-applications.ts'
import { tracedCalls } from '../../../test/traced-calls.ts'

const HERE = randomUUID()
const id = (n: number) => String(n).padStart(32, 'a')

/** A call in which somebody says this, and hears that. */
const spans = (words: string, heard: string): ExampleSpan[] => [
  call(30_000),
  answered(200),
  say('s', 300, 900, 'Welcome to Acme...'),
  gather('g', 1_300, 4_000, 'inputs=speech', 'speech', result(words, 0.9)),
  hook('h', 'g', 4_500, 300, '/said', {}),
  say('t', 5_400, 900, heard),
  over(16_000, 'jambonz'),
]
const WORDS = [
  ['sales please', 'Ringing Ann no...'],
  ['the sales team', 'Ringing Ann no...'],
  ['what do I owe', 'You owe 42 doll...'],
  ['my pin is 4711', 'Ringing Ann no...'],
] as const

let t: Awaited<ReturnType<typeof tracedCalls>>
let app: Awaited<ReturnType<typeof httpApplication>>
let owes: string
let hold: Promise<void> | undefined
beforeAll(async () => {
  app = await httpApplication(async ({ path, body }) => {
    if (path === '/call') {
      await hold
      return [
        { verb: 'say', text: 'Welcome to Acme, who are you?' },
        { verb: 'gather', input: ['speech'], actionHook: '/said' },
      ]
    }
    if (path !== '/said') return 204
    const { transcript } = body.speech.alternatives[0]
    const text = transcript.includes('owe') ? owes : 'Ringing Bob now'
    return [{ verb: 'say', text }, { verb: 'hangup' }]
  })
  t = await tracedCalls({
    spans: [
      ...WORDS.flatMap(([said, heard], n) => asSpans({ spans: spans(said, heard) }, id(n))),
      ...asSpans({ spans: spans('foreign', 'Foreign') }, id(8)),
      ...asSpans({ spans: [call(1_000, { finalStatus: 486 })] }, id(9)),
    ],
    calls: [
      ...WORDS.map((_, n) => ['a1', id(n), HERE] as const),
      ['a1', id(9), HERE],
      // what another account says to be this one's
      ['b1', id(8), HERE],
      ['a1', id(7), randomUUID()],
    ],
    environment: { SWITCHROOM_ALLOW_NETWORKS: '127.0.0.0/8' },
  })
  const sid = await newApplication(t.app, `${app.url}/call`)
  await t.app.db
    .updateTable('applications')
    .set({ application_sid: HERE })
    .where('application_sid', '=', sid)
    .execute()
})
afterAll(async () => {
  await t.close()
  await app.close()
})
beforeEach(() => {
  owes = 'You owe 17 dollars'
  hold = undefined
})

const params = { application_sid: HERE }
const day = () => ({
  start: new Date(Date.now() - 3_600_000).toISOString(),
  end: new Date(Date.now() + 60_000).toISOString(),
})
const begin = (more: object = {}, who = 'a1') =>
  t.app.as(who)(api.suites.begin, { params, body: { ...day(), ...more } })
const ended = ({ suite_sid }: SuiteView) =>
  vi.waitFor(
    async () => {
      const suite = await t.app.as('a1')(api.suites.view, { params: { ...params, suite_sid } })
      expect(suite.results.running).toBe(0)
      return suite
    },
    { timeout: 60_000, interval: 20 },
  )
const viewOf = (run_sid: string) =>
  t.app.as('a1')(api.runs.view, { params: { ...params, run_sid }, query: {} })
const words = ({ calls }: SuiteView) =>
  calls.flatMap(({ steps }) =>
    steps.flatMap((step) =>
      step.kind === 'caller' && step.answer?.kind === 'speech' ? [step.answer.text] : [],
    ),
  )

describe('a suite', () => {
  it('plays calls again, and finds that they are the same', async () => {
    const suite = await ended(await begin())
    expect(suite).toMatchObject({
      looked_at: 5,
      left_out: 1,
      results: { same: 4, differs: 0, gone: 0 },
    })
    // which number and whom does not matter
    expect(suite.calls.every(({ differs_at }) => differs_at === null)).toBe(true)
  })

  it('takes calls of different courses first', async () => {
    const suite = await begin({ calls: 2 })
    expect(words(suite)).toHaveLength(2)
    expect(words(suite)).toContain('what do I owe')
    await ended(suite)
  })

  it('says which call differs, where, and what was said instead', async () => {
    owes = 'You have no debt, dollars or else'
    const suite = await ended(await begin())
    expect(suite.results).toMatchObject({ same: 3, differs: 1 })
    const [other] = suite.calls.filter((one) => one.result === 'differs')
    expect(other).toMatchObject({
      differs_at: 3,
      why: expect.stringContaining('did not say'),
      nearest: owes,
    })
    expect(other!.steps[3]).toMatchObject({
      kind: 'expects',
      expected: { kind: 'says', text: 'You owe 42 doll' },
      looser: { kind: 'says', is_pattern: true },
    })
    const { data } = await t.app.as('a1')(api.suites.list, { params, query: { page: 1 } })
    expect(data[0]).toMatchObject({ suite_sid: suite.suite_sid, results: { differs: 1 } })
  })

  it('is stopped', async () => {
    let go = () => {}
    hold = new Promise((done) => {
      go = done
    })
    const suite = await begin()
    await t.app.as('a1')(api.suites.stop, { params: { ...params, suite_sid: suite.suite_sid } })
    go()
    const { results } = await ended(suite)
    expect(results.same).toBe(0)
  })

  it('has none of the words that an account does not want to be kept', async () => {
    const before = await ended(await begin())
    expect(words(before)).toContain('my pin is 4711')
    const { run_sid: repeats } = before.calls[0]!
    const { start } = await viewOf(repeats)
    const again = await t.app.as('a1')(api.runs.begin, {
      params,
      body: {
        ...{ start, repeats, answers: [{ kind: 'speech', text: 'my pin is 4711' }] },
        expectations: [{ kind: 'says', text: 'Ringing' }],
      },
    })
    const played = [...before.calls.map(({ run_sid }) => run_sid), again.run_sid]
    await vi.waitFor(async () => expect((await viewOf(again.run_sid)).state).toBe('ended'), {
      timeout: 60_000,
    })
    for (const run_sid of played)
      expect(await viewOf(run_sid)).toMatchObject({ is_withheld: false })
    // requests with these words are nowhere else
    await t.app.ctx.memory.webhookLog.latest
    const log = await t.app.db.selectFrom('switchroom_webhook_requests').selectAll().execute()
    expect(log.filter(({ kind }) => kind === 'run')).toEqual([])
    const settings = { params: { account_sid: t.app.sids.a1! } }
    const { version } = await t.app.as('a1')(api.transcriptSettings.view, settings)
    await t.app.as('a1')(api.transcriptSettings.update, {
      ...settings,
      body: { words: 'mask', automatic: null },
      version,
    } as never)
    const now = await ended(before)
    expect(now.calls.flatMap(({ steps }) => steps)).toEqual([])
    expect(now.results).toEqual(before.results)
    // nor its runs, nor one that repeats one of those
    for (const run_sid of played) {
      const run = await viewOf(run_sid)
      expect(run).toMatchObject({
        is_withheld: true,
        state: 'ended',
        step_count: 0,
        outcomes: null,
      })
      expect(JSON.stringify(run)).not.toMatch(/my pin|sales please|do I owe|Ringing/)
    }
    const suite = await begin()
    expect(words(suite)).not.toContain('my pin is 4711')
    // one that began under this setting is shown
    expect(words(suite).length).toBeGreaterThan(0)
    expect(suite.left_out).toBe(2)
    await ended(suite)
    await t.app.as('a1')(api.transcriptSettings.update, {
      ...settings,
      body: { words: 'leave_out', automatic: null },
    } as never)
    await expect(begin()).rejects.toMatchObject({ body: { msg: NO_CALLS_TO_PLAY } })
  })

  it.each([
    [{ start: '2026-01-02T00:00:00Z', end: '2026-01-01T00:00:00Z' }, 'end'],
    [{ start: 'yesterday' }, 'start'],
    [{ calls: 0 }, 'calls'],
    [{ calls: 21 }, 'calls'],
  ])('is refused with %j', async (body, field) => {
    const answer = await t.app.request('a1', 'POST', `/Applications/${HERE}/Suites`, {
      ...day(),
      ...body,
    })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().issues[0].path).toEqual([field])
  })

  it('goes with its application, and the oldest of many go first', async () => {
    const suites = await import('./queries.ts')
    const count = async () =>
      (await t.app.as('a1')(api.suites.list, { params, query: { page: 1 } })).total
    expect(await count()).toBeGreaterThan(2)
    await suites.keepNewest(t.app.db, HERE, 2)
    const left = await t.app.db.selectFrom('switchroom_suites').selectAll().execute()
    expect(left).toHaveLength(2)
    await t.app.as('a1')(api.applications.remove, { params })
    expect(await t.app.db.selectFrom('switchroom_suites').selectAll().execute()).toEqual([])
  })
})

import type { Expectation, RunStep } from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { applicationAt, playRun } from '../../../test/runs.ts'
import { httpApplication } from '../../../test/stand-ins/voice-applications.ts'
import { checkExpectations } from './expectations.ts'

let app: Awaited<ReturnType<typeof httpApplication>>
let now = 0
beforeEach(async () => {
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  app = await httpApplication(async ({ path }) => {
    if (path === '/call')
      return [
        { verb: 'say', text: '<speak>Welcome <break time="1s"/> to\n Acme</speak>' },
        { verb: 'gather', input: ['digits'], numDigits: 1, actionHook: '/menu' },
      ]
    now += 120
    return [
      { verb: 'play', url: 'https://x.example/ring.wav' },
      { verb: 'dial', target: [{ type: 'phone', number: '+1 (555) 123-9999' }] },
      { verb: 'sip:refer', referTo: 'sip:sales@acme.example' },
      { verb: 'hangup' },
    ]
  })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await app.close()
})

const run = () =>
  playRun(applicationAt(`${app.url}/call`), [
    { kind: 'digits', digits: '1', after_ms: 3_000 },
    { kind: 'busy' },
    { kind: 'status' },
  ])
const check = async (...expectations: Expectation[]) =>
  checkExpectations((await run()).steps, expectations)

describe('expectations', () => {
  it('are met by what the application does, in order', async () => {
    const outcomes = await check(
      { kind: 'says', text: 'welcome to acme' },
      { kind: 'asks', input: 'digits' },
      { kind: 'plays', url: 'RING.wav' },
      { kind: 'dials', number: '+15551239999' },
      { kind: 'transfers', to: 'sales@acme' },
      { kind: 'hangs_up' },
    )
    expect(outcomes.filter(({ is_met }) => !is_met)).toEqual([])
    expect(outcomes.map(({ step }) => step)).toEqual(
      outcomes.map(({ step }) => step).toSorted((a, b) => a! - b!),
    )
  })

  it('are reckoned from the tester’s latest answer', async () => {
    const [play, late] = await check(
      { kind: 'plays', url: 'ring', within_ms: 2_900 },
      { kind: 'dials', number: '5551239999', within_ms: 100 },
    )
    // the caller's three seconds do not count, the webhook's 120 ms do
    expect(play).toMatchObject({ is_met: true, ms: 120 })
    // a sound is not the application's time
    expect(late).toMatchObject({ is_met: false, step: expect.any(Number), ms: 120 })
    expect(late!.text).toContain('Too late')
  })

  it('are missed, with a sentence', async () => {
    expect(
      await check(
        { kind: 'hangs_up' },
        { kind: 'says', text: 'welcome' },
        { kind: 'asks', input: 'speech' },
        { kind: 'dials', number: '15551239998' },
        { kind: 'dials', number: '-' },
      ),
    ).toMatchObject([
      { is_met: true },
      // after the end of the call
      { is_met: false, text: 'The application did not say “welcome”.' },
      { is_met: false, text: 'The application did not ask for speech.' },
      { is_met: false, text: 'The application did not dial 15551239998.' },
      { is_met: false, text: 'The application did not dial -.' },
    ])
  })

  it('may be patterns, and say what must not be', async () => {
    expect(
      await check(
        { kind: 'says', text: '^welcome to (acme|zenith)$', is_pattern: true },
        { kind: 'does_not_say', text: 'sorry' },
        { kind: 'does_not_say', text: 'W.lcome', is_pattern: true },
        { kind: 'hangs_up' },
        { kind: 'does_not_say', text: 'welcome' },
      ),
    ).toMatchObject([
      { is_met: true },
      { is_met: true, step: null },
      // said before it, and not in between
      { is_met: true },
      { is_met: true },
      { is_met: true },
    ])
    expect(await check({ kind: 'does_not_say', text: 'acme' }, { kind: 'hangs_up' })).toMatchObject(
      [
        { is_met: false, step: expect.any(Number), text: 'The application said “acme”.' },
        { is_met: true },
      ],
    )
  })

  it('are before or after an answer', async () => {
    expect(
      await check(
        { kind: 'says', text: 'welcome', before_answer: 1 },
        { kind: 'asks', before_answer: 1 },
        { kind: 'plays', url: 'ring', before_answer: 1 },
        { kind: 'plays', url: 'ring', after_answer: 1, before_answer: 2 },
        { kind: 'transfers', to: 'sales', after_answer: 3 },
        { kind: 'does_not_say', text: 'welcome', after_answer: 1 },
      ),
    ).toMatchObject([...[true, true, false, true, false, true].map((is_met) => ({ is_met }))])
  })

  it('name what is nearest to a text', async () => {
    const steps = (await run()).steps
    const [near, far] = checkExpectations(steps, [
      { kind: 'says', text: 'Welcome to Zenith' },
      { kind: 'says', text: 'Goodbye' },
    ])
    expect([near!.nearest, far!.nearest]).toEqual(['Welcome to Acme', null])
  })

  it('are not held up by a pattern', async () => {
    const text = `${'a'.repeat(40)}!`
    const steps: RunStep[] = [
      {
        ...{ kind: 'said', at: 0, verb: 'say', side: 'caller', text, loop: 1 },
        ...{ vendor: null, language: null, voice: null, label: null },
      },
    ]
    const slow = { text: '^(a+)+$', is_pattern: true }
    expect(
      checkExpectations(steps, [
        { kind: 'says', ...slow },
        { kind: 'does_not_say', ...slow },
      ]),
    ).toMatchObject([
      { is_met: false, text: 'This pattern takes too long to match. Simplify it.' },
      { is_met: false, text: 'This pattern takes too long to match. Simplify it.' },
    ])
  })

  it('are of what a tool returns, over HTTP and over a WebSocket', () => {
    const body = (text: string) => ({ text, bytes: text.length, is_cut: false })
    const steps: RunStep[] = [
      {
        ...{ kind: 'request', at: 0, name: 'llm:tool-call', verb: 'llm', method: 'POST' },
        ...{
          url: '/tool',
          data: body('{}'),
          answer: { status: 200, body: body('{"sky":"blue"}') },
        },
        ...{ ms: 5, attempts: 1, problems: [] },
      },
      {
        ...{ kind: 'command', at: 9, command: 'llm:tool-output', is_queued: false },
        ...{ data: body('{"sky":"grey"}'), problems: [] },
      },
    ]
    expect(
      checkExpectations(steps, [
        { kind: 'returns', text: 'blue' },
        { kind: 'returns', text: 'gr[ae]y', is_pattern: true },
        { kind: 'returns', text: 'sky green' },
      ]),
    ).toMatchObject([
      { is_met: true, step: 0 },
      { is_met: true, step: 1 },
      { is_met: false, text: 'The application did not return “sky green” from a tool.' },
    ])
  })
})

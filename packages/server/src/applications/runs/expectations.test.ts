import type { Expectation } from '@switchroom/contract'
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
})

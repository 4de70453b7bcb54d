import specs from '@jambonz/verb-specifications/specs.json' with { type: 'json' }
import { type Answer, NEWER_VERBS } from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { applicationAt, isNext, playRun, verbApplication } from '../../../test/runs.ts'
import { httpApplication } from '../../../test/stand-ins/voice-applications.ts'
import { verbs } from './verbs/table.ts'
import { isWalked, NOT_WALKABLE, WALKED } from './walkable.ts'

let app: Awaited<ReturnType<typeof verbApplication>>
beforeEach(async () => {
  app = await verbApplication()
})
afterEach(() => app.close())

describe('the platform’s specification', () => {
  const names = Object.keys(specs)
  const blocks = new Set([...JSON.stringify(specs).matchAll(/#(\w+)/g)].map(([, name]) => name!))

  it('has no verb that is neither walked nor named as not walkable', () => {
    const isKnown = (name: string) => isWalked(name) || name in NOT_WALKABLE || blocks.has(name)
    const isNewer = (name: string) => Object.hasOwn(NEWER_VERBS, name)
    expect(names.filter((name) => !isKnown(name))).toEqual([])
    // whatever has an id is a verb, but for one block of a recognizer
    const verbal = Object.entries(specs)
      .filter(([, { properties }]) => 'id' in properties)
      .map(([name]) => name)
    const unknown = verbal.filter((name) => !isWalked(name) && !(name in NOT_WALKABLE))
    expect(unknown).toEqual(['sonioxStorage'])
    expect(WALKED.filter((name) => !names.includes(name) && !isNewer(name))).toEqual([])
    expect(Object.keys(verbs).sort()).toEqual([...WALKED].sort())
  })

  it.each(Object.keys(NOT_WALKABLE))(
    'has %s, which is refused as the platform does',
    async (verb) => {
      const members = {
        pipeline: { llm: { vendor: 'x', llmOptions: {} } },
        'rest:dial': { call_hook: '/x', from: '1', to: { type: 'phone', number: '2' } },
      }[verb]
      const run = await app.play([{ verb, ...members }])
      expect(run.ended).toMatchObject({
        by: 'platform',
        x_reason: `invalid jambonz verb '${verb}'`,
      })
    },
  )
})

describe('a verb of a later version', () => {
  const model = { vendor: 'openai', model: 'gpt' }
  const NEWER: [string, object, Answer[], object][] = [
    [
      'agent',
      { llm: model, toolHook: '/tool' },
      [
        { kind: 'tool_call', name: 'f', args: {} },
        { kind: 'ended', seconds: 9 },
      ],
      { completion_reason: 'normal conversation end' },
    ],
    [
      'gptlive_s2s',
      { auth: { apiKey: 'x' }, llmOptions: {} },
      [{ kind: 'ended' }],
      { completion_reason: 'normal conversation end' },
    ],
    [
      'qwen_s2s',
      { auth: { apiKey: 'x' }, llmOptions: {} },
      [{ kind: 'ended' }],
      { completion_reason: 'normal conversation end' },
    ],
    ['room', { name: 'r' }, [{ kind: 'ended' }], { call_status: 'in-progress' }],
    [
      'transfer',
      { mode: 'warm', target: [{ type: 'phone', number: '1' }] },
      [{ kind: 'busy' }],
      { transfer_result: 'returned', transfer_reason: 'busy', sip_status: 486 },
    ],
  ]

  it('is each of them', () => {
    expect(NEWER.map(([name]) => name).sort()).toEqual(Object.keys(NEWER_VERBS).sort())
  })

  it.each(NEWER)('is walked there, and named here: %s', async (verb, data, answers, posted) => {
    const list = [{ verb, ...data, actionHook: '/hook' }]
    const run = await app.play(list, answers, { version: '11.1.0' })
    expect(app.posted()).toMatchObject(posted)
    expect(isNext(run)).toBe(true)
    expect(run.problems).toEqual([])
    expect(run.events).toContain('The rules of platform version 11.1.0 apply.')

    const { ended } = await app.play(list, answers)
    expect(ended).toMatchObject({ sip_status: 480, x_reason: `invalid instruction: ${verb}` })
    expect(ended.text).toMatch(/(?:from version \d+\.\d+\.\d+\.|is newer than version 0\.9\.8)/)
  })

  it('transfers the caller, or does not', async () => {
    const verb = { verb: 'transfer', mode: 'blind', target: [{ type: 'phone', number: '1' }] }
    const results = []
    for (const answer of [
      { kind: 'answered', seconds: 5 },
      { kind: 'no_answer' },
      { kind: 'failed' },
      { kind: 'hang_up' },
    ] satisfies Answer[]) {
      await app.play([{ ...verb, actionHook: '/hook' }], [answer], { version: '10.3.0' })
      results.push(app.posted().transfer_reason)
    }
    expect(results).toEqual(['completed', 'no-answer', 'error', 'caller-abandoned'])
  })
})

describe('what the caller hears', () => {
  it('is said with the voice of the verb, of config, or of the application', async () => {
    const run = await app.play([
      { say: { text: '<speak>One</speak>', loop: 2 } },
      { verb: 'config', synthesizer: { vendor: 'other', language: 'de-DE', voice: 'x' } },
      {
        verb: 'say',
        text: ['two', 'three'],
        synthesizer: { vendor: 'default', voice: { model: 'm' } },
      },
      { verb: 'config', reset: 'synthesizer' },
      { verb: 'say', text: 'four' },
      { verb: 'say', stream: true },
    ])
    expect(run.of('said')).toMatchObject([
      { text: '<speak>One</speak>', vendor: 'acme', language: 'en-US', voice: 'en-US-A', loop: 2 },
      { text: 'two', vendor: 'other', language: 'de-DE', voice: '{"model":"m"}' },
      { text: 'three' },
      { text: 'four', vendor: 'acme', loop: 1 },
      { text: null },
      { text: 'next' },
    ])
  })

  it('is played, and its hook posted', async () => {
    const run = await app.play([
      { verb: 'play', url: ['a.wav', 'b.wav'], actionHook: '/hook', id: 'p1' },
    ])
    expect(run.of('played').map(({ url }) => url)).toEqual(['a.wav', 'b.wav'])
    expect(app.posted()).toMatchObject({
      reason: 'playCompleted',
      playback_seconds: '1',
      verb_id: 'p1',
    })
    expect(isNext(run)).toBe(true)
  })

  it.each([
    ['say', { text: 'again' }],
    ['play', { url: 'again.wav', actionHook: '/never' }],
  ])(
    'goes on with %s for ever, until the caller or the application ends it',
    async (verb, data) => {
      const endless = { verb, ...data, loop: 'forever' }
      const heard = await app.play([endless], [{ kind: 'wait', seconds: 90 }])
      expect(heard.asked).toMatchObject([
        { verb, answers: ['wait', 'hang_up'] },
        { verb, answers: ['wait', 'hang_up'] },
      ])
      expect(isNext(heard)).toBe(false)
      expect(heard.ended).toMatchObject({ by: 'caller' })
      expect(heard.ended.at).toBeGreaterThanOrEqual(90_000)
      expect(app.at('/never')).toEqual([])

      // a caller who may interrupt does
      const bargeIn = { enable: true, input: ['speech'], actionHook: '/hook' }
      const cut = await app.play(
        [{ verb: 'config', bargeIn }, endless],
        [{ kind: 'speech', text: 'stop' }],
      )
      expect(cut.asked[0]!.answers).not.toContain('nothing')
      expect(app.posted()).toMatchObject({ reason: 'speechDetected' })
      expect(isNext(cut)).toBe(true)

      // and a prompt of a gather leaves no time-out
      const prompt = { [verb]: { ...data, loop: 'forever', actionHook: undefined } }
      const asked = await app.play([{ verb: 'gather', actionHook: '/hook', ...prompt }])
      expect(asked.asked[0]).toMatchObject({ timeout_ms: null, answers: ['digits', 'hang_up'] })
    },
  )

  it('takes no real time', async () => {
    // each longer than this test may take
    const run = await app.play(
      [
        { verb: 'pause', length: 600 },
        { verb: 'gather', timeout: 500, actionHook: '/hook' },
        { verb: 'dtmf', dtmf: '12#', duration: 200_000 },
      ],
      [{ kind: 'nothing' }],
    )
    expect(run.of('paused')).toMatchObject([{ ms: 600_000 }])
    expect(run.ended.at).toBeGreaterThanOrEqual(600_000 + 500_000 + 3 * 200_000)
  })

  it('is answered early, late or never', async () => {
    const early = await app.play([
      { verb: 'say', text: 'x', earlyMedia: true },
      { verb: 'hangup' },
      { verb: 'sip:decline', status: 404, reason: 'Gone home' },
    ])
    expect(early.ended).toMatchObject({
      by: 'application',
      sip_status: 404,
      sip_reason: 'Gone home',
      is_answered: false,
    })
    expect(early.events.join()).toContain('skips hangup')
    expect(app.statuses()).toEqual([
      ['trying', 100],
      ['failed', 404],
    ])
    expect(app.posted('/status')).toMatchObject({ sip_reason: 'Gone home' })

    app.answers['/call'] = [
      { verb: 'pause', length: 1 },
      { verb: 'tag', data: {} },
    ]
    const never = await playRun(applicationAt(`${app.url}/call`))
    expect(never.ended).toMatchObject({
      sip_status: 603,
      sip_reason: 'Decline',
      is_answered: false,
    })
  })
})

describe('SIP and messages', () => {
  it('transfers the caller', async () => {
    const refer = { verb: 'sip:refer', referTo: '+4930', actionHook: '/hook', eventHook: '/event' }
    await app.play([{ verb: 'answer' }, refer], [{ kind: 'status' }])
    expect(app.at('/event')).toEqual([{ event: 'transfer-status', call_status: 200 }])
    expect(app.posted()).toMatchObject({ refer_status: 202, final_referred_call_status: 200 })
    const run = await app.play([{ verb: 'answer' }, refer], [{ kind: 'status', status: 603 }])
    expect(app.posted()).toMatchObject({ refer_status: 603 })
    expect(app.posted()).not.toHaveProperty('final_referred_call_status')
    expect(run.asked[0]!.targets).toEqual([{ type: 'transfer', to: '+4930' }])
  })

  it('sends requests within the call, whose hook must answer well', async () => {
    const info = { verb: 'sip:request', method: 'INFO', actionHook: '/hook' }
    await app.play([{ verb: 'answer' }, info], [{ kind: 'status', status: 405 }])
    expect(app.posted()).toMatchObject({ result: 'success', sip_status: 405 })
    app.answers['/hook'] = 500
    const run = await app.play([{ verb: 'answer' }, info], [{ kind: 'error' }])
    expect(app.posted()).toMatchObject({ result: 'failed', err: expect.any(String) })
    expect(run.ended.by).toBe('platform')
    const skipped = await app.play([info, { verb: 'sip:refer', referTo: 'x' }])
    expect(skipped.asked).toEqual([])
  })

  it('sends no message, but says so', async () => {
    const run = await app.play([
      { verb: 'message', from: '1', to: '2', text: 'Hi', actionHook: '/hook' },
    ])
    expect(app.posted()).toMatchObject({
      message_status: 'success',
      message_sid: expect.any(String),
    })
    expect(run.events.join()).toContain('Hi')
  })
})

describe('the rest', () => {
  it('tags all later messages, names as they are', async () => {
    await app.play([
      { verb: 'tag', data: { fooBar: { bazQux: 1 } } },
      { verb: 'play', url: 'x', actionHook: '/hook' },
    ])
    expect(app.posted().customerData).toEqual({ fooBar: { bazQux: 1 } })
    expect(app.posted('/status').customerData).toEqual({ fooBar: { bazQux: 1 } })
  })

  it('follows a redirect to another server, with later hooks and statuses', async () => {
    const other = await httpApplication(({ path }) =>
      path === '/a/b' ? [{ verb: 'play', url: 'x', actionHook: '/hook' }] : 204,
    )
    const run = await app.play([
      { verb: 'redirect', actionHook: `${other.url}/a/b`, statusHook: `${other.url}/status` },
    ])
    expect(other.at('/a/b')[0]).toMatchObject({
      call_status: 'trying',
      fs_sip_address: expect.any(String),
    })
    expect(other.at('/hook')).toHaveLength(1)
    expect(other.at('/status').map(({ call_status }) => call_status)).toEqual([
      'in-progress',
      'completed',
    ])
    expect(run.of('request').find(({ name }) => name === 'session:redirect')).toMatchObject({
      verb: 'redirect',
    })
    await other.close()
  })

  it('says what other verbs do', async () => {
    const run = await app.play([
      { verb: 'alert', message: 'ring' },
      { verb: 'dub', action: 'sayOnTrack', track: 'a', say: 'psst' },
      { verb: 'dub', action: 'addTrack', track: 'a' },
      { verb: 'leave' },
      { verb: 'config', record: { action: 'startCallRecording' } },
    ])
    expect(run.said).toEqual(['psst', 'next'])
    expect(run.events.join()).toMatch(/ring.*addTrack.*not in a queue.*record/)
  })

  it('tells config that a person speaks', async () => {
    app.answers['/amd'] = [{ verb: 'say', text: 'Hello, person' }]
    const run = await app.play([{ verb: 'config', amd: { actionHook: '/amd' } }])
    expect(app.posted('/amd')).toMatchObject({ type: 'amd_human_detected' })
    expect(run.said).toEqual(['Hello, person'])
  })

  it('goes on with a transcript whose hook failed', async () => {
    app.answers['/words'] = 500
    const run = await app.play(
      [{ verb: 'transcribe', transcriptionHook: '/words' }],
      [
        { kind: 'speech', text: 'one' },
        { kind: 'speech', text: 'two' },
      ],
    )
    expect(app.at('/words')).toHaveLength(2)
    expect(run.events.join()).toContain('The transcription goes on.')
    expect(run.events.join()).not.toContain('next verb')
  })

  it('hangs up with a reason', async () => {
    const run = await app.play([
      { verb: 'answer' },
      { verb: 'hangup', headers: { 'X-Reason': 'bye' } },
    ])
    expect(run.ended).toMatchObject({ by: 'application', x_reason: 'bye', sip_status: null })
  })
})

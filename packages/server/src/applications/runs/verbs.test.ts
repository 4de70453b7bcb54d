import specs from '@jambonz/verb-specifications/specs.json' with { type: 'json' }
import type { Answer } from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { applicationAt, hook, playRun } from '../../../test/runs.ts'
import { type HookAnswer, httpApplication } from '../../../test/stand-ins/voice-applications.ts'
import { verbs } from './verbs/table.ts'
import { isWalked, NOT_WALKABLE, WALKED } from './walkable.ts'

let answers: Record<string, HookAnswer>
let app: Awaited<ReturnType<typeof httpApplication>>
beforeEach(async () => {
  answers = {}
  app = await httpApplication(({ path }) => answers[path] ?? 204)
})
afterEach(() => app.close())

/** Runs these verbs, and a last one that shows whether the list went on. */
async function play(list: unknown[], given: Answer[] = [], more: object = {}) {
  answers['/call'] = [...list, { verb: 'say', text: 'next' }]
  return playRun(
    applicationAt(`${app.url}/call`, { call_status_hook: hook(`${app.url}/status`), ...more }),
    given,
  )
}
const isNext = ({ said }: { said: (string | null)[] }) => said.includes('next')
const posted = (path = '/hook') => app.at(path).at(-1)
const statuses = () => app.at('/status').map((body) => [body.call_status, body.sip_status])

describe('the platform’s specification', () => {
  const names = Object.keys(specs)
  const blocks = new Set([...JSON.stringify(specs).matchAll(/#(\w+)/g)].map(([, name]) => name!))

  it('has no verb that is neither walked nor named as not walkable', () => {
    const isKnown = (name: string) => isWalked(name) || name in NOT_WALKABLE || blocks.has(name)
    expect(names.filter((name) => !isKnown(name))).toEqual([])
    // whatever has an id is a verb, but for one block of a recognizer
    const verbal = Object.entries(specs)
      .filter(([, { properties }]) => 'id' in properties)
      .map(([name]) => name)
    const unknown = verbal.filter((name) => !isWalked(name) && !(name in NOT_WALKABLE))
    expect(unknown).toEqual(['sonioxStorage'])
    expect(WALKED.filter((name) => !names.includes(name))).toEqual([])
    expect(Object.keys(verbs).sort()).toEqual([...WALKED].sort())
  })

  it.each(Object.keys(NOT_WALKABLE))(
    'has %s, which is refused as the platform does',
    async (verb) => {
      const members = {
        pipeline: { llm: { vendor: 'x', llmOptions: {} } },
        'rest:dial': { call_hook: '/x', from: '1', to: { type: 'phone', number: '2' } },
      }[verb]
      const run = await play([{ verb, ...members }])
      expect(run.ended).toMatchObject({
        by: 'platform',
        x_reason: `invalid jambonz verb '${verb}'`,
      })
    },
  )
})

describe('what the caller hears', () => {
  it('is said with the voice of the verb, of config, or of the application', async () => {
    const run = await play([
      { say: { text: '<speak>One</speak>', loop: 2 } },
      { verb: 'config', synthesizer: { vendor: 'other', language: 'de-DE', voice: 'x' } },
      {
        verb: 'say',
        text: ['two', 'three'],
        synthesizer: { vendor: 'default', voice: { model: 'm' } },
      },
      { verb: 'config', reset: 'synthesizer' },
      { verb: 'say', text: 'four', loop: 'forever' },
      { verb: 'say', stream: true },
    ])
    expect(run.of('said')).toMatchObject([
      { text: '<speak>One</speak>', vendor: 'acme', language: 'en-US', voice: 'en-US-A', loop: 2 },
      { text: 'two', vendor: 'other', language: 'de-DE', voice: '{"model":"m"}' },
      { text: 'three' },
      { text: 'four', vendor: 'acme', loop: 'forever' },
      { text: null },
      { text: 'next' },
    ])
  })

  it('is played, and its hook posted', async () => {
    const run = await play([
      { verb: 'play', url: ['a.wav', 'b.wav'], actionHook: '/hook', id: 'p1' },
    ])
    expect(run.of('played').map(({ url }) => url)).toEqual(['a.wav', 'b.wav'])
    expect(posted()).toMatchObject({
      reason: 'playCompleted',
      playback_seconds: '1',
      verb_id: 'p1',
    })
    expect(isNext(run)).toBe(true)
  })

  it('takes no real time', async () => {
    const began = performance.now()
    const run = await play(
      [
        { verb: 'pause', length: 30 },
        { verb: 'gather', timeout: 20, actionHook: '/hook' },
        { verb: 'dtmf', dtmf: '12#', duration: 250 },
      ],
      [{ kind: 'nothing' }],
    )
    expect(run.of('paused')).toMatchObject([{ ms: 30_000 }])
    // 30 s, 20 s, 3 × 0.5 s and 0.75 s
    expect(run.ended.at).toBeGreaterThanOrEqual(52_250)
    expect(performance.now() - began).toBeLessThan(5_000)
  })

  it('is answered early, late or never', async () => {
    const early = await play([
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
    expect(statuses()).toEqual([
      ['trying', 100],
      ['failed', 404],
    ])
    expect(posted('/status')).toMatchObject({ sip_reason: 'Gone home' })

    answers['/call'] = [
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

describe('gather', () => {
  const gather = (more: object) => ({ verb: 'gather', actionHook: '/hook', ...more })
  const both = ['digits', 'speech']

  it.each([
    [{ numDigits: 2 }, '123', { digits: '12', reason: 'dtmfDetected' }],
    [{ maxDigits: 2 }, '1', { reason: 'timeout' }],
    [{ finishOnKey: '#' }, '12#3', { digits: '12', reason: 'dtmfDetected' }],
    [{ minDigits: 2, maxDigits: 9 }, '12', { digits: '12', reason: 'dtmfDetected' }],
    [{ minDigits: 2, interDigitTimeout: 3 }, '1', { reason: 'timeout' }],
    [{}, '1', { reason: 'timeout' }],
  ])('with %j takes %s for %j', async (more, digits, result) => {
    await play([gather(more)], [{ kind: 'digits', digits }])
    expect(posted()).toMatchObject(result)
    expect('digits' in posted()).toBe('digits' in result)
  })

  it('posts low confidence, errors and partial results', async () => {
    const run = await play(
      [
        gather({
          input: both,
          recognizer: { vendor: 'mine', minConfidence: 0.5 },
          partialResultHook: '/part',
        }),
        gather({ input: both, id: 'g2' }),
        gather({ input: both }),
      ],
      [
        { kind: 'speech', text: 'yes', confidence: 0.4 },
        { kind: 'low_confidence', text: 'maybe' },
        { kind: 'error', details: 'no credentials' },
      ],
    )
    expect(app.at('/hook')).toMatchObject([
      {
        reason: 'stt-low-confidence',
        speech: { vendor: { name: 'mine' }, alternatives: [{ confidence: 0.4 }] },
      },
      {
        reason: 'stt-low-confidence',
        verb_id: 'g2',
        speech: { alternatives: [{ confidence: 0.2 }] },
      },
      { reason: 'error', details: 'no credentials' },
    ])
    expect(app.at('/part')).toMatchObject([{ speech: { is_final: false } }])
    expect(isNext(run)).toBe(true)
  })

  it('asks only for what it listens to', async () => {
    const run = await play([gather({ timeout: 0 })], [{ kind: 'speech', text: 'yes' }])
    expect(run.asked[0]).toMatchObject({ answers: ['digits', 'hang_up'], timeout_ms: null })
    expect(run.events.join()).toContain('does not fit')
    expect(run.ended.by).toBe('caller')
  })

  it('posts nothing when the caller hangs up', async () => {
    const run = await play([gather({})], [{ kind: 'hang_up', after_ms: 4_000 }])
    expect(app.at('/hook')).toEqual([])
    expect(run.ended).toMatchObject({ by: 'caller', is_answered: true })
    expect(posted('/status')).toMatchObject({
      call_status: 'completed',
      duration: 4,
      call_termination_by: 'caller',
    })
  })

  it('listens in the background while config says so', async () => {
    const run = await play(
      [
        { verb: 'config', bargeIn: { enable: true, input: ['speech'], actionHook: '/hook' } },
        { verb: 'say', text: 'one' },
        { verb: 'say', text: 'two' },
      ],
      [{ kind: 'nothing' }, { kind: 'speech', text: 'stop' }],
    )
    expect(posted()).toMatchObject({ reason: 'speechDetected' })
    expect(run.said).toEqual(['one', 'two', 'next'])
    answers['/hook'] = [{ verb: 'say', text: 'stopped' }]
    const replaced = await play(
      [
        { verb: 'config', bargeIn: { enable: true, input: ['speech'], actionHook: '/hook' } },
        { verb: 'say', text: 'one' },
      ],
      [{ kind: 'speech', text: 'stop' }],
    )
    expect(replaced.said).toEqual(['one', 'stopped'])
  })
})

describe('dial', () => {
  const dial = (more: object = {}) => ({
    verb: 'dial',
    actionHook: '/hook',
    target: [{ type: 'phone', number: '+4930123' }],
    ...more,
  })

  it('asks who answers, and posts what came of it', async () => {
    const run = await play(
      [
        dial({
          timeLimit: 30,
          answerOnBridge: true,
          callerId: '+49111',
          target: [
            { type: 'phone', number: '+4930123' },
            { type: 'phone', number: '+4930123' },
            { type: 'user', name: 'bob@acme.example' },
            { type: 'sip', sipUri: 'sip:x@y.example' },
            { type: 'teams', number: '+4940' },
          ],
        }),
      ],
      [{ kind: 'answered', seconds: 90, target: 1 }],
    )
    expect(run.asked[0]!.targets).toEqual([
      { type: 'phone', to: '+4930123' },
      { type: 'user', to: 'bob@acme.example' },
      { type: 'sip', to: 'sip:x@y.example' },
      { type: 'teams', to: '+4940' },
    ])
    const bob = app.at('/status').filter((body) => body.to === 'bob@acme.example')
    expect(bob.map((body) => body.call_status)).toEqual([
      'trying',
      'ringing',
      'in-progress',
      'completed',
    ])
    expect(bob.at(-1)).toMatchObject({
      from: '+49111',
      caller_id: '+49111',
      duration: 30,
      direction: 'outbound',
    })
    expect(posted()).toMatchObject({
      dial_call_status: 'completed',
      dial_sip_status: 200,
      dial_call_sid: bob[0].call_sid,
      call_status: 'in-progress',
    })
    const order = app.requests.map(({ body }) => body.call_status)
    // the caller is answered once somebody is there
    expect(order.indexOf('in-progress')).toBeGreaterThan(order.indexOf('ringing'))
    expect(isNext(run)).toBe(true)
  })

  it.each([
    [{ kind: 'busy' }, 'busy', 486],
    [{ kind: 'no_answer' }, 'no-answer', 487],
    [{ kind: 'failed', status: 503 }, 'failed', 503],
    [{ kind: 'failed' }, 'failed', 404],
  ] satisfies [Answer, string, number][])('posts %j as %s', async (answer, status, sip_status) => {
    const run = await play([dial()], [answer])
    expect(posted()).toMatchObject({ dial_call_status: status, dial_sip_status: sip_status })
    expect(isNext(run)).toBe(true)
  })

  it('posts its hook also when the caller hung up', async () => {
    answers['/hook'] = [{ verb: 'say', text: 'too late' }]
    const run = await play([dial()], [{ kind: 'answered', ended_by: 'caller' }])
    expect(posted()).toMatchObject({ dial_call_status: 'completed', call_status: 'completed' })
    expect(run.said).toEqual([])
    expect(run.ended.by).toBe('caller')
    const gone = await play([dial()], [{ kind: 'hang_up' }])
    expect(posted()).toMatchObject({ dial_call_status: 'no-answer' })
    expect(gone.ended.by).toBe('caller')
  })

  it('lets the called party confirm', async () => {
    answers['/confirm'] = [
      { verb: 'gather', numDigits: 1, actionHook: '/accept', say: { text: 'Press 1 to accept' } },
    ]
    const accepted = await play(
      [dial({ confirmHook: '/confirm' })],
      [{ kind: 'answered' }, { kind: 'digits', digits: '1' }],
    )
    expect(app.requests.find(({ path }) => path === '/confirm')!.headers).not.toHaveProperty('b3')
    expect(posted('/confirm')).toMatchObject({
      direction: 'outbound',
      to: '+4930123',
      parent_call_sid: expect.any(String),
    })
    expect(posted('/accept')).toMatchObject({ digits: '1', call_sid: posted('/confirm').call_sid })
    expect(accepted.of('said')[0]).toMatchObject({ side: 'called', text: 'Press 1 to accept' })
    expect(accepted.asked[1]).toMatchObject({ side: 'called' })
    expect(posted()).toMatchObject({ dial_call_status: 'completed' })

    const declined = await play(
      [dial({ confirmHook: '/confirm' }), { verb: 'gather', numDigits: 1, actionHook: '/caller' }],
      [{ kind: 'answered' }, { kind: 'hang_up' }, { kind: 'digits', digits: '5' }],
    )
    expect(posted()).toMatchObject({ dial_call_status: 'no-answer' })
    // it is the called party that hung up, not the caller
    expect(posted('/caller')).toMatchObject({ digits: '5', direction: 'inbound' })
    expect(isNext(declined)).toBe(true)
    answers['/confirm'] = 500
    await play([dial({ confirmHook: '/confirm' })], [{ kind: 'answered' }])
    expect(posted()).toMatchObject({ dial_call_status: 'no-answer' })
  })

  it('posts the hooks of a conversation', async () => {
    answers['/hold'] = [{ verb: 'play', url: 'hold.mp3', actionHook: '/never' }]
    const run = await play(
      [
        dial({
          dtmfCapture: { childCall: ['*2', '*3'] },
          dtmfHook: '/dtmf',
          onHoldHook: '/hold',
          referHook: '/refer',
          amd: { actionHook: '/amd' },
        }),
      ],
      [{ kind: 'answered', digits: '1*3', on_hold: true, transfer_to: '4711', by: 'machine' }],
    )
    expect(posted('/dtmf')).toMatchObject({ dtmf: '*3', direction: 'outbound' })
    expect(posted('/hold')).toMatchObject({ hold_detail: { from: '+4930123', to: '15551230001' } })
    expect(run.of('played')).toMatchObject([{ url: 'hold.mp3' }])
    expect(app.at('/never')).toEqual([])
    expect(posted('/refer')).toMatchObject({ refer_details: { refer_to_user: '4711' } })
    expect(posted('/amd')).toMatchObject({ type: 'amd_machine_detected' })
  })
})

describe('waiting', () => {
  it('plays a queue’s waitHook until somebody takes the caller', async () => {
    answers['/wait'] = [
      { verb: 'say', text: 'Please hold' },
      { verb: 'play', url: 'm', actionHook: '/never' },
    ]
    const run = await play(
      [{ verb: 'enqueue', name: 'support', waitHook: '/wait', actionHook: '/hook' }],
      [
        { kind: 'wait', seconds: 30 },
        { kind: 'bridged', seconds: 60 },
      ],
    )
    expect(app.at('/wait')).toMatchObject([
      {
        queue_sid: 'queue:9351f46a-0000-4000-8000-000000000001:support',
        queue_time: 0,
        queue_position: 0,
      },
      { queue_time: expect.any(Number) },
    ])
    expect(app.at('/wait')[1].queue_time).toBeGreaterThanOrEqual(30)
    expect(app.at('/wait')[0]).not.toHaveProperty('from')
    expect(posted()).toMatchObject({ queue_result: 'bridged' })
    expect(app.at('/never')).toEqual([])
    expect(run.said).toEqual(['Please hold', 'Please hold', 'next'])
  })

  it('leaves a queue when its verbs say so, and knows only some verbs', async () => {
    answers['/wait'] = [{ verb: 'leave' }]
    await play([{ verb: 'enqueue', name: 'q', waitHook: '/wait', actionHook: '/hook' }])
    expect(posted()).toMatchObject({ queue_result: 'leave' })
    answers['/wait'] = [{ verb: 'dial', target: [{ type: 'phone', number: '1' }] }]
    const run = await play(
      [{ verb: 'enqueue', name: 'q', waitHook: '/wait', actionHook: '/hook' }],
      [{ kind: 'wait' }],
    )
    expect(run.events.join()).toContain('dial is not allowed here')
    expect(posted()).toMatchObject({ queue_result: 'hangup', call_status: 'completed' })
    expect(app.at('/wait')).toHaveLength(2)
  })

  it('takes a caller out of a queue', async () => {
    const taken = { verb: 'dequeue', name: 'q', timeout: 20, actionHook: '/hook' }
    await play([taken], [{ kind: 'bridged' }])
    expect(posted()).toMatchObject({ dequeue_result: 'complete' })
    await play([taken], [{ kind: 'nothing' }])
    expect(posted()).toMatchObject({ dequeue_result: 'timeout' })
  })

  it('meets in a conference', async () => {
    answers['/wait'] = [{ verb: 'say', text: 'Waiting for the host' }]
    answers['/enter'] = [{ verb: 'say', text: 'Welcome' }]
    const run = await play(
      [
        {
          verb: 'conference',
          name: 'room',
          startConferenceOnEnter: false,
          waitHook: '/wait',
          enterHook: '/enter',
          statusHook: '/events',
          statusEvents: ['join', 'leave'],
          actionHook: '/hook',
        },
      ],
      [
        { kind: 'wait', seconds: 5 },
        { kind: 'ended', seconds: 60 },
      ],
    )
    expect(run.said).toEqual(['Waiting for the host', 'Welcome', 'next'])
    expect(app.at('/events').map(({ event }) => event)).toEqual(['join', 'leave'])
    expect(app.at('/events')[1].duration).toBeGreaterThanOrEqual(60)
    expect(posted('/wait')).toMatchObject({ has_recording: false })
    expect(app.at('/hook')).toHaveLength(1)
  })
})

describe('what has no audio here', () => {
  it('ends a stream when the tester says so, and connects nowhere', async () => {
    const stream = {
      verb: 'stream',
      url: 'ws://127.0.0.1:1/audio',
      actionHook: '/hook',
      maxLength: 20,
      finishOnKey: '#',
    }
    await play([stream], [{ kind: 'ended', seconds: 60 }])
    expect(posted()).toMatchObject({ dial_call_duration: 20 })
    await play([stream], [{ kind: 'digits', digits: '1#' }])
    expect(posted()).toMatchObject({ dial_call_duration: 0, digits: '#' })
  })

  it('transcribes what the tester types', async () => {
    const run = await play(
      [{ verb: 'transcribe', transcriptionHook: '/hook' }],
      [
        { kind: 'speech', text: 'one' },
        { kind: 'speech', text: 'two' },
      ],
    )
    expect(app.at('/hook').map(({ speech }) => speech.alternatives[0].transcript)).toEqual([
      'one',
      'two',
    ])
    expect(posted()).toHaveProperty('local_sip_address')
    expect(run.ended.by).toBe('caller')
    answers['/hook'] = [{ verb: 'say', text: 'heard' }]
    expect(
      (
        await play(
          [{ verb: 'transcribe', transcriptionHook: '/hook' }],
          [{ kind: 'speech', text: 'x' }],
        )
      ).said,
    ).toEqual(['heard'])
  })

  it('lets a language model call functions', async () => {
    answers['/tool'] = { text: '{"temperature":12}' }
    const llm = {
      verb: 'acme_llm',
      vendor: 'acme',
      llmOptions: {},
      toolHook: '/tool',
      actionHook: '/hook',
    }
    const run = await play(
      [{ ...llm, verb: 's2s' }],
      [
        { kind: 'tool_call', name: 'weather', args: { cityName: 'Oslo' } },
        { kind: 'ended', reason: 'server error' },
      ],
    )
    expect(posted('/tool')).toEqual({
      tool_call_id: 'call_1',
      name: 'weather',
      args: { cityName: 'Oslo' },
    })
    expect(posted()).toMatchObject({ completion_reason: 'server error' })
    expect(isNext(run)).toBe(true)
  })

  it.each([
    [
      { verb: 'dialogflow', project: 'p', credentials: '{}', lang: 'en' },
      'dialogflow_result',
      'completed',
    ],
    [{ verb: 'rasa', url: 'https://rasa.example' }, 'rasa_result', 'timeout'],
  ])('ends the bot of %j', async (verb, member, result) => {
    await play(
      [{ ...verb, actionHook: '/hook', eventHook: '/event' }],
      [{ kind: 'speech', text: 'hello' }, { kind: 'ended' }],
    )
    expect(app.at('/event')).toHaveLength(1)
    expect(posted()).toMatchObject({ [member]: result })
  })

  it('redirects a bot by its events', async () => {
    answers['/event'] = [{ verb: 'say', text: 'instead' }]
    const lex = { verb: 'lex', botId: 'b', botAlias: 'a', region: 'r', credentials: {} }
    const run = await play(
      [{ ...lex, actionHook: '/hook', eventHook: '/event' }],
      [{ kind: 'speech', text: 'x' }],
    )
    expect(posted('/event')).toEqual({ event: 'transcription', data: { text: 'x' } })
    expect(posted()).toMatchObject({ lex_result: 'redirect' })
    expect(run.said).toEqual(['instead'])
  })
})

describe('SIP and messages', () => {
  it('transfers the caller', async () => {
    const refer = { verb: 'sip:refer', referTo: '+4930', actionHook: '/hook', eventHook: '/event' }
    await play([{ verb: 'answer' }, refer], [{ kind: 'status' }])
    expect(app.at('/event')).toEqual([{ event: 'transfer-status', call_status: 200 }])
    expect(posted()).toMatchObject({ refer_status: 202, final_referred_call_status: 200 })
    const run = await play([{ verb: 'answer' }, refer], [{ kind: 'status', status: 603 }])
    expect(posted()).toMatchObject({ refer_status: 603 })
    expect(posted()).not.toHaveProperty('final_referred_call_status')
    expect(run.asked[0]!.targets).toEqual([{ type: 'transfer', to: '+4930' }])
  })

  it('sends requests within the call, whose hook must answer well', async () => {
    const info = { verb: 'sip:request', method: 'INFO', actionHook: '/hook' }
    await play([{ verb: 'answer' }, info], [{ kind: 'status', status: 405 }])
    expect(posted()).toMatchObject({ result: 'success', sip_status: 405 })
    answers['/hook'] = 500
    const run = await play([{ verb: 'answer' }, info], [{ kind: 'error' }])
    expect(posted()).toMatchObject({ result: 'failed', err: expect.any(String) })
    expect(run.ended.by).toBe('platform')
    const skipped = await play([info, { verb: 'sip:refer', referTo: 'x' }])
    expect(skipped.asked).toEqual([])
  })

  it('sends no message, but says so', async () => {
    const run = await play([
      { verb: 'message', from: '1', to: '2', text: 'Hi', actionHook: '/hook' },
    ])
    expect(posted()).toMatchObject({ message_status: 'success', message_sid: expect.any(String) })
    expect(run.events.join()).toContain('Hi')
  })
})

describe('the rest', () => {
  it('tags all later messages, names as they are', async () => {
    await play([
      { verb: 'tag', data: { fooBar: { bazQux: 1 } } },
      { verb: 'play', url: 'x', actionHook: '/hook' },
    ])
    expect(posted().customerData).toEqual({ fooBar: { bazQux: 1 } })
    expect(posted('/status').customerData).toEqual({ fooBar: { bazQux: 1 } })
  })

  it('follows a redirect to another server, with later hooks and statuses', async () => {
    const other = await httpApplication(({ path }) =>
      path === '/a/b' ? [{ verb: 'play', url: 'x', actionHook: '/hook' }] : 204,
    )
    const run = await play([
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
    const run = await play([
      { verb: 'alert', message: 'ring' },
      { verb: 'dub', action: 'sayOnTrack', track: 'a', say: 'psst' },
      { verb: 'dub', action: 'addTrack', track: 'a' },
      { verb: 'leave' },
      { verb: 'config', record: { action: 'startCallRecording' } },
    ])
    expect(run.said).toEqual(['psst', 'next'])
    expect(run.events.join()).toMatch(/ring.*addTrack.*not in a queue.*record/)
  })

  it('hangs up with a reason', async () => {
    const run = await play([{ verb: 'answer' }, { verb: 'hangup', headers: { 'X-Reason': 'bye' } }])
    expect(run.ended).toMatchObject({ by: 'application', x_reason: 'bye', sip_status: null })
  })

  it('gives up on an application that answers too late', async () => {
    const slow =
      (ms: number) => (response: { writeHead: (status: number) => { end: () => void } }) =>
        void setTimeout(() => response.writeHead(204).end(), ms)
    const gather = (delay: object) => ({
      verb: 'gather',
      actionHook: '/hook',
      actionHookDelayAction: { enabled: true, ...delay },
    })
    answers['/hook'] = slow(150) as HookAnswer
    const heard = await play(
      [gather({ noResponseTimeout: 0.05, actions: [{ verb: 'say', text: 'One moment' }] })],
      [{ kind: 'nothing' }],
    )
    expect(heard.said).toEqual(['One moment', 'next'])
    const gone = await play([gather({ noResponseGiveUpTimeout: 0.05 })], [{ kind: 'nothing' }])
    expect(gone.ended).toMatchObject({ by: 'platform', x_reason: 'bot-action-delay-giveup' })
  })
})

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isNext, verbApplication } from '../../../../test/runs.ts'

let app: Awaited<ReturnType<typeof verbApplication>>
beforeEach(async () => {
  app = await verbApplication()
})
afterEach(() => app.close())

describe('waiting', () => {
  it('plays a queue’s waitHook until somebody takes the caller', async () => {
    app.answers['/wait'] = [
      { verb: 'say', text: 'Please hold' },
      { verb: 'play', url: 'm', actionHook: '/never' },
    ]
    const run = await app.play(
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
    expect(app.posted()).toMatchObject({ queue_result: 'bridged' })
    expect(app.at('/never')).toEqual([])
    expect(run.said).toEqual(['Please hold', 'Please hold', 'next'])
  })

  it('asks for nothing else while a sound repeats for ever', async () => {
    app.answers['/wait'] = [{ verb: 'play', url: 'm', loop: 'forever' }]
    const run = await app.play(
      [{ verb: 'enqueue', name: 'q', waitHook: '/wait', actionHook: '/hook' }],
      [{ kind: 'wait', seconds: 30 }, { kind: 'bridged' }],
    )
    expect(app.at('/wait')).toHaveLength(1)
    expect(app.posted()).toMatchObject({ queue_result: 'bridged' })
    expect(run.asked.map(({ verb }) => verb)).toEqual(['enqueue', 'enqueue'])
  })

  it('leaves a queue when its verbs say so, and knows only some verbs', async () => {
    app.answers['/wait'] = [{ verb: 'leave' }]
    await app.play([{ verb: 'enqueue', name: 'q', waitHook: '/wait', actionHook: '/hook' }])
    expect(app.posted()).toMatchObject({ queue_result: 'leave' })
    app.answers['/wait'] = [{ verb: 'dial', target: [{ type: 'phone', number: '1' }] }]
    const run = await app.play(
      [{ verb: 'enqueue', name: 'q', waitHook: '/wait', actionHook: '/hook' }],
      [{ kind: 'wait' }],
    )
    expect(run.events.join()).toContain('dial is not allowed here')
    expect(app.posted()).toMatchObject({ queue_result: 'hangup', call_status: 'completed' })
    expect(app.at('/wait')).toHaveLength(2)
  })

  it('takes a caller out of a queue', async () => {
    const taken = { verb: 'dequeue', name: 'q', timeout: 20, actionHook: '/hook' }
    await app.play([taken], [{ kind: 'bridged' }])
    expect(app.posted()).toMatchObject({ dequeue_result: 'complete' })
    await app.play([taken], [{ kind: 'nothing' }])
    expect(app.posted()).toMatchObject({ dequeue_result: 'timeout' })
  })

  it('meets in a conference', async () => {
    app.answers['/wait'] = [{ verb: 'say', text: 'Waiting for the host' }]
    app.answers['/enter'] = [{ verb: 'say', text: 'Welcome' }]
    const run = await app.play(
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
    expect(app.posted('/wait')).toMatchObject({ has_recording: false })
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
    await app.play([stream], [{ kind: 'ended', seconds: 60 }])
    expect(app.posted()).toMatchObject({ dial_call_duration: 20 })
    await app.play([stream], [{ kind: 'digits', digits: '1#' }])
    expect(app.posted()).toMatchObject({ dial_call_duration: 0, digits: '#' })
  })

  it('transcribes what the tester types', async () => {
    const run = await app.play(
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
    expect(app.posted()).toMatchObject({
      local_sip_address: expect.any(String),
      b3: expect.stringContaining(app.posted().trace_id),
    })
    const request = app.requests.find(({ path }) => path === '/hook')
    expect(request!.headers).not.toHaveProperty('b3')
    expect(run.ended.by).toBe('caller')
    app.answers['/hook'] = [{ verb: 'say', text: 'heard' }]
    expect(
      (
        await app.play(
          [{ verb: 'transcribe', transcriptionHook: '/hook' }],
          [{ kind: 'speech', text: 'x' }],
        )
      ).said,
    ).toEqual(['heard'])
  })

  it('lets a language model call functions', async () => {
    app.answers['/tool'] = { text: '{"temperature":12}' }
    const llm = {
      vendor: 'ultravox',
      auth: { apiKey: 'x' },
      llmOptions: {},
      toolHook: '/tool',
      actionHook: '/hook',
    }
    const run = await app.play(
      [{ ...llm, verb: 's2s' }],
      [
        { kind: 'tool_call', name: 'weather', args: { cityName: 'Oslo' } },
        { kind: 'ended', reason: 'server error' },
      ],
    )
    expect(app.posted('/tool')).toEqual({
      tool_call_id: 'call_1',
      name: 'weather',
      args: { cityName: 'Oslo' },
    })
    expect(app.posted()).toMatchObject({ completion_reason: 'server error' })
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
    await app.play(
      [{ ...verb, actionHook: '/hook', eventHook: '/event' }],
      [{ kind: 'speech', text: 'hello' }, { kind: 'ended' }],
    )
    expect(app.at('/event')).toHaveLength(1)
    expect(app.posted()).toMatchObject({ [member]: result })
  })

  it('redirects a bot by its events', async () => {
    app.answers['/event'] = [{ verb: 'say', text: 'instead' }]
    const lex = { verb: 'lex', botId: 'b', botAlias: 'a', region: 'r', credentials: {} }
    const run = await app.play(
      [{ ...lex, actionHook: '/hook', eventHook: '/event' }],
      [{ kind: 'speech', text: 'x' }],
    )
    expect(app.posted('/event')).toEqual({ event: 'transcription', data: { text: 'x' } })
    expect(app.posted()).toMatchObject({ lex_result: 'redirect' })
    expect(run.said).toEqual(['instead'])
  })
})

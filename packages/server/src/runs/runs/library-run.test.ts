import type { Answer } from '@switchroom/contract'
import { describe, expect, it } from 'vitest'
import { applicationAt, closedAfterEach, playRun } from '../../../test/runs.ts'
import {
  type LibrarySession,
  libraryApplication,
} from '../../../test/stand-ins/library-application.ts'
import { httpApplication } from '../../../test/stand-ins/voice-applications.ts'

import type { Limits } from './limits.ts'

const opened = closedAfterEach()
async function library(...given: Parameters<typeof libraryApplication>) {
  const app = await libraryApplication(...given)
  opened.push(app)
  return app
}

const url = (path: string) => ({ url: path })
const target = [{ type: 'phone', number: '+4930123', confirmHook: url('/confirm') }]

/** Every place of a hook in every verb that a caller can bring to post it. */
const HOOKS: [string, object, Answer[], string[]][] = [
  [
    'gather',
    { input: ['speech'], actionHook: url('/a'), partialResultHook: url('/partial') },
    [{ kind: 'speech', text: 'hello' }],
    ['/partial', '/a'],
  ],
  [
    'config',
    {
      bargeIn: {
        enable: true,
        input: ['speech'],
        actionHook: url('/a'),
        partialResultHook: url('/partial'),
      },
    },
    [{ kind: 'speech', text: 'hello' }],
    ['/partial', '/a'],
  ],
  ['config', { amd: { actionHook: url('/amd') } }, [], ['/amd']],
  ['play', { url: 'a.wav', actionHook: url('/a') }, [], ['/a']],
  [
    'dial',
    {
      target,
      actionHook: url('/a'),
      dtmfCapture: ['*2'],
      dtmfHook: url('/dtmf'),
      onHoldHook: url('/hold'),
      referHook: url('/refer'),
      amd: { actionHook: url('/amd') },
    },
    [{ kind: 'answered', digits: '*2', on_hold: true, transfer_to: '4711' }],
    ['/confirm', '/amd', '/dtmf', '/hold', '/refer', '/a'],
  ],
  [
    'enqueue',
    { name: 'q', actionHook: url('/a'), waitHook: url('/wait') },
    [{ kind: 'bridged' }],
    ['/wait', '/a'],
  ],
  ['dequeue', { name: 'q', actionHook: url('/a') }, [{ kind: 'bridged' }], ['/a']],
  [
    'conference',
    {
      name: 'c',
      startConferenceOnEnter: false,
      actionHook: url('/a'),
      waitHook: url('/wait'),
      enterHook: url('/enter'),
      statusHook: url('/status'),
      statusEvents: ['join'],
    },
    [{ kind: 'wait' }, { kind: 'ended' }],
    ['/wait', '/status', '/enter', '/a'],
  ],
  ['listen', { url: 'wss://x.example', actionHook: url('/a') }, [{ kind: 'ended' }], ['/a']],
  [
    'llm',
    {
      vendor: 'openai',
      auth: { apiKey: 'x' },
      llmOptions: { response_create: {} },
      actionHook: url('/a'),
      toolHook: url('/tool'),
    },
    [{ kind: 'tool_call', name: 'f', args: {} }, { kind: 'ended' }],
    ['/tool', '/a'],
  ],
  [
    'dialogflow',
    { project: 'p', credentials: {}, lang: 'en', actionHook: url('/a'), eventHook: url('/event') },
    [{ kind: 'speech', text: 'hello' }, { kind: 'ended' }],
    ['/event', '/a'],
  ],
  [
    'lex',
    {
      ...{ botId: 'b', botAlias: 'a', region: 'r', credentials: {} },
      ...{ actionHook: url('/a'), eventHook: url('/event') },
    },
    [{ kind: 'speech', text: 'hello' }, { kind: 'hang_up' }],
    ['/event', '/a'],
  ],
  [
    'rasa',
    { url: 'https://rasa.example', actionHook: url('/a'), eventHook: url('/event') },
    [{ kind: 'speech', text: 'hello' }, { kind: 'ended' }],
    ['/event', '/a'],
  ],
  ['message', { to: '1', from: '2', actionHook: url('/a') }, [], ['/a']],
  [
    'sip:refer',
    { referTo: 'x', actionHook: url('/a'), eventHook: url('/event') },
    [{ kind: 'status' }],
    ['/event', '/a'],
  ],
  ['sip:request', { method: 'INFO', actionHook: url('/a') }, [{ kind: 'status' }], ['/a']],
  ['redirect', { actionHook: url('/a') }, [], ['/a']],
]

describe('the platform’s library', () => {
  it.each(HOOKS)(
    'has its handlers called for the hooks of %s written as objects',
    async (verb, data, answers, hooks) => {
      const heard: string[] = []
      const app = await library((session) => {
        for (const hook of hooks)
          session.on(hook, (event) => {
            heard.push(hook)
            if (hook === '/tool')
              session.sendToolOutput(String(event.tool_call_id), { output: '1' })
            else session.reply!()
          })
        session.answer!()
        session[verb.replace(':', '_')]!(data)
        session.say!({ text: 'next' }).hangup!().send!()
      })
      const run = await playRun(applicationAt(app.url), answers)
      expect(heard).toEqual(hooks)
      expect(run.problems).toEqual([])
    },
  )

  it('may have its toolHook over HTTP, whose answer the model gets', async () => {
    const http = await httpApplication(({ path }) =>
      path === '/fails' ? 500 : { text: '{"output":"12 C"}' },
    )
    opened.push(http)
    const app = await library((session) => {
      const llm = (toolHook: string) => ({
        ...{ vendor: 'openai', auth: { apiKey: 'x' }, llmOptions: { response_create: {} } },
        ...{ toolHook, actionHook: '/done' },
      })
      session.on('/done', () => session.reply!())
      session.llm!(llm(`${http.url}/tool`)).llm!(llm(`${http.url}/fails`)).hangup!().send!()
    })
    const tool: Answer = { kind: 'tool_call', name: 'f', args: { cityName: 'Oslo' } }
    const run = await playRun(applicationAt(app.url), [tool, { kind: 'ended' }, tool])
    expect(http.at('/tool')).toEqual([
      { tool_call_id: 'call_1', name: 'f', args: { cityName: 'Oslo' } },
    ])
    expect(run.events.join()).not.toContain('no output')
    // one that fails ends the conversation, as on the platform
    const done = run.of('request').filter(({ url }) => url === '/done')
    expect(done.map(({ data }) => JSON.parse(data.text).completion_reason)).toEqual([
      'normal conversation end',
      'client error calling function',
    ])
  })
})

describe('a command in the middle of a verb', () => {
  const waiting = { limits: { lapse_ms: 60_000 } }
  const dial = { target: [{ type: 'phone', number: '+4930123' }], actionHook: '/dialed' }
  /** Plays an application that does something as soon as a status of a leg is told. */
  async function during(
    begin: (session: LibrarySession) => void,
    direction: string,
    act: (session: LibrarySession, leg: Record<string, unknown>) => void,
    answers: Answer[] = [],
    adulting?: (session: LibrarySession) => void,
    limits: Partial<Limits> = waiting.limits,
  ) {
    const hooks: Record<string, unknown>[] = []
    const app = await library((session) => {
      session.on('call:status', (leg) => {
        if (leg.call_status === 'in-progress' && leg.direction === direction) act(session, leg)
      })
      session.on('/dialed', (data) => {
        hooks.push(data)
        session.reply!()
      })
      session.on('/redirected', () => session.say!({ text: 'by hook' }).hangup!().reply!())
      begin(session)
    }, adulting)
    return { ...(await playRun(applicationAt(app.url), answers, { limits })), hooks }
  }
  const goodbye = (session: LibrarySession) =>
    void session.say!({ text: 'Goodbye' }).hangup!().send!()

  it('ends a pause, a silence and the timeout of a gather at its moment', async () => {
    for (const [verb, data] of [
      ['pause', { length: 600 }],
      ['say', { text: 'very long '.repeat(2_000) }],
      ['gather', { input: ['digits'], timeout: 600, actionHook: '/never' }],
    ] as const) {
      const run = await during(
        (session) => session.answer!()[verb]!(data).say!({ text: 'never' }).send!(),
        'inbound',
        goodbye,
        [{ kind: 'nothing' }],
      )
      expect(run.said.at(-1)).toBe('Goodbye')
      expect(run.said).not.toContain('never')
      expect(run.ended.at).toBeLessThan(600_000)
      expect(run.of('request').filter(({ url }) => url === '/never')).toEqual([])
    }
  })

  it('ends a conversation, whose hook is still posted', async () => {
    const run = await during(
      (session) => session.dial!(dial).say!({ text: 'never' }).send!(),
      'outbound',
      goodbye,
      [{ kind: 'answered', seconds: 3_000 }],
    )
    expect(run.said).toEqual(['Goodbye'])
    expect(run.hooks).toMatchObject([{ dial_call_status: 'completed', dial_sip_status: 200 }])
    const [completed] = run.of('request').flatMap(({ name, data }) => {
      const leg = JSON.parse(data.text)
      return name === 'call:status' && leg.call_status === 'completed' ? [leg] : []
    })
    expect(completed).toMatchObject({ direction: 'outbound' })
    expect(completed.duration).toBeLessThan(3_000)
  })

  it('ends a conference and a call', async () => {
    const run = await during(
      (session) => session.conference!({ name: 'c' }).say!({ text: 'never' }).send!(),
      'inbound',
      (session) => session.injectCommand('call:status', { call_status: 'completed' }),
      [{ kind: 'ended', seconds: 3_000 }],
    )
    expect(run.said).toEqual([])
    expect(run.ended).toMatchObject({ by: 'application', text: 'The application ends the call.' })
    expect(run.ended.at).toBeLessThan(3_000_000)
  })

  it('takes effect beside a conversation if it does not end it', async () => {
    const run = await during(
      (session) => session.dial!(dial).hangup!().send!(),
      'outbound',
      (session) => {
        session.injectCommand('whisper', { whisper: { verb: 'say', text: 'psst' } })
        session.injectCommand('redirect', { parent_call: [{ verb: 'hangup' }] })
      },
      [{ kind: 'answered', seconds: 3_000 }],
    )
    expect(run.said).toEqual(['psst'])
    const [talked] = run.steps.filter(
      (step) => step.kind === 'event' && /They talk/.test(step.text),
    )
    expect(run.of('said')[0]!.at).toBeLessThanOrEqual(talked!.at)
  })

  it('replaces the verbs of either leg', async () => {
    const answers: Answer[] = [{ kind: 'answered', seconds: 3_000 }]
    const begin = (session: LibrarySession) =>
      void session.dial!(dial).say!({ text: 'rest' }).hangup!().send!()
    const say = (text: string) => [{ verb: 'say', text }, { verb: 'hangup' }]
    const redirected = (data: object, adulting?: (session: LibrarySession) => void) =>
      during(
        begin,
        'outbound',
        (session) => session.sendCommand('redirect', data),
        answers,
        adulting,
      )
    const heard = ({ of }: Awaited<ReturnType<typeof redirected>>) =>
      of('said').map(({ side, text }) => `${side}: ${text}`)

    expect(heard(await redirected({ parent_call: say('own') }))).toEqual(['caller: own'])
    expect(heard(await redirected({ call_hook: { url: '/redirected' } }))).toEqual([
      'caller: by hook',
    ])
    // a dialed party with verbs of its own is a call of its own, over another WebSocket
    let parent: unknown
    const childs = await redirected(
      {
        child_call: [
          {
            verb: 'gather',
            input: ['digits'],
            numDigits: 1,
            actionHook: '/child',
            say: { text: '?' },
          },
        ],
        parent_call: say('own'),
      },
      (session) => {
        parent = session.data
        session.on('/child', () => session.say!({ text: 'child' }).hangup!().reply!())
        session.send!()
      },
    )
    expect(childs.events.join()).not.toContain('ignores')
    expect(heard(childs)).toEqual(['called: ?', 'caller: own'])
    expect(parent).toMatchObject({
      direction: 'outbound',
      parent_call_info: { direction: 'inbound' },
    })
    const both = await redirected({ child_call_hook: '/redirected' })
    expect(heard(both)).toEqual(['called: by hook', 'caller: rest'])
  })

  it('ends nothing if its verbs are refused', async () => {
    const run = await during(
      (session) =>
        session.answer!().pause!({ length: 600 }).say!({ text: 'next' }).hangup!().send!(),
      'inbound',
      (session) => session.sendCommand('redirect', [{ verb: 'sing' }]),
      [],
      undefined,
      { lapse_ms: 300 },
    )
    expect(run.events.join()).toContain('refuses the verbs of this redirect: invalid instruction')
    expect(run.said).toEqual(['next'])
    expect(run.ended.at).toBeGreaterThanOrEqual(600_000)
  })

  it('is told to have no effect where it has none', async () => {
    const run = await during(
      (session) => session.answer!().pause!({ length: 1 }).hangup!().send!(),
      'inbound',
      (session) => {
        session.injectCommand('redirect', { child_call: [{ verb: 'hangup' }] })
        session.sendCommand('redirect', {})
      },
    )
    expect(run.events.join()).toMatch(
      /No dialed party is connected.*Without them, nothing is replaced/,
    )
  })
})

describe.each([
  ['say', { text: 'again' }, 'said'],
  ['play', { url: 'again', actionHook: '/never' }, 'played'],
] as const)('a plain %s that repeats for ever', (verb, data, kind) => {
  async function endless(answers: Answer[], onStart?: (session: LibrarySession) => void) {
    const statuses: unknown[] = []
    const app = await library((session) => {
      session.on('/never', () => session.say!({ text: 'by hook' }).reply!())
      session.on('verb:status', ({ id, event }) => {
        if (id !== 'forever') return
        statuses.push(event)
        if (event === 'start-playback') onStart?.(session)
      })
      session.config!({ notifyEvents: true })
      session[verb]!({ ...data, loop: 'forever', id: 'forever' })
      session.say!({ text: 'next' }).hangup!().send!()
    })
    const run = await playRun(applicationAt(app.url), answers)
    const heard = run.steps.flatMap((step) =>
      step.kind === 'said' ? [step.text] : step.kind === 'played' ? [step.url] : [],
    )
    return { ...run, heard, statuses }
  }

  it('goes on while the caller waits, and ends as they hang up', async () => {
    const run = await endless([
      { kind: 'wait', seconds: 0 },
      { kind: 'wait', seconds: 0 },
    ])
    expect(run.of(kind)).toMatchObject([{ loop: 'forever' }])
    expect(run.asked).toHaveLength(3)
    for (const question of run.asked)
      expect(question).toMatchObject({ verb, answers: ['wait', 'hang_up'], timeout_ms: null })
    expect(run.heard).toEqual(['again'])
    expect(run.ended).toMatchObject({ by: 'caller' })
    expect(run.statuses).not.toContain('stop-playback')
  })

  it('ends as the application replaces its verbs', async () => {
    const run = await endless([{ kind: 'wait', seconds: 3_000 }], (session) =>
      session.say!({ text: 'moved' }).hangup!().send!(),
    )
    expect(run.heard).toEqual(['again', 'moved'])
    expect(run.ended).toMatchObject({ by: 'application' })
    expect(run.ended.at).toBeLessThan(3_000_000)
    expect(run.statuses.filter((event) => /playback/.test(String(event)))).toEqual([
      'start-playback',
      'kill-playback',
    ])
  })

  it('ends as the application ends the call', async () => {
    const run = await endless([{ kind: 'wait', seconds: 3_000 }], (session) =>
      session.injectCommand('call:status', { call_status: 'completed' }),
    )
    expect(run.heard).toEqual(['again'])
    expect(run.ended).toMatchObject({ by: 'application' })
    expect(run.ended.at).toBeLessThan(3_000_000)
  })
})

describe('speech that is streamed', () => {
  async function streaming(
    begin: (session: LibrarySession) => void,
    speak: (session: LibrarySession) => void,
    answers: Answer[] = [],
  ) {
    const events: unknown[] = []
    const failed: string[] = []
    const app = await library((session) => {
      session.on('tts:streaming-event', ({ event_type }) => events.push(event_type))
      session.on('tts:user_interrupt', () => events.push('heard'))
      session.on('/said', () => session.reply!())
      session.on('call:status', ({ call_status }) => {
        if (call_status !== 'in-progress') return
        const { sendTtsTokens } = session
        session.sendTtsTokens = (text) =>
          sendTtsTokens.call(session, text).catch((e: Error) => void failed.push(e.message))
        speak(session)
      })
      begin(session)
    })
    return { ...(await playRun(applicationAt(app.url), answers)), events, failed }
  }
  const on = { ttsStream: { enable: true } }

  it('is heard in sentences while streaming is on', async () => {
    const run = await streaming(
      (session) => session.config!(on).answer!().send!(),
      (session) => {
        for (const word of ['Hello ', 'there. How ', 'are ', 'you'])
          void session.sendTtsTokens(word)
        session.flushTtsTokens!()
      },
      [{ kind: 'wait', seconds: 1 }],
    )
    expect(run.said).toEqual(['Hello there.', 'How are you'])
    expect(run.events).toEqual(['stream_open'])
    expect(run.failed).toEqual([])
  })

  it('is heard by a verb that says it', async () => {
    const run = await streaming(
      (session) => session.say!({ stream: true }).say!({ text: 'after' }).hangup!().send!(),
      (session) => void session.sendTtsTokens('Streamed'),
    )
    expect(run.said).toEqual([null, 'Streamed', 'after'])
  })

  it('is not heard while streaming is off', async () => {
    const run = await streaming(
      (session) => session.answer!().send!(),
      (session) => void session.sendTtsTokens('Hello.'),
      [{ kind: 'wait', seconds: 1 }],
    )
    expect(run.said).toEqual([])
    expect(run.failed).toHaveLength(1)
    expect(run.events.join()).toBe('')
  })

  it('waits while the buffer of the platform is full', async () => {
    const run = await streaming(
      (session) => session.config!(on).answer!().send!(),
      (session) => {
        void session.sendTtsTokens('a'.repeat(700))
        void session.sendTtsTokens('b'.repeat(700))
        session.flushTtsTokens!()
      },
      [{ kind: 'wait', seconds: 1 }],
    )
    expect(run.said).toEqual(['a'.repeat(700), 'b'.repeat(700)])
    expect(run.events).toEqual(['stream_open', 'stream_paused', 'stream_resumed'])
  })

  it('has room for 1,000 characters that are not spoken yet', async () => {
    const run = await streaming(
      (session) => session.config!(on).answer!().send!(),
      (session) => {
        void session.sendTtsTokens('a'.repeat(600))
        void session.sendTtsTokens('b'.repeat(400))
        void session.sendTtsTokens('c')
        session.flushTtsTokens!()
      },
      [{ kind: 'wait', seconds: 1 }],
    )
    expect(run.said).toEqual([`${'a'.repeat(600)}${'b'.repeat(400)}`, 'c'])
    expect(run.events).toEqual(['stream_open', 'stream_paused', 'stream_resumed'])
  })

  it('ends when the caller speaks', async () => {
    const bargeIn = { enable: true, input: ['speech'], actionHook: '/said' }
    const run = await streaming((session) =>
      session.config!({ ...on, bargeIn }).say!({ text: 'Hello' }).send!(), () => {}, [
      { kind: 'speech', text: 'stop' },
    ])
    expect(run.events).toEqual(['stream_open', 'heard', 'user_interruption'])
  })
})

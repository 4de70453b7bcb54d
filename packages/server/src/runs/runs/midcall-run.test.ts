import type { Answer } from '@switchroom/contract'
import { describe, expect, it } from 'vitest'
import { applicationAt, closedAfterEach, playRun, verbApplication } from '../../../test/runs.ts'
import {
  type LibrarySession,
  libraryApplication,
} from '../../../test/stand-ins/library-application.ts'
import type { RunOptions } from './run-call.ts'

// Events beside verbs and between them, with the platform's library on the other side.

const opened = closedAfterEach()

async function played(
  onSession: (session: LibrarySession) => void,
  answers: Answer[] = [],
  more: Partial<RunOptions> = {},
) {
  const app = await libraryApplication(onSession)
  opened.push(app)
  const run = await playRun(applicationAt(app.url), answers, more)
  /** Bodies posted to a hook. */
  const posted = (hook: string) =>
    run.of('request').flatMap(({ url, data }) => (url === hook ? [JSON.parse(data.text)] : []))
  return { ...run, posted }
}
async function http() {
  const app = await verbApplication()
  opened.push(app)
  return app
}

const bargeIn = { enable: true, sticky: true, input: ['speech'], actionHook: '/said' }

describe('silence of an application', () => {
  it('is broken by a caller who is listened to in the background', async () => {
    const run = await played(
      (session) => {
        session.on('/said', ({ speech }) => {
          session.reply!()
          const [{ transcript }] = (speech as { alternatives: { transcript: string }[] })
            .alternatives as [{ transcript: string }]
          void session.sendTtsTokens(`You said ${transcript}.`)
          session.flushTtsTokens!()
        })
        session.config!({ ttsStream: { enable: true }, bargeIn }).say!({ text: 'Hi' }).send!()
      },
      [
        { kind: 'speech', text: 'one' },
        { kind: 'speech', text: 'two' },
        { kind: 'wait', seconds: 1 },
        { kind: 'speech', text: 'three' },
      ],
    )
    expect(run.said).toEqual(['Hi', 'You said one.', 'You said two.', 'You said three.'])
    expect(run.asked.at(-1)).toMatchObject({
      verb: 'silence',
      answers: expect.arrayContaining(['speech', 'wait']),
    })
  })

  it('is filled, and ended, by what the application wants to be done about it', async () => {
    const actionHookDelayAction = {
      ...{ enabled: true, noResponseTimeout: 0.05, noResponseGiveUpTimeout: 2.5, retries: 1 },
      actions: [
        { verb: 'play', url: 'typing.mp3' },
        { verb: 'play', url: 'still.mp3' },
      ],
      giveUpActions: [{ verb: 'say', text: 'Sorry' }, { verb: 'hangup' }],
    }
    const slow = await played(
      (session) => {
        session.on('/said', () => session.reply!())
        session.config!({ actionHookDelayAction }).gather!({
          input: ['speech'],
          actionHook: '/said',
        }).send!()
      },
      [{ kind: 'speech', text: 'hello' }],
    )
    expect(slow.of('played').map(({ url }) => url)).toEqual(['typing.mp3', 'still.mp3'])
    expect(slow.said).toEqual(['Sorry'])
    expect(slow.ended.by).toBe('application')
  })

  it('is no silence to a gather’s own', async () => {
    const { giveUp, ...run } = await played(
      (session) => {
        session.on('/said', () => session.reply!())
        session.gather!({
          ...{ input: ['digits'], numDigits: 1, actionHook: '/said' },
          actionHookDelayAction: { enabled: true, noResponseGiveUpTimeout: 0.05 },
        }).send!()
      },
      [{ kind: 'digits', digits: '1' }],
    ).then((all) => ({ ...all, giveUp: all.ended.x_reason }))
    expect(giveUp).toBe('bot-action-delay-giveup')
    expect(run.ended.by).toBe('platform')
  })
})

describe('a transcription in the background', () => {
  const transcribe = { enable: true, transcriptionHook: '/words' }

  it('tells what the caller says, to a gather and between verbs', async () => {
    const heard: unknown[] = []
    const run = await played(
      (session) => {
        session.on('/words', ({ speech }) => {
          heard.push(speech)
          session.reply!()
        })
        session.on('/said', () => session.reply!())
        session.config!({ transcribe }).gather!({ input: ['speech'], actionHook: '/said' }).send!()
      },
      [
        { kind: 'speech', text: 'one' },
        { kind: 'speech', text: 'two' },
      ],
    )
    expect(heard).toMatchObject([
      { alternatives: [{ transcript: 'one' }] },
      { alternatives: [{ transcript: 'two' }] },
    ])
    expect(run.problems).toEqual([])
  })

  it.each<[string, (session: LibrarySession) => void]>([
    ['in a verb', (session) => session.transcribe!({ transcriptionHook: '/words' }).send!()],
    [
      'in the background',
      (session) => {
        const gather = { input: ['speech'], actionHook: '/said' }
        session.config!({ transcribe }).gather!(gather).gather!(gather).send!()
      },
    ],
  ])('goes on %s whose words are never acknowledged', async (_, begin) => {
    const run = await played(
      (session) => {
        session.on('/words', () => {})
        session.on('/said', () => session.reply!())
        begin(session)
      },
      [
        { kind: 'speech', text: 'one' },
        { kind: 'speech', text: 'two' },
      ],
      { limits: { ack_ms: 50 } },
    )
    const words = run.posted('/words').map(({ speech }) => speech.alternatives[0].transcript)
    expect(words).toEqual(['one', 'two'])
    expect(run.events.filter((text) => text.includes('The transcription goes on.'))).toHaveLength(2)
    expect(run.events.join()).not.toContain('next verb')
    expect(run.ended.by).toBe('caller')
  })

  it('ends, and replaces no verbs', async () => {
    const app = await http()
    app.answers['/words'] = [{ verb: 'say', text: 'never' }]
    const gather = { verb: 'gather', input: ['speech'], actionHook: '/hook' }
    const off = { verb: 'config', transcribe: { enable: false } }
    const run = await app.play(
      [{ verb: 'config', transcribe }, gather, off, gather],
      [
        { kind: 'speech', text: 'one' },
        { kind: 'speech', text: 'two' },
      ],
    )
    expect(app.at('/words').map(({ speech }) => speech.alternatives[0].transcript)).toEqual(['one'])
    expect(app.posted('/words')).toMatchObject({ local_sip_address: expect.any(String) })
    expect(app.at('/hook')).toHaveLength(2)
    expect(run.said).toEqual(['next'])
  })
})

describe('a verb that is asked to tell its status', () => {
  it('tells when it is heard, and when the caller cuts it', async () => {
    const events: unknown[] = []
    await played(
      (session) => {
        session.on('verb:status', (status) => events.push(status))
        session.on('/said', () => session.reply!())
        session.config!({ notifyEvents: true }).say!({ id: 's', text: 'Hi' }).play!({
          id: 'p',
          url: 'a.wav',
        }).config!({ bargeIn: { ...bargeIn, sticky: false } }).say!({ id: 'c', text: 'Long' })
          .send!()
      },
      [{ kind: 'speech', text: 'stop' }],
    )
    const of = (id: string) =>
      (events as { id?: string; event: string }[])
        .filter((e) => e.id === id)
        .map(({ event }) => event)
    expect(of('s')).toEqual([
      'starting',
      'synthesized-audio',
      'start-playback',
      'stop-playback',
      'finished',
    ])
    expect(of('p')).toEqual(['starting', 'start-playback', 'stop-playback', 'finished'])
    expect(of('c').slice(0, 5)).toEqual([
      ...['starting', 'synthesized-audio', 'start-playback', 'speech-bargein-detected'],
      'kill-playback',
    ])
    expect(events).toContainEqual(
      expect.objectContaining({ event: 'start-playback', verb: 'play', id: 'p' }),
    )
  })
})

describe('a command', () => {
  const dial = { target: [{ type: 'phone', number: '+4930123' }], actionHook: '/dialed' }
  const inDial = (
    act: (session: LibrarySession, child: string) => void,
    answers: Answer[] = [{ kind: 'answered', seconds: 3_000 }],
  ) =>
    played(
      (session) => {
        session.on('call:status', ({ direction, call_status, call_sid }) => {
          if (direction === 'outbound' && call_status === 'in-progress')
            act(session, String(call_sid))
        })
        session.on('/dialed', () => session.say!({ text: 'after' }).hangup!().reply!())
        session.dial!(dial).send!()
      },
      answers,
      { limits: { lapse_ms: 60_000 } },
    )

  it('for the dialed party hangs up theirs, and not the caller’s', async () => {
    const run = await inDial((session, child) =>
      session.injectCommand('call:status', { call_status: 'completed' }, child),
    )
    expect(run.posted('/dialed')).toMatchObject([{ dial_call_status: 'completed' }])
    expect(run.said).toEqual(['after'])
    expect(run.ended.at).toBeLessThan(3_000_000)
  })

  it('for the dialed party is heard by them', async () => {
    const run = await inDial((session, child) => {
      session.injectCommand('whisper', { whisper: { verb: 'say', text: 'psst' } }, child)
      session.injectCommand('dub', { action: 'sayOnTrack', track: 'a', say: 'dubbed' })
      session.injectCommand('call:status', { call_status: 'completed' }, child)
    })
    expect(run.of('said').map(({ side, text }) => `${side}: ${text}`)).toEqual([
      ...['called: psst', 'caller: dubbed', 'caller: after'],
    ])
  })

  it('for a party that has hung up does nothing to the caller', async () => {
    let gone = ''
    const run = await played(
      (session) => {
        session.on('call:status', ({ direction, call_status, call_sid }) => {
          if (direction === 'outbound' && call_status === 'completed') gone = String(call_sid)
        })
        session.on('/dialed', () =>
          session.pause!({ length: 0.2 }).say!({ text: 'after' }).reply!(),
        )
        session.on('/said', () => session.hangup!().reply!())
        session.on('verb:status', ({ event, name }) => {
          if (event === 'starting' && name === 'pause')
            session.injectCommand('call:status', { call_status: 'completed' }, gone)
        })
        session.config!({ notifyEvents: true }).dial!(dial).gather!({ actionHook: '/said' }).send!()
      },
      [{ kind: 'answered', seconds: 1 }],
    )
    expect(run.events.join()).toContain('This status does not fit the call')
    expect(run.said).toEqual(['after'])
    expect(run.ended.by).toBe('caller')
  })

  it('for a call that is not there does nothing, and says so', async () => {
    const run = await inDial(
      (session) =>
        session.injectCommand('call:status', { call_status: 'completed' }, 'somebody else'),
      [{ kind: 'answered', seconds: 1 }],
    )
    expect(run.events.join()).toContain('has this callSid')
    expect(run.said).toEqual(['after'])
  })

  it.each([
    ['whisper', { whisper: { verb: 'say', text: 'psst' } }, 'dial or listen'],
    ['mute:status', { mute_status: 'mute' }, 'dial or conference'],
    ['conf:hold-status', { conf_hold_status: 'hold' }, 'conference'],
    ['media:path', 'full-media', 'dial'],
    ['llm:update', { type: 'x' }, 'llm or agent'],
  ])('has no effect where it has none on the platform: %s', async (command, data, where) => {
    const run = await played((session) => {
      session.on('call:status', ({ call_status }) => {
        if (call_status === 'in-progress') session.sendCommand(command, data)
      })
      session.answer!().pause!({ length: 0.1 }).hangup!().send!()
    })
    expect(run.events.join()).toContain(`only during ${where}`)
    expect(run.said).toEqual([])
  })

  it('tags the call from the version on that knows it', async () => {
    const tagged = (version: string) =>
      played(
        (session) => {
          session.on('/said', () => session.hangup!().reply!())
          session.on('call:status', ({ call_status }) => {
            if (call_status === 'in-progress') session.injectCommand('tag', { ref: 7 })
          })
          session.answer!().pause!({ length: 0.1 }).gather!({ actionHook: '/said' }).send!()
        },
        [{ kind: 'nothing' }],
        { version },
      )
    expect((await tagged('0.9.8')).posted('/said')[0]).not.toHaveProperty('customerData')
    expect((await tagged('11.1.0')).posted('/said')[0].customerData).toEqual({ ref: 7 })
  })
})

describe('verbs of another hook than the dial’s own', () => {
  it.each<[string, object, Answer]>([
    ['referHook', {}, { kind: 'answered', seconds: 3_000, transfer_to: '4711' }],
    ['amd', { amd: { actionHook: '/amd' } }, { kind: 'answered', seconds: 3_000, by: 'machine' }],
  ])('replace it, whatever its actionHook answers: %s', async (_, more, answer) => {
    const app = await http()
    app.answers['/refer'] = app.answers['/amd'] = [
      { verb: 'say', text: 'instead' },
      { verb: 'hangup' },
    ]
    app.answers['/hook'] = [{ verb: 'say', text: 'never' }]
    const dial = {
      target: [{ type: 'phone', number: '1' }],
      actionHook: '/hook',
      referHook: '/refer',
    }
    const run = await app.play([{ verb: 'dial', ...dial, ...more }], [answer])
    expect(run.said).toEqual(['instead'])
    expect(app.at('/hook')).toHaveLength(1)
    expect(run.ended.at).toBeLessThan(3_000_000)
  })
})

describe('a queue', () => {
  it('that the application takes its caller out of tells that it is left', async () => {
    const run = await played(
      (session) => {
        session.on('/wait', () => {
          session.reply!()
          session.sendCommand('redirect', [{ verb: 'say', text: 'voicemail' }, { verb: 'hangup' }])
        })
        session.on('/left', () => session.say!({ text: 'never' }).reply!())
        session.enqueue!({ name: 'q', waitHook: '/wait', actionHook: '/left' }).send!()
      },
      [{ kind: 'wait', seconds: 600 }],
      { limits: { lapse_ms: 60_000 } },
    )
    expect(run.posted('/left')).toHaveLength(1)
    expect(run.said).toEqual(['voicemail'])
  })
})

describe('a language model', () => {
  const tool: Answer = { kind: 'tool_call', name: 'weather', args: { cityName: 'Oslo' } }
  const withTool = (model: object, output: object) =>
    played(
      (session) => {
        session.on('/tool', ({ tool_call_id }) =>
          session.sendToolOutput(String(tool_call_id), output),
        )
        session.on('/done', () => session.reply!())
        session.llm!({
          ...{ auth: { apiKey: 'x' }, toolHook: '/tool', actionHook: '/done', ...model },
        }).hangup!().send!()
      },
      [tool, { kind: 'ended' }],
    )
  const openai = { vendor: 'openai', llmOptions: { response_create: {} } }
  const google = { vendor: 'google', llmOptions: { setup: {} } }

  it('of Google calls its functions in a list', async () => {
    const run = await withTool(google, { type: 'toolResponse' })
    expect(run.posted('/tool')).toEqual([
      {
        tool_call_id: 'function_call_id',
        type: 'toolCall',
        function_calls: [{ id: 'call_1', name: 'weather', args: { cityName: 'Oslo' } }],
      },
    ])
    expect(run.events.join()).not.toContain('no output')
  })

  it('does not read an output of another type than its own', async () => {
    const item = { type: 'conversation.item.create', item: {} }
    expect((await withTool(openai, item)).events.join()).not.toContain('ignores this output')
    expect((await withTool(openai, { output: '1' })).events.join()).toContain(
      'The model of openai ignores this output. Its type must be conversation.item.create.',
    )
    const app = await http()
    app.answers['/tool'] = { text: '{"output":"12 C"}' }
    const overHttp = async (model: object) =>
      (
        await app.play(
          [{ verb: 'llm', auth: { apiKey: 'x' }, toolHook: '/tool', actionHook: '/h', ...model }],
          [tool, { kind: 'ended' }],
        )
      ).events.join()
    expect(await overHttp(openai)).toContain('conversation.item.create')
    // over HTTP, an output without a type gets this one
    const elevenlabs = { vendor: 'elevenlabs', auth: { agent_id: 'x' }, llmOptions: {} }
    expect(await overHttp(elevenlabs)).not.toContain('ignores this output')
  })
})

describe('a piece of streamed text', () => {
  it('that never fits the buffer is told', async () => {
    const run = await played(
      (session) => {
        session.on('call:status', ({ call_status }) => {
          if (call_status === 'in-progress')
            void session.sendTtsTokens('a'.repeat(1_001)).catch(() => {})
        })
        session.config!({ ttsStream: { enable: true } }).answer!().send!()
      },
      [{ kind: 'wait', seconds: 1 }],
    )
    expect(run.events.join()).toContain('1,000 characters')
    expect(run.said).toEqual([])
  })
})

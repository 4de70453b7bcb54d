import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import {
  applicationAt,
  closedAfterEach,
  hook,
  LOCAL,
  PASSWORD,
  playRun,
} from '../../../test/runs.ts'
import {
  ack,
  command,
  httpApplication,
  socketApplication,
} from '../../../test/stand-ins/voice-applications.ts'
import { outbound } from '../../outbound/outbound.ts'
import { appSocket } from './app-socket.ts'
import type { Caller } from './call.ts'
import { runClock } from './clock.ts'
import { LIMITS } from './limits.ts'

type Application = Awaited<ReturnType<typeof socketApplication>>
const opened = closedAfterEach()

type Handler = Parameters<typeof socketApplication>[0]
async function socket(handle: Handler): Promise<Application> {
  const app = await socketApplication(handle)
  opened.push(app)
  return app
}
/** Answers the first message with verbs, and hooks as told; acknowledges all else. */
const talking =
  (verbs: unknown, hooks: Record<string, Handler> = {}): Handler =>
  (message, ws) => {
    if (message.type === 'session:new') return ack(ws, message, verbs)
    const handle = hooks[message.hook ?? message.type]
    if (handle) handle(message, ws)
    else if (message.type === 'verb:hook') ack(ws, message)
  }

const MODEL = {
  vendor: 'openai',
  auth: { apiKey: 'x' },
  llmOptions: { response_create: {} },
}

describe('a WebSocket application', () => {
  it('is spoken to as in the worked example', async () => {
    const app = await socket(
      talking(
        [
          { verb: 'config', notifyEvents: true },
          {
            verb: 'gather',
            id: 'g1',
            input: ['speech'],
            actionHook: '/said',
            say: { text: 'Hello' },
          },
        ],
        {
          '/said': (message, ws) => {
            ack(ws, message)
            command(ws, 'redirect', [{ verb: 'say', text: 'Bye' }, { verb: 'hangup' }], {
              queueCommand: false,
            })
          },
        },
      ),
    )
    const run = await playRun(
      applicationAt(app.url, { call_hook: hook(app.url, { username: 'u', password: PASSWORD }) }),
      [{ kind: 'nothing' }],
    )
    expect(app.opened).toEqual([
      expect.objectContaining({
        'user-agent': 'jambonz',
        authorization: `Basic ${Buffer.from(`u:${PASSWORD}`).toString('base64')}`,
        'sec-websocket-protocol': 'ws.jambonz.org',
      }),
    ])
    expect(app.opened[0]).not.toHaveProperty('jambonz-signature')
    const [first] = app.messages
    expect(first).toMatchObject({
      type: 'session:new',
      msgid: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{22}$/),
      call_sid: first!.data.call_sid,
      b3: expect.stringMatching(/^[\da-f]{32}-[\da-f]{16}-1$/),
      data: { call_status: 'trying', caller_name: 'Ann', sip: { method: 'INVITE' } },
    })
    expect(first).not.toHaveProperty('hook')
    expect(app.of('verb:hook')).toEqual([
      expect.objectContaining({
        hook: '/said',
        data: expect.objectContaining({
          reason: 'timeout',
          verb_id: 'g1',
          call_status: 'in-progress',
        }),
      }),
    ])
    expect(app.of('call:status').map(({ data }) => data.call_status)).toEqual([
      'trying',
      'in-progress',
      'completed',
    ])
    expect(app.of('verb:status')[0]!.data).toMatchObject({ event: 'finished', name: 'config' })
    expect(run.said).toEqual(['Hello', 'Bye'])
    expect(run.of('command')).toEqual([
      expect.objectContaining({ command: 'redirect', is_queued: false, problems: [] }),
    ])
    expect(run.text).not.toContain(PASSWORD)
    expect(run.ended).toMatchObject({ by: 'application', text: 'The application hangs up.' })
  })

  it('is refused for an empty acknowledgment, and for none', async () => {
    for (const handle of [talking(undefined), talking([]), (() => {}) as Handler]) {
      const app = await socket(handle)
      const run = await playRun(applicationAt(app.url), [], { limits: { ack_ms: 100 } })
      expect(run.ended).toMatchObject({ by: 'platform', sip_status: 480, is_answered: false })
      expect(app.of('call:status')).toEqual([])
    }
  })

  it('keeps the call when its verbs end, until the tester hangs up', async () => {
    const app = await socket(talking([{ verb: 'say', text: 'Hello' }]))
    const run = await playRun(applicationAt(app.url), [{ kind: 'wait', seconds: 5 }])
    expect(run.asked.map(({ verb }) => verb)).toEqual(['silence', 'silence'])
    expect(run.ended).toMatchObject({ by: 'caller' })
    // it really waits for a while, within a limit
    expect(run.events.join()).toContain('The rest of the time is skipped.')
    expect(app.of('call:status').at(-1)!.data).toMatchObject({
      call_status: 'completed',
      call_termination_by: 'caller',
      duration: expect.any(Number),
    })
    expect(app.of('call:status').at(-1)!.data.duration).toBeGreaterThanOrEqual(5)
  })

  it('may send its verbs later, and append them', async () => {
    const app = await socket((message, ws) => {
      if (message.type === 'session:new')
        ack(ws, message, [{ verb: 'answer' }, { verb: 'config', notifyEvents: true }])
      else if (message.type === 'verb:status' && message.data.event === 'finished') {
        command(ws, 'redirect', [{ verb: 'say', text: 'one' }], { queueCommand: true })
        command(ws, 'redirect', [{ verb: 'say', text: 'two' }, { verb: 'hangup' }], {
          queueCommand: true,
        })
      }
    })
    const run = await playRun(applicationAt(app.url), [], { limits: { silence_ms: 60_000 } })
    expect(run.said).toEqual(['one', 'two'])
    expect(run.ended.by).toBe('application')
  })

  it.each([
    [
      'queued verbs',
      (ws: WebSocket) => command(ws, 'redirect', [{ verb: 'hangup' }], { queueCommand: true }),
    ],
    ['its farewell', (ws: WebSocket) => ws.close(1000)],
  ])('ends the silence with %s', async (_, act) => {
    let ws: WebSocket | undefined
    const app = await socket((message, opened) => {
      ws = opened
      if (message.type === 'session:new') ack(opened, message, [{ verb: 'answer' }])
    })
    const caller: Caller = {
      ask: () => {
        act(ws!)
        return new Promise(() => {})
      },
    }
    const run = await playRun(applicationAt(app.url), [], { caller })
    expect(run.asked.map(({ verb }) => verb)).toEqual(['silence'])
    expect(run.ended).toMatchObject({ by: 'application', is_answered: true })
  })

  it('interrupts a question', async () => {
    let connection: WebSocket | undefined
    const app = await socket(
      talking([{ verb: 'gather', input: ['digits'], timeout: 0, actionHook: '/x' }], {
        'call:status': (_, ws) => {
          connection = ws
        },
      }),
    )
    let aborted = false
    const caller: Caller = {
      ask(_, signal) {
        command(connection!, 'redirect', [{ verb: 'say', text: 'Bye' }, { verb: 'hangup' }])
        return new Promise((_, reject) =>
          signal.addEventListener('abort', () => {
            aborted = true
            reject(signal.reason)
          }),
        )
      },
    }
    const run = await playRun(applicationAt(app.url), [], { caller })
    expect(aborted).toBe(true)
    expect(run.said).toEqual(['Bye'])
    expect(app.of('verb:hook')).toEqual([])
  })

  it('ends the call by a status, nested as the platform reads it', async () => {
    const ending = (data: unknown) =>
      talking([{ verb: 'answer' }], {
        'call:status': (message, ws) => {
          if (message.data.call_status === 'in-progress') command(ws, 'call:status', data)
        },
      })
    const app = await socket(ending({ call_status: 'completed' }))
    expect((await playRun(applicationAt(app.url))).ended).toMatchObject({
      by: 'application',
      text: 'The application ends the call.',
    })
    const bare = await playRun(applicationAt((await socket(ending('completed'))).url))
    expect(bare.of('command')[0]!.problems).toHaveLength(1)
    expect(bare.ended.by).toBe('caller')
  })

  it('is told of a message that the platform refuses', async () => {
    const app = await socket(
      talking([{ verb: 'say', text: 'x' }], {
        'call:status': ({ data }, ws) => {
          if (data.call_status !== 'trying') return
          ws.send('{"type":"hello"}')
          ws.send('no JSON')
          ws.send('{"type":"command","command":"redirect"}')
          command(ws, 'no-such-command', {})
        },
      }),
    )
    const run = await playRun(applicationAt(app.url))
    expect(app.of('jambonz:error').map(({ data }) => data)).toEqual([
      {
        msg: 'InvalidMessage',
        details: 'invalid type property: hello',
        content: '{"type":"hello"}',
      },
      { msg: 'InvalidMessage', details: 'invalid JSON', content: 'no JSON' },
      expect.objectContaining({ details: 'missing data' }),
    ])
    expect(run.of('command')[0]!.problems).toEqual([
      {
        path: ['command'],
        text: 'Version 0.9.8 of the platform does not know this command, and ignores it.',
      },
    ])
  })

  it('is connected to again when it is lost, with the first message', async () => {
    let connections = 0
    const app = await socket((message, ws) => {
      if (message.type === 'session:new') {
        connections += 1
        ack(ws, message, [
          { verb: 'gather', input: ['digits'], numDigits: 1, actionHook: '/drop' },
          { verb: 'gather', input: ['digits'], numDigits: 1, actionHook: '/again' },
          { verb: 'hangup' },
        ])
      } else if (message.type === 'session:reconnect') ack(ws, message)
      else if (message.hook === '/drop') ws.terminate()
      else if (message.hook === '/again')
        ack(ws, message, [{ verb: 'say', text: 'Back' }, { verb: 'hangup' }])
    })
    const run = await playRun(applicationAt(app.url), [
      { kind: 'digits', digits: '1' },
      { kind: 'digits', digits: '2' },
    ])
    expect(connections).toBe(1)
    expect(app.opened).toHaveLength(2)
    expect(app.of('session:reconnect')[0]!.data).toEqual(app.of('session:new')[0]!.data)
    expect(run.said).toEqual(['Back'])
    expect(run.ended.by).toBe('application')
  })

  it('is done after closing with 1000: what is left runs, then the platform hangs up', async () => {
    const app = await socket(
      talking([{ verb: 'answer' }, { verb: 'pause', length: 1 }, { verb: 'say', text: 'last' }], {
        'call:status': ({ data }, ws) => {
          if (data.call_status === 'trying') ws.close(1000)
        },
      }),
    )
    const run = await playRun(applicationAt(app.url))
    expect(app.opened).toHaveLength(1)
    expect(run.said).toEqual(['last'])
    expect(run.ended).toMatchObject({ by: 'application', is_answered: true })
  })

  it('is not connected to again once the call is over', async () => {
    const app = await socket(({ type }, ws) => {
      if (type === 'session:new') ws.terminate()
    })
    let lost = () => {}
    const isLost = new Promise<void>((resolve) => {
      lost = resolve
    })
    const events = {
      onCommand() {},
      onInvalid() {},
      onLost() {},
      onFlood() {},
      onDone() {},
      onEvent: () => lost(),
    }
    const slow: typeof LOCAL.socket = async (...given) => {
      const opened = await LOCAL.socket(...given)
      if (app.opened.length === 2) await isClosing.promise
      return opened
    }
    const isClosing = Promise.withResolvers<void>()
    const ours = appSocket(
      { outbound: { socket: slow }, clock: runClock(LIMITS), limits: LIMITS },
      hook(app.url),
      events,
    )
    void ours.send({ type: 'session:new', data: {} }, true)
    await isLost
    await expect.poll(() => app.opened).toHaveLength(2)
    const closed = ours.close()
    isClosing.resolve()
    await closed
    await expect.poll(() => app.connected()).toBe(0)
  })

  it('hears of the verbs that are the application’s own', async () => {
    const app = await socket(
      talking([], { '/hook': (message, ws) => ack(ws, message, [{ verb: 'hangup' }]) }),
    )
    const app_json = JSON.stringify([{ verb: 'play', url: 'x', actionHook: '/hook' }])
    const run = await playRun(applicationAt(app.url, { app_json }))
    expect(app.of('session:new')).toEqual([])
    expect(app.of('verb:hook')).toMatchObject([
      { hook: '/hook', data: { reason: 'playCompleted' } },
    ])
    expect(run.ended.text).toBe('The application hangs up.')
  })

  it('has its verbs cleared by a caller who interrupts, up to what switches that off', async () => {
    const bargeIn = { enable: true, input: ['speech'], actionHook: '/said' }
    const app = await socket(
      talking([
        { verb: 'config', bargeIn },
        { verb: 'say', text: 'one' },
        { verb: 'say', text: 'never' },
        { verb: 'config', bargeIn: { enable: false } },
        { verb: 'say', text: 'last' },
        { verb: 'hangup' },
      ]),
    )
    const run = await playRun(applicationAt(app.url), [{ kind: 'speech', text: 'stop' }])
    expect(app.of('verb:hook')[0]).toMatchObject({
      hook: '/said',
      data: { reason: 'speechDetected' },
    })
    expect(run.said).toEqual(['one', 'last'])
  })

  it('may send at most 24 KiB at once', async () => {
    const app = await socket((message, ws) => {
      if (message.type.startsWith('session:'))
        ack(ws, message, [{ verb: 'say', text: 'x'.repeat(25_000) }])
    })
    const run = await playRun(applicationAt(app.url), [], { limits: { ack_ms: 1_000 } })
    expect(run.events.join()).toContain('larger than 24 KiB')
    expect(app.opened).toHaveLength(2)
    expect(run.ended).toMatchObject({ by: 'platform', sip_status: 480 })
  })

  it('must open a WebSocket, with its protocol, after at most two redirects', async () => {
    const app = await socket(talking([{ verb: 'say', text: 'there' }, { verb: 'hangup' }]))
    const server = createServer()
    server.on('upgrade', ({ url = '' }, plain) => {
      const left = Number(url.slice(1))
      const to = left > 1 ? `/${left - 1}` : app.url
      plain.end(`HTTP/1.1 302 Found\r\nlocation: ${to}\r\ncontent-length: 0\r\n\r\n`)
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    opened.push({ close: () => new Promise((done) => server.close(done)) })
    const { port } = server.address() as AddressInfo
    const after = (redirects: number) =>
      playRun(applicationAt(`ws://127.0.0.1:${port}/${redirects}#rc=1`))
    expect((await after(2)).said).toEqual(['there'])
    const refused = await after(3)
    expect(refused.problems[0]!.text).toBe(
      'The other side answered 302 instead of opening a WebSocket',
    )
    expect(refused.ended).toMatchObject({ by: 'platform', sip_status: 480 })

    // each step of a redirect is guarded
    const inner = outbound(['127.0.0.1/32'])
    const away = createServer().on('upgrade', (_, plain) =>
      plain.end('HTTP/1.1 302 Found\r\nlocation: ws://127.0.0.2/\r\ncontent-length: 0\r\n\r\n'),
    )
    await new Promise<void>((done) => away.listen(0, '127.0.0.1', done))
    opened.push({ close: () => new Promise((done) => away.close(done)) })
    const leading = `ws://127.0.0.1:${(away.address() as AddressInfo).port}`
    const blocked = await playRun(applicationAt(leading), [], { outbound: inner })
    expect(blocked.problems[0]!.text).toContain('internal network')

    const other = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => false })
    opened.push({ close: () => new Promise((done) => other.close(done)) })
    await new Promise((done) => other.once('listening', done))
    const unspoken = await playRun(
      applicationAt(`ws://127.0.0.1:${(other.address() as AddressInfo).port}`),
    )
    expect(unspoken.ended).toMatchObject({ by: 'platform', sip_status: 480 })
  })

  it('gets the calls of a language model to functions, and returns their output as a command', async () => {
    const app = await socket(
      talking(
        [{ verb: 'llm', ...MODEL, toolHook: '/tool', actionHook: '/done' }, { verb: 'hangup' }],
        {
          '/tool': ({ data }, ws) =>
            command(ws, 'llm:tool-output', { output: '12 C' }, { tool_call_id: data.tool_call_id }),
        },
      ),
    )
    const run = await playRun(applicationAt(app.url), [
      { kind: 'tool_call', name: 'get_weather', args: { cityName: 'Oslo' } },
      { kind: 'ended', seconds: 20 },
    ])
    expect(app.of('llm:tool-call')[0]).toMatchObject({
      hook: '/tool',
      data: { tool_call_id: 'call_1', name: 'get_weather', args: { cityName: 'Oslo' } },
    })
    expect(app.of('verb:hook')[0]!.data).toMatchObject({
      completion_reason: 'normal conversation end',
    })
    expect(run.events.join()).not.toContain('no output')
  })

  it('floods nobody', async () => {
    const app = await socket((message, ws) => {
      if (message.type !== 'session:new') return
      for (let i = 0; i < 2_000; i += 1) command(ws, 'mute:status', { mute_status: 'mute' })
    })
    const run = await playRun(applicationAt(app.url), [], { limits: { ack_ms: 60_000 } })
    expect(run.ended.by).toBe('run')
    // each with what the platform does
    expect(run.steps.length).toBeLessThan(1_100)
  })
})

describe('both kinds of applications', () => {
  it('a hook of the other kind is asked alone, and a redirect hands the call over', async () => {
    const ws = await socket(
      talking(
        [
          { verb: 'say', text: 'from the WebSocket' },
          { verb: 'play', url: 'x', actionHook: '/label' },
        ],
        {
          '/label': (message, to) => ack(to, message, [{ verb: 'hangup' }]),
        },
      ),
    )
    const http = await httpApplication(({ path }) => {
      if (path === '/label') return [{ verb: 'hangup' }]
      if (path === '/call') return [{ verb: 'play', url: 'x', actionHook: ws.url }]
      return [{ verb: 'redirect', actionHook: ws.url }]
    })
    opened.push(http)
    const alone = await playRun(applicationAt(`${http.url}/call`))
    expect(alone.said).toEqual(['from the WebSocket'])
    // the relative hook leads to the call's own application
    expect(http.at('/label')).toHaveLength(1)
    expect(ws.of('verb:hook')).toEqual([])

    const handed = await playRun(applicationAt(`${http.url}/other`))
    expect(handed.said).toEqual(['from the WebSocket'])
    expect(ws.of('verb:hook').map((message) => message.hook)).toEqual(['/label'])
    expect(handed.ended.text).toBe('The application hangs up.')
  })
})

describe('the platform’s own library', () => {
  type Session = Record<string, (...given: unknown[]) => Session> & { call_sid: string }
  const { createEndpoint } = createRequire(import.meta.url)('@jambonz/node-client-ws') as {
    createEndpoint: (options: object) => (options: { path: string }) => {
      on: (event: string, heard: (session: Session) => void) => void
    }
  }
  it('takes a run for a call', async () => {
    const server = createServer()
    const service = createEndpoint({ server })({ path: '/' })
    const heard: unknown[] = []
    const errors: unknown[] = []
    service.on('session:new', (session) => {
      session.on!('/menu', (event: { digits: string }) => {
        heard.push(event.digits)
        session.say!({ text: `You pressed ${event.digits}` }).hangup!().reply!()
      })
      session.on!('error', (error: unknown) => errors.push(error))
      session.gather!({
        input: ['digits'],
        numDigits: 1,
        actionHook: '/menu',
        say: { text: 'Press' },
      }).send!()
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    opened.push({
      close: () => {
        server.closeAllConnections()
        return new Promise((done) => server.close(done))
      },
    })
    const { port } = server.address() as AddressInfo
    const run = await playRun(applicationAt(`ws://127.0.0.1:${port}/`), [
      { kind: 'digits', digits: '7' },
    ])
    expect(heard).toEqual(['7'])
    expect(errors).toEqual([])
    expect(run.said).toEqual(['Press', 'You pressed 7'])
    expect(run.ended).toMatchObject({ by: 'application', is_answered: true })
  })
})

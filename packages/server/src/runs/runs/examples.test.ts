import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebhookResponse } from '@jambonz/sdk/webhook'
import { createEndpoint } from '@jambonz/sdk/websocket'
import type { Answer } from '@switchroom/contract'
import { describe, expect, it } from 'vitest'
import { applicationAt, closedAfterEach, hook, playRun } from '../../../test/runs.ts'
import { httpApplication } from '../../../test/stand-ins/voice-applications.ts'

// Applications of the kinds that the platform shows as its examples, written with its SDK: none has a problem there.

const opened = closedAfterEach()

type Run = Awaited<ReturnType<typeof playRun>>
/** Whatever is counted as a problem. */
const problemsOf = ({ problems, of }: Run) => [
  ...problems,
  ...of('command').flatMap((step) => step.problems),
  ...of('event').filter(({ tone }) => tone === 'bad'),
]

type Verbs = Record<string, () => WebhookResponse | undefined>
const response = () => new WebhookResponse({ validate: false })
const OK = { text: 'OK', type: 'text/plain; charset=utf-8' }

/** Frameworks answer with a plain OK where there is nothing to say. */
async function overHttp(verbs: Verbs, answers: Answer[]) {
  const app = await httpApplication(({ path }) => {
    const list = verbs[path]?.()
    return list ? { text: JSON.stringify(list) } : OK
  })
  opened.push(app)
  const status = { call_status_hook: hook(`${app.url}/status`) }
  return playRun(applicationAt(`${app.url}/call`, status), answers)
}

const ask = (text: string) => ({
  ...{ input: ['speech', 'digits'] as ('speech' | 'digits')[], actionHook: '/said', timeout: 10 },
  ...{ numDigits: 1, say: { text } },
})
const dial = { target: [{ type: 'phone' as const, number: '+15551239999' }], timeout: 30 }

describe('an example of the platform over HTTP', () => {
  it.each<[string, Verbs, Answer[], string[]]>([
    [
      'a menu',
      {
        '/call': () => response().gather(ask('Sales or support?')).say({ text: 'Bye' }).hangup(),
        '/said': () => response().dial({ ...dial, answerOnBridge: true, actionHook: '/dialed' }),
        '/dialed': () => response().hangup(),
      },
      [{ kind: 'speech', text: 'sales' }, { kind: 'answered' }],
      ['Sales or support?'],
    ],
    [
      'an echo',
      {
        '/call': () => response().pause({ length: 1 }).gather(ask('Say something')),
        '/said': () => response().say({ text: 'You said it' }).hangup(),
      },
      [{ kind: 'speech', text: 'hello' }],
      ['Say something', 'You said it'],
    ],
    [
      'a queue',
      {
        '/call': () =>
          response()
            .say({ text: 'Please hold' })
            .enqueue({ name: 'support', waitHook: '/wait', actionHook: '/left' }),
        '/wait': () => response().say({ text: 'You are next' }).play({ url: 'music.mp3' }),
      },
      [{ kind: 'wait', seconds: 20 }, { kind: 'bridged' }],
      ['Please hold', 'You are next', 'You are next'],
    ],
    [
      'a conference with its events',
      {
        '/call': () =>
          response().conference({
            ...{ name: 'room', beep: true, enterHook: '/enter', actionHook: '/after' },
            ...{ statusHook: '/events', statusEvents: ['join', 'leave'] },
          }),
      },
      [{ kind: 'ended' }],
      [],
    ],
    [
      'a dial that tells what happens in it',
      {
        '/call': () =>
          response().dial({
            ...dial,
            ...{ confirmHook: '/confirm', dtmfHook: '/keys', dtmfCapture: { parentCall: ['*'] } },
            ...{ referHook: '/refer', onHoldHook: '/hold', actionHook: '/after' },
          }),
      },
      [{ kind: 'answered', digits: '*', on_hold: true, transfer_to: 'x' }],
      [],
    ],
    [
      'one that is told what the caller begins to say',
      {
        '/call': () => response().gather({ ...ask('Yes?'), partialResultHook: '/partial' }),
        '/said': () => response().say({ text: 'Thank you' }),
      },
      [{ kind: 'speech', text: 'hello' }],
      ['Yes?', 'Thank you'],
    ],
    [
      'a voice mail',
      {
        '/call': () =>
          response().say({ text: 'Leave a message' }).stream({ url: 'wss://record.example' }),
      },
      [{ kind: 'ended', seconds: 30 }],
      ['Leave a message'],
    ],
    [
      'a transcript',
      { '/call': () => response().transcribe({ transcriptionHook: '/words' }) },
      [{ kind: 'speech', text: 'hello' }],
      [],
    ],
    [
      'a transfer',
      {
        '/call': () =>
          response()
            .answer()
            .sipRefer({ referTo: '+15551239999', actionHook: '/after', eventHook: '/events' }),
      },
      [{ kind: 'status' }],
      [],
    ],
  ])('has no problem: %s', async (_, verbs, answers, said) => {
    const run = await overHttp(verbs, answers)
    expect(problemsOf(run)).toEqual([])
    expect(run.said).toEqual(said)
    // who knew better would have been told
    expect(run.of('request').some(({ answer }) => answer?.body.text === 'OK')).toBe(true)
  })
})

// biome-ignore lint/suspicious/noExplicitAny: the SDK's own type of a session is not exported
type Session = any

async function overSocket(onSession: (session: Session) => void, answers: Answer[]) {
  const server = createServer()
  createEndpoint({ server })({ path: '/app' }).on('session:new', onSession)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  opened.push({
    close() {
      server.closeAllConnections()
      return new Promise((done) => server.close(done))
    },
  })
  const { port } = server.address() as AddressInfo
  return playRun(applicationAt(`ws://127.0.0.1:${port}/app`), answers)
}

describe('an example of the platform over a WebSocket', () => {
  it.each<[string, (session: Session) => void, Answer[], string[]]>([
    [
      'a menu',
      (session) => {
        session.on('/said', () => session.say({ text: 'Thank you' }).hangup().reply())
        session.gather(ask('Yes?')).send()
      },
      [{ kind: 'digits', digits: '1' }],
      ['Yes?', 'Thank you'],
    ],
    [
      'one that acknowledges whatever it hears',
      (session) => {
        for (const event of ['call:status', 'verb:status']) session.on(event, () => session.reply())
        session.on('/said', () => session.say({ text: 'Thank you' }).hangup().reply())
        session.config({ notifyEvents: true }).gather(ask('Yes?')).send()
      },
      [{ kind: 'digits', digits: '1' }],
      ['Yes?', 'Thank you'],
    ],
    [
      'a queue without a handler',
      (session) =>
        session
          .enqueue({ name: 'support', waitHook: '/wait', actionHook: '/left' })
          .hangup()
          .send(),
      [{ kind: 'bridged' }],
      [],
    ],
    [
      'a dialer that whispers and records',
      (session) => {
        session.on('call:status', (leg: { call_status: string; direction: string }) => {
          if (leg.call_status !== 'in-progress' || leg.direction !== 'outbound') return
          session.injectRecord('startCallRecording', { siprecServerURL: 'sip:rec@x.example' })
          session.injectWhisper({ verb: 'say', text: 'Ten seconds left' })
        })
        session.on('/dialed', () => session.say({ text: 'Goodbye' }).hangup().reply())
        session.dial({ ...dial, actionHook: '/dialed' }).send()
      },
      [{ kind: 'answered', seconds: 20 }],
      ['Ten seconds left', 'Goodbye'],
    ],
    [
      'one that gives every command of a conversation',
      (session) => {
        session.on('call:status', (leg: Record<string, string>) => {
          if (leg.call_status !== 'in-progress' || leg.direction !== 'outbound') return
          session.injectMute('mute')
          session.injectMute('unmute', leg.call_sid)
          session.injectListenStatus('pause')
          session.injectWhisper({ verb: 'say', text: 'psst' }, leg.call_sid)
          session.injectRedirect('/elsewhere')
        })
        session.on('/elsewhere', () => session.say({ text: 'Elsewhere' }).hangup().reply())
        session.on('/dialed', () => session.reply())
        session.dial({ ...dial, actionHook: '/dialed' }).send()
      },
      [{ kind: 'answered', seconds: 20 }],
      ['psst', 'Elsewhere'],
    ],
  ])('has no problem: %s', async (_, onSession, answers, said) => {
    const run = await overSocket(onSession, answers)
    expect(problemsOf(run)).toEqual([])
    expect(run.events.join()).not.toContain('unknown message')
    expect(run.said).toEqual(said)
  })
})

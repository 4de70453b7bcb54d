import type { Answer } from '@switchroom/contract'
import { afterEach, describe, expect, it } from 'vitest'
import { applicationAt, playRun } from '../../../test/runs.ts'
import { libraryApplication } from '../../../test/stand-ins/library-application.ts'
import { httpApplication } from '../../../test/stand-ins/voice-applications.ts'

const opened: { close: () => Promise<unknown> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})
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

import type { Answer } from '@switchroom/contract'
import type { Example } from './example.ts'

// Bots of other platforms, each told what happens in it.

const bot = (verb: object, heard: string[], answers: Answer[], said: string[]): Example => ({
  hooks: {
    '/call': () => [
      { ...verb, actionHook: '/over', eventHook: '/event' },
      { verb: 'say', text: 'That was it.' },
      { verb: 'hangup' },
    ],
    '/event': ({ event, data, message }) =>
      JSON.stringify([event, data, message]).includes('human')
        ? [{ verb: 'say', text: 'A human comes.' }, { verb: 'hangup' }]
        : undefined,
    '/over': () => undefined,
  },
  ...{ answers, said, heard },
})
const speech = (text: string): Answer => ({ kind: 'speech', text })

export const dialogflow = bot(
  {
    ...{
      verb: 'dialogflow',
      project: 'p',
      credentials: '{}',
      lang: 'en-US',
      thinkingMusic: 'm.mp3',
    },
    ...{ welcomeEvent: 'hi', noInputTimeout: 10, passDtmfAsTextInput: true, bargein: true },
  },
  ['/event', '/over'],
  [speech('hello'), { kind: 'ended' }],
  ['That was it.'],
)
export const lex = bot(
  {
    ...{ verb: 'lex', botId: 'b', botAlias: 'a', region: 'us-east-1', locale: 'en_US' },
    credentials: { accessKey: 'x', secretAccessKey: 'y' },
  },
  ['/event', '/event', '/over'],
  [speech('hello'), speech('a human')],
  ['A human comes.'],
)
export const rasa = bot(
  { verb: 'rasa', url: 'https://rasa.example', prompt: 'Hello' },
  ['/event', '/over'],
  [speech('hello'), { kind: 'ended' }],
  ['That was it.'],
)

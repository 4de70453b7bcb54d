import specs from '@jambonz/verb-specifications/specs.json' with { type: 'json' }
import { expect, it } from 'vitest'
import { type VerbSpecs, verbProblem } from './app-json.ts'

const problem = (verbs: unknown) => verbProblem(verbs, specs as unknown as VerbSpecs)

it.each([
  [[]],
  [[{ verb: 'say', text: 'hello' }]],
  [[{ play: { url: 'https://example.com/a.wav' } }]],
  [[{ verb: 'stream', url: 'wss://example.com' }]],
  [[{ verb: 'openai_s2s', llmOptions: {} }]],
  [[{ verb: 'hangup', _: { anything: 1 } }]],
  [[{ verb: 'dial', target: [{ type: 'phone', number: '15085551212' }], actionHook: '/after' }]],
  [[{ verb: 'gather', input: ['speech'], say: { text: 'yes?' }, actionHook: { url: '/x' } }]],
  [[{ verb: 'config', reset: ['recognizer'], boostAudioSignal: '-3 dB' }]],
])('takes %j', (verbs) => {
  expect(problem(verbs)).toBeUndefined()
})

it.each([
  [{}, [], 'malformed jambonz payload: must be array'],
  [['say'], [0], 'malformed jambonz payload: must be array of objects'],
  [[null], [0], 'malformed jambonz payload: must be array of objects'],
  [[{}], [0], 'malformed jambonz payload: missing verb property'],
  [[{ verb: 'sing' }], [0, 'verb'], 'invalid instruction: sing'],
  [[{ constructor: {} }], [0, 'constructor'], 'invalid instruction: constructor'],
  [[{ say: 'hello' }], [0, 'say'], 'say: must be an object'],
  [[{ verb: 'play' }], [0], 'play: missing value for url'],
  [[{ verb: 'say', toString: 'x' }], [0, 'toString'], 'say: unknown property toString'],
  [[{ verb: 'play', url: 3 }], [0, 'url'], 'play: property url has invalid data type'],
  [
    [{ verb: 'hangup' }, { dial: { target: [{ type: 'pigeon' }] } }],
    [1, 'dial', 'target', 0, 'type'],
    'target: property type must be one of phone,sip,user,teams',
  ],
  [[{ verb: 'dial', target: 'me' }], [0, 'target'], 'dial: property target has invalid data type'],
])('refuses %j', (verbs, path, message) => {
  expect(problem(verbs)).toEqual({ path, message })
})

import specs from '@jambonz/verb-specifications/specs.json' with { type: 'json' }
import { expect, it } from 'vitest'
import type { VerbSpecs } from '../applications/app-json.ts'
import { type Vendor, vendors } from '../speech/index.ts'
import { SPEECH_MODELS } from '../speech/vendors/models.ts'
import { listProblem } from './model-problem.ts'

const problem = (verbs: unknown) => listProblem(verbs, specs as unknown as VerbSpecs)
const auth = { apiKey: 'x' }
const llmOptions = {}

it.each([
  [[{ verb: 'openai_s2s', auth, llmOptions: { response_create: {} } }]],
  [[{ llm: { vendor: 'ultravox', auth, llmOptions } }]],
  [[{ verb: 'elevenlabs_s2s', auth: { agent_id: 'a' }, llmOptions }]],
  [[{ verb: 'google_s2s', auth, llmOptions: { setup: {} } }]],
  [[{ verb: 'deepgram_s2s', auth, llmOptions: { Settings: {} } }]],
  [[{ verb: 'voiceagent_s2s', auth, llmOptions: { settingsConfiguration: {} } }]],
  [
    [
      {
        ...{ verb: 's2s', vendor: 'microsoft', auth, connectOptions: { host: 'x.example' } },
        llmOptions: { response_create: {} },
      },
    ],
  ],
])('takes %j', (verbs) => {
  expect(problem(verbs)).toBeUndefined()
})

it.each([
  [
    { verb: 'llm', vendor: 'acme', llmOptions },
    ['vendor'],
    'The platform has no language model of the vendor acme',
  ],
  [{ verb: 'openai_s2s', llmOptions }, [], 'The model of openai needs auth.apiKey'],
  [
    { openai_s2s: { auth: {}, llmOptions } },
    ['openai_s2s', 'auth'],
    'The model of openai needs auth.apiKey',
  ],
  [
    { verb: 'openai_s2s', auth, llmOptions },
    ['llmOptions'],
    'The model of openai needs llmOptions.response_create',
  ],
  [
    { verb: 'microsoft_s2s', auth, llmOptions: { response_create: {} } },
    [],
    'The model of microsoft needs connectOptions.host',
  ],
  [
    { verb: 'google_s2s', auth, llmOptions },
    ['llmOptions'],
    'The model of google needs llmOptions.setup',
  ],
  [
    { verb: 'voiceagent_s2s', auth, llmOptions },
    ['llmOptions'],
    'The model of voiceagent needs llmOptions.Settings',
  ],
  [
    { verb: 'elevenlabs_s2s', auth, llmOptions },
    ['auth'],
    'The model of elevenlabs needs auth.agent_id',
  ],
  [{ verb: 'ultravox_s2s', llmOptions }, [], 'The model of ultravox needs auth.apiKey'],
])('refuses %j', (verb, path, message) => {
  expect(problem([{ verb: 'hangup' }, verb])).toEqual({ path: [1, ...path], message })
  // the first one that is wrong, of whichever kind
  expect(problem([verb, { verb: 'sing' }])).toEqual({ path: [0, ...path], message })
  expect(problem([{ verb: 'sing' }, verb])).toMatchObject({ path: [0, 'verb'] })
})

it('knows what the model of each vendor demands', () => {
  const ids = Object.values<Vendor>(vendors).flatMap(({ id, s2s }) => (s2s ? [id] : []))
  expect(ids.filter((id) => !SPEECH_MODELS.has(id))).toEqual([])
})

it('refuses what is no list', () => {
  expect(problem({})).toMatchObject({ path: [] })
})

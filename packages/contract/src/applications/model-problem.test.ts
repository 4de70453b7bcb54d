import specs from '@jambonz/verb-specifications/specs.json' with { type: 'json' }
import { expect, it } from 'vitest'
import { type Vendor, vendors } from '../speech/index.ts'
import { SPEECH_MODELS } from '../speech/vendors/models.ts'
import type { VerbSpecs } from './app-json.ts'
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
  [{ verb: 'llm', vendor: 'acme', llmOptions }, ['vendor'], 'Unsupported vendor acme for LLM'],
  [{ verb: 'openai_s2s', llmOptions }, [], 'auth.apiKey is required for OpenAI S2S'],
  [
    { openai_s2s: { auth: {}, llmOptions } },
    ['openai_s2s', 'auth'],
    'auth.apiKey is required for OpenAI S2S',
  ],
  [
    { verb: 'openai_s2s', auth, llmOptions },
    ['llmOptions'],
    'llmOptions with an initial response.create is required for OpenAI S2S',
  ],
  [
    { verb: 'microsoft_s2s', auth, llmOptions: { response_create: {} } },
    [],
    'connectionOptions.host is required for Microsoft OpenAI S2S',
  ],
  [
    { verb: 'google_s2s', auth, llmOptions },
    ['llmOptions'],
    'llmOptions with an initial setup is required for Google S2S',
  ],
  [
    { verb: 'voiceagent_s2s', auth, llmOptions },
    ['llmOptions'],
    'llmOptions with an initial Settings is required for VoiceAgent S2S',
  ],
  [
    { verb: 'elevenlabs_s2s', auth, llmOptions },
    ['auth'],
    'auth.agent_id is required for Elevenlabs S2S',
  ],
  [{ verb: 'ultravox_s2s', llmOptions }, [], 'auth.apiKey is required for Ultravox S2S'],
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

import type { Example } from './example.ts'

// Speech-to-speech models of every vendor, each by its own verb, with a function over the hook.

const model = (verb: object): Example => ({
  hooks: {
    '/call': () => [
      { verb: 'answer' },
      { verb: 'pause', length: 0.1 },
      { ...verb, actionHook: '/over', eventHook: '/event', events: ['all'] },
      { verb: 'say', text: 'The model is gone.' },
      { verb: 'hangup' },
    ],
    '/event': () => undefined,
    '/over': ({ completion_reason }) =>
      completion_reason === 'server failure'
        ? [{ verb: 'say', text: 'It failed.' }, { verb: 'hangup' }]
        : undefined,
  },
  answers: [{ kind: 'ended', seconds: 30, reason: 'server failure' }],
  said: ['It failed.'],
  heard: ['/over'],
})
const auth = { apiKey: 'x' }

export const openai = model({
  ...{ verb: 'openai_s2s', model: 'gpt-4o-realtime', auth },
  llmOptions: { response_create: { modalities: ['audio'] }, session_update: { tools: [] } },
})
export const microsoft = model({
  ...{ verb: 'microsoft_s2s', auth, connectOptions: { host: 'x.openai.example', path: 'y' } },
  llmOptions: { response_create: {} },
})
export const google = model({
  ...{ verb: 'google_s2s', model: 'gemini', auth },
  llmOptions: { setup: { generationConfig: {} } },
})
export const elevenlabs = model({
  ...{ verb: 'elevenlabs_s2s', auth: { agent_id: 'a', api_key: 'x' } },
  llmOptions: { conversation_initiation_client_data: {} },
})
export const deepgram = model({
  ...{ verb: 'deepgram_s2s', auth },
  llmOptions: { Settings: { agent: {} } },
})
export const voiceagent = model({
  ...{ verb: 'voiceagent_s2s', auth },
  llmOptions: { settingsConfiguration: {} },
})
export const ultravox = model({
  ...{ verb: 'ultravox_s2s', model: 'fixie', auth },
  llmOptions: { systemPrompt: 'Be kind', firstSpeaker: 'FIRST_SPEAKER_AGENT' },
})
export const generic = model({
  ...{ verb: 's2s', vendor: 'openai', model: 'gpt', auth },
  llmOptions: { response_create: {} },
})

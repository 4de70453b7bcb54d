import { expect, it } from 'vitest'
import { outOfQuota, openai as standIn } from '../../../test/stand-ins/speech/openai.ts'
import { KEY } from '../../../test/stand-ins/speech/strict.ts'
import { reaching, vendorCases } from '../../../test/vendor-faults.ts'
import { whisper } from './whisper.ts'

const config = { api_key: KEY, model_id: 'gpt-4o-mini-tts' }
const sentence = { text: 'Hello', language: 'en-US', voice: 'alloy' }

vendorCases({
  protocol: whisper,
  standIn,
  config,
  secret: 'api_key',
  sentence,
  wrongKey: 'invalid api key: Incorrect API key provided: **************.',
  quota: outOfQuota,
  outOfQuota:
    'quota or concurrency limit exceeded: You exceeded your current quota, please check your plan and billing details.',
})

it('offers the text-to-speech models', async () => {
  expect(await whisper.catalogue!(config, await reaching(standIn))).toEqual({
    models: ['gpt-4o-mini-tts', 'tts-1', 'tts-1-hd'].map((value) => ({ value, name: value })),
  })
})

it.each([
  [config, { ...sentence, voice: 'nobody' }, /^the vendor answered 400: Input should be 'alloy'/],
  [{ ...config, model_id: 'tts-9' }, sentence, /^not found at the vendor: The model 'tts-9'/],
])('reports what is missing: %j', async (credential, what, message) => {
  await expect(whisper.speak!(credential, what, await reaching(standIn))).rejects.toMatchObject({
    name: 'Refused',
    message: expect.stringMatching(message),
  })
})

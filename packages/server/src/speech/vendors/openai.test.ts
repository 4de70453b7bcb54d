import { expect, it } from 'vitest'
import { outOfQuota, openai as standIn } from '../../../test/stand-ins/speech/openai.ts'
import { formOf, KEY, TRANSCRIPT } from '../../../test/stand-ins/speech/strict.ts'
import { recorded } from '../../../test/stand-ins/speech-server.ts'
import { reaching, silence, vendorCases } from '../../../test/vendor-faults.ts'
import { openai } from './openai.ts'

const config = { api_key: KEY, model_id: 'gpt-4o-transcribe' }

vendorCases({
  protocol: openai,
  standIn,
  config,
  secret: 'api_key',
  wrongKey: 'invalid api key: Incorrect API key provided: **************.',
  quota: outOfQuota,
  outOfQuota:
    'quota or concurrency limit exceeded: You exceeded your current quota, please check your plan and billing details.',
})

it('offers the speech-to-text models', async () => {
  expect(await openai.catalogue!(config, await reaching(standIn))).toEqual({
    models: ['gpt-4o-mini-tts', 'tts-1', 'tts-1-hd'].map((value) => ({ value, name: value })),
    sttModels: ['gpt-4o-mini-transcribe-2025-12-15', 'gpt-4o-transcribe', 'whisper-1'].map(
      (value) => ({ value, name: value }),
    ),
  })
})

it.each([
  ['auto', null],
  ['', null],
  ['en', 'en'],
  ['pt-BR', 'pt'],
])('transcribes the language "%s"', async (language, sent) => {
  const vendor = recorded(standIn)
  expect(await openai.recognize!(config, silence(language), await reaching(vendor))).toBe(
    TRANSCRIPT,
  )
  const seen = await formOf(vendor.requests.at(-1)!)
  expect([seen?.get('language'), seen?.get('model')]).toEqual([sent, 'gpt-4o-transcribe'])
})

it('reports an unknown model', async () => {
  const gone = { ...config, model_id: 'whisper-9' }
  await expect(openai.recognize!(gone, silence(), await reaching(standIn))).rejects.toMatchObject({
    message: "not found at the vendor: The model 'whisper-9' does not exist",
  })
})

import { expect, it } from 'vitest'
import { rimelabs as standIn } from '../../../test/stand-ins/speech/rimelabs.ts'
import { KEY } from '../../../test/stand-ins/speech/strict.ts'
import { reaching, vendorCases } from '../../../test/vendor-faults.ts'
import { rimelabs } from './rimelabs.ts'

const config = {
  api_key: KEY,
  model_id: 'mistv2',
  options: '{"speedAlpha":1.0,"reduceLatency":true}',
}
const sentence = { text: 'Bonjour', language: 'fra', voice: 'alois' }

vendorCases({
  protocol: rimelabs,
  standIn,
  config,
  secret: 'api_key',
  sentence,
  keyless: ['catalogue'],
  wrongKey: 'invalid api key: Unauthorized',
  quota: { status: 429, body: { error: 'Rate limit exceeded' } },
  outOfQuota: 'quota or concurrency limit exceeded: Rate limit exceeded',
})

it.each([
  ['mistv2', { eng: ['cove'], fra: ['alois', 'juliette'] }],
  ['arcana', { eng: ['astra', 'luna'], spa: ['sirius'] }],
  ['of yesterday', { eng: ['astra', 'luna'], spa: ['sirius'] }],
])('offers the voices of the model %s', async (model_id, voices) => {
  const { tts, models } = await rimelabs.catalogue!(
    { ...config, model_id },
    await reaching(standIn),
  )
  expect(Object.fromEntries(tts!.map((l) => [l.value, l.voices.map((v) => v.value)]))).toEqual(
    voices,
  )
  expect(models).toEqual([
    { value: 'arcana', name: 'arcana', languages: ['eng', 'spa'] },
    { value: 'mistv2', name: 'mistv2', languages: ['eng', 'fra'] },
  ])
  expect(tts![0]!.name).toBe('English')
})

it.each([
  [{ ...sentence, voice: 'nobody' }, config, 'the vendor answered 400: Speaker nobody not found'],
  [sentence, { ...config, model_id: 'v9' }, 'the vendor answered 400: Model v9 not found'],
  [sentence, { ...config, options: '{"pace":1}' }, 'the vendor answered 400: Invalid request body'],
])('reports the error: %j %j', async (what, credential, message) => {
  await expect(rimelabs.speak!(credential, what, await reaching(standIn))).rejects.toMatchObject({
    name: 'Refused',
    message,
  })
})

import { expect, it } from 'vitest'
import { elevenlabs as standIn, VOICES } from '../../../test/stand-ins/speech/elevenlabs.ts'
import { KEY } from '../../../test/stand-ins/speech/strict.ts'
import { recorded, type StandIn } from '../../../test/stand-ins/speech-server.ts'
import { reaching, respondWith, vendorCases } from '../../../test/vendor-faults.ts'
import { elevenlabs } from './elevenlabs.ts'

const config = {
  api_key: KEY,
  api_uri: 'api.elevenlabs.io',
  model_id: 'eleven_flash_v2_5',
  options: '{"optimize_streaming_latency":3,"voice_settings":{"stability":0.5}}',
}
const sentence = { text: 'Hello', language: 'en', voice: 'voice007' }

vendorCases({
  protocol: elevenlabs,
  standIn,
  config,
  secret: 'api_key',
  sentence,
  wrongKey: 'refused: Invalid API key',
  quota: {
    status: 401,
    body: {
      detail: {
        status: 'quota_exceeded',
        message: 'This request exceeds your quota of 10000. You have 0 credits remaining.',
      },
    },
  },
  outOfQuota: 'refused: This request exceeds your quota of 10000. You have 0 credits remaining.',
})

const offered = async (credential: object) =>
  elevenlabs.catalogue!(credential, await reaching(standIn))

it('offers all voices, page by page, in each language of the model', async () => {
  const { tts } = await offered(config)
  expect(tts?.map((l) => [l.value, l.name])).toEqual([
    ['en', 'English'],
    ['fil', 'Filipino'],
    ['de', 'German'],
  ])
  for (const { voices } of tts!) expect(voices).toHaveLength(VOICES.length)
  expect(tts![0]!.voices[7]).toEqual({ value: 'voice007', name: 'Voice 007' })
})

it.each([
  ['eleven_monolingual_v1', ['en']],
  ['eleven_of_tomorrow', ['en', 'fil', 'de']],
])('knows the languages of %s', async (model_id, languages) => {
  const { tts, models } = await offered({ ...config, model_id })
  expect(tts?.map((l) => l.value)).toEqual(languages)
  // models that turn speech into speech are not offered
  expect(models).toEqual([
    { value: 'eleven_flash_v2_5', name: 'Eleven Flash v2.5', languages: ['en', 'fil', 'de'] },
    { value: 'eleven_monolingual_v1', name: 'Eleven English v1', languages: ['en'] },
  ])
})

it('limits the pages it follows', async () => {
  let pages = 0
  const endless: StandIn = {
    hosts: standIn.hosts,
    http(request) {
      if (request.url.pathname !== '/v2/voices') return standIn.http!(request)
      pages++
      const voices = [{ voice_id: String(pages), name: 'Again' }]
      return { status: 200, body: { voices, has_more: true, next_page_token: 'more' } }
    },
  }
  const { tts } = await elevenlabs.catalogue!(config, await reaching(endless))
  expect([pages, tts?.[0]?.voices.length]).toEqual([10, 10])
})

async function sentBody(credential: object) {
  const vendor = recorded(standIn)
  await elevenlabs.speak!(credential, sentence, await reaching(vendor))
  const { host, url, body } = vendor.requests.at(-1)!
  return {
    host,
    query: Object.fromEntries(url.searchParams),
    body: JSON.parse(String(body)) as object,
  }
}

it('synthesizes with the options', async () => {
  expect(await sentBody(config)).toEqual({
    host: 'api.elevenlabs.io',
    query: { output_format: 'mp3_44100_128', optimize_streaming_latency: '3' },
    body: {
      text: 'Hello',
      model_id: 'eleven_flash_v2_5',
      language_code: 'en',
      voice_settings: { stability: 0.5 },
    },
  })
})

it('sends no language to models that reject it, and uses the configured host', async () => {
  const european = {
    ...config,
    model_id: 'eleven_monolingual_v1',
    api_uri: 'api.eu.residency.elevenlabs.io',
    options: undefined,
  }
  expect(await sentBody(european)).toEqual({
    host: 'api.eu.residency.elevenlabs.io',
    query: { output_format: 'mp3_44100_128' },
    body: { text: 'Hello', model_id: 'eleven_monolingual_v1' },
  })
  expect(await sentBody({ ...config, api_uri: undefined })).toMatchObject({
    host: 'api.elevenlabs.io',
  })
})

it.each(['[1]', '{', '"text"'])('rejects the options %s', async (options) => {
  await expect(
    elevenlabs.speak!({ ...config, options }, sentence, await reaching(standIn)),
  ).rejects.toMatchObject({
    name: 'Refused',
    message: 'the extra options of the credential are not a JSON object',
  })
})

it.each([
  [
    { ...sentence, voice: 'a/../b?c' },
    config,
    /^not found at the vendor: A voice with the voice_id/,
  ],
  [sentence, { ...config, model_id: 'gone_v9' }, /^the vendor answered 400: A model with model ID/],
])('reports what is missing: %j', async (what, credential, message) => {
  await expect(elevenlabs.speak!(credential, what, await reaching(standIn))).rejects.toMatchObject({
    name: 'Refused',
    message: expect.stringMatching(message),
  })
})

it('relays a rate limit', async () => {
  const busy = respondWith(standIn, {
    status: 429,
    body: { detail: { status: 'too_many_concurrent_requests', message: 'Too many requests.' } },
  })
  await expect(elevenlabs.speak!(config, sentence, await reaching(busy))).rejects.toMatchObject({
    message: 'quota or concurrency limit exceeded: Too many requests.',
  })
})

import { expect, it } from 'vitest'
import {
  outOfCredit,
  cartesia as standIn,
  VOICES,
} from '../../../test/stand-ins/speech/cartesia.ts'
import { KEY } from '../../../test/stand-ins/speech/strict.ts'
import { recorded, type StandIn } from '../../../test/stand-ins/speech-server.ts'
import { reaching, silence, vendorCases } from '../../../test/vendor-faults.ts'
import { cartesia } from './cartesia.ts'

const config = {
  api_key: KEY,
  model_id: 'sonic-3',
  stt_model_id: 'ink-whisper',
  options: '{"speed":1.1,"emotion":"excited"}',
}
const sentence = { text: 'Hello', language: 'en', voice: '00000003' }

vendorCases({
  protocol: cartesia,
  standIn,
  config,
  secret: 'api_key',
  sentence,
  wrongKey: 'invalid api key: Invalid API key',
  quota: outOfCredit(),
  outOfQuota: 'no credit left: You have reached your credit limit.',
})

it.each([
  ['sonic-3', ['en', 'de', 'th']],
  ['sonic-4-of-tomorrow', ['en', 'de', 'th']],
  ['sonic-2', ['en', 'de']],
  ['sonic-2-2025-03-07', ['en', 'de']],
  ['sonic-2024-12-12', ['en', 'de']],
  ['sonic', ['en', 'de']],
  ['sonic-english', ['en']],
])('offers the voices of all pages in the languages of %s', async (model_id, spoken) => {
  const { tts, stt } = await cartesia.catalogue!({ ...config, model_id }, await reaching(standIn))
  expect(tts?.map((l) => l.value).sort()).toEqual([...spoken].sort())
  expect(tts?.flatMap((l) => l.voices)).toHaveLength(
    VOICES.filter((v) => spoken.includes(v.language)).length,
  )
  expect(stt).toEqual(tts?.map(({ value, name }) => ({ value, name })))
})

it('limits the pages it follows', async () => {
  let pages = 0
  const endless: StandIn = {
    ...standIn,
    http: () => {
      const data = [{ id: String(++pages), name: 'Again', language: 'en' }]
      return { status: 200, body: { data, has_more: true } }
    },
  }
  await cartesia.catalogue!(config, await reaching(endless))
  expect(pages).toBe(20)
})

async function sentBody(credential: object) {
  const vendor = recorded(standIn)
  await cartesia.speak!(credential, sentence, await reaching(vendor))
  return JSON.parse(String(vendor.requests.at(-1)!.body)) as unknown
}

it('sends the options where the model expects them', async () => {
  const { output_format: _, ...newest } = (await sentBody(config)) as Record<string, unknown>
  expect(newest).toEqual({
    model_id: 'sonic-3',
    transcript: 'Hello',
    voice: { mode: 'id', id: '00000003' },
    language: 'en',
    generation_config: { speed: 1.1, emotion: 'excited' },
  })
  const older = {
    ...config,
    model_id: 'sonic-2',
    options: '{"speed":0.0,"emotion":"positivity:high"}',
  }
  expect(await sentBody(older)).toMatchObject({
    voice: { __experimental_controls: { speed: 0, emotion: ['positivity:high'] } },
  })
  expect(await sentBody({ ...config, options: undefined })).not.toHaveProperty('generation_config')
})

it.each([
  [{ ...sentence, voice: 'none' }, config, 'not found at the vendor: The voice was not found.'],
  [sentence, { ...config, model_id: 's9' }, 'not found at the vendor: Model s9 was not found.'],
  [sentence, { ...config, options: '{"x":1}' }, 'the vendor answered 400: Invalid request body'],
])('reports the error: %j %j', async (what, credential, message) => {
  await expect(cartesia.speak!(credential, what, await reaching(standIn))).rejects.toMatchObject({
    name: 'Refused',
    message,
  })
})

it('reports a model without speech-to-text', async () => {
  const gone = { ...config, stt_model_id: 'ink-9' }
  await expect(cartesia.recognize!(gone, silence(), await reaching(standIn))).rejects.toMatchObject(
    { message: 'the vendor answered 400: Unknown model ink-9' },
  )
})

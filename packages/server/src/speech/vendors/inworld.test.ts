import { expect, it } from 'vitest'
import { exhausted, inworld as standIn } from '../../../test/stand-ins/speech/inworld.ts'
import { KEY } from '../../../test/stand-ins/speech/strict.ts'
import { recorded, type StandIn } from '../../../test/stand-ins/speech-server.ts'
import { reaching, vendorCases } from '../../../test/vendor-faults.ts'
import { inworld } from './inworld.ts'

const config = {
  api_key: KEY,
  model_id: 'inworld-tts-1.5-max',
  options: '{"audioConfig":{"pitch":0.0,"speakingRate":1.0},"temperature":0.8}',
}
const sentence = { text: 'Hello', language: 'en', voice: 'Ashley' }

vendorCases({
  protocol: inworld,
  standIn,
  config,
  secret: 'api_key',
  sentence,
  wrongKey: 'invalid api key: Invalid authorization credentials',
  quota: exhausted(),
  outOfQuota: 'quota or concurrency limit exceeded: Resource has been exhausted',
})

it('offers the voices of all pages under bare languages', async () => {
  expect(await inworld.catalogue!(config, await reaching(standIn))).toEqual({
    tts: [
      {
        value: 'zh',
        name: 'Chinese',
        voices: [{ value: 'Yichen', name: 'Yichen' }],
      },
      {
        value: 'en',
        name: 'English',
        voices: [
          { value: 'Alex', name: 'Alex' },
          { value: 'Ashley', name: 'Ashley' },
          { value: 'ws__own', name: 'Own voice' },
        ],
      },
    ],
  })
})

it('limits the pages it follows', async () => {
  let pages = 0
  const endless: StandIn = {
    ...standIn,
    http: () => ({
      status: 200,
      body: {
        voices: [{ voiceId: String(++pages), langCode: 'EN_US' }],
        nextPageToken: 'more',
      },
    }),
  }
  const { tts } = await inworld.catalogue!(config, await reaching(endless))
  expect([pages, tts?.[0]?.voices.length]).toEqual([20, 20])
})

it('synthesizes with the options, as MP3', async () => {
  const vendor = recorded(standIn)
  const loud = { ...config, options: '{"audioConfig":{"audioEncoding":"LINEAR16","pitch":1}}' }
  await inworld.speak!(loud, sentence, await reaching(vendor))
  expect(JSON.parse(String(vendor.requests.at(-1)!.body))).toEqual({
    text: 'Hello',
    voiceId: 'Ashley',
    modelId: 'inworld-tts-1.5-max',
    audioConfig: { audioEncoding: 'MP3', pitch: 1 },
  })
})

it.each([
  [{ ...sentence, voice: 'Bob' }, config, 'not found at the vendor: Unknown voice: Bob not found!'],
  [sentence, { ...config, model_id: 'm9' }, 'the vendor answered 400: Unknown model: m9'],
])('reports what is missing: %j', async (what, credential, message) => {
  await expect(inworld.speak!(credential, what, await reaching(standIn))).rejects.toMatchObject({
    name: 'Refused',
    message,
  })
})

import { describe, expect, it } from 'vitest'
import {
  googleFaults,
  googleStandIn,
  otherKey,
  serviceKey,
} from '../../../test/stand-ins/speech/google.ts'
import { aFrame, aTone, silence } from '../../../test/stand-ins/speech/sounds.ts'
import { recorded } from '../../../test/stand-ins/speech-server.ts'
import { reaching, vendorCases } from '../../../test/vendor-faults.ts'
import { google } from './google.ts'

const config = { service_key: serviceKey() }
const sentence = { text: 'Hello', language: 'en-US', voice: 'en-US-Standard-C' }
const recording = { pcm: aTone(8_000), rate: 8_000, language: 'en-US' } as const

const { private_key } = JSON.parse(config.service_key) as { private_key: string }

vendorCases({
  protocol: google,
  standIn: googleStandIn(),
  config,
  secret: 'service_key',
  wrong: { service_key: serviceKey({ private_key: otherKey() }) },
  secrets: ['canary-token', private_key, private_key.split('\n')[1]!, 'eyJ'],
  sentence,
  recording,
  transcript: 'hello world',
  wrongKey: 'invalid service key: Invalid JWT Signature.',
  ...googleFaults,
  stages: { all: ['request', 'second request'] },
  // silence, or empty lists
  accepts: (call, stage, body) => call !== 'speak' && stage === 'second request' && body === '{}',
})

describe('google', () => {
  it('is probed by a free call', async () => {
    const vendor = recorded(googleStandIn())
    const out = await reaching(vendor)
    await google.probe!.tts!(config, out)
    await google.probe!.stt!(config, out)
    expect(vendor.requests.map((a) => a.host)).not.toContain('169.254.169.254')
  })

  it.each(['', 'no JSON', '{}', serviceKey({ private_key: 'canary' })])(
    'rejects an invalid service key',
    async (service_key) => {
      await expect(
        google.probe!.tts!({ service_key }, await reaching(googleStandIn())),
      ).rejects.toMatchObject({
        name: 'Refused',
        message: 'the service key has no private key that can sign',
      })
    },
  )

  it('offers voices by their first language, without those of Gemini', async () => {
    expect(await google.catalogue!(config, await reaching(googleStandIn()))).toEqual({
      tts: [
        {
          value: 'cmn-CN',
          name: expect.any(String),
          voices: [{ value: 'cmn-CN-Standard-B', name: 'Standard-B (MALE)' }],
        },
        {
          value: 'en-US',
          name: 'English (United States)',
          voices: [
            { value: 'en-US-Chirp3-HD-Kore', name: 'Chirp3-HD-Kore (FEMALE)' },
            { value: 'en-US-Standard-C', name: 'Standard-C (FEMALE)' },
          ],
        },
      ],
      stt: [
        { value: 'en-US', name: 'English (United States)' },
        { value: 'de-DE', name: 'German (Germany)' },
      ],
    })
  })

  it('offers Gemini voices when its model is selected, and only lists of the project', async () => {
    const out = await reaching(googleStandIn({ v2: false }))
    expect(await google.catalogue!({ ...config, model_id: 'gemini-2.5-flash-tts' }, out)).toEqual({
      tts: [
        {
          value: 'en-US',
          name: 'English (United States)',
          voices: [{ value: 'Kore', name: 'Kore (FEMALE)' }],
        },
      ],
    })
  })

  it('synthesizes', async () => {
    const out = await reaching(googleStandIn())
    const sound = { type: 'audio/mpeg', bytes: aFrame }
    expect(await google.speak!(config, sentence, out)).toEqual(sound)
    expect(await google.speak!(config, { ...sentence, text: '<speak>Hello</speak>' }, out)).toEqual(
      sound,
    )
    const gemini = { ...config, model_id: 'gemini-2.5-flash-tts' }
    expect(await google.speak!(gemini, { ...sentence, voice: 'Kore' }, out)).toEqual(sound)
    await expect(google.speak!(config, { ...sentence, voice: 'Kore' }, out)).rejects.toMatchObject({
      name: 'Refused',
      message: 'the vendor answered 400: This voice requires a model name to be specified.',
    })
  })

  it('transcribes', async () => {
    const out = await reaching(googleStandIn())
    expect(await google.recognize!(config, recording, out)).toBe('hello world')
    const quiet = { ...recording, pcm: silence(16_000), rate: 16_000 } as const
    expect(await google.recognize!(config, quiet, out)).toBe('')
  })
})

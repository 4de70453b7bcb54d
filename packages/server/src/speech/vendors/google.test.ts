import { describe, expect, it } from 'vitest'
import { googleStandIn, otherKey, serviceKey } from '../../../test/stand-ins/speech/google.ts'
import { aFrame, aTone, silence } from '../../../test/stand-ins/speech/sounds.ts'
import { facing, inTrouble } from '../../../test/stand-ins/speech/trouble.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { google } from './google.ts'

const config = { service_key: serviceKey() }
const sentence = { text: 'Hello', language: 'en-US', voice: 'en-US-Standard-C' }
const recording = { pcm: aTone(8_000), rate: 8_000, language: 'en-US' } as const

const calls = {
  'probing tts': (out: Outbound) => google.probe!.tts!(config, out),
  'probing stt': (out: Outbound) => google.probe!.stt!(config, out),
  'the catalogue': (out: Outbound) => google.catalogue!(config, out),
  speaking: (out: Outbound) => google.speak!(config, sentence, out),
  recognising: (out: Outbound) => google.recognise!(config, recording, out),
}
const { private_key } = JSON.parse(config.service_key) as { private_key: string }
inTrouble(googleStandIn, calls, {
  secrets: ['canary-token', private_key, private_key.split('\n')[1]!, 'eyJ'],
  signsIn: true,
})

describe('google', () => {
  it('is proved by a call that costs nothing', async () => {
    const vendor = googleStandIn()
    const out = await facing(vendor)
    await google.probe!.tts!(config, out)
    await google.probe!.stt!(config, out)
    expect(vendor.asked.map((a) => a.host)).not.toContain('169.254.169.254')
  })

  it.each(Object.entries(calls))('refuses a key of somebody else: %s', async (name) => {
    const out = await facing(googleStandIn())
    const wrong = { service_key: serviceKey({ private_key: otherKey() }) }
    const call = {
      'probing tts': () => google.probe!.tts!(wrong, out),
      'probing stt': () => google.probe!.stt!(wrong, out),
      'the catalogue': () => google.catalogue!(wrong, out),
      speaking: () => google.speak!(wrong, sentence, out),
      recognising: () => google.recognise!(wrong, recording, out),
    }[name]!
    await expect(call()).rejects.toMatchObject({
      name: 'Refused',
      message: 'invalid service key: Invalid JWT Signature.',
    })
  })

  it.each(['', 'no JSON', '{}', serviceKey({ private_key: 'canary' })])(
    'refuses what is no service key',
    async (service_key) => {
      await expect(
        google.probe!.tts!({ service_key }, await facing(googleStandIn())),
      ).rejects.toMatchObject({
        name: 'Refused',
        message: 'the service key has no private key that can sign',
      })
    },
  )

  it('offers voices by their first language, without those of Gemini', async () => {
    expect(await google.catalogue!(config, await facing(googleStandIn()))).toEqual({
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

  it('offers the voices of Gemini where its model is chosen, and no list that the project has not', async () => {
    const out = await facing(googleStandIn({ v2: false }))
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

  it('speaks', async () => {
    const out = await facing(googleStandIn())
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

  it('listens', async () => {
    const out = await facing(googleStandIn())
    expect(await google.recognise!(config, recording, out)).toBe('hello world')
    const quiet = { ...recording, pcm: silence(16_000), rate: 16_000 } as const
    expect(await google.recognise!(config, quiet, out)).toBe('')
  })
})

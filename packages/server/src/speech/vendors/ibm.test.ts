import { describe, expect, it } from 'vitest'
import { ibmFaults, ibmKeys, ibmStandIn } from '../../../test/stand-ins/speech/ibm.ts'
import { aFrame, aTone, silence } from '../../../test/stand-ins/speech/sounds.ts'
import { recorded } from '../../../test/stand-ins/speech-server.ts'
import { CANARY, reaching, vendorCases } from '../../../test/vendor-faults.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { ibm } from './ibm.ts'

const config = {
  tts_region: 'eu-de',
  tts_api_key: ibmKeys.tts,
  stt_region: 'eu-de',
  stt_api_key: ibmKeys.stt,
  instance_id: 'canary-1',
}
const sentence = { text: 'Hello', language: 'en-US', voice: 'en-US_AllisonV3Voice' }
const recording = { pcm: aTone(8_000), rate: 8_000, language: 'en-US_Telephony' } as const
const callsOf = (c: typeof config) => ({
  'probing tts': (out: Outbound) => ibm.probe!.tts!(c, out),
  'probing stt': (out: Outbound) => ibm.probe!.stt!(c, out),
  'the catalogue': (out: Outbound) => ibm.catalogue!(c, out),
  speaking: (out: Outbound) => ibm.speak!(c, sentence, out),
  recognizing: (out: Outbound) => ibm.recognize!(c, recording, out),
})

const encoded = (key: string) => Buffer.from(`apikey:${key}`).toString('base64')
vendorCases({
  protocol: ibm,
  standIn: ibmStandIn,
  config,
  secret: 'tts_api_key',
  wrong: { tts_api_key: CANARY, stt_api_key: CANARY },
  secrets: [ibmKeys.tts, ibmKeys.stt, encoded(ibmKeys.tts), encoded(ibmKeys.stt)],
  sentence,
  recording,
  transcript: 'hello world',
  wrongKey: 'invalid api key or region: Unauthorized',
  ...ibmFaults,
})

describe('ibm', () => {
  it('is probed separately for each use', async () => {
    const out = await reaching(ibmStandIn)
    const { tts_region, tts_api_key } = config
    await ibm.probe!.tts!({ tts_region, tts_api_key }, out)
    await ibm.probe!.stt!({ ...config, tts_api_key: '' }, out)
  })

  it.each(['eu-gb', 'evil.example.com/x?', ''])('connects to no other host: %s', async (region) => {
    const elsewhere = { ...config, tts_region: region, stt_region: region }
    const vendor = recorded(ibmStandIn)
    const out = await reaching(vendor)
    for (const call of Object.values(callsOf(elsewhere)))
      await expect(call(out)).rejects.toMatchObject({ name: 'Refused' })
    expect(vendor.requests).toEqual([])
  })

  it('offers voices by language, and models', async () => {
    const out = await reaching(ibmStandIn)
    const tts = [
      {
        value: 'en-US',
        name: 'English (United States)',
        voices: [{ value: 'en-US_AllisonV3Voice', name: 'Allison (female)' }],
      },
      {
        value: 'de-DE',
        name: 'German (Germany)',
        voices: [{ value: 'de-DE_DieterV3Voice', name: 'Dieter (male)' }],
      },
    ]
    expect(await ibm.catalogue!(config, out)).toEqual({
      tts,
      stt: [
        { value: 'de-DE_Telephony', name: 'de-DE_Telephony' },
        {
          value: 'en-US_Telephony',
          name: 'US English telephony model for narrowband audio (en-US_Telephony)',
        },
      ],
    })
    const { tts_region, tts_api_key } = config
    expect(await ibm.catalogue!({ tts_region, tts_api_key }, out)).toEqual({ tts })
  })

  it('synthesizes', async () => {
    const out = await reaching(ibmStandIn)
    expect(await ibm.speak!(config, sentence, out)).toEqual({ type: 'audio/mpeg', bytes: aFrame })
    await expect(ibm.speak!(config, { ...sentence, voice: 'x' }, out)).rejects.toMatchObject({
      message: 'not found at the vendor: Model not found',
    })
  })

  it('transcribes', async () => {
    const out = await reaching(ibmStandIn)
    expect(await ibm.recognize!(config, recording, out)).toBe('hello world')
    const quiet = { ...recording, pcm: silence(16_000), rate: 16_000 } as const
    expect(await ibm.recognize!(config, quiet, out)).toBe('')
  })
})

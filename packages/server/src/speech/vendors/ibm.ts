import { t, vendors } from '@switchroom/contract'
import { z } from 'zod'
import { toWav } from '../../audio/wav.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { askJson, askSound, hostPart } from '../ask.ts'
import { byLanguage, nameOf, voicesByLanguage } from '../choices.ts'
import { LIMITS, protocol } from '../protocol.ts'
import { INVALID_KEY_OR_REGION, type RequestOptions } from '../refusal.ts'

type Config = Partial<
  Record<
    'tts_region' | 'tts_api_key' | 'stt_region' | 'stt_api_key' | 'instance_id',
    string | boolean
  >
>

const Voices = z.object({
  voices: z.array(
    z.object({ name: z.string(), language: z.string(), gender: z.string().optional() }),
  ),
})
const Models = z.object({
  models: z.array(z.object({ name: z.string(), description: z.string().optional() })),
})
const Recognized = z.object({
  results: z.array(
    z.object({ alternatives: z.array(z.object({ transcript: z.string() })).min(1) }),
  ),
})

/** The URL, headers and secrets of one of the two services. */
function checkService(
  of: 'text-to-speech' | 'speech-to-text',
  config: Config,
  limit: RequestOptions['limit'],
) {
  const tts = of === 'text-to-speech'
  const region = hostPart(tts ? config.tts_region : config.stt_region, t('the region'))
  const key = String(tts ? config.tts_api_key : config.stt_api_key)
  const basic = Buffer.from(`apikey:${key}`).toString('base64')
  const instance =
    !tts && config.instance_id ? `/instances/${encodeURIComponent(String(config.instance_id))}` : ''
  const invalid = INVALID_KEY_OR_REGION
  return {
    url: `https://api.${region}.${of}.watson.cloud.ibm.com${instance}/v1`,
    headers: { authorization: `Basic ${basic}` },
    requestOptions: { secrets: [key, basic], limit, says: { 401: invalid, 403: invalid } },
  }
}

const voices = (config: Config, out: Outbound, limit: RequestOptions['limit']) => {
  const { url, headers, requestOptions } = checkService('text-to-speech', config, limit)
  return askJson(out, `${url}/voices`, { headers }, { ...requestOptions, shape: Voices })
}
const models = (config: Config, out: Outbound, limit: RequestOptions['limit']) => {
  const { url, headers, requestOptions } = checkService('speech-to-text', config, limit)
  return askJson(out, `${url}/models`, { headers }, { ...requestOptions, shape: Models })
}

/** The name in `en-US_AllisonV3Voice` is Allison. */
const shortName = (voice: string) => voice.replace(/^[^_]*_/, '').replace(/(V\d+)?(Voice)?$/, '')

export const ibm = protocol(vendors.ibm, {
  probe: {
    tts: async (config, out) => void (await voices(config, out, LIMITS.probe)),
    stt: async (config, out) => void (await models(config, out, LIMITS.probe)),
  },

  // a credential may have only one of the two services
  async catalogue(config, out) {
    const tts = config.tts_api_key && (await voices(config, out, LIMITS.catalogue)).voices
    const stt = config.stt_api_key && (await models(config, out, LIMITS.catalogue)).models
    return {
      ...(tts && {
        tts: byLanguage(
          tts.map(({ name, language, gender }) => ({
            language,
            value: name,
            name: gender ? `${shortName(name)} (${gender})` : shortName(name),
          })),
        ),
      }),
      // the model's name is stored as the language
      ...(stt && {
        stt: stt
          .map(({ name, description }) => ({
            value: name,
            name: description ? `${description.replace(/\.$/, '')} (${name})` : name,
          }))
          .sort((a, b) => a.value.localeCompare(b.value, 'en')),
      }),
    }
  },

  async speak(config, { text, voice }, out) {
    const { url, headers, requestOptions } = checkService('text-to-speech', config, LIMITS.speak)
    return askSound(
      out,
      `${url}/synthesize?${new URLSearchParams({ voice })}`,
      { headers: { ...headers, accept: 'audio/mp3' }, json: { text } },
      requestOptions,
    )
  },

  async recognize(config, { pcm, rate, language }, out) {
    const { url, headers, requestOptions } = checkService(
      'speech-to-text',
      config,
      LIMITS.recognize,
    )
    const { results } = await askJson(
      out,
      `${url}/recognize?${new URLSearchParams({ model: language })}`,
      { headers: { ...headers, 'content-type': 'audio/wav' }, body: toWav(pcm, rate) },
      { ...requestOptions, shape: Recognized },
    )
    return results
      .map((r) => r.alternatives[0]!.transcript.trim())
      .join(' ')
      .trim()
  },

  fallback: {
    tts: voicesByLanguage({
      'en-US':
        'en-US_AllisonV3Voice=Allison en-US_EmilyV3Voice=Emily en-US_HenryV3Voice=Henry en-US_MichaelV3Voice=Michael',
      'en-GB': 'en-GB_CharlotteV3Voice=Charlotte en-GB_JamesV3Voice=James en-GB_KateV3Voice=Kate',
      'de-DE': 'de-DE_BirgitV3Voice=Birgit de-DE_DieterV3Voice=Dieter de-DE_ErikaV3Voice=Erika',
      'es-ES': 'es-ES_EnriqueV3Voice=Enrique es-ES_LauraV3Voice=Laura',
      'fr-FR': 'fr-FR_NicolasV3Voice=Nicolas fr-FR_ReneeV3Voice=Renée',
    }),
    stt: [
      'ar-MS',
      'de-DE',
      'en-AU',
      'en-GB',
      'en-IN',
      'en-US',
      'es-ES',
      'fr-CA',
      'fr-FR',
      'it-IT',
      'nl-NL',
      'pt-BR',
    ].map((code) => ({ value: `${code}_Telephony`, name: `${nameOf(code)} telephony` })),
  },
})

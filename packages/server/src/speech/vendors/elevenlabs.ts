import { type ConfigOf, t, vendors } from '@switchroom/contract'
import { z } from 'zod'
import type { Outbound } from '../../outbound/outbound.ts'
import { askJson, askSound, extraOptions, optionsFor } from '../ask.ts'
import { choices, nameOf, sameVoices } from '../choices.ts'
import { protocol } from '../protocol.ts'

type Config = ConfigOf<typeof vendors.elevenlabs>

/** Credentials from other consoles may lack the host. */
const api = ({ api_uri }: Config) =>
  `https://${String(api_uri || 'api.elevenlabs.io').replace(/^https?:\/\/|\/+$/g, '')}`

const headers = ({ api_key }: Config) => ({ 'xi-api-key': String(api_key) })
// the same status for wrong keys, missing permissions and used-up credit
const requestOptions = optionsFor(vendors.elevenlabs, {
  401: (reason) => (reason ? t('refused: {reason}', { reason }) : t('refused')),
})

const Models = z.array(
  z.object({
    model_id: z.string(),
    name: z.string(),
    can_do_text_to_speech: z.boolean(),
    languages: z.array(z.object({ language_id: z.string(), name: z.string() })).default([]),
  }),
)
const Voices = z.object({
  voices: z.array(z.object({ voice_id: z.string(), name: z.string() })),
  has_more: z.boolean(),
  next_page_token: z.string().nullish(),
})

const modelsOf = (config: Config, call: 'probe' | 'catalogue', out: Outbound) =>
  askJson(
    out,
    `${api(config)}/v1/models`,
    { headers: headers(config) },
    { ...requestOptions(config, call), shape: Models },
  )

const PAGES = 10

async function voicesOf(config: Config, out: Outbound) {
  const allVoices: { value: string; name: string }[] = []
  let next: string | null | undefined
  for (let page = 0; page < PAGES; page++) {
    const query = new URLSearchParams({ page_size: '100', ...(next && { next_page_token: next }) })
    const { voices, has_more, next_page_token } = await askJson(
      out,
      `${api(config)}/v2/voices?${query}`,
      { headers: headers(config) },
      { ...requestOptions(config, 'catalogue'), shape: Voices },
    )
    allVoices.push(...voices.map((v) => ({ value: v.voice_id, name: v.name })))
    next = next_page_token
    if (!has_more || !next) break
  }
  return allVoices.sort((a, b) => a.name.localeCompare(b.name, 'en'))
}

export const elevenlabs = protocol(vendors.elevenlabs, {
  fallback: {
    tts: sameVoices(
      'en ar bg cs da de el es fi fil fr hi hr hu id it ja ko ms nl pl pt ro ru sk sv ta tr uk zh',
      '21m00Tcm4TlvDq8ikWAM=Rachel, EXAVITQu4vr4xnSDxMaL=Sarah, ErXwobaYiN019PkySvjV=Antoni, TxGEqnHWrfWFTfGW9XjX=Josh, pNInz6obpgDQGcFmaJgB=Adam, onwK4e9ZLuTAKqWW03F9=Daniel',
    ),
    models: choices(
      'eleven_flash_v2_5 eleven_flash_v2 eleven_turbo_v2_5 eleven_turbo_v2 eleven_multilingual_v2 eleven_multilingual_v1 eleven_monolingual_v1',
    ),
  },

  probe: {
    async tts(config, out) {
      await modelsOf(config, 'probe', out)
    },
  },

  async catalogue(config, out) {
    const [all, voices] = await Promise.all([
      modelsOf(config, 'catalogue', out),
      voicesOf(config, out),
    ])
    const models = all.filter((m) => m.can_do_text_to_speech)
    const chosen = models.filter((m) => m.model_id === config.model_id)
    // every voice supports all languages of a model
    const spoken = new Map(
      (chosen.length ? chosen : models).flatMap((m) =>
        m.languages.map(({ language_id, name }) => [language_id, name || nameOf(language_id)]),
      ),
    )
    return {
      tts: [...spoken]
        .map(([value, name]) => ({ value, name, voices }))
        .sort((a, b) => a.name.localeCompare(b.name, 'en')),
      models: models.map(({ model_id, name, languages }) => ({
        value: model_id,
        name,
        languages: languages.map((l) => l.language_id),
      })),
    }
  },

  async speak(config, { text, language, voice }, out) {
    const { optimize_streaming_latency: latency, ...options } = extraOptions(config.options)
    const query = new URLSearchParams({
      output_format: 'mp3_44100_128',
      ...(latency !== undefined && { optimize_streaming_latency: String(latency) }),
    })
    const model = String(config.model_id ?? '')
    return askSound(
      out,
      `${api(config)}/v1/text-to-speech/${encodeURIComponent(voice)}?${query}`,
      {
        headers: { ...headers(config), accept: 'audio/mpeg' },
        json: {
          ...options,
          text,
          ...(model && { model_id: model }),
          // other models reject a language code
          ...(/_v2_5$/.test(model) && language && { language_code: language }),
        },
      },
      requestOptions(config, 'speak'),
    )
  },
})

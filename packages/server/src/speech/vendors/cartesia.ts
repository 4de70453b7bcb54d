import { type ConfigOf, vendors } from '@switchroom/contract'
import { z } from 'zod'
import { toWav } from '../../audio/wav.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { askJson, askSound, extraOptions, multipart, optionsFor } from '../ask.ts'
import { byLanguage, choices, languages, sameVoices } from '../choices.ts'
import { protocol } from '../protocol.ts'

const API = 'https://api.cartesia.ai'

type Config = ConfigOf<typeof vendors.cartesia>

const headers = ({ api_key }: Config) => ({
  'x-api-key': String(api_key),
  'cartesia-version': '2025-04-16',
})
const requestOptions = optionsFor(vendors.cartesia)

const Voices = z.object({
  data: z.array(z.object({ id: z.string(), name: z.string(), language: z.string() })),
  has_more: z.boolean(),
})

const voicesOf = (
  config: Config,
  call: 'probe' | 'catalogue',
  query: Record<string, string>,
  out: Outbound,
) =>
  askJson(
    out,
    `${API}/voices?${new URLSearchParams(query)}`,
    { headers: headers(config) },
    { ...requestOptions(config, call), shape: Voices },
  )

const probe = async (config: Config, out: Outbound) => {
  await voicesOf(config, 'probe', { limit: '1' }, out)
}

/** True if a model supports a language. Each voice has one language; the newest models support all. */
function isSupported(model: unknown, language: string) {
  const name = String(model ?? '')
  if (/^sonic-(english|preview)/.test(name)) return language === 'en'
  if (/^sonic(-2|-turbo|-multilingual|-2024.*)?(-\d{4}-\d\d-\d\d)?$/.test(name))
    return 'en fr de es pt zh ja hi it ko nl pl ru sv tr'.split(' ').includes(language)
  return true
}

/** Each generation of models expects the voice options in another place. */
function voiceSettings(model: unknown, options: Record<string, unknown>) {
  const { speed, emotion, volume, ...rest } = options
  const wished = Object.fromEntries(
    Object.entries({ speed, emotion, volume }).filter(([, value]) => value !== undefined),
  )
  if (!Object.keys(wished).length) return { rest }
  if (/^sonic-3/.test(String(model))) return { rest: { ...rest, generation_config: wished } }
  if (typeof emotion === 'string') wished.emotion = [emotion]
  return { rest, voice: { __experimental_controls: wished } }
}

const PAGES = 20

export const cartesia = protocol(vendors.cartesia, {
  fallback: {
    tts: sameVoices(
      'en',
      'a0e99841-438c-4a64-b679-ae501e7d6091=Barbershop Man, 694f9389-aac1-45b6-b726-9d9369183238=Barbershop Lady',
    ),
    stt: languages('en'),
    models: choices(
      'sonic-3 sonic-2 sonic-turbo sonic sonic-preview sonic-2024-12-12 sonic-2024-10-19 sonic-english sonic-multilingual',
    ),
    sttModels: choices('ink-whisper'),
  },

  probe: { tts: probe, stt: probe },

  async catalogue(config, out) {
    const allVoices: z.infer<typeof Voices>['data'] = []
    for (let page = 0; page < PAGES; page++) {
      const last = allVoices.at(-1)?.id
      const query = { limit: '100', ...(last && { starting_after: last }) }
      const { data, has_more } = await voicesOf(config, 'catalogue', query, out)
      allVoices.push(...data)
      if (!has_more || !data.length) break
    }
    const offered = byLanguage(
      allVoices
        .filter((v) => isSupported(config.model_id, v.language))
        .map(({ id, name, language }) => ({ value: id, name, language })),
    )
    return {
      tts: offered,
      // speech-to-text supports the same languages
      stt: offered.map(({ value, name }) => ({ value, name })),
    }
  },

  async speak(config, { text, language, voice }, out) {
    const wished = voiceSettings(config.model_id, extraOptions(config.options))
    return askSound(
      out,
      `${API}/tts/bytes`,
      {
        headers: headers(config),
        json: {
          ...wished.rest,
          model_id: config.model_id || 'sonic-3',
          transcript: text,
          voice: { mode: 'id', id: voice, ...wished.voice },
          language,
          output_format: { container: 'mp3', sample_rate: 44100, bit_rate: 128000 },
        },
      },
      requestOptions(config, 'speak'),
    )
  },

  async recognize(config, { pcm, rate, language }, out) {
    const form = await multipart(
      { model: String(config.stt_model_id || 'ink-whisper'), language: language.split('-')[0] },
      { field: 'file', name: 'speech.wav', type: 'audio/wav', bytes: toWav(pcm, rate) },
    )
    const { text } = await askJson(
      out,
      `${API}/stt`,
      { ...form, headers: { ...form.headers, ...headers(config) } },
      { ...requestOptions(config, 'recognize'), shape: z.object({ text: z.string() }) },
    )
    return text.trim()
  },
})

import { type ConfigOf, t, vendors } from '@switchroom/contract'
import { z } from 'zod'
import type { Outbound } from '../../outbound/outbound.ts'
import { addressOf, askJson, askSound, extraOptions, optionsFor } from '../ask.ts'
import { byLanguage, choices, sameVoices } from '../choices.ts'
import { protocol } from '../protocol.ts'

type Config = ConfigOf<typeof vendors.playht>

const CLOUD = 'https://api.play.ht'
const JENNIFER =
  's3://voice-cloning-zero-shot/d9ff78ba-d016-47f6-b0ef-dd630f59414e/female-cs/manifest.json'

/** This engine has English language names, and every voice supports all languages. */
const ALL_LANGUAGES = 'Play3.0'
const LANGUAGES =
  'english afrikaans albanian amharic arabic bengali bulgarian catalan croatian czech danish dutch french galician german greek hebrew hindi hungarian indonesian italian japanese korean malay mandarin polish portuguese russian serbian spanish swedish tagalog thai turkish ukrainian urdu xhosa'

const headers = ({ api_key, user_id }: Config) => ({
  authorization: String(api_key),
  'x-user-id': String(user_id),
})
const requestOptions = optionsFor(vendors.playht, {
  403: (reason) =>
    reason
      ? t('invalid api key or user id: {reason}', { reason })
      : t('invalid api key or user id'),
})

const Voices = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    language: z.string().nullish(),
    language_code: z.string().nullish(),
    voice_engine: z.string().nullish(),
  }),
)

const voicesOf = (
  config: Config,
  of: 'voices' | 'cloned-voices',
  call: 'probe' | 'catalogue',
  out: Outbound,
) =>
  askJson(
    out,
    `${CLOUD}/api/v2/${of}`,
    { headers: headers(config) },
    { ...requestOptions(config, call), shape: Voices },
  )

async function synthesize(
  config: Config,
  { text, language, voice }: { text: string; language: string; voice: string },
  call: 'probe' | 'speak',
  out: Outbound,
) {
  const { playht_tts_uri: uri, voice_engine } = config
  return askSound(
    out,
    `${uri ? addressOf(uri, false) : CLOUD}/api/v2/tts/stream`,
    {
      headers: { ...headers(config), accept: 'audio/mpeg' },
      json: {
        ...extraOptions(config.options),
        text,
        voice,
        output_format: 'mp3',
        ...(voice_engine && { voice_engine }),
        ...(voice_engine === ALL_LANGUAGES && { language }),
      },
    },
    requestOptions(config, call),
  )
}

/** The vendor's cloud has shut down; containers still work. */
export const playht = protocol(vendors.playht, {
  fallback: {
    tts: sameVoices('en-US en-GB en-AU en-CA en-IE', `${JENNIFER}=Jennifer`),
    models: choices('Play3.0 PlayHT2.0-turbo PlayHT2.0 PlayHT1.0 PlayDialog'),
  },

  probe: {
    async tts(config, out) {
      // a container's only call is synthesis, which is free
      if (config.playht_tts_uri)
        await synthesize(
          config,
          { text: 'Hello', language: 'english', voice: JENNIFER },
          'probe',
          out,
        )
      else await voicesOf(config, 'voices', 'probe', out)
    },
  },

  async catalogue(config, out) {
    const lists = await Promise.all([
      voicesOf(config, 'voices', 'catalogue', out),
      voicesOf(config, 'cloned-voices', 'catalogue', out),
    ])
    const voices = lists.flat()
    if (config.voice_engine !== ALL_LANGUAGES)
      return {
        tts: byLanguage(
          voices
            .filter((v) => !v.voice_engine || v.voice_engine === config.voice_engine)
            .map(({ id, name, language, language_code }) => ({
              value: id,
              name,
              language: language_code || 'en-US',
              ...(language && { languageName: language }),
            })),
        ),
      }
    const named = voices
      .map(({ id, name }) => ({ value: id, name }))
      .sort((a, b) => a.name.localeCompare(b.name, 'en'))
    return {
      tts: choices(LANGUAGES).map(({ value, name }) => ({
        value,
        name: name.charAt(0).toUpperCase() + name.slice(1),
        // the platform's consoles list the English voices for all languages
        voices: value === 'english' ? named : [],
      })),
    }
  },

  speak: (config, sentence, out) => synthesize(config, sentence, 'speak', out),
})

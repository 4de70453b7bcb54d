import { type ConfigOf, membersOf, vendors } from '@switchroom/contract'
import { z } from 'zod'
import type { Outbound } from '../../outbound/outbound.ts'
import { askJson, extraOptions, optionsFor, soundOf } from '../ask.ts'
import { byLanguage, choices, sameVoices } from '../choices.ts'
import { protocol } from '../protocol.ts'

const API = 'https://api.inworld.ai'

type Config = ConfigOf<typeof vendors.inworld>

// the vendor issues the key in base64
const headers = ({ api_key }: Config) => ({ authorization: `Basic ${api_key}` })
const requestOptions = optionsFor(vendors.inworld)

const Voices = z.object({
  voices: z.array(
    z.object({ voiceId: z.string(), langCode: z.string(), displayName: z.string().optional() }),
  ),
  nextPageToken: z.string().nullish(),
})

const voicesOf = (
  config: Config,
  call: 'probe' | 'catalogue',
  query: Record<string, string>,
  out: Outbound,
) =>
  askJson(
    out,
    `${API}/voices/v1/voices?${new URLSearchParams(query)}`,
    { headers: headers(config) },
    { ...requestOptions(config, call), shape: Voices },
  )

const PAGES = 20

export const inworld = protocol(vendors.inworld, {
  fallback: {
    tts: sameVoices('en de es fr it ja ko nl pl pt zh', 'Ashley, Alex, Craig, Deborah, Dennis'),
    models: choices(
      'inworld-tts-1.5-max inworld-tts-1.5-mini inworld-tts-1 inworld-tts-1-max inworld-tts-2',
    ),
  },

  probe: {
    async tts(config, out) {
      await voicesOf(config, 'probe', { pageSize: '1' }, out)
    },
  },

  async catalogue(config, out) {
    const allVoices: z.infer<typeof Voices>['voices'] = []
    let next: string | null | undefined
    for (let page = 0; page < PAGES && (page === 0 || next); page++) {
      const query = { pageSize: '200', ...(next && { pageToken: next }) }
      const { voices, nextPageToken } = await voicesOf(config, 'catalogue', query, out)
      allVoices.push(...voices)
      next = nextPageToken
    }
    return {
      tts: byLanguage(
        allVoices.map(({ voiceId, langCode, displayName }) => ({
          // the vendor has EN_US, the platform en
          language: langCode.split(/[_-]/)[0]!.toLowerCase(),
          value: voiceId,
          name: displayName || voiceId,
        })),
      ),
    }
  },

  async speak(config, { text, voice }, out) {
    const { audioConfig, ...options } = extraOptions(config.options)
    const { audioContent } = await askJson(
      out,
      `${API}/tts/v1/voice`,
      {
        headers: headers(config),
        json: {
          ...options,
          text,
          voiceId: voice,
          ...(config.model_id && { modelId: config.model_id }),
          audioConfig: { ...membersOf(audioConfig), audioEncoding: 'MP3' },
        },
      },
      { ...requestOptions(config, 'speak'), shape: z.object({ audioContent: z.string() }) },
    )
    return soundOf(Buffer.from(audioContent, 'base64'))
  },
})

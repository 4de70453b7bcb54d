import { type ConfigOf, vendors } from '@switchroom/contract'
import { z } from 'zod'
import type { Outbound } from '../../outbound/outbound.ts'
import { addressOf, askJson, optionsFor, soundOf } from '../ask.ts'
import { byLanguage, sameVoices } from '../choices.ts'
import { protocol } from '../protocol.ts'

type Config = ConfigOf<typeof vendors.resemble>

const VOICE = '3f5fb9f1'

const headers = ({ api_key }: Config) => ({ authorization: `Bearer ${api_key}` })
const requestOptions = optionsFor(vendors.resemble)

const Voices = z.object({
  num_pages: z.number(),
  items: z.array(
    z.object({
      uuid: z.string(),
      name: z.string(),
      status: z.string(),
      default_language: z.string().nullish(),
      component_status: z
        .object({
          text_to_speech: z.union([z.string(), z.object({ status: z.string() })]).nullish(),
        })
        .nullish(),
    }),
  ),
})
type Voice = z.infer<typeof Voices>['items'][number]

const voicesOf = (
  config: Config,
  call: 'probe' | 'catalogue',
  page: { page: number; page_size: number },
  out: Outbound,
) =>
  askJson(
    out,
    `https://app.resemble.ai/api/v2/voices?page=${page.page}&page_size=${page.page_size}`,
    { headers: headers(config) },
    { ...requestOptions(config, call), shape: Voices },
  )

/** True if a voice is trained and for synthesis. The API has two spellings of it. */
function isReady({ status, component_status }: Voice) {
  const part = component_status?.text_to_speech
  const state = typeof part === 'object' ? part?.status : part
  return status === 'finished' && (state ?? 'ready') === 'ready'
}

async function synthesize(
  config: Config,
  { text, voice }: { text: string; voice: string },
  call: 'probe' | 'speak',
  out: Outbound,
) {
  const { resemble_tts_uri: uri, resemble_tts_use_tls: tls } = config
  const { audio_content } = await askJson(
    out,
    `${uri ? addressOf(uri, tls) : 'https://f.cluster.resemble.ai'}/synthesize`,
    {
      headers: headers(config),
      json: { voice_uuid: voice, data: text, sample_rate: 22050, output_format: 'mp3' },
    },
    { ...requestOptions(config, call), shape: z.object({ audio_content: z.string() }) },
  )
  return soundOf(Buffer.from(audio_content, 'base64'))
}

const PAGES = 20

export const resemble = protocol(vendors.resemble, {
  fallback: { tts: sameVoices('en-US en-GB', 'e28236ee=Samantha (v1)') },

  probe: {
    async tts(config, out) {
      // a container's only call is synthesis, which is free
      if (config.resemble_tts_uri)
        await synthesize(config, { text: 'Hello', voice: VOICE }, 'probe', out)
      else await voicesOf(config, 'probe', { page: 1, page_size: 10 }, out)
    },
  },

  // the cloud lists the account's voices, also for containers
  async catalogue(config, out) {
    const allVoices: Voice[] = []
    let pages = 1
    for (let page = 1; page <= pages; page++) {
      const query = { page, page_size: 100 }
      const { items, num_pages } = await voicesOf(config, 'catalogue', query, out)
      allVoices.push(...items)
      pages = Math.min(num_pages, PAGES)
    }
    return {
      tts: byLanguage(
        allVoices.filter(isReady).map(({ uuid, name, default_language }) => ({
          language: default_language || 'en-US',
          value: uuid,
          name,
        })),
      ),
    }
  },

  speak: (config, sentence, out) => synthesize(config, sentence, 'speak', out),
})

import { t, vendors } from '@switchroom/contract'
import { z } from 'zod'
import { toWav } from '../../audio/wav.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { choices } from '../choices.ts'
import { callGrpc } from '../grpc.ts'
import { LIMITS, protocol, Refused } from '../protocol.ts'
import type { RequestOptions } from '../refusal.ts'

type Config = { cobalt_server_uri?: string | boolean }

const CUBIC = { proto: 'cubic', service: 'cobaltspeech.cubic.Cubic' }
const Models = z.object({ models: z.array(z.object({ id: z.string().min(1), name: z.string() })) })
const Recognized = z.object({
  results: z.array(
    z.object({
      is_partial: z.boolean(),
      alternatives: z.array(z.object({ transcript: z.string() })),
    }),
  ),
})

const server = (config: Config) => {
  if (typeof config.cobalt_server_uri !== 'string') throw new Refused(t('the address is missing'))
  return { address: config.cobalt_server_uri, port: 2_727 }
}
const models = async (config: Config, out: Outbound, limit: RequestOptions['limit']) => {
  const method = { ...CUBIC, method: 'ListModels' }
  return callGrpc(out, server(config), method, {}, { secrets: [], limit, shape: Models })
}

export const cobalt = protocol(vendors.cobalt, {
  probe: { stt: async (config, out) => void (await models(config, out, LIMITS.probe)) },

  // the model's id is stored as the language
  async catalogue(config, out) {
    const offered = await models(config, out, LIMITS.catalogue)
    return { stt: offered.models.map(({ id, name }) => ({ value: id, name: name || id })) }
  },

  async recognize(config, { pcm, rate, language }, out) {
    const { results } = await callGrpc(
      out,
      server(config),
      { ...CUBIC, method: 'Recognize' },
      {
        // unlike raw samples, a WAV has its rate, so a model for another rate rejects it
        config: { model_id: language, audio_encoding: 'WAV' },
        audio: { data: toWav(pcm, rate) },
      },
      { secrets: [], limit: LIMITS.recognize, shape: Recognized },
    )
    return results
      .filter((r) => !r.is_partial)
      .map((r) => r.alternatives[0]?.transcript.trim() ?? '')
      .join(' ')
      .trim()
  },

  fallback: {
    stt: choices(
      'en_US-8khz=English (United States), en_UK-8khz=English (United Kingdom), es_xx-8khz=Spanish, fr_fr-8khz=French, pt_br-8khz=Portuguese (Brazil), ru_ru-8khz=Russian',
      ', ',
    ),
  },
})

import { type ConfigOf, vendors } from '@switchroom/contract'
import { z } from 'zod'
import { toWav } from '../../audio/wav.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { askJson, multipart, secretsOf } from '../ask.ts'
import { COMMON, choices, languages } from '../choices.ts'
import { type Call, LIMITS, protocol } from '../protocol.ts'

export const API = 'https://api.openai.com/v1'

type Config = ConfigOf<typeof vendors.openai>

export const headers = ({ api_key }: Config) => ({ authorization: `Bearer ${api_key}` })

export const requestOptions = (config: Config, call: Call) => ({
  // the error for a wrong key quotes its start and end
  secrets: secretsOf(vendors.openai, config).flatMap((key) => [
    key,
    key.slice(0, 8),
    key.slice(-4),
  ]),
  limit: LIMITS[call],
})

const Models = z.object({ data: z.array(z.object({ id: z.string() })) })

/** The models available to a key. */
export async function modelsOf(config: Config, call: 'probe' | 'catalogue', out: Outbound) {
  const { data } = await askJson(
    out,
    `${API}/models`,
    { headers: headers(config) },
    { ...requestOptions(config, call), shape: Models },
  )
  return data.map((m) => m.id).sort()
}

export const speaking = (id: string) => /^tts-|-tts\b/.test(id)
const isSttModel = (id: string) => /^whisper-|transcribe/.test(id)
export const choicesOf = (ids: string[]) => ids.map((id) => ({ value: id, name: id }))

export const MODELS = choices('tts-1 tts-1-hd gpt-4o-mini-tts')

export const openai = protocol(vendors.openai, {
  fallback: {
    stt: [{ value: 'auto', name: 'Automatic' }, ...languages(COMMON)],
    models: MODELS,
    sttModels: choices('whisper-1 gpt-4o-mini-transcribe gpt-4o-transcribe'),
  },

  probe: {
    async stt(config, out) {
      await modelsOf(config, 'probe', out)
    },
  },

  async catalogue(config, out) {
    const ids = await modelsOf(config, 'catalogue', out)
    return {
      models: choicesOf(ids.filter(speaking)),
      sttModels: choicesOf(ids.filter(isSttModel)),
    }
  },

  async recognize(config, { pcm, rate, language }, out) {
    const form = await multipart(
      {
        model: String(config.model_id || 'whisper-1'),
        // the API takes languages without country
        language: language === 'auto' ? undefined : language.split('-')[0],
        response_format: 'json',
      },
      { field: 'file', name: 'speech.wav', type: 'audio/wav', bytes: toWav(pcm, rate) },
    )
    const { text } = await askJson(
      out,
      `${API}/audio/transcriptions`,
      { ...form, headers: { ...form.headers, ...headers(config) } },
      { ...requestOptions(config, 'recognize'), shape: z.object({ text: z.string() }) },
    )
    return text.trim()
  },
})

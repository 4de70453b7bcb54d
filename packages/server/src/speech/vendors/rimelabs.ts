import { vendors } from '@switchroom/contract'
import { z } from 'zod'
import { askJson, askSound, extraOptions, optionsFor } from '../ask.ts'
import { choices, nameOf } from '../choices.ts'
import { protocol } from '../protocol.ts'

const requestOptions = optionsFor(vendors.rimelabs)

/** Voices by model and language. */
const Voices = z
  .record(z.string(), z.record(z.string(), z.array(z.string())))
  .refine((models) => Object.keys(models).length)

/** No probe: no free call verifies a key. */
export const rimelabs = protocol(vendors.rimelabs, {
  fallback: {
    tts: [
      { value: 'eng', name: 'English', voices: choices('luna astra celeste orion') },
      { value: 'spa', name: 'Spanish', voices: choices('sirius nova pola') },
    ],
    models: choices('arcana mistv2 mist v1'),
  },

  // the list is public
  async catalogue(config, out) {
    const models = await askJson(
      out,
      'https://users.rime.ai/data/voices/all-v2.json',
      {},
      { ...requestOptions(config, 'catalogue'), shape: Voices },
    )
    const ids = Object.keys(models)
    const chosen = ids.find((id) => id === config.model_id) ?? ids[0]!
    return {
      tts: Object.entries(models[chosen]!).map(([value, voices]) => ({
        value,
        name: nameOf(value),
        voices: [...voices].sort().map((voice) => ({ value: voice, name: voice })),
      })),
      models: Object.entries(models).map(([id, languages]) => ({
        value: id,
        name: id,
        languages: Object.keys(languages),
      })),
    }
  },

  speak: async (config, { text, language, voice }, out) =>
    askSound(
      out,
      'https://users.rime.ai/v1/rime-tts',
      {
        headers: { authorization: `Bearer ${config.api_key}`, accept: 'audio/mp3' },
        json: {
          ...extraOptions(config.options),
          speaker: voice,
          text,
          lang: language,
          ...(config.model_id && { modelId: config.model_id }),
        },
      },
      requestOptions(config, 'speak'),
    ),
})

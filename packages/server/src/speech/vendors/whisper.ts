import { vendors } from '@switchroom/contract'
import { askSound } from '../ask.ts'
import { sameVoices } from '../choices.ts'
import { protocol } from '../protocol.ts'
import { API, choicesOf, headers, MODELS, modelsOf, requestOptions, speaking } from './openai.ts'

/** The platform's name for OpenAI's text-to-speech. */
export const whisper = protocol(vendors.whisper, {
  fallback: {
    tts: sameVoices(
      'en-US',
      'alloy=Alloy, ash=Ash, coral=Coral, echo=Echo, fable=Fable, nova=Nova, onyx=Onyx, sage=Sage, shimmer=Shimmer',
    ),
    models: MODELS,
  },

  probe: {
    async tts(config, out) {
      await modelsOf(config, 'probe', out)
    },
  },

  // the API does not list voices
  async catalogue(config, out) {
    const ids = await modelsOf(config, 'catalogue', out)
    return { models: choicesOf(ids.filter(speaking)) }
  },

  speak: (config, { text, voice }, out) =>
    askSound(
      out,
      `${API}/audio/speech`,
      {
        headers: headers(config),
        json: { model: config.model_id || 'tts-1', voice, input: text, response_format: 'mp3' },
      },
      requestOptions(config, 'speak'),
    ),
})

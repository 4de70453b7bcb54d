import { pcmOf } from '../../../src/audio/wav.ts'
import { No, type Services } from './grpc.ts'

type Recognition = {
  config: { model_id: string; audio_encoding: string } | null
  audio: { data: Buffer } | null
}

/** A Cubic server with 8 kHz models. */
export const cubic: Services = {
  'cobaltspeech.cubic.Cubic': {
    proto: 'cubic',
    methods: {
      ListModels: () => ({
        models: [
          { id: 'en_US-8khz', name: 'English' },
          { id: 'es_xx-8khz', name: '' },
        ],
      }),
      Recognize: ({ config, audio }: Recognition) => {
        if (config?.model_id !== 'en_US-8khz') throw new No('NOT_FOUND', 'No such model')
        const wav = config.audio_encoding === 'WAV' && audio && pcmOf(audio.data)
        if (!wav) throw new No('INVALID_ARGUMENT', 'Not a WAV')
        if (!wav.pcm.some((b) => b !== 0)) return { results: [] }
        return {
          results: [
            { is_partial: true, alternatives: [{ transcript: 'hell' }] },
            { is_partial: false, alternatives: [{ transcript: 'hello ' }] },
            { is_partial: false, alternatives: [{ transcript: 'world' }] },
          ],
        }
      },
    },
  },
}

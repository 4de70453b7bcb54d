import { No, type Services } from './grpc.ts'
import { aTone } from './sounds.ts'

type Synthesis = Record<'text' | 'language_code' | 'encoding' | 'voice_name', string> & {
  sample_rate_hz: number
}
type Recognition = {
  config: {
    encoding: string
    sample_rate_hertz: number
    language_code: string
    audio_channel_count: number
  } | null
  audio: Buffer
}

/** A Riva server with one English model and one of two languages. */
export const riva: Services = {
  'nvidia.riva.tts.RivaSpeechSynthesis': {
    proto: 'riva-tts',
    methods: {
      GetRivaSynthesisConfig: () => ({
        model_config: [
          {
            model_name: 'fastpitch',
            parameters: {
              language_code: 'en-US',
              voice_name: 'English-US',
              subvoices: 'Female-1:0,Male-1:1',
            },
          },
          {
            model_name: 'magpie',
            parameters: {
              language_code: 'en-US,es-US',
              voice_name: 'Magpie-Multilingual',
              subvoices: 'EN-US.Sofia:0,ES-US.Diego:1',
            },
          },
        ],
      }),
      Synthesize: ({ text, language_code, encoding, voice_name, sample_rate_hz }: Synthesis) => {
        if (!text || language_code !== 'en-US') throw new No('INVALID_ARGUMENT', 'No such language')
        if (encoding !== 'LINEAR_PCM' || sample_rate_hz !== 8_000)
          throw new No('INVALID_ARGUMENT', 'Bad audio')
        if (voice_name === 'silent') return { audio: Buffer.alloc(0) }
        if (voice_name !== 'English-US.Female-1') throw new No('INVALID_ARGUMENT', 'No such voice')
        return { audio: aTone(8_000) }
      },
    },
  },
  'nvidia.riva.asr.RivaSpeechRecognition': {
    proto: 'riva-asr',
    methods: {
      GetRivaSpeechRecognitionConfig: () => ({
        model_config: [
          { model_name: 'a', parameters: { language_code: 'es-US', streaming: 'True' } },
          { model_name: 'b', parameters: { language_code: 'en-US', type: 'offline' } },
          { model_name: 'c', parameters: { language_code: 'en-US', type: 'online' } },
        ],
      }),
      Recognize: ({ config, audio }: Recognition) => {
        if (config?.encoding !== 'LINEAR_PCM' || config.audio_channel_count !== 1)
          throw new No('INVALID_ARGUMENT', 'Bad audio')
        if (![8_000, 16_000].includes(config.sample_rate_hertz))
          throw new No('INVALID_ARGUMENT', 'Bad rate')
        if (config.language_code !== 'en-US')
          throw new No('INVALID_ARGUMENT', 'Error: Unavailable model requested')
        if (!audio.some((b) => b !== 0)) return { results: [] }
        return {
          results: [
            { alternatives: [{ transcript: 'Hello ' }] },
            { alternatives: [{ transcript: 'world.' }] },
          ],
        }
      },
    },
  },
}

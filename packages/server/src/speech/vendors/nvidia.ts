import { t, vendors } from '@switchroom/contract'
import { z } from 'zod'
import { toWav } from '../../audio/wav.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { byLanguage, languages, nameOf, voicesByLanguage } from '../choices.ts'
import { callGrpc, isNotOffered } from '../grpc.ts'
import { LIMITS, protocol, Refused } from '../protocol.ts'
import type { RequestOptions } from '../refusal.ts'
import { nonsense } from '../refusal.ts'

type Config = { riva_server_uri?: string | boolean }

const TTS = { proto: 'riva-tts', service: 'nvidia.riva.tts.RivaSpeechSynthesis' }
const ASR = { proto: 'riva-asr', service: 'nvidia.riva.asr.RivaSpeechRecognition' }
const RATE = 8_000

const Models = z.object({
  model_config: z.array(z.object({ parameters: z.record(z.string(), z.string()) })),
})
const Sound = z.object({ audio: z.instanceof(Buffer) })
const Recognized = z.object({
  results: z.array(z.object({ alternatives: z.array(z.object({ transcript: z.string() })) })),
})

const server = (config: Config) => {
  if (typeof config.riva_server_uri !== 'string') throw new Refused(t('the address is missing'))
  return { address: config.riva_server_uri, port: 50_051 }
}
const requestOptions = <S extends z.ZodType>(limit: RequestOptions['limit'], shape: S) => ({
  secrets: [],
  limit,
  shape,
})

const voices = (config: Config, out: Outbound, limit: RequestOptions['limit']) =>
  callGrpc(
    out,
    server(config),
    { ...TTS, method: 'GetRivaSynthesisConfig' },
    {},
    requestOptions(limit, Models),
  )
const models = (config: Config, out: Outbound, limit: RequestOptions['limit']) =>
  callGrpc(
    out,
    server(config),
    { ...ASR, method: 'GetRivaSpeechRecognitionConfig' },
    {},
    requestOptions(limit, Models),
  )

const splitList = (text = '') => text.split(',').filter(Boolean)

/** The voices of a model: `English-US` with `Female-1:0,Male-1:1` has two. */
function voicesOf({ language_code, voice_name, subvoices }: Record<string, string>) {
  const codes = splitList(language_code)
  const names = splitList(subvoices).map((s) => s.split(':')[0]!.trim())
  return codes.flatMap((language) => {
    // a multilingual model puts the language in the voice's name: EN-US.Sofia
    const own = names.filter((n) => n.toLowerCase().startsWith(`${language.toLowerCase()}.`))
    return (codes.length > 1 && own.length ? own : names).map((name) => ({
      language,
      value: `${voice_name}.${name}`,
      name: `${voice_name} ${name}`,
    }))
  })
}

export const nvidia = protocol(vendors.nvidia, {
  raw: true,

  probe: {
    tts: async (config, out) => void (await voices(config, out, LIMITS.probe)),
    stt: async (config, out) => void (await models(config, out, LIMITS.probe)),
  },

  // a server may offer only one of the two services
  async catalogue(config, out) {
    const undefinedIfUnsupported = (e: unknown) => {
      if (isNotOffered(e)) return undefined
      throw e
    }
    const [tts, stt] = await Promise.all([
      voices(config, out, LIMITS.catalogue).catch(undefinedIfUnsupported),
      models(config, out, LIMITS.catalogue).catch(undefinedIfUnsupported),
    ])
    if (!tts && !stt) throw new Refused(t('this server does not offer the service'))
    const codes = stt?.model_config.flatMap((m) => splitList(m.parameters.language_code))
    return {
      ...(tts && { tts: byLanguage(tts.model_config.flatMap((m) => voicesOf(m.parameters))) }),
      ...(codes && {
        stt: [...new Set(codes)].sort().map((value) => ({ value, name: nameOf(value) })),
      }),
    }
  },

  async speak(config, { text, language, voice }, out) {
    const { audio } = await callGrpc(
      out,
      server(config),
      { ...TTS, method: 'Synthesize' },
      {
        text,
        language_code: language,
        encoding: 'LINEAR_PCM',
        sample_rate_hz: RATE,
        voice_name: voice,
      },
      requestOptions(LIMITS.speak, Sound),
    )
    if (audio.length === 0) throw nonsense()
    return { type: 'audio/wav', bytes: toWav(audio, RATE) }
  },

  async recognize(config, { pcm, rate, language }, out) {
    const { results } = await callGrpc(
      out,
      server(config),
      { ...ASR, method: 'Recognize' },
      {
        config: {
          encoding: 'LINEAR_PCM',
          sample_rate_hertz: rate,
          language_code: language,
          max_alternatives: 1,
          audio_channel_count: 1,
          enable_automatic_punctuation: true,
        },
        audio: pcm,
      },
      requestOptions(LIMITS.recognize, Recognized),
    )
    return results
      .map((r) => r.alternatives[0]?.transcript.trim() ?? '')
      .join(' ')
      .trim()
  },

  fallback: {
    tts: voicesByLanguage({
      'en-US':
        'English-US.Female-1=Female English-US.Male-1=Male English-US.Female-Calm=Female-Calm English-US.Male-Calm=Male-Calm',
      'es-US': 'Spanish-US.Female-1=Female Spanish-US.Male-1=Male',
      'de-DE': 'German-DE.Male-1=Male',
    }),
    stt: languages(
      'ar-AR de-DE en-GB en-US es-ES es-US fr-FR hi-IN it-IT ja-JP ko-KR pt-BR ru-RU zh-CN',
    ),
  },
})

import { t, vendors } from '@switchroom/contract'
import { z } from 'zod'
import { toWav } from '../../audio/wav.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { askJson } from '../ask.ts'
import { byLanguage, languages, voicesByLanguage } from '../choices.ts'
import { callGrpc, connectsGrpc, type GrpcEndpoint } from '../grpc.ts'
import { LIMITS, protocol, Refused } from '../protocol.ts'
import { nonsense, type RequestOptions, scrub } from '../refusal.ts'

type Config = Partial<
  Record<'client_id' | 'secret' | 'nuance_tts_uri' | 'nuance_stt_uri', string | boolean>
>

const TTS = { proto: 'nuance-tts', service: 'nuance.tts.v1.Synthesizer' }
const RATE = 8_000
const CLOUD: { token: string; tts: GrpcEndpoint } = {
  token: 'https://auth.crt.nuance.com/oauth2/token',
  tts: { address: 'tts.api.nuance.com', port: 443, tls: true },
}

const Token = z.object({ access_token: z.string().min(1) })
const Voices = z.object({
  voices: z.array(z.object({ name: z.string(), model: z.string(), language: z.string() })),
})
const Spoken = z.object({
  status: z.object({ code: z.number(), message: z.string(), details: z.string() }),
  audio: z.instanceof(Buffer),
})

/** Requests an access token for a service. */
async function token(
  url: string,
  config: Config,
  scope: 'tts' | 'asr',
  out: Outbound,
  limit: RequestOptions['limit'],
) {
  if (!config.client_id || !config.secret)
    throw new Refused(t('the client ID or secret is missing'))
  // client IDs contain colons, so both are percent-encoded
  const basic = Buffer.from(
    [config.client_id, config.secret].map((part) => encodeURIComponent(String(part))).join(':'),
  ).toString('base64')
  const secrets = [String(config.secret), basic]
  const invalid = (reason: string) =>
    reason
      ? t('invalid client_id or secret: {reason}', { reason })
      : t('invalid client_id or secret')
  const { access_token } = await askJson(
    out,
    url,
    {
      headers: { authorization: `Basic ${basic}` },
      form: { grant_type: 'client_credentials', scope },
    },
    { secrets, limit, shape: Token, says: { 400: invalid, 401: invalid } },
  )
  return { token: access_token, secrets: [...secrets, access_token] }
}

/** The vendor's `en-us` is `en-US` on the platform. */
const localeOf = (code: string) => {
  try {
    return Intl.getCanonicalLocales(code)[0] ?? code
  } catch {
    // not a standard code
    return code
  }
}

/** A stored voice includes its model: `Evan - enhanced`. */
const parseVoice = (voice: string) => {
  const [, name = voice, model = ''] = /^(.+) - (.+)$/.exec(voice) ?? []
  return { name, model }
}

/** The protocol, with the addresses of the cloud. */
export const nuanceAt = (cloud: typeof CLOUD) => {
  /** The text-to-speech server: on-premises, or the cloud with a token. */
  const speaking = async (config: Config, out: Outbound, limit: RequestOptions['limit']) =>
    config.nuance_tts_uri
      ? { place: { address: String(config.nuance_tts_uri), port: 8_080 }, secrets: [], limit }
      : { place: cloud.tts, limit, ...(await token(cloud.token, config, 'tts', out, limit)) }
  const voices = async (config: Config, out: Outbound, limit: RequestOptions['limit']) => {
    const { place, ...requestOptions } = await speaking(config, out, limit)
    const method = { ...TTS, method: 'GetVoices' }
    return (await callGrpc(out, place, method, {}, { ...requestOptions, shape: Voices })).voices
  }

  // speech-to-text has only a probe: the vendor's documentation is too incomplete for more
  return protocol(vendors.nuance, {
    raw: true,

    probe: {
      tts: async (config, out) => void (await voices(config, out, LIMITS.probe)),
      async stt(config, out) {
        if (!config.nuance_stt_uri)
          return void (await token(cloud.token, config, 'asr', out, LIMITS.probe))
        const place = { address: String(config.nuance_stt_uri), port: 8_090 }
        await connectsGrpc(out, place, { secrets: [], limit: LIMITS.probe })
      },
    },

    async catalogue(config, out) {
      const offered = await voices(config, out, LIMITS.catalogue)
      const tts = byLanguage(
        offered.map(({ name, model, language }) => ({
          language: localeOf(language),
          value: `${name} - ${model}`,
          name: `${name} - ${model}`,
        })),
      )
      return {
        tts: tts.map((l) => ({
          ...l,
          voices: l.voices.map((v) => ({ ...v, model: parseVoice(v.value).model })),
        })),
      }
    },

    async speak(config, { text, language, voice }, out) {
      const { place, ...requestOptions } = await speaking(config, out, LIMITS.speak)
      const { status, audio } = await callGrpc(
        out,
        place,
        { ...TTS, method: 'UnarySynthesize' },
        {
          voice: { ...parseVoice(voice), language },
          audio_params: { audio_format: { pcm: { sample_rate_hz: RATE } } },
          input: text.startsWith('<speak') ? { ssml: { text } } : { text: { text } },
        },
        { ...requestOptions, shape: Spoken },
      )
      if (status.code !== 200)
        throw new Refused(
          t('the vendor answered {status}: {reason}', {
            status: status.code,
            reason: scrub(`${status.message} ${status.details}`, requestOptions.secrets),
          }),
        )
      if (audio.length === 0) throw nonsense()
      return { type: 'audio/wav', bytes: toWav(audio, RATE) }
    },

    fallback: {
      tts: voicesByLanguage(
        {
          'en-US': 'Allison - standard,Evan - enhanced,Samantha - standard,Tom - standard',
          'en-GB': 'Kate - standard,Serena - standard',
        },
        ',',
      ),
      stt: languages(
        'de-DE en-AU en-GB en-IN en-US es-ES es-US fr-CA fr-FR it-IT ja-JP nl-NL pl-PL pt-BR',
      ),
    },
  })
}

export const nuance = nuanceAt(CLOUD)

import { type ConfigOf, t, vendors } from '@switchroom/contract'
import { z } from 'zod'
import { toWav } from '../../audio/wav.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { askBytes, askJson, secretsOf } from '../ask.ts'
import { byLanguage, languages, voicesByLanguage } from '../choices.ts'
import { LIMITS, protocol } from '../protocol.ts'
import { nonsense, type RequestOptions } from '../refusal.ts'
import { withDeadline } from '../with-timeout.ts'

type Config = ConfigOf<typeof vendors.verbio>

const API = 'https://us.rest.speechcenter.verbio.com/api/v1'

/** Exchanges the client's secret for a token. Returns the headers of further requests. */
async function signIn(
  { client_id, ...config }: Config,
  out: Outbound,
  limit: RequestOptions['limit'],
) {
  const requestOptions = { secrets: secretsOf(vendors.verbio, config), limit }
  const { access_token } = await askJson(
    out,
    'https://auth.speechcenter.verbio.com:444/api/v1/token',
    { json: { client_id, client_secret: config.client_secret } },
    {
      ...requestOptions,
      says: {
        401: (reason) =>
          reason
            ? t('invalid client id or secret: {reason}', { reason })
            : t('invalid client id or secret'),
      },
      shape: z.object({ access_token: z.string().min(1) }),
    },
  )
  return {
    headers: { authorization: `Bearer ${access_token}` },
    requestOptions: { limit, secrets: [...requestOptions.secrets, access_token] },
  }
}

const RATE = 8000

export const verbio = protocol(vendors.verbio, {
  probe: {
    async tts(config, out) {
      await signIn(config, out, LIMITS.probe)
    },
    async stt(config, out) {
      await signIn(config, out, LIMITS.probe)
    },
  },
  catalogue: (config, out) =>
    withDeadline(LIMITS.catalogue, async () => {
      const { headers, requestOptions } = await signIn(config, out, LIMITS.catalogue)
      const Voice = z.object({ voice_id: z.string(), name: z.string(), language: z.string() })
      const shape = z.object({ voices: z.array(Voice) })
      const { voices } = await askJson(
        out,
        `${API}/voices`,
        { headers },
        { ...requestOptions, shape },
      )
      return { tts: byLanguage(voices.map(({ voice_id, ...v }) => ({ ...v, value: voice_id }))) }
    }),
  fallback: {
    tts: voicesByLanguage({
      'en-US': 'tommy_en_us=Tommy',
      'es-ES': 'david_es_es=David',
      'es-PE': 'luz_es_pe=Luz',
      'pt-BR': 'bel_pt_br=Bel',
    }),
    stt: languages('en-US en-GB es pt-BR'),
  },
  speak: (config, { text, voice }, out) =>
    withDeadline(LIMITS.speak, async () => {
      const { headers, requestOptions } = await signIn(config, out, LIMITS.speak)
      const { bytes, type } = await askBytes(
        out,
        `${API}/synthesize`,
        {
          headers,
          json: {
            voice_id: voice,
            output_sample_rate: '8k',
            output_encoding: 'pcm16',
            text,
          },
        },
        requestOptions,
      )
      // raw samples: only the content type tells them from an error page
      if (!bytes.length || /^text\/|json/.test(type)) throw nonsense()
      return { type: 'audio/wav', bytes: toWav(bytes, RATE) }
    }),
  recognize: (config, { pcm, rate, language }, out) =>
    withDeadline(LIMITS.recognize, async () => {
      const { headers, requestOptions } = await signIn(config, out, LIMITS.recognize)
      const query = new URLSearchParams({
        language: language || 'en-US',
        version: String(config.engine_version || 'V1'),
      })
      const { text } = await askJson(
        out,
        `${API}/recognize?${query}`,
        { headers: { ...headers, 'content-type': 'audio/wav' }, body: toWav(pcm, rate) },
        { ...requestOptions, shape: z.object({ text: z.string() }) },
      )
      return text.trim()
    }),
})

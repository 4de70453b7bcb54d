import type { StandIn, VendorResponse } from '../speech-server.ts'
import { No, type Services } from './grpc.ts'
import { aTone } from './sounds.ts'

export const client = { client_id: 'appID:CANARY:geo:us:clientName:x', secret: 'canary~secret/1' }
const tokenFor = (scope: string | null) => `canary-token-${scope}`

/** The token service. Client ids are escaped, since their colons would break Basic authentication. */
export const nuanceTokens: StandIn = {
  hosts: ['auth.crt.nuance.com'],
  http({ method, url, headers, body }) {
    if (method !== 'POST' || url.pathname !== '/oauth2/token') return { status: 404 }
    const form = new URLSearchParams(String(body))
    const scope = form.get('scope')
    if (
      headers['content-type'] !== 'application/x-www-form-urlencoded' ||
      form.get('grant_type') !== 'client_credentials' ||
      !['tts', 'asr'].includes(scope ?? '')
    )
      return { status: 400, body: { error: 'invalid_request' } }
    const [id, secret] = Buffer.from(headers.authorization?.slice(6) ?? '', 'base64')
      .toString('utf8')
      .split(':')
    if (
      decodeURIComponent(id ?? '') !== client.client_id ||
      decodeURIComponent(secret ?? '') !== client.secret
    )
      return {
        status: 401,
        body: { error: 'invalid_client', error_description: 'Client authentication failed' },
      }
    return {
      status: 200,
      body: { access_token: tokenFor(scope), expires_in: 899, scope, token_type: 'bearer' },
    }
  },
}

export const nuanceFaults = {
  quota: { status: 429, body: { error: 'Too many requests' } },
  outOfQuota: 'quota or concurrency limit exceeded: Too many requests',
  echo: (reason: string): VendorResponse => ({ status: 400, body: { error_description: reason } }),
  echoed: /^invalid client_id or secret: no: /,
}

type Synthesis = {
  voice: { name: string; model: string; language: string } | null
  audio_params: { audio_format: { pcm?: { sample_rate_hz: number } } | null } | null
  input: { text?: { text?: string } | null; ssml?: { text?: string } | null } | null
}

/** The synthesizer. In the cloud it requires a token and its own host name, on-premises neither. */
export const synthesizer = ({ cloud = false } = {}): Services => {
  const check = ({ token, host }: { token: unknown; host: string }) => {
    if (cloud && token !== `Bearer ${tokenFor('tts')}`) throw new No('UNAUTHENTICATED', 'No token')
    if (cloud && !host.startsWith('tts.api.nuance.com:')) throw new No('NOT_FOUND', host)
    if (!cloud && token !== undefined) throw new No('INVALID_ARGUMENT', 'A token leaks')
  }
  return {
    'nuance.tts.v1.Synthesizer': {
      proto: 'nuance-tts',
      methods: {
        GetVoices: (_, call) => {
          check(call)
          return {
            voices: [
              { name: 'Evan', model: 'enhanced', language: 'en-us' },
              { name: 'Evan', model: 'standard', language: 'en-us' },
              { name: 'Sin-ji', model: 'standard', language: 'yue-hk' },
            ],
          }
        },
        UnarySynthesize: ({ voice, audio_params, input }: Synthesis, call) => {
          check(call)
          const status = (code: number, message: string, audio = Buffer.alloc(0)) => ({
            status: { code, message, details: '' },
            audio,
          })
          if (voice?.name !== 'Evan' || !['standard', 'enhanced'].includes(voice.model))
            return status(404, 'Voice not found')
          if (audio_params?.audio_format?.pcm?.sample_rate_hz !== 8_000)
            return status(400, 'Bad audio')
          if (!input?.text?.text && !input?.ssml?.text?.startsWith('<speak'))
            return status(400, 'No input')
          return status(200, 'OK', aTone(8_000))
        },
      },
    },
  }
}

import { pcmOf } from '../../../src/audio/wav.ts'
import type { StandIn, VendorResponse } from '../speech-server.ts'

const AUTH = 'auth.speechcenter.verbio.com:444'
const API = 'us.rest.speechcenter.verbio.com'
/** Must not appear in error messages. */
export const TOKEN = 'canary-verbio-token'

const VOICES = [
  { voice_id: 'tommy_en_us', name: 'Tommy', language: 'en-US' },
  { voice_id: 'david_es_es', name: 'David', language: 'es-ES' },
  { voice_id: 'anna_en_us', name: 'Anna', language: 'en-US' },
]

export function verbio(client: string, secret: string): StandIn {
  const error = (status: number, message: string): VendorResponse => ({ status, body: { message } })
  return {
    hosts: [AUTH, API],
    http({ method, host, url, headers, body }) {
      const call = `${method} ${url.pathname}`
      if (host === AUTH) {
        if (call !== 'POST /api/v1/token') return error(404, 'Not found')
        const { client_id, client_secret } = JSON.parse(String(body))
        return client_id === client && client_secret === secret
          ? { status: 200, body: { access_token: TOKEN, expiration_time: 1 } }
          : error(401, `Unauthorized: ${client_secret}`)
      }
      if (headers.authorization !== `Bearer ${TOKEN}`) return error(401, 'Invalid token')
      switch (call) {
        case 'GET /api/v1/voices':
          return { status: 200, body: { voices: VOICES } }
        case 'POST /api/v1/synthesize': {
          const synthesis = JSON.parse(String(body))
          if (
            synthesis.output_sample_rate !== '8k' ||
            synthesis.output_encoding !== 'pcm16' ||
            !synthesis.text ||
            synthesis.text.length > 2_000 ||
            !VOICES.some((v) => v.voice_id === synthesis.voice_id)
          )
            return error(400, `Unknown voice ${synthesis.voice_id} for ${headers.authorization}`)
          return {
            status: 200,
            headers: { 'content-type': 'application/octet-stream' },
            body: Buffer.alloc(1_600, 1),
          }
        }
        case 'POST /api/v1/recognize': {
          const sound = headers['content-type'] === 'audio/wav' && pcmOf(body)
          const version = url.searchParams.get('version') ?? ''
          const language = url.searchParams.get('language') ?? ''
          if (!sound || !/^V[12]$/.test(version) || !/^[a-z]{2}(-[A-Z]{2})?$/.test(language))
            return error(400, 'Bad request')
          const text = `${sound.pcm.length} bytes at ${sound.rate}, ${language} by ${version}`
          return { status: 200, body: { text } }
        }
      }
      return error(404, 'Not found')
    },
  }
}

import type { StandIn } from '../speech-server.ts'
import { jsonOf, KEY, MP3, routed } from './strict.ts'

const AVATARS = [
  { id: 3, name: 'Alana B.', style: 'Narration', locale: 'en_US', gender: 'female' },
  { id: 5, name: 'Ramona J.', style: 'Promo', locale: 'en_US', gender: 'female' },
  { id: 101, name: 'Mia R.', style: null, locale: 'es_MX', gender: 'female' },
  { id: 102, name: 'No locale', gender: 'male' },
]

export const wellsaid: StandIn = {
  hosts: ['api.wellsaidlabs.com'],
  http(request) {
    if (request.headers['x-api-key'] !== KEY) return { status: 403, body: { message: 'Forbidden' } }
    return routed(request, {
      'GET /v1/tts/avatars': () => ({ status: 200, body: { avatars: AVATARS } }),
      'POST /v1/tts/stream': () => {
        const body = jsonOf(request)
        const { text, speaker_id } = body ?? {}
        if (typeof text !== 'string' || !text || typeof speaker_id !== 'number')
          return { status: 400, body: { message: 'text and speaker_id are required' } }
        if (/<speak/.test(text)) return { status: 400, body: { message: 'SSML is not supported' } }
        if (!AVATARS.some((a) => a.id === speaker_id))
          return { status: 400, body: { message: `Invalid speaker_id ${speaker_id}` } }
        return { status: 200, headers: { 'content-type': 'audio/mpeg' }, body: MP3 }
      },
    })
  },
}

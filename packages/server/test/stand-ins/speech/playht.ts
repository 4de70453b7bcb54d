import type { StandIn, VendorRequest, VendorResponse } from '../speech-server.ts'
import { jsonOf, KEY, MP3, routed } from './strict.ts'

export const USER = 'user-of-a-stand-in'

const refuse = (status: number, error_id: string, error_message: string): VendorResponse => ({
  status,
  body: { error_id, error_message },
})

const manifest = (id: string) => `s3://voice-cloning-zero-shot/${id}/manifest.json`
const JENNIFER = manifest('d9ff78ba-d016-47f6-b0ef-dd630f59414e/female-cs')
const voice = (id: string, name: string, language_code: string, voice_engine: string) => ({
  id,
  name,
  language: language_code === 'de-DE' ? 'German' : 'English (US)',
  language_code,
  voice_engine,
  gender: 'female',
})
const VOICES = [
  voice(JENNIFER, 'Jennifer', 'en-US', 'PlayHT2.0'),
  voice(manifest('b'), 'Anna', 'de-DE', 'PlayHT2.0'),
  voice(manifest('c'), 'Old', 'en-US', 'PlayHT1.0'),
]
const CLONED = [{ id: manifest('own'), name: 'Cloned', type: 'instant', gender: null }]

const BODY = ['text', 'voice', 'output_format', 'voice_engine', 'language', 'quality', 'speed']
const ENGINES = ['Play3.0', 'PlayHT2.0-turbo', 'PlayHT2.0', 'PlayHT1.0', 'PlayDialog']

const speech = (request: VendorRequest): VendorResponse => {
  const body = jsonOf(request)
  if (!body?.text || Object.keys(body).some((k) => !BODY.includes(k)))
    return refuse(400, 'BAD_REQUEST', 'Invalid request body')
  if (body.output_format !== 'mp3' || request.headers.accept !== 'audio/mpeg')
    return refuse(400, 'BAD_REQUEST', 'Invalid output_format')
  if (!ENGINES.includes(String(body.voice_engine)))
    return refuse(400, 'BAD_REQUEST', `Invalid voice_engine ${body.voice_engine}`)
  if (![...VOICES, ...CLONED].some((v) => v.id === body.voice))
    return refuse(400, 'BAD_REQUEST', 'Invalid voice')
  if ((body.voice_engine === 'Play3.0') !== (typeof body.language === 'string'))
    return refuse(400, 'BAD_REQUEST', 'Invalid language')
  return { status: 200, headers: { 'content-type': 'audio/mpeg' }, body: MP3 }
}

/** The former cloud, and a container, which cannot list its voices. */
export const playht: StandIn = {
  hosts: ['api.play.ht', 'playht.example.com:7000'],
  http(request) {
    if (request.headers.authorization !== KEY || request.headers['x-user-id'] !== USER)
      return refuse(403, 'FORBIDDEN', 'Access denied')
    const cloud = request.host === 'api.play.ht'
    return routed(request, {
      'POST /api/v2/tts/stream': () => speech(request),
      ...(cloud && {
        'GET /api/v2/voices': () => ({ status: 200, body: VOICES }),
        'GET /api/v2/cloned-voices': () => ({ status: 200, body: CLONED }),
      }),
    })
  },
}

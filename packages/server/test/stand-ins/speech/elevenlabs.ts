import type { StandIn, VendorRequest, VendorResponse } from '../speech-server.ts'
import { jsonOf, KEY, MP3, routed } from './strict.ts'

const refuse = (code: number, status: string, message: string): VendorResponse => ({
  status: code,
  body: { detail: { status, message } },
})

const languages = (...ids: [string, string][]) =>
  ids.map(([language_id, name]) => ({ language_id, name }))
const MODELS = [
  {
    model_id: 'eleven_flash_v2_5',
    name: 'Eleven Flash v2.5',
    can_do_text_to_speech: true,
    languages: languages(['en', 'English'], ['fil', 'Filipino'], ['de', 'German']),
  },
  {
    model_id: 'eleven_monolingual_v1',
    name: 'Eleven English v1',
    can_do_text_to_speech: true,
    languages: languages(['en', 'English']),
  },
  {
    model_id: 'eleven_multilingual_sts_v2',
    name: 'Eleven Multilingual v2',
    can_do_text_to_speech: false,
    languages: languages(['en', 'English'], ['ja', 'Japanese']),
  },
]
export const VOICES = Array.from({ length: 250 }, (_, i) => ({
  voice_id: `voice${String(i).padStart(3, '0')}`,
  name: `Voice ${String(i).padStart(3, '0')}`,
  category: 'premade',
  labels: { accent: 'american' },
}))

const voices = ({ url: { searchParams: query } }: VendorRequest): VendorResponse => {
  const size = Number(query.get('page_size') ?? 10)
  if (!(size >= 1 && size <= 100))
    return { status: 422, body: { detail: [{ loc: ['query', 'page_size'], msg: 'out of range' }] } }
  const from = Number(query.get('next_page_token') ?? 0)
  const has_more = from + size < VOICES.length
  return {
    status: 200,
    body: {
      voices: VOICES.slice(from, from + size),
      has_more,
      total_count: VOICES.length,
      next_page_token: has_more ? String(from + size) : null,
    },
  }
}

const BODY = ['text', 'model_id', 'language_code', 'voice_settings', 'seed']

const speech = (request: VendorRequest, voice: string): VendorResponse => {
  const body = jsonOf(request)
  if (!body || typeof body.text !== 'string' || Object.keys(body).some((k) => !BODY.includes(k)))
    return { status: 422, body: { detail: [{ loc: ['body', 'text'], msg: 'Field required' }] } }
  if (!VOICES.some((v) => v.voice_id === voice))
    return refuse(404, 'voice_not_found', `A voice with the voice_id ${voice} was not found.`)
  const model = MODELS.find((m) => m.model_id === body.model_id)
  if (!model)
    return refuse(400, 'model_not_found', `A model with model ID ${body.model_id} does not exist.`)
  if (body.language_code && !model.model_id.endsWith('_v2_5'))
    return refuse(400, 'unsupported_language', 'This model does not support language_code.')
  return { status: 200, headers: { 'content-type': 'audio/mpeg' }, body: MP3 }
}

/** The global host and the European one. */
export const elevenlabs: StandIn = {
  hosts: ['api.elevenlabs.io', 'api.eu.residency.elevenlabs.io'],
  http(request) {
    if (request.headers['xi-api-key'] !== KEY)
      return refuse(401, 'invalid_api_key', 'Invalid API key')
    const voice = request.url.pathname.split('/v1/text-to-speech/')[1] ?? ''
    return routed(request, {
      'GET /v1/models': () => ({ status: 200, body: MODELS }),
      'GET /v2/voices': () => voices(request),
      [`POST /v1/text-to-speech/${voice}`]: () => speech(request, voice),
    })
  },
}

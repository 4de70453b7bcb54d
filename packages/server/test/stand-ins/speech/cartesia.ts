import type { StandIn, VendorRequest, VendorResponse } from '../speech-server.ts'
import { formOf, isWav, jsonOf, KEY, MP3, routed, TRANSCRIPT } from './strict.ts'

const refuse = (status: number, title: string, message: string): VendorResponse => ({
  status,
  body: { error_code: title.toLowerCase().replace(' ', '_'), title, message, request_id: 'r1' },
})
export const outOfCredit = () =>
  refuse(402, 'Payment required', 'You have reached your credit limit.')

const LANGUAGES = ['en', 'de', 'th']
export const VOICES = Array.from({ length: 250 }, (_, i) => ({
  id: `${i}`.padStart(8, '0'),
  name: `Voice ${String(i).padStart(3, '0')}`,
  description: 'A voice',
  language: LANGUAGES[i % LANGUAGES.length]!,
  is_public: true,
}))
const MODELS = ['sonic-2', 'sonic-3', 'sonic-english']

const voices = ({ url: { searchParams: query } }: VendorRequest): VendorResponse => {
  const limit = Number(query.get('limit') ?? 10)
  if (!(limit >= 1 && limit <= 100)) return refuse(400, 'Bad request', 'limit must be 1 to 100')
  const after = query.get('starting_after')
  const from = after ? VOICES.findIndex((v) => v.id === after) + 1 : 0
  if (after && !from) return refuse(400, 'Bad request', 'Unknown cursor')
  return {
    status: 200,
    body: { data: VOICES.slice(from, from + limit), has_more: from + limit < VOICES.length },
  }
}

const BODY = ['model_id', 'transcript', 'voice', 'language', 'output_format', 'generation_config']

const speech = (request: VendorRequest): VendorResponse => {
  const body = jsonOf(request)
  const voice = body?.voice as { mode?: string; id?: string; __experimental_controls?: object }
  const format = body?.output_format as Record<string, unknown> | undefined
  if (!body?.transcript || Object.keys(body).some((k) => !BODY.includes(k)))
    return refuse(400, 'Bad request', 'Invalid request body')
  if (format?.container !== 'mp3' || !format.sample_rate || !format.bit_rate)
    return refuse(400, 'Bad request', 'Invalid output_format')
  if (!MODELS.includes(String(body.model_id)))
    return refuse(404, 'Model not found', `Model ${body.model_id} was not found.`)
  if (body.generation_config && body.model_id !== 'sonic-3')
    return refuse(400, 'Bad request', 'generation_config is for sonic-3')
  if (voice.__experimental_controls && body.model_id === 'sonic-3')
    return refuse(400, 'Bad request', 'experimental controls are not for sonic-3')
  if (voice.mode !== 'id' || !VOICES.some((v) => v.id === voice.id))
    return refuse(404, 'Voice not found', 'The voice was not found.')
  return { status: 200, headers: { 'content-type': 'audio/mpeg' }, body: MP3 }
}

const transcription = async (request: VendorRequest): Promise<VendorResponse> => {
  const form = await formOf(request)
  if (!(await isWav(form?.get('file'))))
    return refuse(400, 'Bad request', 'Could not decode the audio file')
  if (form!.get('model') !== 'ink-whisper')
    return refuse(400, 'Bad request', `Unknown model ${form!.get('model')}`)
  const language = form!.get('language')
  if (language !== null && !/^[a-z]{2,3}$/.test(String(language)))
    return refuse(400, 'Bad request', `Unsupported language ${language}`)
  return { status: 200, body: { type: 'transcript', text: TRANSCRIPT, language, duration: 1 } }
}

export const cartesia: StandIn = {
  hosts: ['api.cartesia.ai'],
  http(request) {
    if (request.headers['x-api-key'] !== KEY) return refuse(401, 'Unauthorized', 'Invalid API key')
    if (request.headers['cartesia-version'] !== '2025-04-16')
      return refuse(400, 'Bad request', 'Missing or unknown Cartesia-Version header')
    return routed(request, {
      'GET /voices': () => voices(request),
      'POST /tts/bytes': () => speech(request),
      'POST /stt': () => transcription(request),
    })
  },
}

import type { StandIn, VendorRequest, VendorResponse } from '../speech-server.ts'
import { formOf, isWav, jsonOf, KEY, MP3, routed, TRANSCRIPT } from './strict.ts'

const refuse = (
  status: number,
  message: string,
  code: string | null,
  param?: string,
): VendorResponse => ({
  status,
  body: { error: { message, type: 'invalid_request_error', param: param ?? null, code } },
})
export const outOfQuota: VendorResponse = {
  status: 429,
  body: {
    error: {
      message: 'You exceeded your current quota, please check your plan and billing details.',
      type: 'insufficient_quota',
      param: null,
      code: 'insufficient_quota',
    },
  },
}

const MODELS = [
  'gpt-5',
  'whisper-1',
  'tts-1',
  'tts-1-hd',
  'gpt-4o-transcribe',
  'gpt-4o-mini-transcribe-2025-12-15',
  'gpt-4o-mini-tts',
  'dall-e-3',
]
const VOICES = ['alloy', 'echo', 'fable', 'onyx', 'nova', 'shimmer']

const speech = (request: VendorRequest): VendorResponse => {
  const body = jsonOf(request)
  if (!body) return refuse(400, 'We could not parse the JSON body of your request.', null)
  const { model, voice, input, response_format, ...rest } = body
  if (typeof input !== 'string' || !input || Object.keys(rest).length || response_format !== 'mp3')
    return refuse(400, 'Invalid request', null, 'input')
  if (!MODELS.includes(String(model)))
    return refuse(404, `The model '${model}' does not exist`, 'model_not_found')
  if (!VOICES.includes(String(voice)))
    return refuse(400, `Input should be 'alloy', 'echo' or another voice`, null, 'voice')
  return { status: 200, headers: { 'content-type': 'audio/mpeg' }, body: MP3 }
}

const transcription = async (request: VendorRequest): Promise<VendorResponse> => {
  const form = await formOf(request)
  if (!(await isWav(form?.get('file')))) return refuse(400, 'Invalid file format.', null, 'file')
  const model = String(form!.get('model'))
  if (!MODELS.includes(model))
    return refuse(404, `The model '${model}' does not exist`, 'model_not_found')
  const language = form!.get('language')
  if (language !== null && !/^[a-z]{2}$/.test(String(language)))
    return refuse(400, `Invalid language '${language}'.`, 'invalid_language_format', 'language')
  if (form!.get('response_format') !== 'json')
    return refuse(400, 'Invalid response_format', null, 'response_format')
  return { status: 200, body: { text: TRANSCRIPT } }
}

/** The error for a wrong key quotes its start and end, as the vendor's does. */
const ends = (key: string) => `${key.slice(0, 8)}${'*'.repeat(8)}${key.slice(-4)}`

export const openai: StandIn = {
  hosts: ['api.openai.com'],
  http(request) {
    const key = request.headers.authorization?.replace('Bearer ', '') ?? ''
    if (key !== KEY)
      return refuse(401, `Incorrect API key provided: ${ends(key)}.`, 'invalid_api_key')
    return routed(request, {
      'GET /v1/models': () => ({
        status: 200,
        body: { object: 'list', data: MODELS.map((id) => ({ id, object: 'model' })) },
      }),
      'POST /v1/audio/speech': () => speech(request),
      'POST /v1/audio/transcriptions': () => transcription(request),
    })
  },
}

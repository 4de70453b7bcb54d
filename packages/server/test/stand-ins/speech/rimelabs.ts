import type { StandIn, VendorRequest, VendorResponse } from '../speech-server.ts'
import { jsonOf, KEY, MP3, routed } from './strict.ts'

export const VOICES: Record<string, Record<string, string[]>> = {
  arcana: { eng: ['luna', 'astra'], spa: ['sirius'] },
  mistv2: { eng: ['cove'], fra: ['alois', 'juliette'] },
}

const BODY = ['speaker', 'text', 'modelId', 'lang', 'samplingRate', 'speedAlpha', 'reduceLatency']

const speech = (request: VendorRequest): VendorResponse => {
  if (request.headers.authorization !== `Bearer ${KEY}`)
    return { status: 401, body: { error: 'Unauthorized' } }
  const body = jsonOf(request)
  if (!body || typeof body.text !== 'string' || Object.keys(body).some((k) => !BODY.includes(k)))
    return { status: 400, body: { error: 'Invalid request body' } }
  if (request.headers.accept !== 'audio/mp3')
    return { status: 400, body: { error: 'Invalid Accept header' } }
  const languages = VOICES[String(body.modelId)]
  if (!languages) return { status: 400, body: { error: `Model ${body.modelId} not found` } }
  if (!languages[String(body.lang)]?.includes(String(body.speaker)))
    return { status: 400, body: { error: `Speaker ${body.speaker} not found` } }
  return { status: 200, headers: { 'content-type': 'audio/mp3' }, body: MP3 }
}

export const rimelabs: StandIn = {
  hosts: ['users.rime.ai'],
  http: (request) =>
    routed(request, {
      'GET /data/voices/all-v2.json': () => ({ status: 200, body: VOICES }),
      'POST /v1/rime-tts': () => speech(request),
    }),
}

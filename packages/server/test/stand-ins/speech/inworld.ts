import type { StandIn, VendorRequest, VendorResponse } from '../speech-server.ts'
import { jsonOf, KEY, MP3, routed } from './strict.ts'

const refuse = (status: number, code: number, message: string): VendorResponse => ({
  status,
  body: { code, message, details: [] },
})
export const exhausted = () => refuse(429, 8, 'Resource has been exhausted')

const VOICES = [
  { voiceId: 'Ashley', langCode: 'EN_US', displayName: 'Ashley', source: 'SYSTEM', tags: [] },
  { voiceId: 'Alex', langCode: 'EN_US', displayName: 'Alex', source: 'SYSTEM', tags: [] },
  { voiceId: 'Yichen', langCode: 'ZH_CN', displayName: 'Yichen', source: 'SYSTEM', tags: [] },
  { voiceId: 'ws__own', langCode: 'EN_US', displayName: 'Own voice', source: 'IVC', tags: [] },
]
const MODELS = ['inworld-tts-1', 'inworld-tts-1.5-max']

// pages smaller than requested, which the vendor allows itself
const voices = ({ url: { searchParams: query } }: VendorRequest): VendorResponse => {
  const size = Math.min(Number(query.get('pageSize') ?? 100), 3)
  if (!(size > 0)) return refuse(400, 3, 'invalid pageSize')
  const from = Number(query.get('pageToken') ?? 0)
  const next = from + size < VOICES.length ? String(from + size) : ''
  return {
    status: 200,
    body: { voices: VOICES.slice(from, from + size), nextPageToken: next },
  }
}

const BODY = ['text', 'voiceId', 'modelId', 'audioConfig', 'temperature']

const speech = (request: VendorRequest): VendorResponse => {
  const body = jsonOf(request)
  const audio = body?.audioConfig as Record<string, unknown> | undefined
  if (!body?.text || Object.keys(body).some((k) => !BODY.includes(k)))
    return refuse(400, 3, 'invalid request body')
  if (audio?.audioEncoding !== 'MP3') return refuse(400, 3, 'invalid audio encoding')
  if (!MODELS.includes(String(body.modelId)))
    return refuse(400, 3, `Unknown model: ${body.modelId}`)
  if (!VOICES.some((v) => v.voiceId === body.voiceId))
    return refuse(404, 5, `Unknown voice: ${body.voiceId} not found!`)
  return { status: 200, body: { audioContent: MP3.toString('base64'), usage: {} } }
}

export const inworld: StandIn = {
  hosts: ['api.inworld.ai'],
  http(request) {
    if (request.headers.authorization !== `Basic ${KEY}`)
      return refuse(401, 16, 'Invalid authorization credentials')
    return routed(request, {
      'GET /voices/v1/voices': () => voices(request),
      'POST /tts/v1/voice': () => speech(request),
    })
  },
}

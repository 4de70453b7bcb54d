import type { StandIn, VendorRequest, VendorResponse } from '../speech-server.ts'
import { jsonOf, KEY, MP3, routed, TRANSCRIPT } from './strict.ts'

const refuse = (status: number, err_code: string, err_msg: string): VendorResponse => ({
  status,
  body: { err_code, err_msg, request_id: '7d2e5c1e-0000-4000-8000-000000000000' },
})
export const noKey = () => refuse(401, 'INVALID_AUTH', 'Invalid credentials.')
export const rateLimited = () =>
  refuse(429, 'TOO_MANY_REQUESTS', 'Too many requests. Please try again later')

const stt = (name: string, architecture: string, languages: string[]) => ({
  name,
  canonical_name: `${architecture}-${name}`,
  architecture,
  languages,
  version: '2025-04-17.21547',
  uuid: 'b05e2d2f-0000-4000-8000-000000000000',
  batch: true,
  streaming: true,
  formatted_output: true,
})
const tts = (name: string, architecture: string, tag: string, languages: string[]) => ({
  name,
  canonical_name: `${architecture}-${name}-${tag}`,
  architecture,
  languages,
  version: '2025-04-07.0',
  uuid: 'c1e2d2f0-0000-4000-8000-000000000000',
  metadata: { accent: 'American', tags: ['feminine'] },
})
export const MODELS = {
  stt: [
    stt('general', 'nova-3', ['en', 'en-US', 'multi']),
    stt('medical', 'nova-3', ['en', 'en-US']),
    stt('general', 'nova-2', ['th', 'th-TH']),
    stt('phonecall', 'nova-2', ['en', 'en-US']),
  ],
  tts: [
    tts('thalia', 'aura-2', 'en', ['en', 'en-US']),
    tts('asteria', 'aura', 'en', ['en', 'en-US']),
    tts('celeste', 'aura-2', 'es', ['es', 'es-CO']),
  ],
  languages: { en: 'English', 'en-US': 'English (United States)', th: 'Thai' },
}

const hasOnly = (query: URLSearchParams, allowed: string[]) =>
  [...query.keys()].every((k) => allowed.includes(k))

const speech = (request: VendorRequest): VendorResponse => {
  const query = request.url.searchParams
  const text = jsonOf(request)?.text
  if (!hasOnly(query, ['model', 'encoding']) || query.get('encoding') !== 'mp3')
    return refuse(400, 'INVALID_QUERY_PARAMETER', 'Failed to deserialize query parameters')
  if (typeof text !== 'string' || !text)
    return refuse(400, 'Bad Request', 'Failed to deserialize JSON payload')
  if (!MODELS.tts.some((m) => m.canonical_name === query.get('model')))
    return refuse(400, 'INVALID_QUERY_PARAMETER', 'No such model/version combination found.')
  return { status: 200, headers: { 'content-type': 'audio/mpeg' }, body: MP3 }
}

const transcript = ({
  url: { searchParams: query },
  headers,
  body,
}: VendorRequest): VendorResponse => {
  if (!hasOnly(query, ['model', 'language', 'punctuate']))
    return refuse(400, 'INVALID_QUERY_PARAMETER', 'Failed to deserialize query parameters')
  if (headers['content-type'] !== 'audio/wav' || body.toString('latin1', 0, 4) !== 'RIFF')
    return refuse(400, 'Bad Request', 'failed to process audio: corrupt or unsupported data')
  const requestedModel = query.get('model')
  const model = MODELS.stt.find(
    (m) =>
      !requestedModel ||
      requestedModel === m.canonical_name ||
      `${requestedModel}-general` === m.canonical_name,
  )
  const language = query.get('language') ?? 'en'
  if (!model?.languages.includes(language))
    return refuse(
      400,
      'INVALID_QUERY_PARAMETER',
      'No such model/language/version/tier combination found.',
    )
  return {
    status: 200,
    body: {
      metadata: { request_id: '7d2e5c1e-0000-4000-8000-000000000000', channels: 1 },
      results: {
        channels: [{ alternatives: [{ transcript: TRANSCRIPT, confidence: 0.99, words: [] }] }],
      },
    },
  }
}

const answer = (request: VendorRequest) =>
  routed(
    request,
    {
      'GET /v1/models': () => ({ status: 200, body: MODELS }),
      'POST /v1/speak': () => speech(request),
      'POST /v1/listen': () => transcript(request),
    },
    refuse(404, 'NOT_FOUND', 'The requested resource was not found'),
  )

/** The cloud and its European region. */
export const deepgram: StandIn = {
  hosts: ['api.deepgram.com', 'api.eu.deepgram.com'],
  http(request) {
    if (request.headers.authorization !== `Token ${KEY}`) return noKey()
    if (request.method === 'GET' && request.url.pathname === '/v1/projects')
      return { status: 200, body: { projects: [{ project_id: 'p1', name: 'Ours' }] } }
    return answer(request)
  },
}

/** A container without a key. */
export const container: StandIn = { hosts: ['deepgram.example.com:8080'], http: answer }

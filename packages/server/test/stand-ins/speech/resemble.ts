import type { StandIn, VendorRequest, VendorResponse } from '../speech-server.ts'
import { jsonOf, KEY, MP3, routed } from './strict.ts'

const refuse = (status: number, message: string): VendorResponse => ({
  status,
  body: { success: false, message },
})

const voice = (uuid: string, name: string, more: object = {}) => ({
  uuid,
  name,
  status: 'finished',
  default_language: 'en-US',
  supported_languages: ['en-US'],
  voice_type: 'professional',
  component_status: { text_to_speech: 'ready' },
  source: 'Resemble Voice',
  ...more,
})
const VOICES = [
  voice('3f5fb9f1', 'Adam'),
  voice('e28236ee', 'Samantha', { component_status: { text_to_speech: { status: 'ready' } } }),
  voice('0000000a', 'Old', { component_status: null }),
  voice('0000000b', 'In training', { status: 'training' }),
  voice('0000000c', 'Only converts', { component_status: { text_to_speech: 'unavailable' } }),
  ...Array.from({ length: 148 }, (_, i) =>
    voice(`${i}`.padStart(8, 'f'), `Own ${i}`, { default_language: 'en-gb' }),
  ),
]

const voices = ({ url: { searchParams: query } }: VendorRequest): VendorResponse => {
  const [page, size] = [Number(query.get('page')), Number(query.get('page_size') ?? 10)]
  if (!(page >= 1 && size >= 10 && size <= 1_000)) return refuse(400, 'Invalid page')
  return {
    status: 200,
    body: {
      success: true,
      page,
      num_pages: Math.ceil(VOICES.length / size),
      page_size: size,
      items: VOICES.slice((page - 1) * size, page * size),
    },
  }
}

const speech = (request: VendorRequest): VendorResponse => {
  const { voice_uuid, data, sample_rate, output_format, ...rest } = jsonOf(request) ?? {}
  if (typeof data !== 'string' || !data || Object.keys(rest).length)
    return refuse(400, 'Invalid request')
  if (output_format !== 'mp3' || ![8000, 16000, 22050, 44100].includes(Number(sample_rate)))
    return refuse(400, 'Invalid output_format or sample_rate')
  if (!VOICES.some((v) => v.uuid === voice_uuid)) return refuse(404, 'Voice not found')
  return {
    status: 200,
    body: { success: true, audio_content: MP3.toString('base64'), output_format: 'mp3' },
  }
}

/** The cloud, and a container, which cannot list its voices. */
export const resemble: StandIn = {
  hosts: ['app.resemble.ai', 'f.cluster.resemble.ai', 'resemble.example.com:9000'],
  http(request) {
    if (request.headers.authorization !== `Bearer ${KEY}`)
      return refuse(401, 'HTTP Token: Access denied.')
    return request.host === 'app.resemble.ai'
      ? routed(request, { 'GET /api/v2/voices': () => voices(request) })
      : routed(request, { 'POST /synthesize': () => speech(request) })
  },
}

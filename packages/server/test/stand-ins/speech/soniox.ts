import type { StandIn, VendorResponse } from '../speech-server.ts'

const LANGUAGES = [
  { code: 'fr', name: 'French' },
  { code: 'en', name: 'English' },
]
const model = (id: string, mode: string, rest: object = {}) => ({
  id,
  aliased_model_id: null,
  name: id,
  context_version: 2,
  transcription_mode: mode,
  languages: LANGUAGES,
  ...rest,
})
const MODELS = [
  model('stt-async-v3', 'async', { languages: [{ code: 'xx', name: 'Async only' }] }),
  model('stt-rt-preview', 'real_time', { aliased_model_id: 'stt-rt-v3' }),
  model('stt-rt-v3', 'real_time'),
]

/** `broken`: recognition fails; `old`: the key has no real-time model. */
export function soniox(key: string, mode?: 'broken' | 'old'): StandIn {
  const error = (status: number, message: string): VendorResponse => ({
    status,
    body: { status_code: status, error_type: 'error', message, request_id: 'r' },
  })
  return {
    hosts: ['api.soniox.com', 'stt-rt.soniox.com'],
    http({ method, host, url, headers }) {
      if (host !== 'api.soniox.com' || method !== 'GET' || url.pathname !== '/v1/models')
        return error(404, 'Not found')
      if (headers.authorization !== `Bearer ${key}`)
        return error(401, `Incorrect API key provided: ${headers.authorization}`)
      return { status: 200, body: { models: mode === 'old' ? MODELS.slice(0, 1) : MODELS } }
    },
    socket: {
      refuse: ({ host, url }) =>
        host === 'stt-rt.soniox.com' && url.pathname === '/transcribe-websocket' ? undefined : 404,
      open(socket) {
        const send = (message: object) => socket.send(JSON.stringify(message))
        const fail = (error_code: number, error_message: string) => {
          send({ tokens: [], error_code, error_message })
          socket.close(1000)
        }
        let config: { sample_rate: number; language_hints?: string[] } | undefined
        let size = 0
        socket.on('message', (message: Buffer, binary) => {
          if (!config) {
            const { api_key, ...settings } = JSON.parse(String(message))
            if (api_key !== key) return fail(401, `Incorrect API key provided: ${api_key}`)
            if (
              settings.audio_format !== 'pcm_s16le' ||
              settings.num_channels !== 1 ||
              !MODELS.some(
                (m) => m.id === settings.model && m.transcription_mode === 'real_time',
              ) ||
              !(settings.language_hints ?? ['en']).every((l: string) => /^[a-z]{2}$/.test(l))
            )
              return fail(400, 'Invalid request')
            config = settings
            return
          }
          if (message.length) {
            if (!binary) return fail(400, 'Audio has to be binary')
            size += message.length
            return send({ tokens: [{ text: 'not yet', is_final: false }] })
          }
          if (mode === 'broken') return fail(503, `Cannot continue request of ${key}`)
          send({ tokens: [{ text: `${size} bytes`, is_final: true }] })
          send({ tokens: [{ text: ` at ${config.sample_rate}`, is_final: true }] })
          const [hint] = config.language_hints ?? ['any']
          send({
            tokens: [
              { text: `, ${hint}`, is_final: true },
              { text: '<end>', is_final: true },
            ],
          })
          send({ tokens: [], finished: true })
          socket.close(1000)
        })
      },
    },
  }
}

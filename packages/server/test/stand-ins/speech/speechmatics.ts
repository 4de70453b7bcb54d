import type { StandIn, VendorResponse } from '../speech-server.ts'

export const CONTAINER = 'asr.example.com:9000'
const HOSTED = 'eu2.rt.speechmatics.com'

/** `broken`: the account has no credit. */
export function speechmatics(key: string, mode?: 'broken'): StandIn {
  const error = (code: number, error: string, detail?: string): VendorResponse => ({
    status: code,
    body: { code, error, detail },
  })
  return {
    hosts: ['mp.speechmatics.com', 'eu1.asr.api.speechmatics.com', HOSTED, CONTAINER],
    http({ method, host, url, headers, body }) {
      switch (`${method} ${host}${url.pathname}`) {
        case 'POST mp.speechmatics.com/v1/api_keys':
          if (headers.authorization !== `Bearer ${key}`)
            return error(403, 'Forbidden', `no such key ${headers.authorization}`)
          if (url.searchParams.get('type') !== 'rt' || !(JSON.parse(String(body)).ttl >= 60))
            return error(400, 'Bad Request')
          return { status: 201, body: { apikey_id: null, key_value: 'temporary' } }
        case 'GET eu1.asr.api.speechmatics.com/v1/discovery/features':
          return {
            status: 200,
            body: {
              metadata: { language_pack_info: { en: { language_description: 'English' } } },
              batch: { transcription: [{ languages: ['xx'] }] },
              realtime: {
                transcription: [
                  { version: 'latest', languages: ['fr', 'en'], locales: {}, domains: {} },
                  { version: 'older', languages: ['en'], locales: {}, domains: {} },
                ],
              },
            },
          }
      }
      return error(404, 'Not Found')
    },
    socket: {
      refuse({ host, url, headers }) {
        if (![HOSTED, CONTAINER].includes(host) || url.pathname !== '/v2') return 404
        return headers.authorization === `Bearer ${key}` ? undefined : 401
      },
      open(socket) {
        const send = (message: string, rest: object = {}) =>
          socket.send(JSON.stringify({ message, ...rest }))
        const fail = (code: number, type: string, reason: string) => {
          send('Error', { type, reason, code })
          socket.close(code, type)
        }
        let config: { language: string } | undefined
        let rate = 0
        let size = 0
        let pieces = 0
        socket.on('message', (message: Buffer, binary) => {
          if (binary) {
            if (!config) return fail(4003, 'protocol_error', 'AddAudio before StartRecognition')
            size += message.length
            return send('AudioAdded', { seq_no: ++pieces })
          }
          const command = JSON.parse(String(message))
          if (command.message === 'StartRecognition') {
            const { type, encoding, sample_rate } = command.audio_format
            if (type !== 'raw' || encoding !== 'pcm_s16le' || !sample_rate)
              return fail(4003, 'invalid_audio_type', 'audio_format')
            if (!/^[a-z]{2,3}$/.test(command.transcription_config.language))
              return fail(4003, 'invalid_model', 'Language is not supported')
            if (mode === 'broken') return fail(4005, 'insufficient_funds', `Top up ${key}`)
            config = command.transcription_config
            rate = sample_rate
            send('Info', { type: 'recognition_quality', reason: 'telephony', quality: 'telephony' })
            return send('RecognitionStarted', { id: '1', language_pack_info: {} })
          }
          if (command.message !== 'EndOfStream' || command.last_seq_no !== pieces)
            return fail(4003, 'protocol_error', 'last_seq_no')
          send('AddTranscript', { metadata: { transcript: `${size} bytes ` }, results: [] })
          send('AddTranscript', {
            metadata: { transcript: `at ${rate}, ${config!.language} ` },
            results: [],
          })
          send('EndOfTranscript')
          socket.close(1000)
        })
      },
    },
  }
}

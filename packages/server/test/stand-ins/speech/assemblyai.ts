import { pcmOf } from '../../../src/audio/wav.ts'
import type { StandIn, VendorRequest, VendorResponse } from '../speech-server.ts'

const LIVE = 'streaming.assemblyai.com'

/** `broken`: the transcription of every file fails; `stuck`: it never ends. */
export function assemblyai(key: string, mode?: 'broken' | 'stuck'): StandIn {
  const uploaded = new Map<string, string>()
  const polls = new Map<string, number>()
  let last = 0
  const error = (status: number, error: string): VendorResponse => ({ status, body: { error } })

  function create({ body }: VendorRequest): VendorResponse {
    const { audio_url, language_code, ...rest } = JSON.parse(String(body))
    if (Object.keys(rest).length || !uploaded.has(audio_url))
      return error(400, 'Invalid request: audio_url')
    if (language_code !== undefined && !/^[a-z]{2}(_[a-z]{2})?$/.test(language_code))
      return error(400, `Language ${language_code} is not supported`)
    const id = `t-${++last}`
    uploaded.set(id, uploaded.get(audio_url)!)
    polls.set(id, 0)
    return { status: 200, body: { id, status: 'queued', text: null } }
  }

  function transcriptOf(id: string): VendorResponse {
    const times = polls.get(id)
    if (times === undefined) return error(404, 'Transcript lookup error')
    polls.set(id, times + 1)
    if (mode === 'stuck' || times === 0)
      return { status: 200, body: { id, status: 'processing', text: null } }
    return mode === 'broken'
      ? { status: 200, body: { id, status: 'error', text: null, error: `No speech, says ${key}` } }
      : { status: 200, body: { id, status: 'completed', text: uploaded.get(id) } }
  }

  return {
    hosts: ['api.assemblyai.com', LIVE],
    http(request) {
      const { method, host, url, headers, body } = request
      if (headers.authorization !== key)
        return error(401, `Authentication error, API token ${headers.authorization} invalid`)
      switch (`${method} ${host}${url.pathname}`) {
        case 'GET api.assemblyai.com/v2/transcript':
          return { status: 200, body: { page_details: { limit: 1 }, transcripts: [] } }
        case `GET ${LIVE}/v3/token`:
          return Number(url.searchParams.get('expires_in_seconds')) > 0
            ? { status: 200, body: { token: 'temporary', expires_in_seconds: 60 } }
            : error(400, 'expires_in_seconds')
        case 'POST api.assemblyai.com/v2/upload': {
          const sound = pcmOf(body)
          if (!sound || headers['content-type'] !== 'application/octet-stream')
            return error(422, 'Upload failed, please try again')
          const upload_url = `https://cdn.assemblyai.com/upload/${++last}`
          uploaded.set(upload_url, `${sound.pcm.length} bytes at ${sound.rate}`)
          return { status: 200, body: { upload_url } }
        }
        case 'POST api.assemblyai.com/v2/transcript':
          return create(request)
      }
      const id = /^\/v2\/transcript\/([\w-]+)$/.exec(url.pathname)?.[1]
      return method === 'GET' && id ? transcriptOf(id) : error(404, 'Not found')
    },
    socket: {
      refuse: ({ host, url }) => (host === LIVE && url.pathname === '/v3/ws' ? undefined : 404),
      open(socket, { url, headers }) {
        const send = (message: object) => socket.send(JSON.stringify(message))
        if (headers.authorization !== key)
          return socket.close(1008, `Unauthorized: invalid api key ${headers.authorization}`)
        const rate = Number(url.searchParams.get('sample_rate'))
        const model = url.searchParams.get('speech_model')
        if (!rate || url.searchParams.get('encoding') !== 'pcm_s16le')
          return socket.close(3006, 'Invalid parameters')
        send({ type: 'Begin', id: 's', expires_at: 1 })
        let size = 0
        socket.on('message', (message: Buffer, binary) => {
          if (binary) {
            const ms = message.length / 2 / (rate / 1_000)
            if (ms < 50 || ms > 1_000) socket.close(3007, `Input duration violation: ${ms} ms`)
            size += message.length
            const transcript = `${size} bytes at`
            send({ type: 'Turn', turn_order: 0, end_of_turn: false, transcript })
            return
          }
          if (JSON.parse(String(message)).type !== 'Terminate')
            return socket.close(3006, 'Invalid message type')
          if (mode === 'broken')
            return send({ type: 'Error', error_code: 3005, error: `Out of order, says ${key}` })
          const transcript = `${size} bytes at ${rate}`
          send({ type: 'Turn', turn_order: 0, end_of_turn: true, transcript })
          send({ type: 'Turn', turn_order: 1, end_of_turn: true, transcript: `by ${model}` })
          send({ type: 'Termination', audio_duration_seconds: 0, session_duration_seconds: 0 })
          socket.close(1000)
        })
      },
    },
  }
}

import type { StandIn, VendorResponse } from '../speech-server.ts'

const RATES = [8000, 16000, 32000, 44100, 48000]

/** `broken`: recognition fails. */
export function gladia(key: string, mode?: 'broken'): StandIn {
  const sessions = new Map<string, { rate: number; region: string; language: string }>()
  const error = (status: number, message: string): VendorResponse => ({
    status,
    body: { timestamp: '2026-01-01T00:00:00Z', path: '/v2/live', statusCode: status, message },
  })
  return {
    hosts: ['api.gladia.io'],
    http({ method, url, headers, body }) {
      const given = headers['x-gladia-key']
      if (given !== key) return error(401, `gladia key ${given} not found`)
      if (url.pathname !== '/v2/live') return error(404, 'Not found')
      if (method === 'GET')
        return {
          status: 200,
          body: { first: url.href, current: url.href, next: null, items: [] },
        }
      const region = url.searchParams.get('region') ?? 'us-west'
      const session = JSON.parse(String(body))
      const { languages } = session.language_config
      if (
        method !== 'POST' ||
        !['us-west', 'eu-west'].includes(region) ||
        session.encoding !== 'wav/pcm' ||
        session.bit_depth !== 16 ||
        session.channels !== 1 ||
        session.model !== 'solaria-1' ||
        !RATES.includes(session.sample_rate) ||
        !languages.every((l: string) => /^[a-z]{2}$/.test(l))
      )
        return error(400, 'Invalid parameter(s)')
      const id = `session-${sessions.size}`
      sessions.set(id, { rate: session.sample_rate, region, language: languages[0] ?? 'any' })
      return {
        status: 201,
        body: { id, created_at: '2026', url: `wss://api.gladia.io/v2/live?token=${id}` },
      }
    },
    socket: {
      refuse: ({ url }) => (sessions.has(url.searchParams.get('token') ?? '') ? undefined : 403),
      open(socket, { url }) {
        const id = url.searchParams.get('token')!
        const { rate, region, language } = sessions.get(id)!
        const send = (message: object) =>
          socket.send(JSON.stringify({ session_id: id, created_at: '2026', ...message }))
        const sendTranscript = (is_final: boolean, text: string) =>
          send({
            type: 'transcript',
            data: { id: '1', is_final, utterance: { text, language, start: 0, end: 1, words: [] } },
          })
        let size = 0
        send({ type: 'start_session' })
        socket.on('message', (message: Buffer, binary) => {
          if (binary) {
            size += message.length
            return sendTranscript(false, 'not yet')
          }
          if (JSON.parse(String(message)).type !== 'stop_recording')
            return socket.close(4400, 'Invalid message')
          if (mode === 'broken')
            return send({ type: 'error', error: { message: `No speech, says ${key} of ${id}` } })
          sendTranscript(true, ` ${size} bytes at ${rate}`)
          sendTranscript(true, ` in ${region}, ${language}`)
          send({ type: 'end_session' })
          socket.close(1000)
        })
      },
    },
  }
}

import { toWav } from '../../../src/audio/wav.ts'
import type { StandIn, VendorResponse } from '../speech-server.ts'

export const HOST = 'speech.example.com'
export const PCM = Buffer.alloc(1_600, 1)

/** The sound and content type for each voice. */
const SOUNDS: Record<string, [string, Buffer]> = {
  mpeg: ['audio/mpeg', Buffer.from([0xff, 0xf3, 0x44, 0xc4, 0])],
  mp3: ['audio/mp3; charset=binary', Buffer.from('ID3 and more')],
  wav: ['audio/x-wav', toWav(PCM, 16_000)],
  ogg: ['audio/ogg', Buffer.from('OggS and more')],
  raw: ['audio/L16;rate=16000', PCM],
  'raw without rate': ['audio/l16', PCM],
  liar: ['audio/wav', Buffer.from('no sound at all, though it is long enough to be')],
}

/** A custom speech server. `broken`: recognition fails; `lingers`: the socket stays open. */
export function custom(token: string, mode?: 'broken' | 'lingers'): StandIn {
  const expected = token ? `Bearer ${token}` : undefined
  const error = (status: number, message: string): VendorResponse => ({ status, body: { message } })
  return {
    hosts: [HOST],
    http({ method, url, headers, body }) {
      if (headers.authorization !== expected) return error(401, `Not ${headers.authorization}`)
      if (method !== 'POST' || url.pathname !== '/speak') return error(404, 'Not found')
      const { language, voice, type, text, ...rest } = JSON.parse(String(body))
      const sound = SOUNDS[voice]
      if (
        !sound ||
        !language ||
        !text ||
        type !== (text.startsWith('<') ? 'ssml' : 'text') ||
        Object.keys(rest).length
      )
        return error(400, 'Bad request')
      return { status: 200, headers: { 'content-type': sound[0] }, body: sound[1] }
    },
    socket: {
      refuse: ({ url, headers }) =>
        headers.authorization !== expected ? 401 : url.pathname === '/listen' ? undefined : 404,
      open(socket) {
        const send = (message: object) => socket.send(JSON.stringify(message))
        const transcription = (is_final: boolean, transcript: string) =>
          send({
            type: 'transcription',
            is_final,
            alternatives: [{ confidence: 1, transcript }],
            language: 'en-US',
            channel: 1,
          })
        let started: { sampleRateHz: number; language: string } | undefined
        let size = 0
        socket.on('message', (message: Buffer, binary) => {
          if (binary) {
            if (!started) return socket.close(1002, 'Audio before start')
            size += message.length
            return transcription(false, 'not yet')
          }
          const command = JSON.parse(String(message))
          if (command.type === 'start') {
            if (
              command.encoding !== 'LINEAR16' ||
              command.format !== 'raw' ||
              !command.sampleRateHz
            )
              return socket.close(1002, 'Malformed start')
            started = command
            return
          }
          if (command.type !== 'stop' || !started) return socket.close(1002, 'Not understood')
          if (mode === 'broken') return send({ type: 'error', error: `No model, says ${token}` })
          transcription(true, `${size} bytes `)
          transcription(true, `at ${started.sampleRateHz}, ${started.language}`)
          if (mode !== 'lingers') socket.close(1000)
        })
      },
    },
  }
}

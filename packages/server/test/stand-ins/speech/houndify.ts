import { createHmac } from 'node:crypto'
import type { StandIn } from '../speech-server.ts'

const CLOUD = 'apiws-polaris.houndify.com'
export const ELSEWHERE = 'hound.example.com:8443'
const NONCE = 'nonce/+?'

/** `client` and `key` as issued by the vendor. `broken`: recognition fails. */
export function houndify(client: string, key: string, mode?: 'broken'): StandIn {
  const signature = createHmac('sha256', Buffer.from(key, 'base64url'))
    .update(NONCE)
    .digest('base64')
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
  return {
    hosts: [CLOUD, ELSEWHERE],
    socket: {
      refuse: ({ host, url }) =>
        host === ELSEWHERE || url.pathname === '/v2/transcription' ? undefined : 404,
      open(socket) {
        const send = (message: object) => socket.send(JSON.stringify(message))
        const fail = (error: string) => {
          send({ status: 'error', error })
          socket.close(1000)
        }
        let step: 'sign in' | 'ask' | 'speak' = 'sign in'
        let requested: { SampleRate: number; InputLanguageIETFTag: string; UserID: string }
        let size = 0
        send({ status: 'ok', nonce: NONCE })
        socket.on('message', (message: Buffer, binary) => {
          if (binary) {
            if (step !== 'speak') return fail('Audio before the request')
            size += message.length
            return send({
              Format: 'HoundVoiceQueryPartialTranscript',
              PartialTranscript: 'not yet',
            })
          }
          const text = String(message)
          if (text === 'Done') {
            if (mode === 'broken')
              return send({ Format: 'Error', ErrorMessage: `Not understood, says ${key}` })
            const { SampleRate, InputLanguageIETFTag, UserID } = requested
            send({
              Format: 'HoundVoiceQueryFinalTranscript',
              FinalTranscript: `${size} bytes at ${SampleRate}, ${InputLanguageIETFTag} of ${UserID}`,
            })
            return socket.close(1000)
          }
          const json = JSON.parse(text)
          if (step === 'sign in') {
            if (json.version !== '1.1' || json.access_id !== client || json.signature !== signature)
              return fail(`Authentication failed for ${json.access_id}: bad signature`)
            step = 'ask'
            return
          }
          if (
            json.AudioFormat !== 'S16LE' ||
            json.Model !== `base_${json.SampleRate / 1_000}k` ||
            !json.RequestID
          )
            return fail('Malformed request')
          requested = json
          step = 'speak'
          send({ Format: 'HoundQueryIDMessage', QueryID: '1' })
        })
      },
    },
  }
}

import type { RawData } from 'ws'
import type { StandIn } from '../speech-server.ts'
import { deepgram, noKey } from './deepgram.ts'
import { KEY, TRANSCRIPT } from './strict.ts'

const QUERY = ['model', 'language_hint', 'encoding', 'sample_rate']
const token = `Token ${KEY}`

export const deepgramflux: StandIn = {
  hosts: ['api.deepgram.com'],
  http: (request) => (request.headers.authorization === token ? deepgram.http!(request) : noKey()),
  socket: {
    refuse({ headers, url: { pathname, searchParams: query } }) {
      if (headers.authorization !== token) return 401
      if (pathname !== '/v2/listen') return 404
      const model = query.get('model')
      const fits =
        model === 'flux-general-multi' ||
        (model === 'flux-general-en' && !query.has('language_hint'))
      const isDocumented = [...query.keys()].every((k) => QUERY.includes(k))
      const sound =
        query.get('encoding') === 'linear16' && Number(query.get('sample_rate')) >= 8_000
      return fits && isDocumented && sound ? undefined : 400
    },
    open(socket) {
      let sequence_id = 0
      const send = (message: object) =>
        socket.send(JSON.stringify({ request_id: 'r1', sequence_id: sequence_id++, ...message }))
      const sendTurn = (turn_index: number, event: string, transcript: string) =>
        send({ type: 'TurnInfo', event, turn_index, transcript, words: [] })
      send({ type: 'Connected' })
      let bytes = 0
      socket.on('message', (data: RawData, binary: boolean) => {
        if (binary) {
          bytes += (data as Buffer).length
          return
        }
        if (String(data) !== '{"type":"CloseStream"}' || !bytes) {
          send({ type: 'Error', code: 'INVALID_MESSAGE', description: 'Could not parse message' })
          socket.close(1011)
          return
        }
        const [first = '', rest = ''] = TRANSCRIPT.split(' ')
        sendTurn(0, 'StartOfTurn', first.slice(0, 2))
        sendTurn(0, 'EndOfTurn', first)
        sendTurn(1, 'Update', '')
        sendTurn(1, 'EndOfTurn', rest)
        socket.close(1000)
      })
    },
  },
}

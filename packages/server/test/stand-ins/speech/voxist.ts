import type { StandIn, VendorResponse } from '../speech-server.ts'

/** `broken`: recognition fails; `lingers`: the socket stays open. */
export function voxist(key: string, mode?: 'broken' | 'lingers'): StandIn {
  const error = (status: number, message: string): VendorResponse => ({ status, body: { message } })
  return {
    hosts: ['api-asr.voxist.com'],
    http({ method, url, headers }) {
      const given = headers['x-lvl-key']
      if (given !== key) return error(401, `Invalid key ${given}`)
      if (method === 'GET' && url.pathname === '/clients') return { status: 200, body: [] }
      if (method !== 'GET' || url.pathname !== '/websocket') return error(404, 'Not found')
      return url.searchParams.get('engine') === 'voxist-rt-2'
        ? { status: 200, body: { url: 'wss://api-asr.voxist.com/ws?token=temporary' } }
        : error(400, 'Unknown engine')
    },
    socket: {
      refuse: ({ url }) => (url.searchParams.get('token') === 'temporary' ? undefined : 401),
      open(socket) {
        const send = (type: string, rest: object) => socket.send(JSON.stringify({ type, ...rest }))
        let config: { lang: string; sample_rate: number } | undefined
        let size = 0
        socket.on('message', (message: Buffer, binary) => {
          if (!config) {
            config = JSON.parse(String(message)).config
            if (!config?.sample_rate || !/^(en|fr|de|nl|it|sp)$/.test(config.lang)) {
              send('error', { message: 'Invalid config' })
              socket.close(1008)
            }
            return
          }
          if (binary) {
            size += message.length
            return send('partial', { text: 'not yet' })
          }
          if (String(message) !== 'Done') return socket.close(1008, 'Invalid message')
          if (mode === 'broken')
            return send('error', { message: `Not understood, says ${key} temporary` })
          send('final', { text: `${size} bytes ` })
          send('final', { text: `at ${config.sample_rate}, ${config.lang}` })
          if (mode !== 'lingers') socket.close(1000)
        })
      },
    },
  }
}

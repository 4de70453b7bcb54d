import { createSocket, type Socket as Datagrams } from 'node:dgram'
import { createServer, isIPv6, type Server, type Socket } from 'node:net'
import { failureLog } from '../kit/failure-log.ts'
import { portOf } from '../kit/ingest-server.ts'
import type { Intake } from './intake.ts'
import { frames } from './stream.ts'

const MAX_CONNECTIONS = 256
/** The time limit for a complete frame. */
const FRAME_MS = 30_000
/** The socket buffer holds bursts while a transaction is written. */
const BUFFER_BYTES = 4_000_000

type Options = { host: string; port: number; intake: Intake }

/** Listens for HEPv3 as Homer does: UDP and TCP on one port. Throws if the port is not available. */
export async function captureListener({ host, port, intake }: Options) {
  const connections = new Set<Socket>()
  const server = createServer((socket) => {
    connections.add(socket)
    socket.on('close', () => connections.delete(socket))
    receive(socket, intake)
  })
  server.maxConnections = MAX_CONNECTIONS
  const bound = await listen(server, host, port)
  const datagrams = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4' })
  datagrams.on('message', (frame) => intake.take(frame))
  try {
    await bind(datagrams, host, bound)
  } catch (e) {
    server.close()
    throw e
  }
  datagrams.on('error', failureLog('Receiving SIP captures').failed)
  return {
    port: bound,
    async close() {
      datagrams.close()
      for (const socket of connections) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

const listen = (server: Server, host: string, port: number) =>
  new Promise<number>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve(portOf(server))
    })
  })

const bind = (socket: Datagrams, host: string, port: number) =>
  new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.bind(port, host, () => {
      socket.off('error', reject)
      try {
        socket.setRecvBufferSize(BUFFER_BYTES)
      } catch {
        // the system allows less, so its limit applies
      }
      resolve()
    })
  })

function receive(socket: Socket, intake: Intake) {
  const stream = frames()
  let late: NodeJS.Timeout | undefined
  const refuse = () => {
    intake.drop('unreadable')
    socket.destroy()
  }
  socket.on('data', (chunk) => {
    clearTimeout(late)
    try {
      for (const frame of stream.push(chunk)) intake.take(frame)
    } catch {
      // the start of the next frame is lost
      return refuse()
    }
    if (stream.isWithin()) late = setTimeout(refuse, FRAME_MS)
  })
  socket.on('close', () => clearTimeout(late))
  // agents disconnect at any time
  socket.on('error', () => socket.destroy())
}

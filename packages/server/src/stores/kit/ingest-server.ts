import {
  createServer,
  type IncomingMessage,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { Server } from 'node:net'
import { createGunzip } from 'node:zlib'

/** An error with the status for the sender. */
export class Refusal extends Error {
  status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Tells a sender that is refused for now when to come again. */
export const retryAfter = (status: number) => (status === 503 ? { 'retry-after': '10' } : {})

export type Limits = {
  /** Bytes of a body, both compressed and decompressed. */
  body: number
  /** Bytes of all bodies in flight. */
  in_flight: number
  connections: number
}

type Options = {
  host: string
  port: number
  limits: Limits
  http: ServerOptions
  /** Handles a request. `body` reads the decompressed body. Errors go to `refuse`. */
  answer: (
    request: IncomingMessage,
    response: ServerResponse,
    body: () => Promise<Buffer>,
  ) => Promise<void>
  /** Responds with an error. All thrown errors come here. */
  refuse: (response: ServerResponse, e: unknown) => void
  /** Called when a connection opens or closes. */
  connected?: (opened: boolean) => void
  /** Called with the status of each response, including those to malformed HTTP. */
  answered?: (status: number) => void
}

/** A server for platform components, with limits on size, connections and time. Throws if it cannot listen. */
export async function ingestServer({ host, port, limits, http, ...options }: Options) {
  let bytes = 0
  const server = createServer(http, async (request, response) => {
    let held = 0
    const hold = (n: number) => {
      held += n
      bytes += n
      if (bytes > limits.in_flight) throw new Refusal(503, 'too much at once, try again')
    }
    try {
      await options.answer(request, response, () => bodyOf(request, limits.body, hold))
    } catch (e) {
      // the sender has disconnected
      if (request.destroyed && !request.complete) return
      if (!response.headersSent) options.refuse(response, e)
      drain(request, limits.body)
    } finally {
      bytes -= held
      options.answered?.(response.statusCode)
    }
  })
  server.maxConnections = limits.connections
  server.on('connection', (socket) => {
    options.connected?.(true)
    socket.once('close', () => options.connected?.(false))
  })
  server.on('clientError', (_, socket) => {
    options.answered?.(400)
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n')
    else socket.destroy()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  return {
    port: portOf(server),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
        setTimeout(() => server.closeAllConnections(), 5_000).unref()
      }),
  }
}

/** Time in which a sender can read the response to a body that does not end. */
const LINGER_MS = 1_000

/**
 * Reads on, because a sender that is still sending would not read the response. After `most` bytes it stops reading, so
 * that the sender has to stop as well, and closes the connection a little later: closed at once, the response would be
 * lost with all that the sender has not read yet.
 */
function drain(request: IncomingMessage, most: number) {
  let drained = 0
  request.on('data', (chunk: Buffer) => {
    drained += chunk.length
    if (drained <= most) return
    request.pause()
    setTimeout(() => request.destroy(), LINGER_MS).unref()
  })
  request.resume()
}

/** The port of a server, which never listens on a path. */
export function portOf(server: Server) {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('There is no port')
  return address.port
}

async function bodyOf(
  request: IncomingMessage,
  limit: number,
  hold: (bytes: number) => void,
): Promise<Buffer> {
  const packed = (request.headers['content-encoding'] ?? 'identity').toLowerCase()
  if (packed !== 'identity' && packed !== 'gzip')
    throw new Refusal(415, 'unsupported content encoding')
  if (Number(request.headers['content-length'] ?? 0) > limit)
    throw new Refusal(413, 'Request Entity Too Large')
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length
    hold(chunk.length)
    if (size > limit) throw new Refusal(413, 'Request Entity Too Large')
    chunks.push(chunk)
  }
  const body = Buffer.concat(chunks)
  if (packed === 'identity') return body
  return decompress(body, limit, hold)
}

/** Counts decompressed bytes as they come, since many small bodies may all expand at once. */
async function decompress(
  body: Buffer,
  limit: number,
  hold: (bytes: number) => void,
): Promise<Buffer> {
  const refuse = () => new Refusal(400, 'the body cannot be unpacked')
  const chunks: Buffer[] = []
  let size = 0
  const unpacking = createGunzip({ chunkSize: 65_536 })
  unpacking.end(body)
  try {
    for await (const chunk of unpacking) {
      size += chunk.length
      hold(chunk.length)
      if (size > limit) throw refuse()
      chunks.push(chunk)
    }
  } catch (e) {
    throw e instanceof Refusal ? e : refuse()
  }
  return Buffer.concat(chunks)
}

import {
  createServer,
  type IncomingMessage,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { Server } from 'node:net'
import { createGunzip } from 'node:zlib'

/** What is answered to a sender with a status of its own. */
export class Refusal extends Error {
  status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export type Limits = {
  /** Bytes of one body, packed as well as unpacked. */
  body: number
  /** Bytes of all bodies that are being taken in. */
  in_flight: number
  connections: number
}

type Options = {
  host: string
  port: number
  limits: Limits
  http: ServerOptions
  /** Answers a request. `body` reads what it carries, unpacked. A thrown Refusal goes to `refuse`. */
  answer: (
    request: IncomingMessage,
    response: ServerResponse,
    body: () => Promise<Buffer>,
  ) => Promise<void>
  /** Says to the sender what was wrong; whatever is thrown comes here. */
  refuse: (response: ServerResponse, e: unknown) => void
  /** Told of each connection. */
  connected?: (opened: boolean) => void
  /** Told of each answer, also of one to what was no HTTP. */
  answered?: (status: number) => void
}

/** Listens for what platform components send: bounded in size, number and time. Throws where it cannot. */
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
      // whoever hung up before the end of a body hears nothing
      if (request.destroyed && !request.complete) return
      if (!response.headersSent) options.refuse(response, e)
      // what is left of a body is read and dropped, or whoever still sends it would not hear the answer
      request.resume()
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

/** Where a server listens, which it does on a port and not on a path. */
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
  return unpacked(body, limit, hold)
}

/** What is unpacked counts as it comes: of many small bodies that all grow at once too much would be there by the end. */
async function unpacked(
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

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Format, Intake } from './intake.ts'
import { Unreadable } from './span.ts'

/** Exporters send some hundred spans at once at most. */
const MAX_BODY = 8_000_000
const MAX_IN_FLIGHT = 32_000_000
const MAX_CONNECTIONS = 256

type Options = { host: string; port: number; intake: Intake }

class Refusal extends Error {
  status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Listens as a collector would: OTLP/HTTP in JSON and protobuf, Jaeger's Thrift, Zipkin's JSON. */
export async function listening({ host, port, intake }: Options) {
  let bytes = 0
  const server = createServer(
    { requestTimeout: 30_000, headersTimeout: 15_000, keepAliveTimeout: 65_000 },
    async (request, response) => {
      let held = 0
      const hold = (n: number) => {
        held += n
        bytes += n
        if (bytes > MAX_IN_FLIGHT) throw new Refusal(503, 'too much at once, try again')
      }
      try {
        await route(intake, request, response, hold)
      } catch (e) {
        const refusal = asRefusal(e)
        if (refusal.status === 500) process.stderr.write(`Ingest of traces: ${refusal.message}\n`)
        else intake.unreadable()
        // what is left of a body that is not read would be taken for the next request
        if (!request.complete) response.setHeader('connection', 'close')
        json(response, refusal.status, { message: refusal.message })
        request.resume()
      } finally {
        bytes -= held
      }
    },
  )
  server.maxConnections = MAX_CONNECTIONS
  server.on('clientError', (_, socket) => {
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
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
        setTimeout(() => server.closeAllConnections(), 5_000).unref()
      }),
  }
}

function asRefusal(e: unknown): Refusal {
  if (e instanceof Refusal) return e
  if (e instanceof Unreadable) return new Refusal(400, e.message)
  return new Refusal(500, (e as Error).message)
}

const json = (response: ServerResponse, status: number, body: object) => {
  if (response.headersSent) return
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

const mediaType = ({ headers }: IncomingMessage) =>
  (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()

/** What is sent to this path as this type; undefined where it is neither. */
function formatOf(path: string, type: string): Format | undefined {
  if (path === '/v1/traces')
    return type === 'application/x-protobuf'
      ? 'otlp_protobuf'
      : type === 'application/json'
        ? 'otlp_json'
        : undefined
  if (path === '/api/v2/spans') return type === 'application/json' ? 'zipkin' : undefined
  return /^application\/(?:x-thrift|vnd\.apache\.thrift\.binary)$/.test(type) ? 'jaeger' : undefined
}
const PATHS = ['/v1/traces', '/api/traces', '/api/v2/spans']

async function route(
  intake: Intake,
  request: IncomingMessage,
  response: ServerResponse,
  hold: (bytes: number) => void,
) {
  const path = URL.parse(request.url ?? '/', 'http://collector')?.pathname ?? ''
  if (!PATHS.includes(path)) throw new Refusal(404, 'not found')
  if (request.method !== 'POST') throw new Refusal(405, 'method not allowed')
  const format = formatOf(path, mediaType(request))
  if (!format) throw new Refusal(415, 'unsupported media type')
  const malformed = await intake.take(format, await bodyOf(request, hold))
  if (format === 'otlp_protobuf') {
    // an ExportTraceServiceResponse that says nothing is no bytes
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
  } else if (format === 'otlp_json') {
    const partialSuccess = {
      rejectedSpans: String(malformed),
      errorMessage: 'spans without sound ids or times',
    }
    json(response, 200, malformed > 0 ? { partialSuccess } : {})
  } else response.writeHead(202).end()
}

async function bodyOf(request: IncomingMessage, hold: (bytes: number) => void): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY) throw new Refusal(413, 'too large')
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length
    hold(chunk.length)
    if (size > MAX_BODY) throw new Refusal(413, 'too large')
    chunks.push(chunk)
  }
  const body = Buffer.concat(chunks)
  const packed = (request.headers['content-encoding'] ?? 'identity').toLowerCase()
  if (packed === 'identity') return body
  if (packed !== 'gzip') throw new Refusal(415, 'unsupported content encoding')
  try {
    const plain = await promisify(gunzip)(body, { maxOutputLength: MAX_BODY })
    hold(plain.length)
    return plain
  } catch (e) {
    if (e instanceof Refusal) throw e
    throw new Refusal(400, 'the body cannot be unpacked')
  }
}

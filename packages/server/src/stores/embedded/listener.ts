import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { DATABASES, type Query } from './answer.ts'
import type { Counts } from './counts.ts'
import type { Batch, Ingest } from './ingest.ts'
import { isPrecision, type Point, parseLines } from './lines.ts'
import type { Maintenance } from './maintenance.ts'

/** InfluxDB's own limit of a body. */
const MAX_BODY = 25_000_000
const MAX_IN_FLIGHT = 100_000_000
const MAX_CONNECTIONS = 512
const MAX_URL = 65_536
const VERSION = '1.8.10'

type Options = {
  host: string
  port: number
  ingest: Ingest
  maintenance: Maintenance
  counts: Counts
  ask: (query: Query) => Promise<{ answer?: object; error?: string }>
}
type Waiting = { batch: Batch; done: PromiseWithResolvers<void> }

class Refusal extends Error {
  status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Listens as InfluxDB 1.x would, for the writes and queries that platform components make. */
export async function listening(options: Options) {
  const { host, port, counts } = options
  const write = groupedWrites(options)
  let bytes = 0
  const server: Server = createServer(
    {
      maxHeaderSize: MAX_URL,
      requestTimeout: 60_000,
      headersTimeout: 20_000,
      keepAliveTimeout: 65_000,
    },
    async (request, response) => {
      let held = 0
      const hold = (n: number) => {
        held += n
        bytes += n
        if (bytes > MAX_IN_FLIGHT) throw new Refusal(503, 'too much at once, try again')
      }
      try {
        await route(options, write, request, response, hold)
      } catch (e) {
        // whoever hung up before the end of a body hears nothing
        if (request.destroyed && !request.complete) return
        const refusal = e instanceof Refusal ? e : new Refusal(500, (e as Error).message)
        if (refusal.status === 500)
          process.stderr.write(`Ingest of call records: ${refusal.message}\n`)
        json(response, refusal.status, { error: refusal.message })
        // what is left of a body is read and dropped, or whoever still sends it would not hear the answer
        request.resume()
      } finally {
        bytes -= held
        counts.add(counts.requests, String(response.statusCode))
      }
    },
  )
  server.maxConnections = MAX_CONNECTIONS
  server.on('connection', (socket) => {
    counts.connections++
    socket.once('close', () => void counts.connections--)
  })
  server.on('clientError', (_, socket) => {
    counts.add(counts.requests, '400')
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

const json = (response: ServerResponse, status: number, body: object) => {
  if (response.headersSent) return
  response.writeHead(status, { 'content-type': 'application/json', 'x-influxdb-version': VERSION })
  response.end(`${JSON.stringify(body)}\n`)
}

type Write = (batch: Batch) => Promise<void>

/** Requests that arrive together become durable together, in one transaction. */
function groupedWrites({ ingest }: Options): Write {
  let waiting: Waiting[] = []
  const flush = () => {
    const group = waiting
    waiting = []
    try {
      ingest.write(group.flatMap(({ batch }) => batch))
      for (const { done } of group) done.resolve()
    } catch (e) {
      for (const { done } of group) done.reject(e)
    }
  }
  return (batch) => {
    const done = Promise.withResolvers<void>()
    if (waiting.length === 0) setImmediate(flush)
    waiting.push({ batch, done })
    return done.promise
  }
}

async function route(
  options: Options,
  write: Write,
  request: IncomingMessage,
  response: ServerResponse,
  hold: (bytes: number) => void,
) {
  const url = URL.parse(request.url ?? '/', 'http://influx')
  if (!url) throw new Refusal(400, 'bad request')
  const asks = (name: string) => url.searchParams.get(name) ?? ''
  const is = (path: string, ...methods: string[]) =>
    url.pathname === path && methods.includes(request.method ?? '')
  if (is('/ping', 'GET', 'HEAD')) {
    response.writeHead(204, { 'x-influxdb-version': VERSION }).end()
  } else if (is('/write', 'POST')) {
    const database = asks('db')
    if (database === '') throw new Refusal(400, 'database is required')
    if (!DATABASES.includes(database))
      throw new Refusal(404, `database not found: ${JSON.stringify(database.slice(0, 200))}`)
    if (!isPrecision(asks('precision'))) throw new Refusal(400, 'invalid precision')
    const body = await bodyOf(request, hold)
    const refused = await take(options, write, database, asks('precision'), body)
    if (refused === undefined)
      response
        .writeHead(204, { 'content-type': 'application/json', 'x-influxdb-version': VERSION })
        .end()
    else json(response, 400, { error: refused })
  } else if (is('/query', 'GET', 'POST')) {
    const form = new URLSearchParams(request.method === 'POST' ? await bodyOf(request, hold) : '')
    const either = (name: string) => asks(name) || (form.get(name) ?? '')
    if (either('q') === '') throw new Refusal(400, 'missing required parameter "q"')
    const { answer, error } = await options.ask({
      q: either('q'),
      db: either('db'),
      epoch: either('epoch'),
      params: either('params'),
    })
    if (answer) json(response, 200, { results: [answer] })
    else json(response, 400, { error })
  } else throw new Refusal(404, 'not found')
}

/** Takes in a body of lines. Resolves to what was wrong with it once the rest of it is durable. */
async function take(
  { maintenance, counts }: Options,
  write: Write,
  database: string,
  precision: string,
  body: string,
): Promise<string | undefined> {
  const parsed = parseLines(body, maintenance.now, precision)
  const kept: Point[] = []
  for (const point of parsed.points) if (maintenance.takes(point.ms)) kept.push(point)
  const outside = parsed.points.length - kept.length
  if (kept.length > 0) {
    await write(kept.map((point) => ({ database, point })))
    maintenance.wrote(kept)
    counts.add(counts.points, database, kept.length)
  }
  counts.add(counts.dropped, 'malformed', parsed.bad)
  counts.add(counts.dropped, 'outside_retention', outside)
  counts.add(counts.dropped, 'no_value', parsed.empty_fields)
  const errors = parsed.errors.join('\n')
  if (outside > 0)
    return `partial write: ${errors && `${errors} `}points beyond retention policy dropped=${outside}`
  if (parsed.bad === 0) return undefined
  return parsed.points.length > 0 ? `partial write: ${errors} dropped=0` : errors
}

async function bodyOf(request: IncomingMessage, hold: (bytes: number) => void): Promise<string> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY)
    throw new Refusal(413, 'Request Entity Too Large')
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length
    hold(chunk.length)
    if (size > MAX_BODY) throw new Refusal(413, 'Request Entity Too Large')
    chunks.push(chunk)
  }
  const body = Buffer.concat(chunks)
  if (request.headers['content-encoding'] !== 'gzip') return body.toString()
  try {
    const plain = await promisify(gunzip)(body, { maxOutputLength: MAX_BODY })
    hold(plain.length)
    return plain.toString()
  } catch (e) {
    if (e instanceof Refusal) throw e
    throw new Refusal(400, 'the body cannot be unpacked')
  }
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorMessage } from '../../errors/members.ts'
import { diskTrouble, mayPass } from '../kit/damage.ts'
import { failureLog } from '../kit/failure-log.ts'
import { ingestServer, Refusal, retryAfter } from '../kit/ingest-server.ts'
import { DATABASES, type Query } from './answer.ts'
import { type Batch, isPrecision, type Moment, type Point, parseLines } from './lines.ts'
import type { Counts } from './store.ts'

/** The body limit is InfluxDB's own. */
const limits = { body: 25_000_000, in_flight: 100_000_000, connections: 512 }
const http = {
  maxHeaderSize: 65_536,
  requestTimeout: 60_000,
  headersTimeout: 20_000,
  keepAliveTimeout: 65_000,
}
const VERSION = '1.8.10'

/** Where points go. */
export type Intake = {
  /** The time for points without one. Never returns the same time twice. */
  now: () => Moment
  /** Whether a time is within retention. */
  takes: (ms: number) => boolean
  /** Resolves once the points are durable. */
  write: (batch: Batch) => Promise<void>
}

type Options = {
  host: string
  port: number
  intake: Intake
  counts: Counts
  ask: (query: Query) => Promise<{ answer?: object; error?: string }>
}
/** Listens as InfluxDB 1.x does, for writes and queries of platform components. */
export function telemetryListener(options: Options) {
  const { host, port, counts } = options
  const storing = failureLog('Storing call records')
  return ingestServer({
    host,
    port,
    limits,
    http,
    answer: (request, response, body) => route(options, storing.worked, request, response, body),
    refuse(response, e) {
      const refusal =
        e instanceof Refusal
          ? e
          : new Refusal(mayPass(e) ? 503 : 500, diskTrouble(e) ?? errorMessage(e))
      if (!(e instanceof Refusal)) storing.failed(e)
      json(response, refusal.status, { error: refusal.message })
    },
    connected(opened) {
      counts.connections += opened ? 1 : -1
    },
    answered: (status) => counts.add(counts.requests, String(status)),
  })
}

const json = (response: ServerResponse, status: number, body: object) => {
  response.writeHead(status, {
    'content-type': 'application/json',
    'x-influxdb-version': VERSION,
    ...retryAfter(status),
  })
  response.end(`${JSON.stringify(body)}\n`)
}

async function route(
  options: Options,
  onWritten: () => void,
  request: IncomingMessage,
  response: ServerResponse,
  body: () => Promise<Buffer>,
) {
  const url = URL.parse(request.url ?? '/', 'http://influx')
  if (!url) throw new Refusal(400, 'bad request')
  const parameter = (name: string) => url.searchParams.get(name) ?? ''
  const is = (path: string, ...methods: string[]) =>
    url.pathname === path && methods.includes(request.method ?? '')
  if (is('/ping', 'GET', 'HEAD')) {
    response.writeHead(204, { 'x-influxdb-version': VERSION }).end()
  } else if (is('/write', 'POST')) {
    const database = parameter('db')
    if (database === '') throw new Refusal(400, 'database is required')
    if (!DATABASES.includes(database))
      throw new Refusal(404, `database not found: ${JSON.stringify(database.slice(0, 200))}`)
    if (!isPrecision(parameter('precision'))) throw new Refusal(400, 'invalid precision')
    const lines = String(await body())
    const refused = await take(options, onWritten, database, parameter('precision'), lines)
    if (refused === undefined)
      response
        .writeHead(204, { 'content-type': 'application/json', 'x-influxdb-version': VERSION })
        .end()
    else json(response, 400, { error: refused })
  } else if (is('/query', 'GET', 'POST')) {
    const form = new URLSearchParams(request.method === 'POST' ? String(await body()) : '')
    const formParameter = (name: string) => parameter(name) || (form.get(name) ?? '')
    if (formParameter('q') === '') throw new Refusal(400, 'missing required parameter "q"')
    const { answer, error } = await options.ask({
      q: formParameter('q'),
      db: formParameter('db'),
      epoch: formParameter('epoch'),
      params: formParameter('params'),
    })
    if (answer) json(response, 200, { results: [answer] })
    else json(response, 400, { error })
  } else throw new Refusal(404, 'not found')
}

/** Ingests a body of lines. Resolves to its errors once the valid lines are durable. */
async function take(
  { intake, counts }: Options,
  onWritten: () => void,
  database: string,
  precision: string,
  body: string,
): Promise<string | undefined> {
  const parsed = parseLines(body, intake.now, precision)
  const kept: Point[] = []
  for (const point of parsed.points) if (intake.takes(point.ms)) kept.push(point)
  const outside = parsed.points.length - kept.length
  if (kept.length > 0) {
    await intake.write(kept.map((point) => ({ database, point })))
    onWritten()
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

import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorMessage } from '../../errors/members.ts'
import { diskTrouble, mayPass } from '../kit/damage.ts'
import { failureLog } from '../kit/failure-log.ts'
import { ingestServer, Refusal, retryAfter } from '../kit/ingest-server.ts'
import type { Format, Intake } from './intake.ts'
import { Unreadable } from './span.ts'

/** Exporters send at most a few hundred spans per request. */
const limits = { body: 8_000_000, in_flight: 32_000_000, connections: 256 }
const http = { requestTimeout: 30_000, headersTimeout: 15_000, keepAliveTimeout: 65_000 }

type Options = { host: string; port: number; intake: Intake }

/** Listens as an OpenTelemetry collector does: OTLP/HTTP in JSON and protobuf, Jaeger Thrift, Zipkin JSON. */
export function traceListener({ host, port, intake }: Options) {
  const storing = failureLog('Storing traces')
  return ingestServer({
    host,
    port,
    limits,
    http,
    async answer(request, response, body) {
      await route(intake, request, response, body)
      storing.worked()
    },
    refuse(response, e) {
      const refusal = refusalOf(e)
      if (e instanceof Refusal || e instanceof Unreadable) intake.unreadable()
      else storing.failed(e)
      json(response, refusal.status, { message: refusal.message })
    },
  })
}

function refusalOf(e: unknown): Refusal {
  if (e instanceof Refusal) return e
  if (e instanceof Unreadable) return new Refusal(400, e.message)
  // exporters repeat what was answered 503
  return new Refusal(mayPass(e) ? 503 : 500, diskTrouble(e) ?? errorMessage(e))
}

const json = (response: ServerResponse, status: number, body: object) => {
  response.writeHead(status, { 'content-type': 'application/json', ...retryAfter(status) })
  response.end(JSON.stringify(body))
}

const mediaType = ({ headers }: IncomingMessage) =>
  (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()

/** The format by path and content type; undefined if unsupported. */
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
  body: () => Promise<Buffer>,
) {
  const path = URL.parse(request.url ?? '/', 'http://collector')?.pathname ?? ''
  if (!PATHS.includes(path)) throw new Refusal(404, 'not found')
  if (request.method !== 'POST') throw new Refusal(405, 'method not allowed')
  const format = formatOf(path, mediaType(request))
  if (!format) throw new Refusal(415, 'unsupported media type')
  const malformed = await intake.take(format, await body())
  if (format === 'otlp_protobuf') {
    // an empty ExportTraceServiceResponse has no bytes
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
  } else if (format === 'otlp_json') {
    const partialSuccess = {
      rejectedSpans: String(malformed),
      errorMessage: 'spans without sound ids or times',
    }
    json(response, 200, malformed > 0 ? { partialSuccess } : {})
  } else response.writeHead(202).end()
}

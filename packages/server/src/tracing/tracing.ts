import { AsyncLocalStorage } from 'node:async_hooks'
import { channel } from 'node:diagnostics_channel'
import {
  type Context,
  isValidSpanId,
  isValidTraceId,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { otlpExporter } from './otlp-exporter.ts'

export type TracingOptions = {
  endpoint: string
  headers: Record<string, string>
  service: string
  version: string
  /** The share of requests that are traced, unless their caller has decided. */
  ratio: number
  /** The operator's own servers, which learn which trace a request belongs to. Nobody else does. */
  origins: readonly string[]
  failed: (error: unknown) => void
  worked: () => void
}

type RouteOf = (request: FastifyRequest) => string | undefined

export type Tracing = {
  /** Makes a span of each request, under the name of its route. */
  follow: (app: FastifyInstance, routeOf: RouteOf) => void
  /** Makes a span of a statement that a request runs. */
  statement: <T>(sql: string, run: () => Promise<T>) => Promise<T>
  /** Sends the remaining spans. */
  close: () => Promise<void>
}

/** The span of the current work. */
const current = new AsyncLocalStorage<Context | undefined>()

/** This server's own traces. Loaded only where they are wanted. */
export function openTracing(options: TracingOptions): Tracing {
  const provider = new TracerProvider({
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.ratio) }),
    spanProcessors: [
      new BatchSpanProcessor({
        scheduledDelayMillis: 2_000,
        exporter: otlpExporter({
          ...options,
          resource: { 'service.name': options.service, 'service.version': options.version },
          untraced: (work) => current.run(undefined, work),
        }),
      }),
    ],
  })
  const tracer = provider.getTracer('switchroom')
  const ended = followOutbound(tracer, options.origins)
  return {
    follow: (app, routeOf) => followRequests(app, tracer, routeOf),
    async statement(sql, run) {
      const parent = current.getStore()
      if (!parent) return run()
      const shape = shapeOf(sql)
      const [operation = ''] = shape.split(' ', 1)
      const span = tracer.startSpan(
        operation.toUpperCase(),
        { kind: SpanKind.CLIENT, attributes: { 'db.query.text': shape } },
        parent,
      )
      try {
        return await run()
      } catch (e) {
        span.setStatus({ code: SpanStatusCode.ERROR })
        throw e
      } finally {
        span.end()
      }
    },
    async close() {
      ended()
      await provider.shutdown()
    },
  }
}

const MAX_STATEMENT = 1_000

/** A statement without values: most have placeholders, and some of our own have literals. */
const shapeOf = (sql: string) =>
  sql
    .replace(/'(?:[^']|'')*'/g, '?')
    .replace(/\b\d+(?:\.\d+)?\b/g, '?')
    .replace(/\?(?:\s*,\s*\?)+/g, '?, …')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_STATEMENT)

const TRACEPARENT = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/

/** The caller's span, from a W3C `traceparent` header. */
function callerOf(header: unknown): Context {
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(String(header ?? '')) ?? []
  if (!isValidTraceId(traceId) || !isValidSpanId(spanId)) return ROOT_CONTEXT
  const traceFlags = Number.parseInt(flags, 16) & 1
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}

function followRequests(app: FastifyInstance, tracer: Tracer, routeOf: RouteOf) {
  const spans = new WeakMap<object, Span>()
  app.addHook('onRequest', (request, _, done) => {
    const { method } = request
    const parent = callerOf(request.headers.traceparent)
    const attributes = { 'http.request.method': method }
    const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent)
    spans.set(request, span)
    current.run(trace.setSpan(parent, span), done)
  })
  const end = (request: object, status: number, route: string) => {
    const span = spans.get(request)
    if (!span) return
    spans.delete(request)
    // the route's pattern: its parameters stay here
    span.setAttributes({ 'http.route': route, 'http.response.status_code': status })
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
  }
  app.addHook('onResponse', async (request, reply) => {
    const route = routeOf(request) ?? 'none'
    spans.get(request)?.updateName(`${request.method} ${route}`)
    end(request, reply.statusCode, route)
  })
  app.addHook('onRequestAbort', async (request) => end(request, 499, routeOf(request) ?? 'none'))
}

/** Diagnostics that Node's and undici's clients publish about a request. */
type Fetched = {
  request: { origin: unknown; method: string; addHeader: (name: string, value: string) => void }
  response?: { statusCode: number }
}
type Requested = {
  request: { host: string; method: string }
  response?: { statusCode?: number }
}

/** Makes a span of each request that a request makes, by method and host. Returns how to stop. */
function followOutbound(tracer: Tracer, origins: readonly string[]) {
  const spans = new WeakMap<object, Span>()
  const begin = (request: object, method: string, host: string) => {
    const parent = current.getStore()
    if (!parent) return undefined
    const attributes = { 'http.request.method': method, 'server.address': host }
    const span = tracer.startSpan(method, { kind: SpanKind.CLIENT, attributes }, parent)
    spans.set(request, span)
    return span
  }
  const end = (request: object, status: number | undefined) => {
    const span = spans.get(request)
    spans.delete(request)
    if (status !== undefined) span?.setAttribute('http.response.status_code', status)
    if (status === undefined || status >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
  }
  const on = {
    'undici:request:create': ({ request }: Fetched) => {
      const origin = String(request.origin)
      const span = begin(request, request.method, URL.parse(origin)?.hostname ?? '')
      if (span && origins.includes(origin)) {
        const { traceId, spanId, traceFlags } = span.spanContext()
        request.addHeader('traceparent', `00-${traceId}-${spanId}-0${traceFlags & 1}`)
      }
    },
    'undici:request:headers': ({ request, response }: Fetched) =>
      end(request, response?.statusCode),
    'undici:request:error': ({ request }: Fetched) => end(request, undefined),
    'http.client.request.start': ({ request }: Requested) =>
      void begin(request, request.method, request.host),
    'http.client.response.finish': ({ request, response }: Requested) =>
      end(request, response?.statusCode),
    'http.client.request.error': ({ request }: Requested) => end(request, undefined),
  }
  // each channel's messages are as Node and undici document them
  const listeners = Object.entries(on).map(([name, listen]) => {
    const listener = (message: unknown) => listen(message as Fetched & Requested)
    channel(name).subscribe(listener)
    return () => channel(name).unsubscribe(listener)
  })
  return () => {
    for (const unsubscribe of listeners) unsubscribe()
  }
}

import { HEALTH_PARTS, type HealthPart, keysOf } from '@switchroom/contract'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { API_VERSION, isApi, routeOf } from './base-paths.ts'
import type { Context } from './context.ts'
import { healthMetrics } from './health-metrics.ts'
import { ingestMetrics } from './ingest-metrics.ts'
import { refuseStrangers } from './metrics-access.ts'

/** Without these the server is not ready. All others are only listed. */
const REQUIRED = keysOf(HEALTH_PARTS).filter((part) => 'required' in HEALTH_PARTS[part])

/** Metrics of the process, shared by all servers in it: the garbage collector's observer never ends. */
const processMetrics = new Registry()
collectDefaultMetrics({ register: processMetrics })
// versions are not for strangers
processMetrics.removeSingleMetric('nodejs_version_info')

const labelsOf = (parts: HealthPart[]) =>
  parts.map(({ part, state }) => `${HEALTH_PARTS[part].label} is ${state}.`).join(' ')

/**
 * Endpoints for operators and their tools: health, readiness, metrics and the API description; also the
 * request log.
 */
export const operations = fp(async (app: FastifyInstance, ctx: Context) => {
  const registry = new Registry()
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by route as declared, never by its parameters',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = routeOf(request) ?? 'none'
    const { method } = request
    const { statusCode: status, elapsedTime: ms } = reply
    duration.labels(method, route, String(status)).observe(ms / 1000)
    // the route's pattern, so that no sid, token or number from a URL reaches the log
    request.log.info({ method, route, status, ms: Math.round(ms) }, 'request')
  })
  app.addHook('onSend', async (request, reply, payload) => {
    if (isApi(request) && !reply.hasHeader('cache-control'))
      reply.header('cache-control', 'no-store')
    // otherwise the next request could meet the connection just as it is closed
    if (ctx.health.draining) reply.header('connection', 'close')
    return payload
  })

  ingestMetrics(registry, ctx.stores)
  healthMetrics(registry, ctx)

  app.get('/health', async (_, reply) => reply.type('text/plain').send('OK'))
  app.get('/ready', async (_, reply) => {
    const { health } = ctx
    if (health.draining)
      return reply
        .status(503)
        .send({ ready: false, failing: ['shutting_down'], degraded: [], msg: 'Shutting down.' })
    // concurrent callers share these results; the other parts are checked in the background
    await health.check(REQUIRED)
    const unwell = health.parts().filter(({ state }) => state !== 'ok')
    const isFatal = ({ part, state }: HealthPart) => REQUIRED.includes(part) && state === 'failing'
    const failing = unwell.filter(isFatal)
    return reply.status(failing.length > 0 ? 503 : 200).send({
      ready: failing.length === 0,
      failing: failing.map(({ part }) => part),
      degraded: unwell.filter((p) => !isFatal(p)).map(({ part }) => part),
      // names and states only: reasons may name hosts
      ...(unwell.length > 0 && { msg: labelsOf(unwell) }),
    })
  })
  app.get('/metrics', async (request, reply) => {
    refuseStrangers(ctx.config.metrics, request)
    return reply
      .type(registry.contentType)
      .send(await Registry.merge([registry, processMetrics]).metrics())
  })

  // loaded and built on first request: most processes never need them
  const described = once(async () => {
    const { openapi } = await import('./openapi.ts')
    return openapi({
      version: API_VERSION,
      hosted: Boolean(ctx.config.page.ENABLE_HOSTED_SYSTEM),
    })
  })
  const reference = once(async () => {
    const [{ docsHtml }, document] = await Promise.all([import('./docs.ts'), described()])
    return docsHtml(document)
  })
  app.get('/openapi.json', described)
  app.get('/docs', async (_, reply) => reply.type('text/html').send(await reference()))
  app.get('/docs.css', async (_, reply) =>
    reply.type('text/css').send((await import('./docs.ts')).docsCss),
  )
})

function once<T>(make: () => Promise<T>) {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

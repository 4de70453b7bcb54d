import { api } from '@switchroom/contract'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { sql } from 'kysely'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { isApi } from './base-paths.ts'
import { VERSION } from './capabilities.ts'
import type { Context } from './context.ts'
import { docsCss, docsHtml } from './docs.ts'
import { ingestMetrics } from './ingest-metrics.ts'
import { openapi } from './openapi.ts'

/** The check's name, the message for when it fails, and the check itself. */
type Check = [name: string, sentence: string, check: () => Promise<unknown>]

/**
 * Endpoints for operators and their tools: health, readiness, metrics and the API description; also the
 * request log.
 */
export const operations = fp(async (app: FastifyInstance, ctx: Context) => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by route as declared, never by its parameters',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    const { method } = request
    const { statusCode: status, elapsedTime: ms } = reply
    duration.labels(method, route, String(status)).observe(ms / 1000)
    // the route's pattern, so that no sid, token or number from a URL reaches the log
    request.log.info({ method, route, status, ms: Math.round(ms) }, 'request')
  })
  app.addHook('onSend', async (request, reply, payload) => {
    if (isApi(request)) reply.header('cache-control', 'no-store')
    return payload
  })

  ingestMetrics(registry, ctx.stores)

  app.get('/health', async (_, reply) => reply.type('text/plain').send('OK'))
  app.get('/ready', async (_, reply) => {
    const required: Check[] = [
      ['database', 'The database does not answer', () => sql`select 1`.execute(ctx.db)],
      [
        'live',
        `The live state${ctx.config.redis ? ' (Redis)' : ''} does not answer`,
        () => ctx.live.ping(),
      ],
    ]
    // without these some screens are empty and everything else works: they are listed, but do not fail
    // readiness
    const optional = Object.entries(ctx.stores.external).map(
      ([name, ping]): Check => [name, `${name} does not answer`, ping],
    )
    const failures = await Promise.all(
      [...required, ...optional].map(async ([name, sentence, check]) => {
        try {
          await withinSeconds(2.8, check())
          return []
        } catch (err) {
          ctx.log.error({ err, check: name }, 'health check failed')
          return [{ name, sentence }]
        }
      }),
    )
    const failing = failures.flat()
    const ready = !failing.some(({ name }) => required.some(([r]) => r === name))
    return reply.status(ready ? 200 : 503).send({
      ready,
      failing: failing.map(({ name }) => name),
      ...(failing.length > 0 && { msg: failing.map(({ sentence }) => `${sentence}.`).join(' ') }),
    })
  })
  app.get('/metrics', async (_, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  )

  let document: ReturnType<typeof openapi> | undefined
  // built on first request: most processes never need it
  const described = () => {
    document ??= openapi(api, {
      version: VERSION,
      hosted: Boolean(ctx.config.page.ENABLE_HOSTED_SYSTEM),
    })
    return document
  }
  app.get('/openapi.json', async () => described())
  app.get('/docs', async (_, reply) => reply.type('text/html').send(docsHtml(described())))
  app.get('/docs.css', async (_, reply) => reply.type('text/css').send(docsCss))
})

const withinSeconds = <T>(seconds: number, work: Promise<T>) =>
  new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('no answer in time')), seconds * 1000)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })

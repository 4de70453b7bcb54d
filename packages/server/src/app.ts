import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import cors from '@fastify/cors'
import formbody from '@fastify/formbody'
import { REPLAYED_HEADER, UNDO_HEADER } from '@switchroom/contract'
import Fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import { isUpload, receiveRecordings } from './calls/recordings/socket.ts'
import { receiveModelEvents } from './conversations/model-sessions/serve.ts'
import { aliases } from './http/aliases.ts'
import { isApi, routeOf } from './http/base-paths.ts'
import { answerClientErrors } from './http/client-errors.ts'
import { serveConsole } from './http/console.ts'
import type { Context } from './http/context.ts'
import { currentRequest, newRequestId } from './http/current-request.ts'
import { Failure, onError } from './http/failure.ts'
import { headers } from './http/headers.ts'
import type { Memory } from './http/memory.ts'
import { operations } from './http/operations.ts'
import { limitRequests } from './http/rate-limit.ts'
import { serve } from './http/serve.ts'
import { routes } from './routes.ts'
import { checkMessaging } from './routing/messaging/start.ts'
import { servePrograms } from './session/programs/serve.ts'
import { serveMcp } from './system/mcp/serve.ts'
import { serveScim } from './users/scim/serve.ts'

/** Builds the server without listening. The caller closes the server and the context. */
export async function buildApp(ctx: Context, options: FastifyServerOptions = {}) {
  const { rewriteUrl, answerHead } = aliases()
  const app: FastifyInstance = Fastify({
    requestTimeout: 60_000,
    connectionTimeout: 120_000,
    // the platform's own limit, for JSON and forms alike
    bodyLimit: 102_400,
    trustProxy: trusted(ctx.config.trusted_proxies),
    routerOptions: {
      // like the platform's server: any case, with or without a trailing slash
      ignoreTrailingSlash: true,
      caseSensitive: false,
      // the platform's portal joins paths with two slashes
      ignoreDuplicateSlashes: true,
      // Call-IDs may be long, and longer when escaped
      maxParamLength: 1_024,
    },
    rewriteUrl,
    exposeHeadRoutes: false,
    genReqId: newRequestId,
    // the log finds out whose line it is by itself
    childLoggerFactory: (logger) => logger,
    // one line per request, written when it is answered, without its URL
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
    // the router's own error messages quote the URL; no hooks run for these
    frameworkErrors: (error, request, reply) =>
      void onError(error, request, reply.header('x-request-id', request.id)),
    // the contract's shapes are checked instead; Fastify would load its compilers of JSON schemas
    schemaController: {
      compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas },
    },
    // answered below
    clientErrorHandler: () => undefined,
    // its answer has another shape; the hook below refuses instead
    return503OnClosing: false,
    // upgrades to other protocols elsewhere are answered as plain HTTP
    http: { shouldUpgradeCallback: isUpload, requireHostHeader: false },
    ...options,
  })
  app.decorateRequest('scope')
  await app.register(answerHead)
  await app.register(currentRequest)
  ctx.tracing?.follow(app, routeOf)
  app.setErrorHandler(onError)
  answerClientErrors(app.server, ctx.log)
  let isClosing = false
  // keep-alive clients must not delay the shutdown: connections that become idle are closed
  app.addHook('preClose', async () => {
    isClosing = true
    const idle = setInterval(() => app.server.closeIdleConnections(), 50)
    app.server.once('close', () => clearInterval(idle))
  })
  await app.register(headers, ctx.config)
  app.addHook('onRequest', async ({ headers, raw }, reply) => {
    // Node's own answer has no body
    if (raw.httpVersion === '1.1' && headers.host === undefined)
      throw new Failure('invalid', 'The request has no Host header')
    if (!isClosing) return
    reply.header('connection', 'close')
    throw new Failure('unavailable', 'The server is shutting down', { retry_after: 5 })
  })
  await app.register(cors, {
    origin: '*',
    methods: ['GET', 'HEAD', 'PUT', 'PATCH', 'POST', 'DELETE'],
    exposedHeaders: [
      'content-disposition',
      'content-range',
      REPLAYED_HEADER,
      'retry-after',
      'x-request-id',
      UNDO_HEADER,
    ],
    preflight: true,
    strictPreflight: false,
  })
  await app.register(compress, { threshold: 1_024, encodings: ['br', 'gzip'] })
  await app.register(formbody)
  await app.register(cookie)
  takeEmptyJson(app)
  app.addContentTypeParser('text/csv', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
  if (ctx.config.rate_limit) limitRequests(app, ctx, ctx.config.rate_limit)
  await app.register(operations, ctx)

  serve(app, ctx, routes)
  if (!ctx.config.page.ENABLE_HOSTED_SYSTEM) await serveScim(app, ctx)
  if (ctx.config.mcp) serveMcp(app, ctx)
  await servePrograms(app, ctx)

  checkMessaging(ctx)
  app.addHook('onClose', () => endWork(ctx))
  receiveRecordings(app, ctx)
  if (ctx.payments) (await import('./billing/webhook.ts')).receiveEvents(app, ctx, ctx.payments)
  await receiveModelEvents(app, ctx)

  const notFoundPage = await serveConsole(app, ctx)
  app.setNotFoundHandler((request, reply) => {
    const { method, headers } = request
    const navigates = method === 'GET' && headers.accept?.includes('text/html')
    if (notFoundPage && navigates && !isApi(request)) return notFoundPage(request, reply)
    throw new Failure('not_found', 'Not Found')
  })
  return app
}

/** Ends what requests have begun and left running. */
export async function endWork({ modules, memory }: Pick<Context, 'modules' | 'memory'>) {
  await stopTranscriptions(memory)
  await stopRuns(memory)
  await modules.close()
}

/** Ends the runs that this process plays, and waits until they are stored as ended. */
async function stopRuns({ runs }: Memory) {
  for (const { stop } of runs.values()) stop()
  await Promise.all([...runs.values()].map(({ done }) => done))
}

/** Leaves transcriptions to another process. */
async function stopTranscriptions({ transcriptions, readRecordings }: Memory) {
  for (const { stop } of transcriptions.values()) stop()
  await Promise.all([...transcriptions.values()].map(({ done }) => done))
  await Promise.all([...readRecordings.values()].map(({ forget }) => forget()))
}

const noSchemas = () => {
  throw new Error('Endpoints are described by the contract, not by JSON schemas')
}

/** Trusts the nearest `proxies` hops as the operator's own. The nearest is 0: what it names is the caller. */
const trusted = (proxies: number) => proxies > 0 && ((_: string, hop: number) => hop < proxies)

/**
 * Platform clients send a JSON content type with every request, even without a body: an empty JSON body is
 * no body.
 */
function takeEmptyJson(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    (request, text, done) => (text === '' ? done(null, undefined) : parse(request, text, done)),
  )
}

import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import { CUSTOMER_REPORT_PATH, TRUNK_REPORT_PATH, UNSUBSCRIBE_PATH } from '@switchroom/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { brandOfHost } from './brand-of-host.ts'
import { capabilities } from './capabilities.ts'
import { readPages } from './console-pages.ts'
import type { Context } from './context.ts'
import { contentSecurityPolicy } from './headers.ts'

const DIST = fileURLToPath(new URL('../../../console/dist', import.meta.url))

/**
 * Serves the console: hashed assets cached for a year, a document for every page, and the run-time
 * configuration. Resolves to the handler of its not-found page, or undefined where the console is not
 * built.
 */
export async function serveConsole(app: FastifyInstance, ctx: Context) {
  const configuration = async (host: string) => {
    // a console whose API runs elsewhere must ask that API for its capabilities
    const own = ctx.config.page.API_BASE_URL
      ? {}
      : { capabilities: await capabilities(ctx), brand: await brandOfHost(ctx, host) }
    return JSON.stringify({ ...ctx.config.page, ...own }).replace(/</g, '\\u003c')
  }
  // for consoles that another server serves
  app.get('/config.js', async ({ hostname }, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(`window.SWITCHROOM = ${await configuration(hostname)}\n`),
  )
  if (!existsSync(`${DIST}/index.html`)) return undefined
  await app.register(fastifyStatic, {
    root: DIST,
    serve: false,
    preCompressed: true,
    lastModified: false,
    setHeaders: (reply, path) => {
      reply.header(
        'cache-control',
        path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      )
    },
  })
  const { page, inline } = await readPages(DIST)
  const policy = contentSecurityPolicy(ctx.config, [inline])
  const sendPage = async (request: FastifyRequest, reply: FastifyReply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('content-security-policy', policy)
      .send(page(request.url.replace(/\?.*/, ''), await configuration(request.hostname)))
  const sendFile = (file: string, reply: FastifyReply) =>
    reply.sendFile(file, { cacheControl: false })
  const files = new Set(readdirSync(DIST, { recursive: true, encoding: 'utf8' }))
  for (const file of files)
    if (/^[^/]+\.(js|svg)$/.test(file))
      app.get(`/${file}`, async (_, reply) => sendFile(file, reply))
  // a route for each of these hundreds would take an eighth of the time of a start
  app.get<{ Params: { '*': string } }>('/assets/*', async ({ params }, reply) => {
    const file = `assets/${params['*']}`
    if (!files.has(file)) return reply.callNotFound()
    // set for the API
    reply.removeHeader('access-control-expose-headers')
    // it never changes under its name
    return reply.sendFile(file, { cacheControl: false, etag: false, acceptRanges: false })
  })
  const notIndexed = async (_: FastifyRequest, reply: FastifyReply) => {
    reply.header('x-robots-tag', 'noindex')
  }
  for (const url of ctx.config.page.ENABLE_HOSTED_SYSTEM ? [...PAGES, ...HOSTED_PAGES] : PAGES)
    app.get(url, BY_LINK.includes(url) ? { onRequest: notIndexed } : {}, sendPage)
  // a mistyped address gets the console's own not-found page
  return (request: FastifyRequest, reply: FastifyReply) => sendPage(request, reply.status(404))
}

/** Pages that people are sent a link to. */
const BY_LINK = [TRUNK_REPORT_PATH, CUSTOMER_REPORT_PATH, UNSUBSCRIBE_PATH]

/**
 * The console's own paths. Anything else is not found, so a mistyped API path is not answered with a page.
 */
const PAGES = [
  '/',
  '/index.html',
  '/create-password',
  '/set-up-second-factor',
  '/forgot-password',
  '/reset-password/:id',
  '/single-sign-on',
  ...BY_LINK,
  '/internal',
  '/internal/*',
]

/** Paths that the console has only in the hosted variant. */
const HOSTED_PAGES = ['/register', '/register/*', '/oauth-callback/:provider']

import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { capabilities } from './capabilities.ts'
import type { Context } from './context.ts'

const DIST = fileURLToPath(new URL('../../../console/dist', import.meta.url))

/**
 * Serves the console: hashed assets cached for a year, one document for every page, and the run-time
 * configuration. Resolves to the handler of its not-found page, or undefined where the console is not
 * built.
 */
export async function serveConsole(app: FastifyInstance, ctx: Context) {
  app.get('/config.js', async (_, reply) => {
    // a console whose API runs elsewhere must ask that API for its capabilities
    const own = ctx.config.page.API_BASE_URL ? {} : { capabilities: await capabilities(ctx) }
    const json = JSON.stringify({ ...ctx.config.page, ...own })
    return reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(`window.SWITCHROOM = ${json.replace(/</g, '\\u003c')}\n`)
  })
  if (!existsSync(`${DIST}/index.html`)) return undefined
  await app.register(fastifyStatic, {
    root: DIST,
    serve: false,
    preCompressed: true,
    setHeaders: (reply, path) => {
      reply.header(
        'cache-control',
        path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      )
    },
  })
  const send = (file: string, reply: FastifyReply) => reply.sendFile(file, { cacheControl: false })
  const files = new Set(readdirSync(DIST, { recursive: true, encoding: 'utf8' }))
  app.get('/', async (_, reply) => send('index.html', reply))
  for (const file of files)
    if (/^[^/]+\.(html|js|svg)$/.test(file))
      app.get(`/${file}`, async (_, reply) => send(file, reply))
  // a route for each of these hundreds would take an eighth of the time of a start
  app.get<{ Params: { '*': string } }>('/assets/*', async ({ params }, reply) => {
    const file = `assets/${params['*']}`
    return files.has(file) ? send(file, reply) : reply.callNotFound()
  })
  for (const url of ctx.config.page.ENABLE_HOSTED_SYSTEM ? [...PAGES, ...HOSTED_PAGES] : PAGES)
    app.get(url, async (_, reply) => send('index.html', reply))
  // a mistyped address gets the console's own not-found page
  return (_: FastifyRequest, reply: FastifyReply) =>
    reply.status(404).sendFile('index.html', { cacheControl: false })
}

/**
 * The console's own paths. Anything else is not found, so a mistyped API path is not answered with a page.
 */
const PAGES = [
  '/create-password',
  '/set-up-second-factor',
  '/forgot-password',
  '/reset-password/:id',
  '/single-sign-on',
  '/internal',
  '/internal/*',
]

/** Paths that the console has only in the hosted variant. */
const HOSTED_PAGES = ['/register', '/register/*', '/oauth-callback/:provider']

import { t } from '@switchroom/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'
import { authenticate } from '../../http/authenticate.ts'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { addressOf } from '../../http/network.ts'
import { metadataOf } from '../../session/programs/addresses.ts'
import type { Caller } from './caller.ts'
import type { Surface } from './surface.ts'

export const MCP_PATH = '/mcp'

/** Loaded as the first agent asks. */
const offered = async () => (await import('./offered.ts')).offered

/**
 * The Model Context Protocol over Streamable HTTP (docs/adr/058-agents.md). Each request stands alone, so that any process
 * may answer it.
 */
export function serveMcp(
  app: FastifyInstance,
  ctx: Context,
  {
    path = MCP_PATH,
    surface = offered,
  }: { path?: string; surface?: () => Promise<(caller: Caller) => Surface> } = {},
) {
  app.route({
    method: 'POST',
    url: path,
    config: { isLimited: true, programUse: 'mcp' },
    // before the body is parsed: strangers learn nothing
    onRequest: async (request, reply) => {
      refuseForeignOrigin(request, ctx.config)
      const { authorization } = request.headers
      const ip = addressOf(request, ctx.config)
      request.scope = await authenticate(ctx, authorization, ip).catch((error) => {
        if (error instanceof Failure && error.code === 'unauthenticated')
          reply.header('www-authenticate', challenge(ctx.config, authorization))
        throw error
      })
    },
    handler: async (request, reply) => {
      const [{ answerMcp }, surfaceFor] = await Promise.all([import('./answer-mcp.ts'), surface()])
      return answerMcp({ app, ctx, request, reply }, surfaceFor)
    },
  })
  // there are neither sessions to end nor messages of the server's own to wait for
  app.route({
    method: ['GET', 'DELETE'],
    url: path,
    handler: (_, reply) => reply.status(405).header('allow', 'POST').send(),
  })
}

/** The `WWW-Authenticate` header that tells a client who issues tokens, as in RFC 9728. */
const challenge = (config: Config, sent: string | undefined) =>
  [
    `Bearer resource_metadata="${metadataOf(config, 'mcp')}"`,
    'scope="read write"',
    ...(sent ? ['error="invalid_token"'] : []),
  ].join(', ')

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/

/** Browsers name the page that asks. A foreign one may have pointed its own name at this server (DNS rebinding). */
function refuseForeignOrigin({ headers }: FastifyRequest, { base_url }: Config) {
  const { origin } = headers
  if (origin === undefined) return
  const url = URL.canParse(origin) ? new URL(origin) : undefined
  const isOwn = base_url !== undefined && url?.origin === new URL(base_url).origin
  if (!isOwn && !(url && LOOPBACK.test(url.hostname)))
    throw new Failure('forbidden', t('Requests from other websites are refused'))
}

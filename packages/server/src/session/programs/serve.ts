import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../http/context.ts'
import { issuerOf, METADATA_PATH, PATHS, resourceOf } from './addresses.ts'

/** Parameters of an authorization request that are used. Others, such as whom to log in, mean nothing here. */
const SAID = [
  'client_id',
  'redirect_uri',
  'response_type',
  'state',
  'code_challenge',
  'code_challenge_method',
]

/**
 * The authorization server (docs/adr/064-programs-of-people.md), so that programs act for people. The library loads as
 * the first of them asks.
 */
export async function servePrograms(app: FastifyInstance, ctx: Context) {
  const { config } = ctx
  async function pass(request: FastifyRequest, reply: FastifyReply) {
    const { providerOf } = await import('./provider.ts')
    const { host, protocol } = new URL(issuerOf(config))
    const { raw } = request
    // addresses are the operator's, whatever a request or a proxy says
    Object.assign(raw.headers, { host, 'x-forwarded-proto': protocol.slice(0, -1) })
    delete raw.headers['x-forwarded-host']
    reply.hijack()
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value)
    await providerOf(ctx).callback()(raw, reply.raw)
  }

  await app.register(async (own) => {
    // the library reads the bodies
    own.removeAllContentTypeParsers()
    own.addContentTypeParser('*', (_, __, done) => done(null))
    const limited = { config: { isLimited: true, isPublic: true } } as const
    for (const url of [
      '/oauth/authorize/:uid',
      '/oauth/jwks',
      '/.well-known/oauth-authorization-server',
    ])
      own.get(url, limited, pass)
    for (const url of ['/oauth/token', '/oauth/revoke', '/oauth/register'])
      own.post(url, limited, pass)
    own.get('/oauth/authorize', limited, async (request, reply) => {
      request.raw.url = `/oauth/authorize?${saidIn(request.raw.url ?? '', ctx)}`
      return pass(request, reply)
    })
  })

  for (const use of config.mcp ? (['api', 'mcp'] as const) : (['api'] as const))
    app.get(METADATA_PATH + PATHS[use], async () => resourceMetadata(ctx, use))
  if (config.mcp) app.get(METADATA_PATH, async () => resourceMetadata(ctx, 'mcp'))
}

const resourceMetadata = ({ config }: Context, use: 'api' | 'mcp') => ({
  resource: resourceOf(config, use),
  resource_name: use === 'mcp' ? 'Switchroom for agents' : 'Switchroom API',
  authorization_servers: [issuerOf(config)],
  scopes_supported: ['read', 'write'],
  bearer_methods_supported: ['header'],
})

/**
 * The used parameters of an authorization request. Without a scope it is for reading; without a resource it is for the
 * agents' tools.
 */
function saidIn(url: string, { config }: Context) {
  const sent = new URLSearchParams(url.replace(/^[^?]*\??/, ''))
  const said = new URLSearchParams()
  for (const name of SAID) for (const value of sent.getAll(name)) said.append(name, value)
  const scopes = (sent.get('scope') ?? '').split(' ').filter((s) => s === 'read' || s === 'write')
  said.set('scope', [...new Set(['read', ...scopes])].join(' '))
  const resources = sent.getAll('resource')
  for (const one of resources.length > 0 ? resources : [resourceOf(config, 'mcp')])
    said.append('resource', one)
  return said.toString()
}

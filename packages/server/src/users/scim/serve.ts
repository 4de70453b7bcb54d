import { ERROR_STATUS, membersOf } from '@switchroom/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Context } from '../../http/context.ts'
import { Failure, toFailure } from '../../http/failure.ts'
import { addressOf, networkOf } from '../../http/network.ts'
import { textIssues } from '../../http/text.ts'
import { ScimError, scimErrorBody } from './errors.ts'
import type { Directory } from './users.ts'

export const SCIM_PATH = '/scim/v2'
// loaded when a directory first asks for them
const senders = () =>
  Promise.all([import('../directories/queries.ts'), import('../provisioning/provision.ts')])
const description = () => import('./description.ts')
const users = () => import('./users.ts')
const filters = () => import('./filter.ts')
const patches = () => import('./patch.ts')

const TYPE = 'application/scim+json'
const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

/** The most users of one answer. */
const MAX_RESULTS = 200
/** Requests of one directory per minute; Entra ID and Okta send fewer than half of it. */
const PER_MINUTE = 3_000
/** Requests without a valid token, per network and minute. */
const REFUSED_PER_MINUTE = 60

const Query = z.object({
  // directories send anything; less than 1 means 1
  startIndex: z.coerce.number().int().catch(1),
  count: z.coerce.number().int().catch(MAX_RESULTS),
  filter: z.string().optional(),
})
const NO_GROUPS =
  'Groups are not provisioned here. Assign users to the application, and map their groups to the attribute groups'
const Params = z.object({ id: z.guid().toLowerCase() })

/** Counts within this minute, over all processes. Throws 429 above the limit. */
async function spend({ live, config }: Context, key: string, max: number) {
  if (!config.rate_limit) return
  const minute = Math.floor(Date.now() / 60_000)
  if ((await live.increment(`switchroom:scim:${key}:${minute}`, 60)) > max)
    throw new ScimError(429, 'Too many requests. Try again in a minute.')
}

/** SCIM 2.0 for users (RFC 7643 and 7644), with errors and content types of its own. */
export async function serveScim(app: FastifyInstance, ctx: Context) {
  const base = () => `${ctx.config.base_url}${SCIM_PATH}`

  async function directoryOf(request: FastifyRequest): Promise<Directory> {
    const [scheme, token, ...rest] = request.headers.authorization?.split(' ') ?? []
    const ip = addressOf(request, ctx.config)
    const [directories, { providerActor }] = await senders()
    const isBearer = scheme?.toLowerCase() === 'bearer' && token && rest.length === 0
    const row = isBearer ? await directories.withToken(ctx.db, token) : undefined
    if (!row) {
      await spend(ctx, `refused:${networkOf(ip)}`, REFUSED_PER_MINUTE)
      throw new ScimError(401, 'The SCIM token is missing or not valid')
    }
    await spend(ctx, row.directory_sid, PER_MINUTE)
    await directories.touch(ctx.db, row)
    const meta = { ip, request_id: request.id, version: undefined }
    const actor = providerActor(ctx, meta, `${row.name} (SCIM)`, row.service_provider_sid)
    return { actor, row, base: base() }
  }

  await app.register(
    async (server) => {
      const known = new WeakMap<FastifyRequest, Directory>()
      const of = (request: FastifyRequest) => known.get(request)!
      const idOf = ({ params }: FastifyRequest) => {
        const parsed = Params.safeParse(params)
        if (!parsed.success) throw new ScimError(404, 'No such user')
        return parsed.data.id
      }
      const send = (reply: FastifyReply, body: object, status = 200) =>
        reply.status(status).type(TYPE).header('cache-control', 'no-store').send(body)
      const list = (items: object[], total = items.length, startIndex = 1) => ({
        schemas: [LIST],
        totalResults: total,
        startIndex,
        itemsPerPage: items.length,
        Resources: items,
      })

      server.addContentTypeParser(
        TYPE,
        { parseAs: 'string' },
        server.getDefaultJsonParser('error', 'error'),
      )
      server.setErrorHandler((error, request, reply) => {
        const scimError = asScimError(error)
        if (scimError.status >= 500 && scimError.status !== 501)
          request.log.error({ err: error }, 'request failed')
        if (scimError.status === 401) reply.header('www-authenticate', 'Bearer realm="SCIM"')
        if (scimError.status === 429 || scimError.status === 503) reply.header('retry-after', 60)
        return send(reply, scimErrorBody(scimError), scimError.status)
      })
      server.setNotFoundHandler(() => {
        throw new ScimError(404, 'Not found')
      })
      // before the body is parsed: strangers learn nothing about its schema
      server.addHook('onRequest', async (request) => {
        known.set(request, await directoryOf(request))
      })
      server.addHook('preValidation', async ({ body, query }) => {
        if (textIssues(body).length > 0 || textIssues(query).length > 0)
          throw new ScimError(400, 'A text has characters that cannot be stored', 'invalidValue')
      })

      server.get('/ServiceProviderConfig', async (_, reply) =>
        send(reply, (await description()).configuration(base(), MAX_RESULTS)),
      )
      server.get('/ResourceTypes', async (_, reply) =>
        send(reply, list((await description()).resourceTypes(base()))),
      )
      server.get('/ResourceTypes/User', async (_, reply) =>
        send(reply, (await description()).resourceTypes(base())[0]!),
      )
      server.get('/Schemas', async (_, reply) =>
        send(reply, list((await description()).schemas(base()))),
      )
      server.get<{ Params: { id: string } }>('/Schemas/:id', async ({ params }, reply) => {
        const { schemas } = await description()
        const schema = schemas(base()).find((s) => s.id === params.id)
        if (!schema) throw new ScimError(404, 'No such schema')
        return send(reply, schema)
      })

      server.get('/Users', async (request, reply) => {
        const { filter, ...asked } = Query.parse(request.query)
        const startIndex = Math.max(1, Math.min(asked.startIndex, 10_000_000))
        const count = Math.max(0, Math.min(asked.count, MAX_RESULTS))
        const matching = filter === undefined ? undefined : (await filters()).condition(filter)
        const { page } = await users()
        const found = await page(of(request), matching, { startIndex, count })
        return send(reply, list(found.users, found.total, startIndex))
      })
      server.post('/Users', async (request, reply) => {
        const user = await (await users()).create(of(request), request.body)
        return send(reply.header('location', user.meta.location), user, 201)
      })
      server.get('/Users/:id', async (request, reply) =>
        send(reply, await (await users()).get(of(request), idOf(request))),
      )
      server.put('/Users/:id', async (request, reply) =>
        send(
          reply,
          await (await users()).replace(of(request), idOf(request), ({ active }) => ({
            // whom the directory has deactivated stays so until it says otherwise
            active,
            ...membersOf(request.body),
          })),
        ),
      )
      server.patch('/Users/:id', async (request, reply) => {
        const { patched } = await patches()
        const change = (user: Record<string, unknown>) => patched(user, request.body)
        return send(reply, await (await users()).replace(of(request), idOf(request), change))
      })
      server.delete('/Users/:id', async (request, reply) => {
        await (await users()).remove(of(request), idOf(request))
        return reply.status(204).send()
      })

      // connectors look for a group before they push it, and import all: neither may fail for want of any
      server.get('/Groups', async (request, reply) => {
        const { filter, startIndex } = Query.parse(request.query)
        if (filter !== undefined) (await filters()).parsedFilter(filter)
        return send(reply, list([], 0, Math.max(1, startIndex)))
      })
      server.get('/Groups/:id', () => {
        throw new ScimError(404, 'No such group')
      })
      server.route({
        method: ['POST', 'PUT', 'PATCH', 'DELETE'],
        url: '/Groups',
        handler: notProvisioned,
      })
      server.route({
        method: ['PUT', 'PATCH', 'DELETE'],
        url: '/Groups/:id',
        handler: notProvisioned,
      })
    },
    { prefix: SCIM_PATH },
  )
}

function notProvisioned(): never {
  throw new ScimError(501, NO_GROUPS)
}

/** Any error in SCIM's format. */
function asScimError(error: unknown): ScimError {
  if (error instanceof ScimError) return error
  const { code, message } = toFailure(error)
  if (code === 'conflict') return new ScimError(409, message, 'uniqueness')
  if (code === 'too_large') return new ScimError(413, 'The body is too large')
  const isParsed = error instanceof Failure || code !== 'invalid'
  return isParsed
    ? new ScimError(ERROR_STATUS[code], message)
    : new ScimError(400, 'Send JSON as application/scim+json', 'invalidSyntax')
}

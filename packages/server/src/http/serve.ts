import { setTimeout } from 'node:timers/promises'
import type { Endpoint, Group, Received, Reply } from '@switchroom/contract'
import {
  ACCOUNT_UNPAID,
  IDEMPOTENCY_HEADER,
  isCreation,
  KIND_OF_GROUP,
  keysOf,
  MUST_SET_UP_SECOND_FACTOR,
  membersOf,
  REPLAYED_HEADER,
  rowsOf,
  t,
  UNDO_HEADER,
  undoHeader,
} from '@switchroom/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Listing } from '../db/listing.ts'
import { authenticate } from './authenticate.ts'
import { BASE_PATH } from './base-paths.ts'
import { browserOf } from './browser.ts'
import type { Context } from './context.ts'
import type { createOnce } from './creations.ts'
import { groups, type LightEndpoint, light } from './endpoints.ts'
import { conflict, Failure, invalidField } from './failure.ts'
import { acceptUploads, csvBody, isCsv, isForm, SEND_CSV, uploadedFile } from './file.ts'
import { inTurn } from './in-turn.ts'
import { refuseGrantByLimitedKey, refuseOtherKind } from './key-limits.ts'
import { refuseOverAuditQuota } from './limits.ts'
import { addressOf } from './network.ts'
import { isFromPrivateNetwork } from './private-network.ts'
import type { Reporting } from './progress.ts'
import { read, unknownFieldsIn } from './read-request.ts'
import {
  type AnyHandler,
  answerWithEvents,
  answerWithProgress,
  EVENT_STREAM,
  type Following,
  responder,
} from './respond.ts'
import { mayAccess, type RequestMeta, type Scope } from './scope.ts'
import { takesVersion } from './version.ts'

type HandlerRequest<E extends Endpoint> = Received<E> & {
  /** Undefined only on public endpoints, where callers need not be logged in. */
  scope: E extends { optionalLogin: true }
    ? Scope | undefined
    : E['access'] extends 'public'
      ? undefined
      : Scope
  ctx: Context
  meta: RequestMeta
} & (E extends { tellsProgress: true } ? { reporting: Reporting } : unknown) &
  (E extends { follows: true } ? { following: Following | undefined } : unknown)
type ItemOf<E extends Endpoint> = Reply<E> extends { data: (infer Item)[] } ? Item : never

/** One handler per endpoint of a group. A missing handler or a wrong response shape is a type error. */
export type Handlers<G extends Group> = {
  [K in keyof G]: (request: HandlerRequest<G[K]>) => G[K] extends { list: true }
    ? Listing<ItemOf<G[K]>> | Promise<Listing<ItemOf<G[K]>>>
    : G[K] extends { file: string }
      ? AsyncIterable<string> | Promise<AsyncIterable<string>>
      : G[K] extends { follows: true }
        ? Promise<Reply<G[K]> | AsyncIterable<string>>
        : G[K] extends { takesCsv: number }
          ? AsyncIterable<Reply<G[K]>> | Promise<AsyncIterable<Reply<G[K]>>>
          : // biome-ignore lint/suspicious/noConfusingVoidType: a handler that answers nothing may return nothing
            Promise<Reply<G[K]> | (undefined extends Reply<G[K]> ? void : never)>
}

/** Loads handlers at their first request, which keeps them out of the start. */
export type HandlersLater<G extends Group> = () => Promise<Handlers<G>>

const USER_AGENT_LENGTH = 400

/** The groups of the first screens. Their first request does not wait for their code and schemas. */
const FIRST = [
  'users',
  'serviceProviders',
  'accounts',
  'applications',
  'voipCarriers',
  'phoneNumbers',
] as const

type Groups = { [G in keyof typeof groups]: HandlersLater<Group> }

/** Every group of the API, in its order. */
export function serve(
  app: FastifyInstance,
  ctx: Context,
  routes: { [G in keyof typeof groups]: HandlersLater<Awaited<ReturnType<(typeof groups)[G]>>> },
) {
  for (const group of keysOf(light))
    serveGroup(app, ctx, group, (routes as unknown as Groups)[group])
  app.addHook('onListen', async () => void prepare(routes))
}

/** The schemas of screens' first requests: lists and single reads. */
function shownBy({ method, list, versioned, params, query, response }: Endpoint) {
  if (method !== 'GET' || !(list || versioned)) return []
  return [params, query, list ? rowsOf(response).item : response].filter((schema) => !!schema)
}

const FIRST_MS = 300
const NEXT_MS = 20

/**
 * Loads what the first screens ask for, and has its schemas compiled, as zod does on first use: both take up to 10 ms of a
 * request. One at a time, so that others run.
 */
async function prepare(routes: Record<(typeof FIRST)[number], () => Promise<unknown>>) {
  await setTimeout(FIRST_MS, undefined, { ref: false })
  for (const name of FIRST) {
    const [group] = await Promise.all([groups[name](), routes[name]()])
    for (const schema of Object.values<Endpoint>(group).flatMap(shownBy)) {
      await setTimeout(NEXT_MS, undefined, { ref: false })
      schema.safeParse({})
    }
  }
}

function serveGroup(
  app: FastifyInstance,
  ctx: Context,
  group: keyof typeof groups,
  handlers: HandlersLater<Group>,
) {
  const kind = KIND_OF_GROUP[group]
  for (const [name, e] of Object.entries(light[group])) {
    if (ctx.config.page.ENABLE_HOSTED_SYSTEM ? e.selfHosted : e.hosted) continue
    let answer: Answer | undefined
    const route: RouteOptions = {
      method: e.method,
      url: `${BASE_PATH}${e.path}`,
      ...(e.maxBody || e.takesCsv ? { bodyLimit: e.takesCsv ?? e.maxBody! } : {}),
      config: {
        ...(e.errorMember && { errorMember: e.errorMember }),
        ...(e.access === 'public' && { isPublic: true }),
        ...(e.optionalLogin && { optionalLogin: true }),
      },
      // authenticates before the body is parsed: strangers learn nothing about its schema
      onRequest: async (request) => {
        if (e.privateNetworkOnly && !isFromPrivateNetwork(request.raw))
          throw new Failure('forbidden', t('Only servers on the private network can call this'))
        const { authorization } = request.headers
        if (e.access === 'public' && !(e.optionalLogin && authorization)) return
        const scope = await authenticate(ctx, authorization, addressOf(request, ctx.config))
        refuse(e, scope, membersOf(request.query))
        refuseOtherKind(scope, kind)
        refuseGrantByLimitedKey(scope, e)
        request.scope = scope
        if (e.takesCsv && !isCsv(request.headers['content-type']))
          throw new Failure('invalid', SEND_CSV)
        if (e.takesFile && !isForm(request.headers['content-type']))
          throw new Failure('invalid', t('Send multipart/form-data'))
      },
      handler: async (request, reply) => {
        answer ??= await answerOf(ctx, group, name, handlers)
        return answer(request, reply)
      },
    }
    if (!e.takesFile) app.route(route)
    else
      app.register(async (forms) => {
        await acceptUploads(forms, e.takesFile!)
        forms.route(route)
      })
  }
}

type Answer = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** Loads an endpoint's schemas and handler. */
async function answerOf(
  ctx: Context,
  group: keyof typeof groups,
  name: string,
  later: HandlersLater<Group>,
): Promise<Answer> {
  const [endpoints, handlers] = await Promise.all([groups[group](), later()])
  const e = (endpoints as Group)[name]!
  // the handler takes the output of its endpoint's schemas, which `read` passes to it
  const handle = (handlers as unknown as Record<string, AnyHandler>)[name]!
  const respond = responder(e, ctx)
  return async (request, reply) => {
    const parts = read(e, request)
    if (e.takesFile) parts.body = await uploadedFile(request)
    if (e.takesCsv) parts.body = csvBody(request)
    const meta: RequestMeta = {
      ip: addressOf(request, ctx.config),
      user_agent: request.headers['user-agent']?.slice(0, USER_AGENT_LENGTH),
      request_id: request.id,
      version: takesVersion(e) ? versionIn(request) : undefined,
      unknown_fields: unknownFieldsIn(e, request.body),
      browser: e.browserCookie && browserOf(request, reply, e.browserCookie, ctx.config),
    }
    const input = { ...parts, scope: request.scope, ctx, meta }
    if (request.scope && changes(e, parts.query) && !e.allowViewOnly && !e.whileUnpaid)
      await refuseOverAuditQuota(ctx, request.scope)
    return inTurn(ctx, e, request, reply, async () => {
      if (e.tellsProgress) return answerWithProgress(e, request, reply, handle, input)
      if (e.follows && request.headers.accept?.includes(EVENT_STREAM))
        return answerWithEvents(ctx, request, reply, handle, input)
      const key = keyIn(e, request)
      const { answer, isReplayed } = key
        ? await createdOnce(
            ctx,
            {
              e,
              scope: request.scope!,
              meta,
              key,
              sent: [parts.params, parts.query, request.body],
            },
            async () => handle(input),
          )
        : { answer: await handle(input), isReplayed: false }
      if (isReplayed) reply.header(REPLAYED_HEADER, 'true')
      if (meta.change) reply.header(UNDO_HEADER, undoHeader(meta.change))
      const status = e.statusOf?.(parts.body) ?? e.status ?? 200
      return respond(reply.status(status), answer, parts.query, request.scope)
    })
  }
}

const KEY = 'Idempotency-Key'

/** The key of a creation that may be sent again. */
function keyIn(e: Endpoint, { headers }: FastifyRequest) {
  const key = isCreation(e) ? headers[IDEMPOTENCY_HEADER] : undefined
  if (key === undefined) return undefined
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key
  throw invalidField(KEY, t('Enter 1 to 255 visible ASCII characters'))
}

async function createdOnce(...args: Parameters<typeof createOnce>) {
  // few callers send keys
  const { createOnce } = await import('./creations.ts')
  const made = await createOnce(...args)
  if (!made) throw conflict(KEY, t('This key was sent with another request'))
  return made
}

const changes = (e: LightEndpoint, query: unknown) =>
  e.method !== 'GET' || (e.mutatesWhen !== undefined && Boolean(membersOf(query)[e.mutatesWhen]))

function refuse(e: LightEndpoint, scope: Scope, query: Record<string, unknown>) {
  if (scope.force_change && !e.beforePasswordChange)
    throw new Failure('forbidden', 'You must create a new password')
  // the password comes first
  if (scope.second_factor_due && !scope.force_change && !e.beforeSecondFactor)
    throw new Failure('forbidden', MUST_SET_UP_SECOND_FACTOR)
  if (e.personOnly && !scope.user_sid) throw new Failure('not_found', 'Not Found')
  const isChange = changes(e, query)
  if (scope.view_only && isChange && !e.allowViewOnly)
    throw new Failure(
      'forbidden',
      scope.api_key_sid
        ? 'This API key can only read'
        : scope.program
          ? t('This program can only read')
          : 'User has view-only access',
    )
  if (scope.program && (e.grantsAccess || (e.personOnly && isChange)))
    throw new Failure('forbidden', t('A program cannot do this for you'))
  if (scope.unpaid && isChange && !e.whileUnpaid) throw new Failure('forbidden', ACCOUNT_UNPAID)
  if (!mayAccess(scope, e.access)) throw new Failure('forbidden', 'insufficient permissions')
}

/** Reads one version from `If-Match: "…"`. `*` sets no condition. */
const versionIn = ({ headers }: { headers: Record<string, unknown> }) =>
  /^(?:W\/)?"([\w-]{1,64})"$/.exec(String(headers['if-match'] ?? ''))?.[1]

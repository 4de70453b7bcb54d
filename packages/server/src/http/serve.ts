import { Readable, type ReadableOptions } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import type {
  Endpoint,
  Group,
  PageQuery,
  Progress,
  ProgressLine,
  Received,
  Reply,
} from '@switchroom/contract'
import {
  ACCOUNT_UNPAID,
  Download,
  fileName,
  IDEMPOTENCY_HEADER,
  isCreation,
  KIND_OF_GROUP,
  keysOf,
  MUST_SET_UP_SECOND_FACTOR,
  membersOf,
  Picture,
  PROGRESS_TYPE,
  plainError,
  REPLAYED_HEADER,
  Relayed,
  refusalsIn,
  rowsOf,
  Sound,
  Stream,
  t,
  UNDO_HEADER,
  undoHeader,
  wantsJsonLines,
} from '@switchroom/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { z } from 'zod'
import type { Listing, Page } from '../db/listing.ts'
import type { ListingMemory } from '../db/listing-memory.ts'
import { authenticate } from './authenticate.ts'
import { BASE_PATH } from './base-paths.ts'
import { browserOf } from './browser.ts'
import type { Context } from './context.ts'
import type { createOnce } from './creations.ts'
import { separatorIn } from './csv.ts'
import { groups, type LightEndpoint, light } from './endpoints.ts'
import { conflict, Failure, invalid, invalidField, refusalOf } from './failure.ts'
import { csvIn, fileIn, isCsv, isForm, SEND_CSV, takingFiles } from './file.ts'
import { hide, hideInLines } from './hide.ts'
import { inTurn, noteLength } from './in-turn.ts'
import { refuseGrantByLimitedKey, refuseOtherKind } from './key-limits.ts'
import { refuseOverAuditQuota } from './limits.ts'
import { addressOf } from './network.ts'
import { isFromPrivateNetwork } from './private-network.ts'
import { progressOf, type Reporting, SILENT } from './progress.ts'
import { mayAccess, type RequestMeta, type Scope } from './scope.ts'
import { sendStream } from './stream.ts'
import { textIssues } from './text.ts'
import { takesVersion, withVersion } from './version.ts'

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

/** Request of a caller who follows events as they come. */
export type Following = {
  /** The last event that the caller has. */
  last_id: string | undefined
  /** Aborted when the caller leaves. */
  left: AbortSignal
  /** Throws once the caller's key or session has ended, or may do something else than before. */
  verify: () => Promise<void>
}

type AnyHandler = (request: Record<string, unknown>) => unknown

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
function shownBy({ list, versioned, response }: Endpoint) {
  if (list) return rowsOf(response).item
  return versioned ? response : []
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
        await takingFiles(forms, e.takesFile!)
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
  const respond = responder(e, ctx.memory)
  return async (request, reply) => {
    const parts = read(e, request)
    if (e.takesFile) parts.body = await fileIn(request)
    if (e.takesCsv) parts.body = csvIn(request)
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

/**
 * Body fields that the endpoint's schema drops. Public endpoints ignore additional fields of other servers' clients.
 */
function unknownFieldsIn({ body: schema, access }: Endpoint, body: unknown) {
  if (access === 'public' || !(schema instanceof z.ZodObject) || schema.def.catchall) return
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return
  return Object.fromEntries(Object.entries(body).filter(([key]) => !(key in schema.shape)))
}

type Sent = { params: unknown; query: unknown; body?: unknown }

/** Parses params, query and body. Throws 400 for the first part that is invalid, with all its issues. */
function read(e: Endpoint, { params, query, body }: Sent) {
  const check = (schema: z.ZodType, value: unknown) => {
    const badText = textIssues(value)
    if (badText.length > 0) throw invalid(...badText)
    const parsed = schema.safeParse(value, { error: plainError })
    if (parsed.success) return parsed.data
    throw invalid(...refusalsIn(parsed.error.issues, value, e.refusals))
  }
  return {
    params: e.params && check(e.params, params),
    query: e.query && check(e.query, withoutEmpty(e, membersOf(query))),
    // a file is read once the rest is valid
    body: e.takesFile || e.takesCsv ? undefined : e.body && check(e.body, body ?? {}),
  }
}

/**
 * Drops empty query parameters, except `page` of a list, which then means the first page, as on the
 * platform.
 */
const withoutEmpty = (e: Endpoint, query: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(query).filter(([name, v]) => v !== '' || (e.list && name === 'page')),
  )

type ApiReply = FastifyReply

function iterableOf(answer: unknown): AsyncIterable<unknown> {
  if (isAsyncIterable(answer)) return answer
  throw new TypeError('The handler of a stream answered something else')
}
const isAsyncIterable = (answer: unknown): answer is AsyncIterable<unknown> =>
  typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer

/**
 * Converts an endpoint's result into a response: only what its schema names, without secrets for view-only callers, a
 * list as a page or as a stream.
 */
function responder(e: Endpoint, memory: Context['memory']) {
  const { listings } = memory
  if (e.status === 204) return (reply: ApiReply) => reply.send()
  if (e.file) {
    return (reply: ApiReply, answer: unknown, query: unknown, scope: Scope | undefined) => {
      // the handler's type asks for lines
      const lines = iterableOf(answer) as AsyncIterable<string>
      reply
        .header('content-disposition', `attachment; filename="${fileName(e, query)}"`)
        .type(`${wantsJsonLines(query) ? 'application/x-ndjson' : 'text/csv'}; charset=utf-8`)
      return sendItems(reply, scope?.view_only ? hideInLines(lines, separatorIn(query)) : lines)
    }
  }
  if (e.takesCsv)
    return (reply: ApiReply, answer: unknown) =>
      sendItems(reply.type('application/x-ndjson; charset=utf-8'), jsonLines(iterableOf(answer)))
  if (e.relayed)
    return (reply: ApiReply, answer: unknown) => {
      const { status, body } = Relayed.parse(answer)
      if (typeof body === 'string') reply.type('text/plain; charset=utf-8')
      return reply.status(status).send(body)
    }
  if (e.sound)
    return (reply: ApiReply, answer: unknown) => {
      const { type, bytes } = Sound.parse(answer)
      return reply.header('cache-control', 'no-store').type(type).send(Buffer.from(bytes.buffer))
    }
  if (e.picture)
    return (reply: ApiReply, answer: unknown) => {
      const { type, bytes } = Picture.parse(answer)
      return (
        reply
          .header('cache-control', 'public, max-age=31536000, immutable')
          // somebody may open its address: then it is a document, which does nothing
          .header('content-security-policy', "default-src 'none';style-src 'unsafe-inline';sandbox")
          .type(type === 'image/svg+xml' ? `${type}; charset=utf-8` : type)
          .send(Buffer.from(bytes))
      )
    }
  if (e.stream) return (reply: ApiReply, answer: unknown) => sendStream(reply, Stream.parse(answer))
  if (e.download)
    return (reply: ApiReply, answer: unknown) => {
      const { name, type, bytes } = Download.parse(answer)
      return reply
        .header('content-disposition', attachment(name))
        .type(type)
        .send(Readable.from(bytes))
    }
  const shown = (schema: z.ZodType, parsed: unknown, scope: Scope | undefined) =>
    scope?.view_only && e.method === 'GET' ? hide(schema, parsed) : parsed
  if (e.versioned)
    return (reply: ApiReply, answer: unknown, _: unknown, scope: Scope | undefined) =>
      reply.send(withVersion(shown(e.response, e.response.parse(answer), scope)))
  if (!e.list)
    return (reply: ApiReply, answer: unknown, _: unknown, scope: Scope | undefined) => {
      const body = shown(e.response, e.response.parse(answer), scope)
      return body === undefined ? reply.status(204).send() : reply.send(body)
    }
  const { item } = rowsOf(e.response)
  return async (reply: ApiReply, answer: unknown, query: unknown, scope: Scope | undefined) => {
    const show = (row: unknown) => shown(item, item.parse(row), scope)
    // of lists the type of `Handlers` asks for a listing, and each of their queries is a `PageQuery`
    const list = answer as Listing<unknown>
    const { page, page_size } = query as PageQuery
    const json = reply.type('application/json; charset=utf-8')
    const hides = scope?.view_only ?? false
    if (page !== undefined)
      return json.send(pageText(await list.page(page, page_size, listings), show, hides))
    const few = await list.few(listings)
    noteLength(memory, reply.request, few !== undefined)
    if (few) return json.send(textOf(few, show, hides))
    return sendItems(json, arrayText(list, listings, show), { objectMode: false })
  }
}

/** The file name as the platform writes it, or encoded where needed (RFC 6266). */
const attachment = (name: string) =>
  /^[\w!#$&+.^`|~-]+$/.test(name)
    ? `attachment; filename=${name}`
    : `attachment; filename="${name.replace(/[^\x20-\x7e]|["\\%/]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name)}`

const EVENT_STREAM = 'text/event-stream'

/** Answers with events as they come, for as long as the caller may read them. */
async function answerWithEvents(
  ctx: Context,
  request: FastifyRequest,
  reply: ApiReply,
  handle: AnyHandler,
  input: object,
) {
  const { authorization, 'last-event-id': last_id } = request.headers
  const rights = (scope: Scope | undefined) => JSON.stringify(scope)
  const leaving = new AbortController()
  reply.raw.once('close', () => leaving.abort())
  const following: Following = {
    left: leaving.signal,
    last_id: typeof last_id === 'string' ? last_id : undefined,
    async verify() {
      const scope = await authenticate(ctx, authorization, addressOf(request, ctx.config))
      if (rights(scope) !== rights(request.scope))
        throw new Failure('unauthenticated', t('Unauthorized'))
    },
  }
  const lines = iterableOf(await handle({ ...input, following })) as AsyncIterable<string>
  // proxies and compression would hold back small writes
  reply.header('cache-control', 'no-cache, no-transform').header('x-accel-buffering', 'no')
  return sendItems(reply.type(`${EVENT_STREAM}; charset=utf-8`), lines)
}

/**
 * Answers a change with lines of progress, for clients that accept them. A change that fails or ends before the first
 * line has a status and a body like any other answer.
 */
async function answerWithProgress(
  e: Endpoint,
  request: FastifyRequest,
  reply: ApiReply,
  handle: AnyHandler,
  input: { meta: RequestMeta },
) {
  const run = async (reporting: Reporting) =>
    e.response.parse(await handle({ ...input, reporting }))
  const undo = () => (input.meta.change ? { [UNDO_HEADER]: undoHeader(input.meta.change) } : {})
  const sendAtOnce = (result: unknown) => reply.headers(undo()).send(result)
  if (!request.headers.accept?.includes(PROGRESS_TYPE)) return sendAtOnce(await run(SILENT))
  const lines = progressOf<Progress, unknown>((report, stopped) => run({ report, stopped }))
  const first = await lines.next()
  if (first.done) return sendAtOnce(first.value)
  async function* all(progress: Progress): AsyncGenerator<ProgressLine> {
    try {
      yield progress
      const result = yield* lines
      yield { result, ...undo() }
    } catch (error) {
      // the answer has begun, so it is too late for a status
      const { status, body } = refusalOf(error, request)
      yield { status, error: body }
    } finally {
      await lines.return(undefined)
    }
  }
  return sendItems(reply.type(`${PROGRESS_TYPE}; charset=utf-8`), jsonLines(all(first.value)))
}

/**
 * Sends items as they are read. Resolves once nothing is reading any longer, which may be after the client has left.
 */
async function sendItems(
  reply: ApiReply,
  items: AsyncIterable<string | Uint8Array>,
  options?: ReadableOptions,
) {
  const body = Readable.from(items, options)
  reply.raw.once('close', () => body.destroy())
  reply.send(body)
  // the sender reports the error
  await finished(body).catch(() => undefined)
  return reply
}

async function* jsonLines(items: AsyncIterable<unknown>) {
  for await (const item of items) yield `${JSON.stringify(item)}\n`
}

/** Requests that share one database read share its JSON as well, unless secrets are hidden from some. */
const texts = { whole: new WeakMap<unknown[], string>(), hidden: new WeakMap<unknown[], string>() }

function textOf(rows: unknown[], show: (row: unknown) => unknown, hides: boolean) {
  const known = hides ? texts.hidden : texts.whole
  let text = known.get(rows)
  if (text === undefined) {
    text = JSON.stringify(rows.map(show))
    known.set(rows, text)
  }
  return text
}

const pageText = (
  { data, ...rest }: Page<unknown>,
  show: (row: unknown) => unknown,
  hides: boolean,
) => `{"data":${textOf(data, show, hides)},${JSON.stringify(rest).slice(1)}`

const COMMA = ','.charCodeAt(0)

async function* arrayText(
  list: Listing<unknown>,
  listings: ListingMemory,
  show: (row: unknown) => unknown,
) {
  let opened = false
  for await (const rows of list.all(listings)) {
    const text = Buffer.from(JSON.stringify(rows.map(show)))
    // continues the array of the previous rows
    if (opened) text[0] = COMMA
    opened = true
    yield text.subarray(0, -1)
  }
  yield Buffer.from(opened ? ']' : '[]')
}

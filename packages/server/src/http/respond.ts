import { Readable, type ReadableOptions } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Endpoint, PageQuery, Progress, ProgressLine } from '@switchroom/contract'
import {
  Download,
  fileName,
  Picture,
  PROGRESS_TYPE,
  Relayed,
  rowsOf,
  Sound,
  Stream,
  t,
  UNDO_HEADER,
  undoHeader,
  wantsJsonLines,
} from '@switchroom/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Listing, Page } from '../db/listing.ts'
import type { ListingMemory } from '../db/listing-memory.ts'
import { authenticate } from './authenticate.ts'
import type { Context } from './context.ts'
import { separatorIn } from './csv.ts'
import { Failure, refusalOf } from './failure.ts'
import { hide, hideInLines } from './hide.ts'
import { noteLength } from './in-turn.ts'
import { addressOf } from './network.ts'
import { progressOf, type Reporting, SILENT } from './progress.ts'
import type { RequestMeta, Scope } from './scope.ts'
import { sendStream } from './stream.ts'
import { withVersion } from './version.ts'

/** Request of a caller who follows events as they come. */
export type Following = {
  /** The last event that the caller has. */
  last_id: string | undefined
  /** Aborted when the caller leaves. */
  left: AbortSignal
  /** Throws once the caller's key or session has ended, or may do something else than before. */
  verify: () => Promise<void>
}

export type AnyHandler = (request: Record<string, unknown>) => unknown

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
export function responder(e: Endpoint, ctx: Pick<Context, 'memory'>) {
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
    const { memory } = ctx
    const { listings } = memory
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

export const EVENT_STREAM = 'text/event-stream'

/** Answers with events as they come, for as long as the caller may read them. */
export async function answerWithEvents(
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
export async function answerWithProgress(
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

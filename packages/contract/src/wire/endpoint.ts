import { z } from 'zod'
import { membersOf } from './records.ts'
import type { MemberTexts } from './refusals.ts'

/** The least a caller must be. Ordered: each one includes the ones after it. */
export type Access = 'admin' | 'service_provider' | 'account' | 'public'

export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: `/${string}`
  access: Access
  summary: string
  /** Only when it is not 200. */
  status?: 201 | 204
  /** Where clients of the platform expect one status or another, by what was sent. */
  statusOf?: (body: unknown) => 200 | 201
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** The platform's texts for members of the query or body, which its clients read in `msg`. */
  refusals?: MemberTexts
  response: z.ZodType
  /** Answers a page when asked with `page`, otherwise everything as a bare array, streamed. */
  list?: true
  /** A GET that changes something when this query parameter is set: closed to view-only users then. */
  mutatesWhen?: string
  /** Open to view-only users although it is not a GET. */
  allowViewOnly?: true
  /** Open to users who must first choose a new password. */
  beforePasswordChange?: true
  /** Needs a signed-in person; an API key will not do. */
  personOnly?: true
  /** Clients of the platform read the refusal from this member as well. */
  errorMember?: 'error'
  /**
   * A single read that says which version it shows, or the change that may name the version it was made
   * from and is refused with `changed` when there is a newer one.
   */
  versioned?: true
  /** Takes CSV as its body, of at most so many bytes, and tells how far it is, a line of JSON each. */
  takesCsv?: number
  /** Takes a multipart form with one file, of at most so many bytes, in its field `file`. */
  takesFile?: number
  /** The most bytes its body may have, where the platform's 100 kB are too few. */
  maxBody?: number
  /** Answers CSV under this file name, streamed; or lines of JSON, where its query has a `format` that says so. */
  file?: `${string}.csv`
  /** Answers a `Sound`, which browsers do not keep. */
  sound?: true
  /** Answers a `Stream`, all of it or the part that a `Range` asks for. */
  stream?: true
  /** Answers a `Download`, streamed: a file that a person saves. */
  download?: true
  /** Answers what a component of the platform answered, a `Relayed`. */
  relayed?: true
  /** Asks somebody else's service before it is done, and answers 502 where that fails. */
  asksOthers?: true
  /** Answered by Switchroom only; a stock API server has no such path. */
  own?: true
  /** Of the hosted variant: not there while its flag is off. */
  hosted?: true
  /** Public, but whoever is signed in is known. */
  signedInToo?: true
  /** Only for the operator's own components: from private networks, through no proxy and no browser. */
  nearOnly?: true
  /** Bound to the caller's browser by a cookie: `set` adds it where it is missing, `read` only reads it. */
  browserCookie?: 'set' | 'read'
}

export type Group = Record<string, Endpoint>

/** What an endpoint with `sound` answers: the bytes are its body, the type is a header. */
export const Sound = z.object({ type: z.string(), bytes: z.instanceof(Uint8Array<ArrayBuffer>) })
export type Sound = z.infer<typeof Sound>

/** What an endpoint with `stream` answers: bytes that are read from wherever they are as they are sent. */
export type Stream = {
  type: string
  size: number
  /** Both ends are included. */
  open: (range: { from: number; to: number }) => Promise<AsyncIterable<Uint8Array>>
}
export const Stream = z.custom<Stream>()

/** What an endpoint with `download` answers: its bytes are the body, the rest are headers. */
export const Download = z.object({
  name: z.string(),
  type: z.string(),
  bytes: z.custom<AsyncIterable<Uint8Array>>(
    (value) => typeof value === 'object' && value !== null && Symbol.asyncIterator in value,
  ),
})
export type Download = z.infer<typeof Download>

/** Whether lines of JSON are asked for, in place of CSV. */
export const asksForLines = (query: unknown) => membersOf(query).format === 'ndjson'

/** The name of the file that comes of this query. */
export const fileName = (e: { file?: string }, query: unknown) =>
  asksForLines(query) ? e.file?.replace(/csv$/, 'ndjson') : e.file

/** The status and the body of somebody else's answer; no body is undefined. */
export const Relayed = z.object({ status: z.number().int(), body: z.unknown() })
export type Relayed = z.infer<typeof Relayed>

/** Identity, but it keeps each endpoint's exact types. */
export const endpoints = <const G extends Group>(group: G) => group

type Parts = 'params' | 'query' | 'body'
type PartsOf<E> = { [K in Parts & keyof E as E[K] extends z.ZodType ? K : never]: E[K] }

/** What a caller sends, before parsing (defaults may be left out). */
export type Sent<E extends Endpoint> = {
  [K in keyof PartsOf<E>]: PartsOf<E>[K] extends z.ZodType ? z.input<PartsOf<E>[K]> : never
} & (E extends { method: 'PUT'; versioned: true } ? { version?: string | undefined } : unknown)

/** What a handler receives, after parsing. */
export type Received<E extends Endpoint> = {
  [K in keyof PartsOf<E>]: PartsOf<E>[K] extends z.ZodType ? z.output<PartsOf<E>[K]> : never
}

export type Reply<E extends Endpoint> = z.output<E['response']>

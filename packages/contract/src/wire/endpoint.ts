import { z } from 'zod'
import { Created, NoContent } from './common.ts'
import type { Cost } from './costs.ts'
import type { MemberTexts } from './refusals.ts'

/** The least privileged caller allowed; listed from most to least privileged. */
export type Access = 'admin' | 'service_provider' | 'account' | 'public'

export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: `/${string}`
  access: Access
  summary: string
  /** Status of the response, if it is not 200. */
  status?: 201 | 204
  /** The status by request body, where platform clients expect more than one. */
  statusOf?: (body: unknown) => 200 | 201
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** The platform's messages for fields of the query or body, which its clients read in `msg`. */
  refusals?: MemberTexts
  response: z.ZodType
  /** Returns a page if the query has `page`, otherwise streams everything as a bare array. */
  list?: true
  /** A GET that changes something when this query parameter is set: closed to view-only users then. */
  mutatesWhen?: string
  /** A POST that sets what there is once: sent twice, it changes nothing more. */
  idempotent?: true
  /** View-only users may call it although it is not a GET. */
  allowViewOnly?: true
  /** Hosted: may be called although the account is deactivated for want of payment, which reads always may. */
  whileUnpaid?: true
  /** Users who must choose a new password may call it. */
  beforePasswordChange?: true
  /** Users who must set up a second factor may call it. */
  beforeSecondFactor?: true
  /** Requires a logged-in user, not an API key. */
  personOnly?: true
  /** Gives somebody access that no expiry or limit ends: closed to API keys that have those. */
  grantsAccess?: true
  /** Platform clients read the error from this member as well. */
  errorMember?: 'error'
  /**
   * A single read that returns a version, or an update that may send the version it was made
   * from and fails with `changed` if there is a newer one.
   */
  versioned?: true
  /** Undoes a change, and fails with `changed` if there is a newer one. */
  undoes?: true
  /**
   * The cost for which a request takes a turn of its tenant. Not needed for lists, files and changes of many rows:
   * `costOf` tells theirs.
   */
  costs?: Cost
  /** Takes a CSV body of at most this many bytes and streams its progress as lines of JSON. */
  takesCsv?: number
  /** Changes many rows, and streams how far it is, as lines of JSON, to those who accept them. */
  tellsProgress?: true
  /** Answers those who accept `text/event-stream` with events as they come. */
  follows?: true
  /** Takes a multipart form with one file of at most this many bytes in the field `file`. */
  takesFile?: number
  /** The largest body in bytes, where the platform's 100 kB are too few. */
  maxBody?: number
  /** Streams CSV with this file name; or lines of JSON if `format` in the query asks for them. */
  file?: `${string}.csv`
  /** Returns a `Sound`, which browsers must not cache. */
  sound?: true
  /** Returns a `Picture`, for an `<img>`. What its path names never changes, so that browsers keep it. */
  picture?: true
  /** Returns a `Stream`, whole or the part that a `Range` header requests. */
  stream?: true
  /** Streams a `Download`: a file to save. */
  download?: true
  /** Returns a `Relayed`: the response of a platform component. */
  relayed?: true
  /** Depends on an outside service, and returns 502 if that fails. */
  callsOutside?: true
  /** Exists in Switchroom only, not on a stock API server. */
  own?: true
  /** Exists only in the hosted variant. */
  hosted?: true
  /** Does not exist in the hosted variant. */
  selfHosted?: true
  /** Public, but authenticates callers who send credentials. */
  optionalLogin?: true
  /** For the operator's own components: only from private networks, without proxy or browser. */
  privateNetworkOnly?: true
  /** Bound to the caller's browser by a cookie: `set` adds it where it is missing, `read` only reads it. */
  browserCookie?: 'set' | 'read'
}

export type Group = Record<string, Endpoint>

/** The result of an endpoint with `sound`: the bytes are its body, the type is a header. */
export const Sound = z.object({ type: z.string(), bytes: z.instanceof(Uint8Array<ArrayBuffer>) })
export type Sound = z.infer<typeof Sound>

export const PICTURE_TYPES = ['image/svg+xml', 'image/png'] as const

/** The result of an endpoint with `picture`. */
export const Picture = z.object({
  type: z.enum(PICTURE_TYPES),
  bytes: z.instanceof(Uint8Array<ArrayBuffer>),
})
export type Picture = z.infer<typeof Picture>

/** The result of an endpoint with `stream`: bytes that are read while they are sent. */
export type Stream = {
  type: string
  size: number
  /** Both ends are inclusive. */
  open: (range: { from: number; to: number }) => Promise<AsyncIterable<Uint8Array>>
}
export const Stream = z.custom<Stream>()

/** The result of an endpoint with `download`: the bytes are the body, the rest are headers. */
export const Download = z.object({
  name: z.string(),
  type: z.string(),
  bytes: z.custom<AsyncIterable<Uint8Array>>(
    (value) => typeof value === 'object' && value !== null && Symbol.asyncIterator in value,
  ),
})
export type Download = z.infer<typeof Download>

/** The status and body of another server's response. */
export const Relayed = z.object({ status: z.number().int(), body: z.unknown() })
export type Relayed = z.infer<typeof Relayed>

/** Returns its argument; the compiler checks it and keeps each endpoint's exact types. */
export const endpoints = <const G extends Group>(group: G) => group

type Parts = 'params' | 'query' | 'body'
type PartsOf<E> = { [K in Parts & keyof E as E[K] extends z.ZodType ? K : never]: E[K] }

/** The five usual endpoints of a resource: what they have in common beside a path, a summary and a body. */
export const lists = { method: 'GET', list: true } as const
export const views = { method: 'GET', versioned: true } as const
export const adds = { method: 'POST', status: 201, response: Created } as const
export const updates = {
  method: 'PUT',
  versioned: true,
  status: 204,
  response: NoContent,
} as const
export const removes = { method: 'DELETE', status: 204, response: NoContent } as const

/** A request as the caller sends it, before parsing (defaults may be left out). */
export type Sent<E extends Endpoint> = {
  [K in keyof PartsOf<E>]: PartsOf<E>[K] extends z.ZodType ? z.input<PartsOf<E>[K]> : never
} & (E extends { method: 'PUT'; versioned: true } ? { version?: string | undefined } : unknown)

/** A request as the handler receives it, after parsing. */
export type Received<E extends Endpoint> = {
  [K in keyof PartsOf<E>]: PartsOf<E>[K] extends z.ZodType ? z.output<PartsOf<E>[K]> : never
}

export type Reply<E extends Endpoint> = z.output<E['response']>

/** Parameters that have rows or calls looked through for a text. */
const SEARCHED = ['filter', 'said']

/** Returns the cost for which a request takes a turn, if it does. `query` is the one sent, parsed or not. */
export function costOf(e: Endpoint, query: Record<string, unknown>): Cost | undefined {
  if (e.costs) return e.costs
  if (e.takesCsv) return 'imports'
  if (e.file) return 'exports'
  if (e.tellsProgress) return 'changes'
  if (e.list && query.page === undefined) return 'lists'
  return SEARCHED.some((name) => query[name]) ? 'searches' : undefined
}

type Creating = Pick<Endpoint, 'method' | 'status' | 'statusOf' | 'access' | 'idempotent'>

/** True if an endpoint adds one thing, and so honours `Idempotency-Key`. */
export const isCreation = ({ method, status, statusOf, access, idempotent }: Creating) =>
  method === 'POST' && status === 201 && !statusOf && !idempotent && access !== 'public'

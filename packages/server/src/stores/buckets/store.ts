import { pipeline, Readable, Transform } from 'node:stream'
import { t } from '@switchroom/contract'
import { TooLarge } from '../../outbound/outbound.ts'

/** The content of an object to upload. Any part can be read, any number of times. */
export type Source = {
  size: number
  type: string
  /** ASCII only and small. */
  metadata: Record<string, string>
  /** `from` is inclusive, `to` exclusive. */
  read: (from: number, to: number) => AsyncIterable<Uint8Array>
}

/** Both ends are inclusive. */
export type Range = { from: number; to: number }

/** An object store. */
export type ObjectStore = {
  /** Writes all or nothing, in constant memory. Replaces an existing object. */
  put: (key: string, source: Source, signal: AbortSignal) => Promise<unknown>
  /** In bytes; undefined if there is no such object. */
  size: (key: string, signal: AbortSignal) => Promise<number | undefined>
  /** The signal also aborts reading the stream. */
  open: (key: string, range: Range, signal: AbortSignal) => Promise<Readable>
  remove: (key: string, signal: AbortSignal) => Promise<unknown>
}

/** An object store with small text objects, for testing a bucket. */
export type Store = ObjectStore & {
  write: (key: string, text: string, signal: AbortSignal) => Promise<unknown>
  read: (key: string, signal: AbortSignal) => Promise<string>
}

export type Problem =
  | 'no-bucket'
  | 'bad-credential'
  | 'forbidden'
  | 'redirect'
  | 'no-identity'
  | 'no-role'
  | 'not-a-key'
  | 'not-a-connection-string'
  | 'other-text'

/** The store rejected a request. Its own message is not passed on, since it may quote secrets. */
export class StoreRefused extends Error {
  override name = 'StoreRefused'
  problem: Problem | undefined
  status: number | undefined
  constructor(problem: Problem | undefined, status?: number) {
    super(problem ?? t('it answered with status {status}', { status }))
    this.problem = problem
    this.status = status
  }
}

/** The problem by HTTP status, if the store's error code is not known. */
export function problemOf(status: number): Problem | undefined {
  if (status === 401) return 'bad-credential'
  if (status === 403) return 'forbidden'
  if (status === 404) return 'no-bucket'
  return status >= 300 && status < 400 ? 'redirect' : undefined
}

/** For `.catch` on reads of an object: turns `not found` into undefined. */
export function ignoreNotFound(error: unknown): undefined {
  if (error instanceof StoreRefused && error.status === 404) return undefined
  throw error
}

/** The largest response that is not an object. Clients buffer it, and a user chose the server that sends it. */
const MAX_ERROR_BYTES = 256 * 1024

/** Passes bytes through, and fails above the limit. */
export function limitSize(bytes: Readable): Readable {
  let size = 0
  const through = new Transform({
    transform(chunk: Uint8Array, _, done) {
      size += chunk.length
      if (size > MAX_ERROR_BYTES) done(new TooLarge('The answer is too large'))
      else done(null, chunk)
    },
  })
  // errors surface in the stream that is read
  return pipeline(bytes, through, () => undefined)
}

/** The body as a Node stream. The vendors' types include browser streams. */
export function readableOf(body: unknown): Readable {
  if (body instanceof Readable) return body
  throw new StoreRefused(undefined)
}

const MAX_TEXT_BYTES = 1_000

/** The text of a small object. */
export async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > MAX_TEXT_BYTES) throw new TooLarge('The answer is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The part size: above S3's minimum and a multiple of Google's unit. */
export const PART = 8 * 1024 * 1024

/** Splits a source into parts of that size, one in memory at a time. The last may be smaller. */
export async function* partsOf({ size, read }: Source) {
  for (let from = 0; from < size; from += PART) {
    const to = Math.min(size, from + PART)
    const chunks: Uint8Array[] = []
    for await (const chunk of read(from, to)) chunks.push(chunk)
    yield { from, to, bytes: Buffer.concat(chunks), isLast: to === size }
  }
}

/** Google's hosts: fixed, whatever a service key contains. */
export const GOOGLE = {
  token: 'https://oauth2.googleapis.com/token',
  storage: 'https://storage.googleapis.com',
}

import { pipeline, Readable, Transform } from 'node:stream'
import { TooLarge } from '../../outbound/outbound.ts'

/** What is to become an object: as often as is wanted, any part of it. */
export type Source = {
  size: number
  type: string
  /** ASCII only, and small. */
  metadata: Record<string, string>
  /** From is included, to is not. */
  read: (from: number, to: number) => AsyncIterable<Uint8Array>
}

/** Both ends are included. */
export type Range = { from: number; to: number }

/** Where whole recordings go. */
export type ObjectStore = {
  /** All of it or nothing, in flat memory. What was there is replaced. */
  put: (key: string, source: Source, signal: AbortSignal) => Promise<unknown>
  /** In bytes; undefined where there is no such object. */
  size: (key: string, signal: AbortSignal) => Promise<number | undefined>
  /** The signal is for its beginning and for all of its reading. */
  open: (key: string, range: Range, signal: AbortSignal) => Promise<Readable>
  remove: (key: string, signal: AbortSignal) => Promise<unknown>
}

/** An object store, as far as a recording needs it. */
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

/** The store said no. What it said is not repeated: it may quote what it was given. */
export class StoreRefused extends Error {
  override name = 'StoreRefused'
  problem: Problem | undefined
  status: number | undefined
  constructor(problem: Problem | undefined, status?: number) {
    super(problem ?? `status ${status}`)
    this.problem = problem
    this.status = status
  }
}

/** What a status says where the store's own code says no more. */
export function problemOf(status: number): Problem | undefined {
  if (status === 401) return 'bad-credential'
  if (status === 403) return 'forbidden'
  if (status === 404) return 'no-bucket'
  return status >= 300 && status < 400 ? 'redirect' : undefined
}

/** For `.catch` of a question after an object: that it is not there is an answer. */
export function absent(error: unknown): undefined {
  if (error instanceof StoreRefused && error.status === 404) return undefined
  throw error
}

/** What a store says beside objects: the clients keep all of it, and who set up a bucket chose who answers. */
const MOST_SAID = 256 * 1024

/** The same bytes as long as they are not too many; then it fails. */
export function bounded(bytes: Readable): Readable {
  let size = 0
  const through = new Transform({
    transform(chunk: Uint8Array, _, done) {
      size += chunk.length
      if (size > MOST_SAID) done(new TooLarge('The answer is too large'))
      else done(null, chunk)
    },
  })
  // what goes wrong is told by what is read
  return pipeline(bytes, through, () => undefined)
}

/** The body of an answer: libraries of vendors also name what it would be in a browser. */
export function readableOf(body: unknown): Readable {
  if (body instanceof Readable) return body
  throw new StoreRefused(undefined)
}

const MOST = 1_000

/** The text of an object as small as the one that was written. */
export async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > MOST) throw new TooLarge('The answer is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** What stores take at once: more than S3's least, and whole units of Google's. */
export const PART = 8 * 1024 * 1024

/** A source in parts of that size, each in memory while it is sent. The last may be smaller. */
export async function* partsOf({ size, read }: Source) {
  for (let from = 0; from < size; from += PART) {
    const to = Math.min(size, from + PART)
    const chunks: Uint8Array[] = []
    for await (const chunk of read(from, to)) chunks.push(chunk)
    yield { from, to, bytes: Buffer.concat(chunks), isLast: to === size }
  }
}

import { TooLarge } from '../../outbound/outbound.ts'

/** An object store, as far as a recording needs it. */
export type Store = {
  write: (key: string, text: string, signal: AbortSignal) => Promise<unknown>
  read: (key: string, signal: AbortSignal) => Promise<string>
  remove: (key: string, signal: AbortSignal) => Promise<unknown>
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

import type { Relayed } from '@switchroom/contract'

const TIMEOUT_MS = 10_000
const MOST_BYTES = 1_000_000

/** The feature server did not answer in time, or not with anything that can be passed on. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
}

/**
 * Asks a component of the platform, whose address comes from the platform itself and from no user: it is
 * in the operator's own network, where `outbound` would not let it. Throws `NoAnswer`.
 */
export async function post(url: string, body: object): Promise<Relayed> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return { status: response.status, body: json(await textOf(response)) }
  } catch (cause) {
    throw new NoAnswer('The feature server does not answer', { cause })
  }
}

async function textOf({ body }: Response) {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > MOST_BYTES) throw new Error('The answer is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** What it says as JSON, or as text, or nothing. */
function json(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

let turn = 0

/** One of them after the other takes a call. */
export const next = (servers: string[]): string | undefined => servers[turn++ % servers.length]

import { type Relayed, t } from '@switchroom/contract'

const TIMEOUT_MS = 10_000
const MAX_BYTES = 1_000_000

/** Thrown when a feature server does not answer in time, or with something that cannot be relayed. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
}

/**
 * Posts to a component of the platform. Its address comes from the platform, not from users, and is in the
 * operator's network, which `outbound` blocks. Throws `NoAnswer`.
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
    throw new NoAnswer(t('The feature server does not answer'), { cause })
  }
}

async function textOf({ body }: Response) {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > MAX_BYTES) throw new Error('The answer is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Parses a body as JSON, else returns it as text; undefined when empty. */
function json(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

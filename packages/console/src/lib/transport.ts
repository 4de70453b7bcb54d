import type { Transport } from '@switchroom/contract'
import { apiBase } from './config'
import { expire, token, UNREACHABLE } from './session'

/** The server did not answer at all. Not an answer that says no. */
export class Unreachable extends Error {
  override name = 'Unreachable'
}

/** Asks the server as the signed-in user. A refused token ends the session here, in one place. */
export const overFetch: Transport = (method, path, body) => ask(token(), method, path, body)

/** As the bearer of another token than the session's: the one a reset link was exchanged for. */
export const overFetchAs =
  (bearer: string): Transport =>
  (method, path, body) =>
    ask(bearer, method, path, body)

async function ask(bearer: string | null, method: string, path: string, body: unknown) {
  const headers: Record<string, string> = { accept: 'application/json' }
  if (bearer) headers.authorization = `Bearer ${bearer}`
  if (body !== undefined) headers['content-type'] = 'application/json'
  let response: Response
  try {
    response = await fetch(apiBase + path, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    })
  } catch (cause) {
    throw new Unreachable(UNREACHABLE, { cause })
  }
  // without a bearer it is the log-in itself that was refused
  if (response.status === 401 && bearer) expire(bearer)
  return { status: response.status, json: () => response.json() as unknown }
}

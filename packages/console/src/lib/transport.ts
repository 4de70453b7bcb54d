import type { Transport } from '@switchroom/contract'
import { apiBase } from './config'
import { expire, token, UNREACHABLE } from './session'

/** The server did not answer at all. Not an answer that says no. */
export class Unreachable extends Error {
  override name = 'Unreachable'
}

/** Asks the server as the signed-in user. A refused token ends the session here, in one place. */
export const overFetch: Transport = (method, path, body, headers) =>
  requestJson(token(), method, path, body, headers)

/** As the bearer of another token than the session's: the one a reset link was exchanged for. */
export const overFetchAs =
  (bearer: string): Transport =>
  (method, path, body) =>
    requestJson(bearer, method, path, body)

async function requestJson(
  bearer: string | null,
  method: string,
  path: string,
  body: unknown,
  more: Record<string, string> = {},
) {
  const json = body === undefined ? undefined : JSON.stringify(body)
  const response = await request(bearer, method, path, json, {
    ...(json !== undefined && { 'content-type': 'application/json' }),
    ...more,
  })
  return { status: response.status, json: () => response.json() }
}

/** The answer itself, for what is no JSON: files that come and go. As the signed-in user. */
export const requestRaw = (
  method: string,
  path: string,
  body?: Blob | FormData,
  headers: Record<string, string> = {},
) => request(token(), method, path, body, headers)

async function request(
  bearer: string | null,
  method: string,
  path: string,
  body: string | Blob | FormData | undefined,
  more: Record<string, string>,
): Promise<Response> {
  const headers: Record<string, string> = { accept: 'application/json', ...more }
  if (bearer) headers.authorization = `Bearer ${bearer}`
  let response: Response
  try {
    response = await fetch(apiBase + path, { method, headers, body: body ?? null })
  } catch (cause) {
    throw new Unreachable(UNREACHABLE, { cause })
  }
  // without a bearer it is the log-in itself that was refused
  if (response.status === 401 && bearer) expire(bearer)
  return response
}

import type { Transport } from '@switchroom/contract'
import { apiBase } from './config'
import { endExpiredSession, token, UNREACHABLE } from './session'

/** The server did not respond at all. */
export class Unreachable extends Error {
  override name = 'Unreachable'
}

/** Sends a request as the signed-in user. A rejected token ends the session here, in one place. */
export const fetchTransport: Transport = (method, path, body, headers) =>
  requestJson(token(), method, path, body, headers)

/** Sends requests with another token, such as that of a password reset. */
export const fetchTransportAs =
  (bearer: string): Transport =>
  (method, path, body) =>
    requestJson(bearer, method, path, body)

/** Sends requests without a session, even if a user is signed in. */
export const anonymousTransport: Transport = (method, path, body) =>
  requestJson(null, method, path, body)

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
  return {
    status: response.status,
    json: () => response.json(),
    header: (name: string) => response.headers.get(name),
  }
}

/** The raw response, for files and what tells its progress (answers.ts). As the signed-in user. */
export const requestRaw = (
  method: string,
  path: string,
  body?: RequestInit['body'],
  headers: Record<string, string> = {},
  signal?: AbortSignal,
) => request(token(), method, path, body, headers, signal)

async function request(
  bearer: string | null,
  method: string,
  path: string,
  body: RequestInit['body'] | undefined,
  more: Record<string, string>,
  signal: AbortSignal | null = null,
): Promise<Response> {
  const headers: Record<string, string> = { accept: 'application/json', ...more }
  if (bearer) headers.authorization = `Bearer ${bearer}`
  let response: Response
  try {
    response = await fetch(apiBase + path, { method, headers, body: body ?? null, signal })
  } catch (cause) {
    throw new Unreachable(UNREACHABLE, { cause })
  }
  // without a token it is the log-in itself that failed
  if (response.status === 401 && bearer) endExpiredSession(bearer)
  return response
}

import type { Endpoint, Reply, Sent, Sound } from './endpoint.ts'
import type { ErrorBody } from './error-body.ts'
import { ERROR_STATUS, GENERIC_ERROR } from './errors.ts'
import { isKeyOf, membersOf } from './records.ts'

export type Transport = (
  method: string,
  url: string,
  body: unknown,
  headers?: Record<string, string>,
) => Promise<Answer>
type Answer = {
  status: number
  json: () => unknown
  sound?: () => Promise<Sound>
  header?: (name: string) => string | null
}
type Parts = { params?: object; query?: object; body?: unknown; version?: string | undefined }

/** An error response of the API, as thrown to the caller. */
export class ApiError extends Error {
  override name = 'ApiError'
  body: ErrorBody
  status: number
  /** Seconds after which the request may succeed, if the response said so. */
  retryAfter: number | undefined
  constructor(status: number, body: ErrorBody, retryAfter?: number) {
    super(body.msg)
    this.status = status
    this.body = body
    this.retryAfter = retryAfter
  }
}

/** The path below the API's base URL, with parameters and query filled in and escaped. */
export const urlOf = (e: Pick<Endpoint, 'path'>, sent: object) => {
  const params = membersOf(membersOf(sent).params)
  const path = e.path.replace(/:(\w+)/g, (_, key: string) =>
    encodeURIComponent(String(params[key] ?? '')),
  )
  const query = Object.entries(membersOf(membersOf(sent).query)).filter(
    ([, v]) => v !== undefined && v !== '',
  )
  return query.length
    ? `${path}?${new URLSearchParams(query.map(([k, v]) => [k, String(v)]))}`
    : path
}

const isIssue = ({ path, message }: Record<string, unknown>) =>
  Array.isArray(path) && typeof message === 'string'

/** Reads the error response of this server, a stock server or a proxy. Without schemas, which few need. */
export function errorBody(json: unknown): ErrorBody {
  const body = membersOf(json)
  const { code, msg, error, message, request_id = '', issues = [] } = body
  const isOurs = typeof code === 'string' && isKeyOf(ERROR_STATUS, code) && typeof msg === 'string'
  if (isOurs && Array.isArray(issues) && issues.map(membersOf).every(isIssue))
    return { ...body, code, msg, request_id: String(request_id), issues }
  const text = [msg, error, message].find((t): t is string => typeof t === 'string' && t !== '')
  return { code: 'internal', msg: text ?? GENERIC_ERROR, request_id: '', issues: [] }
}

/** The properties of an endpoint that a request needs. */
type Called = Pick<Endpoint, 'method' | 'path' | 'relayed' | 'sound'>

/**
 * Calls an endpoint over any transport: fetch in the console, inject in the server's tests.
 * Throws `ApiError` for every response that is not a success.
 */
export const call = async <E extends Endpoint>(via: Transport, e: E, sent: Sent<E>) =>
  // responses match the schema: this server checks them by it before sending
  (await callUnchecked(via, e, sent)) as Reply<E>

/** The same for an endpoint without its schemas, whose reply the caller names. */
export async function callUnchecked(via: Transport, e: Called, sent: Parts): Promise<unknown> {
  const { params, query, body, version } = sent
  const headers = version ? { 'if-match': `"${version}"` } : undefined
  return readReply(e, await via(e.method, urlOf(e, { params, query }), body, headers))
}

async function readReply(e: Called, { status, json, sound }: Answer): Promise<unknown> {
  const read = () => Promise.resolve(json()).catch(() => undefined)
  if (e.relayed && status < 300) return { status, body: await read() }
  if (status === 204) return undefined
  if (e.sound && status === 200 && sound) return sound()
  const said = await read()
  if (status >= 200 && status < 300 && said !== undefined) return said
  throw new ApiError(status, errorBody(said))
}

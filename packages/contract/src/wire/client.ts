import type { Endpoint, Reply, Sent, Sound } from './endpoint.ts'
import { ErrorBody, GENERIC_ERROR, issuesFrom } from './errors.ts'
import { plainError } from './plain-messages.ts'
import { membersOf } from './records.ts'

export type Transport = (
  method: string,
  url: string,
  body: unknown,
  headers?: Record<string, string>,
) => Promise<Answer>
type Answer = { status: number; json: () => unknown; sound?: () => Promise<Sound> }
type Parts = { params?: object; query?: object; body?: unknown; version?: string | undefined }

/** An error response of the API, as thrown to the caller. */
export class ApiError extends Error {
  override name = 'ApiError'
  body: ErrorBody
  status: number
  constructor(status: number, body: ErrorBody) {
    super(body.msg)
    this.status = status
    this.body = body
  }
}

/** The path below the API's base URL, with parameters and query filled in and escaped. */
export const urlOf = <E extends Endpoint>(
  e: E,
  sent: { params?: object; query?: object } | Sent<E>,
) => {
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

/**
 * The request body for a form's values: the output of the schema, so null for an empty
 * choice, trimmed text, real numbers and no unknown fields. Throws the `ApiError` that
 * the server would return for an invalid body.
 */
export function parseRequest<E extends Endpoint>(e: E, sent: Sent<E>): Sent<E> {
  if (!e.body) return sent
  const parsed = e.body.safeParse(membersOf(sent).body, { error: plainError })
  if (parsed.success) return { ...sent, body: parsed.data }
  const issues = issuesFrom(parsed.error)
  const msg = issues[0]?.message ?? GENERIC_ERROR
  throw new ApiError(400, { code: 'invalid', msg, request_id: '', issues })
}

/** Reads the error response of this server, a stock server or a proxy. */
function errorBody(json: unknown): ErrorBody {
  const parsed = ErrorBody.safeParse(json)
  if (parsed.success) return parsed.data
  const { msg, error, message } = membersOf(json)
  const text = [msg, error, message].find((t): t is string => typeof t === 'string' && t !== '')
  return { code: 'internal', msg: text ?? GENERIC_ERROR, request_id: '', issues: [] }
}

/**
 * Calls an endpoint over any transport: fetch in the console, inject in the server's tests.
 * Throws `ApiError` for every response that is not a success.
 */
export async function call<E extends Endpoint>(
  via: Transport,
  e: E,
  sent: Sent<E>,
): Promise<Reply<E>> {
  const { params, query, body, version }: Parts = sent
  const answer = await via(
    e.method,
    urlOf(e, { params, query }),
    body,
    version ? { 'if-match': `"${version}"` } : {},
  )
  // responses match the schema: this server checks them by it before sending
  return (await readReply(e, answer)) as Reply<E>
}

async function readReply(e: Endpoint, { status, json, sound }: Answer): Promise<unknown> {
  const read = () => Promise.resolve(json()).catch(() => undefined)
  if (e.relayed && status < 300) return { status, body: await read() }
  if (status === 204) return undefined
  if (e.sound && status === 200 && sound) return sound()
  const said = await read()
  if (status >= 200 && status < 300 && said !== undefined) return said
  throw new ApiError(status, errorBody(said))
}

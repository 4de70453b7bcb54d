import { t } from '@switchroom/contract'
import type { Answer } from '../outbound/outbound.ts'
import { Refused } from './protocol.ts'

type Limit = { timeout_ms: number; max_bytes: number }

/** An error response. */
type Refusing = Pick<Answer, 'status' | 'text'> & Partial<Answer>

/** A message for an error, with the reason that the vendor gives; empty for none. */
export type Words = (reason: string) => string

export type RequestOptions = {
  /** Values that must not appear in error messages. */
  secrets: readonly unknown[]
  limit: Limit
  /** Messages for this vendor's errors that replace the defaults, by status or by response. */
  says?: Record<number, Words> | ((answer: Refusing) => Words | undefined)
  /** Status codes that count as success besides 2xx. */
  takes?: readonly number[]
  /** Ends the request early. */
  signal?: AbortSignal | undefined
}

/** The vendor's response does not match its documentation. */
export const nonsense = () => new Refused(t('the vendor returned an unexpected answer'))

/** A vendor's message for users: short, on one line, without secrets. */
export function scrub(text: string, secrets: readonly unknown[]): string {
  let clean = text
  const forms = secrets
    .filter((s): s is string => typeof s === 'string' && s.length > 3)
    .flatMap((s) => [s, encodeURIComponent(s), Buffer.from(s).toString('base64')])
    // longer ones first, since one may contain another
    .sort((a, b) => b.length - a.length)
  for (const secret of forms) clean = clean.replaceAll(secret, '***')
  clean = clean.replace(/\s+/g, ' ').trim()
  return clean.length > 300 ? `${clean.slice(0, 299)}…` : clean
}

// the errors of the HTTP and WebSocket clients
const TIMES_OUT = /^(Connect)?TimeoutError|Opening handshake has timed out/

/** The message for a call without a response: failed, timed out or blocked. */
export function unreachable(error: unknown, { timeout_ms }: Pick<Limit, 'timeout_ms'>): Refused {
  if (error instanceof Refused) return error
  for (let e = error; e instanceof Error; e = e.cause) {
    if (e.name === 'Blocked') return new Refused(e.message, { cause: error })
    if (e.name === 'TooLarge')
      return new Refused(t('the vendor’s response is too large'), { cause: error })
    if (TIMES_OUT.test(`${e.name} ${e.message}`))
      return new Refused(
        t('no answer within {seconds} seconds', { seconds: Math.ceil(timeout_ms / 1_000) }),
        {
          cause: error,
        },
      )
    if (e.name === 'InvalidArgumentError' || ('code' in e && e.code === 'ERR_INVALID_URL'))
      return new Refused(t('the address or key contains invalid characters'))
  }
  return new Refused(t('the vendor cannot be reached'), { cause: error })
}

export const INVALID_KEY: Words = (reason) =>
  reason ? t('invalid api key: {reason}', { reason }) : t('invalid api key')
export const NO_CREDIT: Words = (reason) =>
  reason ? t('no credit left: {reason}', { reason }) : t('no credit left')
export const NOT_ALLOWED: Words = (reason) =>
  reason
    ? t('the key is not allowed to do this: {reason}', { reason })
    : t('the key is not allowed to do this')
export const OVER_QUOTA: Words = (reason) =>
  reason
    ? t('quota or concurrency limit exceeded: {reason}', { reason })
    : t('quota or concurrency limit exceeded')
export const INVALID_KEY_OR_REGION: Words = (reason) =>
  reason ? t('invalid api key or region: {reason}', { reason }) : t('invalid api key or region')
const NOT_FOUND: Words = (reason) =>
  reason ? t('not found at the vendor: {reason}', { reason }) : t('not found at the vendor')

const SAYS: Record<number, Words> = {
  401: INVALID_KEY,
  402: NO_CREDIT,
  403: NOT_ALLOWED,
  404: NOT_FOUND,
  429: OVER_QUOTA,
}
const REDIRECTS: Words = (reason) =>
  reason
    ? t('the vendor redirects, and redirects are not followed: {reason}', { reason })
    : t('the vendor redirects, and redirects are not followed')
/** For an error that has no words of ours: its status, or its name. */
export const answered =
  (status: number | string): Words =>
  (reason) =>
    reason
      ? t('the vendor answered {status}: {reason}', { status, reason })
      : t('the vendor answered {status}', { status })

/** The error for a response, with the reason it gives. */
export function refusal(answer: Refusing, requestOptions: RequestOptions) {
  const { status, text } = answer
  const { says } = requestOptions
  const words =
    (typeof says === 'function' ? says(answer) : says?.[status]) ??
    SAYS[status] ??
    (status >= 300 && status < 400 ? REDIRECTS : answered(status))
  const reason = scrub(reasonIn(parsed(text)) ?? '', requestOptions.secrets)
  return new Refused(words(reason), { status })
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// where vendors put an error message, the most specific first
const REASONS = [
  'error_description',
  'message',
  'Message',
  'err_msg',
  'error_message',
  'msg',
  'detail',
  'details',
  'reason',
  'title',
  'error',
  'errors',
]

/** The first message in an error's JSON, at any depth. */
function reasonIn(json: unknown, depth = 0): string | undefined {
  if (typeof json === 'string') return json || undefined
  if (typeof json !== 'object' || !json || depth > 3) return undefined
  const nested = Array.isArray(json) ? json.slice(0, 1) : REASONS.map((k) => Object(json)[k])
  for (const inner of nested) {
    const reason = reasonIn(inner, depth + 1)
    if (reason) return reason
  }
  return undefined
}

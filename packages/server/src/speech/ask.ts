import {
  activeFields,
  type ConfigOf,
  type Fields,
  isRecord,
  isSecret,
  t,
  type Vendor,
} from '@switchroom/contract'
import type { z } from 'zod'
import type { Answer, Outbound } from '../outbound/outbound.ts'
import { type Call, LIMITS, Refused, type Sound } from './protocol.ts'

type Limit = { timeout_ms: number; max_bytes: number }

/** An error response. */
type Refusing = Pick<Answer, 'status' | 'text'> & Partial<Answer>

/** A message for an error, with the reason that the vendor gives; empty for none. */
export type Words = (reason: string) => string

/** The request: a JSON body, a form, or a raw body. */
export type Question = {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  headers?: Record<string, string>
  body?: string | Buffer
  json?: unknown
  form?: Record<string, string>
}

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

/**
 * Sends a request and parses the JSON response by `shape`. Throws `Refused`, with the vendor's
 * reason if it gives one, and without any of the secrets.
 */
export async function askJson<S extends z.ZodType>(
  out: Outbound,
  url: string,
  how: Question,
  requestOptions: RequestOptions & { shape: S },
): Promise<z.output<S>>
export async function askJson(
  out: Outbound,
  url: string,
  how: Question,
  requestOptions: RequestOptions,
): Promise<unknown>
export async function askJson(
  out: Outbound,
  url: string,
  how: Question,
  requestOptions: RequestOptions & { shape?: z.ZodType },
): Promise<unknown> {
  const { text } = await ask(out, url, { accept: 'application/json' }, how, requestOptions)
  const json = parsed(text)
  if (json === undefined) throw nonsense()
  if (!requestOptions.shape) return json
  const { success, data } = requestOptions.shape.safeParse(json)
  if (!success) throw nonsense()
  return data
}

/** Sends a request and returns bytes with their media type. Throws as `askJson` does. */
export async function askBytes(
  out: Outbound,
  url: string,
  how: Question,
  requestOptions: RequestOptions,
): Promise<{ bytes: Buffer; type: string; parameters: string }> {
  const { bytes, headers } = await ask(out, url, {}, how, requestOptions)
  const [type = '', ...parameters] = String(headers['content-type'] ?? '').split(';')
  return { bytes, type, parameters: parameters.join(';') }
}

/** Sends a request for audio and checks that it is audio. Throws as `askJson` does. */
export async function askSound(
  out: Outbound,
  url: string,
  how: Question,
  requestOptions: RequestOptions,
  type: Sound['type'] = 'audio/mpeg',
): Promise<Sound> {
  const { bytes } = await askBytes(out, url, how, requestOptions)
  return soundOf(bytes, type)
}

/** A multipart form with a file, as part of a request. */
export async function multipart(
  fields: Record<string, string | undefined>,
  file: { field: string; name: string; type: string; bytes: Buffer },
): Promise<Pick<Question, 'headers' | 'body'> & { headers: Record<string, string> }> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) if (value) form.append(name, value)
  form.append(file.field, new Blob([new Uint8Array(file.bytes)], { type: file.type }), file.name)
  const written = new Response(form)
  return {
    headers: { 'content-type': written.headers.get('content-type')! },
    body: Buffer.from(await written.arrayBuffer()),
  }
}

/** Checks the magic bytes of a sound. Throws `Refused` if they do not match its type. */
export function soundOf(bytes: Buffer, type: Sound['type'] = 'audio/mpeg'): Sound {
  if (!BEGINS[type](bytes)) throw nonsense()
  return { type, bytes }
}

const BEGINS: Record<Sound['type'], (bytes: Buffer) => boolean> = {
  // an ID3 tag, or the sync word of a frame
  'audio/mpeg': (b) =>
    b.toString('latin1', 0, 3) === 'ID3' ||
    (b.length > 3 && b[0] === 0xff && (b[1]! & 0xe0) === 0xe0),
  'audio/wav': (b) => b.toString('latin1', 0, 4) === 'RIFF' && b.length > 44,
  'audio/ogg': (b) => b.toString('latin1', 0, 4) === 'OggS',
}

/** The vendor's response does not match its documentation. */
export const nonsense = () => new Refused(t('the vendor returned an unexpected answer'))

/** The secrets of a credential, to remove from the vendor's messages. */
export function secretsOf(vendor: Vendor, config: Record<string, unknown>): string[] {
  const fields: Fields = Object.assign(
    {},
    ...Object.keys(vendor.modes ?? { only: 0 }).map((mode) =>
      activeFields(vendor, { tts: true, stt: true, mode: vendor.modes ? mode : null }),
    ),
  )
  return Object.entries(fields).flatMap(([key, field]) => {
    const value = config[key]
    if (!isSecret(field) || typeof value !== 'string' || !value) return []
    if (field.kind !== 'key_file') return [value]
    const inside = Object.values<unknown>(Object(parsed(value)))
    return [value, ...inside.filter((v): v is string => typeof v === 'string')]
  })
}

/** Creates the options of a vendor's requests, by call. `says` holds messages for its statuses. */
export const optionsFor =
  <V extends Vendor>(vendor: V, says: Record<number, Words> = {}) =>
  (config: ConfigOf<V>, call: Call) => ({
    secrets: secretsOf(vendor, config),
    limit: LIMITS[call],
    says,
  })

/** A setting used within a host name. Throws `Refused` when it could change the host. */
export function hostPart(value: unknown, what: string): string {
  if (typeof value === 'string' && /^[a-z0-9-]{1,40}$/i.test(value)) return value
  throw new Refused(t('{what} is missing or invalid', { what }))
}

/** True if a toggle is on. Other consoles store numbers or text. */
const isOn = (setting: unknown) => ['true', '1'].includes(String(setting))

/** The URL of a vendor's container or region, without a trailing slash. The setting may lack the scheme. */
export function addressOf(setting: unknown, tls: unknown): string {
  const uri = String(setting).trim().replace(/\/+$/, '')
  return /^\w+:\/\//.test(uri)
    ? uri.replace(/^ws(?=s?:)/i, 'http')
    : `${isOn(tls) ? 'https' : 'http'}://${uri}`
}

/**
 * The extra options of a credential, which are stored as JSON text; empty by default. Throws `Refused` for
 * text that is not an object.
 */
export function extraOptions(setting: unknown): Record<string, unknown> {
  if (!setting) return {}
  try {
    const options: unknown = typeof setting === 'string' ? JSON.parse(setting) : setting
    if (isRecord(options)) return options
  } catch {
    // handled below
  }
  throw new Refused(t('the extra options of the credential are not a JSON object'))
}

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

async function ask(
  out: Outbound,
  url: string,
  usual: Record<string, string>,
  { method, headers, body, json, form }: Question,
  requestOptions: RequestOptions,
): Promise<Answer> {
  const sent =
    json !== undefined
      ? { type: 'application/json', body: JSON.stringify(json) }
      : form
        ? { type: 'application/x-www-form-urlencoded', body: String(new URLSearchParams(form)) }
        : undefined
  const content = sent?.body ?? body
  const answer = await out
    .fetch(url, {
      method: method ?? (content === undefined ? 'GET' : 'POST'),
      headers: { ...usual, ...(sent && { 'content-type': sent.type }), ...headers },
      ...(content !== undefined && { body: content }),
      ...requestOptions.limit,
      signal: requestOptions.signal,
    })
    .catch((error: unknown) => {
      requestOptions.signal?.throwIfAborted()
      throw unreachable(error, requestOptions.limit)
    })
  if (answer.status >= 200 && answer.status < 300) return answer
  if (requestOptions.takes?.includes(answer.status)) return answer
  throw refusal(answer, requestOptions)
}

function parsed(text: string): unknown {
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

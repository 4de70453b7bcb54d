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
import {
  nonsense,
  parsed,
  type RequestOptions,
  refusal,
  unreachable,
  type Words,
} from './refusal.ts'

/** The request: a JSON body, a form, or a raw body. */
export type Question = {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  headers?: Record<string, string>
  body?: string | Buffer
  json?: unknown
  form?: Record<string, string>
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

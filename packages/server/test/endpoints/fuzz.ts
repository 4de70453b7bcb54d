import { z } from 'zod'
import type { endpoints, World } from './lines.ts'
import { kindOf } from './sid-fields.ts'

/** Requests made from the contract and then damaged. The same random numbers make the same requests, but for sids. */
export type FuzzRequest = {
  who: string
  method: string
  /** With the query. */
  url: string
  headers: Record<string, string>
  payload?: string
}

type Random = (n: number) => number
type Endpoint = (typeof endpoints)[number]
/** A sid for a field of this name. */
type Sids = (name: string) => string
type Json = {
  type?: string | string[]
  format?: string
  const?: unknown
  enum?: unknown[]
  properties?: Record<string, Json>
  required?: string[]
  items?: Json
  anyOf?: Json[]
  oneOf?: Json[]
  allOf?: Json[]
}

const jsonOf = new WeakMap<z.ZodType, Json>()
function describe(schema: z.ZodType): Json {
  const known = jsonOf.get(schema)
  if (known) return known
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json
  jsonOf.set(schema, json)
  return json
}

const one = <T>(random: Random, of: readonly T[]) => of[random(of.length)]!

/** In every secret that requests send. */
export const SENT_SECRET = 'canary-sent-4b1d'
const SECRET_NAME = /password|secret|token|api_key|access_key|private_key/

const NUMBERS = [
  0,
  -0,
  -1,
  1,
  0.1,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  2 ** 63,
  -(2 ** 63),
  1e21,
  1.797e308,
  5e-324,
]
const TEXTS = [
  '',
  ' ',
  '0',
  'null',
  'undefined',
  'NaN',
  '__proto__',
  'constructor',
  'toString',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff\ud800',
  '\u202e\u200b\ufeff',
  '😀 名前 عربى',
  'İıſß',
  'e\u0301'.repeat(50),
  '\r\nSet-Cookie: a=b',
  '%00%2e%2e%2f',
  '../../../../etc/passwd',
  `'"\`; drop table accounts; --`,
  '%_%*?',
  '{"$ne":null}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what an attacker sends
  '${jndi:ldap://x}{{7*7}}',
  '<script>alert(1)</script>',
  '=1+1',
  '9'.repeat(400),
  'x'.repeat(5_000),
  'x'.repeat(70_000),
  '(a+)+$',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  'http://127.0.0.1:1/',
  'http://169.254.169.254/latest',
  'wss://[::1]:1/',
  'file:///etc/passwd',
  'http://user:pass@example.com:99999/',
  '1.2.3.4/0',
  '256.1.1.1',
  '::ffff:127.0.0.1',
  '2026-13-45T99:99:99Z',
  '-1',
  '1e309',
  'data:text/html,x',
]

function anything(random: Random, depth = 0): unknown {
  switch (random(depth > 2 ? 5 : 8)) {
    case 0:
      return one(random, NUMBERS)
    case 1:
      return one(random, [true, false, null])
    case 2:
    case 3:
    case 4:
      return one(random, TEXTS)
    case 5:
      return Array.from({ length: random(4) }, () => anything(random, depth + 1))
    case 6:
      return Object.fromEntries(
        Array.from({ length: random(4) }, () => [one(random, TEXTS), anything(random, depth + 1)]),
      )
    default: {
      let deep: unknown = one(random, TEXTS)
      for (let n = random(60); n > 0; n--) deep = random(2) ? [deep] : { a: deep }
      return deep
    }
  }
}

/** A value that the schema mostly accepts. */
function madeFrom(random: Random, json: Json, name: string, sids: Sids): unknown {
  if ('const' in json) return json.const
  if (json.enum) return one(random, json.enum)
  const variants = json.anyOf ?? json.oneOf ?? json.allOf
  if (variants) return madeFrom(random, one(random, variants), name, sids)
  if (json.format === 'uuid' || /_sid$/.test(name)) return sids(name)
  switch (Array.isArray(json.type) ? one(random, json.type) : json.type) {
    case 'object':
      return objectOf(random, json, sids)
    case 'array':
      return Array.from({ length: random(3) }, () => madeFrom(random, json.items ?? {}, name, sids))
    case 'boolean':
      return random(2) === 1
    case 'integer':
    case 'number':
      return random(3) ? random(100) : one(random, NUMBERS)
    case 'null':
      return null
    case 'string':
      if (SECRET_NAME.test(name)) return `${SENT_SECRET}${random(1_000)}`
      if (/url|hook/.test(name)) return 'https://example.com/hook'
      if (/ipv4|host/.test(name)) return one(random, ['198.51.100.7', 'sip.example.com'])
      if (/email|address/.test(name)) return 'fuzz@example.com'
      return random(4) ? `${name}${random(1_000)}` : one(random, TEXTS)
    default:
      return anything(random)
  }
}

function objectOf(random: Random, json: Json, sids: Sids): Record<string, unknown> {
  const required = new Set(json.required)
  const made: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(json.properties ?? {}))
    if (required.has(name) || random(5) < 2) made[name] = madeFrom(random, member, name, sids)
  return made
}

/** A copy with one place, chosen at random, replaced. */
function damaged(random: Random, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || random(4) === 0) return anything(random)
  if (Array.isArray(value)) {
    if (value.length === 0) return [anything(random)]
    const at = random(value.length)
    return value.map((v, i) => (i === at ? damaged(random, v) : v))
  }
  const keys = Object.keys(value)
  if (keys.length === 0 || random(8) === 0)
    return { ...value, [one(random, TEXTS)]: anything(random) }
  const key = one(random, keys)
  return { ...value, [key]: damaged(random, (value as Record<string, unknown>)[key]) }
}

const MANY = 30_000
/** Damages the text of a body. */
const TEXT_DAMAGE: ((random: Random, text: string) => string)[] = [
  (random, text) => text.slice(0, random(text.length + 1)),
  (_, text) => text.replace(/^\{/, '{"__proto__":{"role":"admin"},'),
  (_, text) => text.replace(/^\{/, '{"constructor":{"prototype":{"role":"admin"}},'),
  (_, text) => text.replace(/^\{("[^"]*"):/, '{$1:null,$1:'),
  (_, text) => `\ufeff${text}`,
  (_, text) => text.replace(/:/, ':1e999,"x":'),
  (_, text) => text.replace(/"/, '\0"'),
  (_, text) => `${text}${text}`,
  () => `${'['.repeat(MANY)}${']'.repeat(MANY)}`,
  () => `${'{"a":'.repeat(MANY / 3)}1${'}'.repeat(MANY / 3)}`,
  () => `[${'{},'.repeat(MANY)}{}]`,
  () => 'x'.repeat(300_000),
  () => '"\\ud800"',
  () => '{"a":"\\u0000"}',
]
const TYPES = [
  'application/json',
  'application/json; charset=utf-16',
  'APPLICATION/JSON;;;',
  'application/json, text/csv',
  'text/plain',
  'text/csv',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'multipart/form-data; boundary=',
  'application/octet-stream',
  'x',
  '/',
  '',
]
/** Headers as they can arrive: no line breaks, no character above 255. */
const HEADERS: [string, string[]][] = [
  ['if-match', ['*', '"x"', 'W/""', '"'.repeat(500), '"a","b"']],
  [
    'range',
    ['bytes=0-', 'bytes=-1', 'bytes=9-1', 'bytes=0-0,5-9', 'x', 'bytes=99999999999999999999-'],
  ],
  ['accept', ['*/*', 'text/html', 'application/x-ndjson', ',;q=', 'x'.repeat(4_000)]],
  ['accept-encoding', ['gzip', 'br;q=0', 'identity;q=0, *;q=0', 'x']],
  ['origin', ['null', 'https://evil.example', 'x']],
  ['cookie', ['a', '=;=;', 'switchroom=%00', `a=${'x'.repeat(4_000)}`, '__proto__=1']],
  ['x-forwarded-for', ['1.2.3.4', 'x, y', '', '::1,'.repeat(300)]],
  ['x-real-ip', ['1.2.3.4', 'x']],
  ['x-http-method-override', ['DELETE']],
  [
    'authorization',
    [
      '',
      'Bearer',
      'Bearer  ',
      'Bearer a.b.c',
      'Basic eDp5',
      `Bearer ${'x'.repeat(8_000)}`,
      'Bearer \xff.\xff.\xff',
    ],
  ],
  ['stripe-signature', ['t=1,v1=x']],
  ['user-agent', ['', 'x'.repeat(4_000), '\xff', '{{7*7}}']],
  ['x-request-id', ['\xff', 'a'.repeat(1_000)]],
  ['upgrade', ['websocket', 'h2c']],
]

const encode = (value: unknown) =>
  encodeURIComponent(
    (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
      .toWellFormed()
      .slice(0, 3_000),
  )

const CALLERS = [
  'a1',
  'a1',
  'sp1',
  'sp1',
  'admin',
  'admin',
  'a1-key',
  'sp1-key',
  'admin-key',
  'a1-viewer',
  'b1',
  '',
]

/** A request that is damaged in up to three places; one in four is not. */
export function makeRequest(
  random: Random,
  { e, line }: Endpoint,
  w: World,
  others: World,
): FuzzRequest {
  const any = [...Object.values(w), ...Object.values(others), 'not a sid']
  const sids: Sids = (name) => {
    const { kind } = kindOf({ path: [name] })
    return kind && random(4) ? w[kind] : one(random, any)
  }
  const fromLine = random(2) === 0
  const params: Record<string, unknown> = { ...line.params?.(w) }
  if (e.params && !fromLine) Object.assign(params, objectOf(random, describe(e.params), sids))
  let query: Record<string, unknown> = { ...line.query?.(w) }
  if (e.query && !fromLine) query = objectOf(random, describe(e.query), sids)
  const sent = line.body?.(w)
  // files and forms have tests of their own
  let body: unknown = typeof sent === 'string' || sent instanceof FormData ? undefined : sent
  if (e.body && (!fromLine || body === undefined))
    body = madeFrom(random, describe(e.body), '', sids)
  const headers: Record<string, string> = {}
  let damageText: ((text: string) => string) | undefined
  const damage: (() => void)[] = [
    () => {
      query[one(random, [...Object.keys(query), one(random, TEXTS)])] = anything(random)
    },
    () => {
      const [name, values] = one(random, HEADERS)
      headers[name] = one(random, values)
    },
    () => {
      headers['content-type'] = one(random, TYPES)
    },
  ]
  if (e.params)
    damage.push(() => {
      params[one(random, Object.keys(params))] = one(random, TEXTS)
    })
  const damageBody = () => {
    body = damaged(random, body ?? {})
  }
  if (e.method !== 'GET')
    damage.push(
      damageBody,
      damageBody,
      damageBody,
      () => {
        const how = one(random, TEXT_DAMAGE)
        damageText = (text) => how(random, text)
      },
      () => {
        headers['content-encoding'] = one(random, ['gzip', 'deflate', 'x'])
      },
    )
  for (let n = random(4) && 1 + random(3); n > 0; n--) one(random, damage)()

  const path = e.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name] ?? ''
    // as it is, one time in ten: broken escapes
    return random(10) ? encode(value) : one(random, ['%', '%zz', '%00', '%ff', '*'])
  })
  const search = Object.entries(query)
    .map(
      ([name, value]) =>
        `${encode(name)}${one(random, ['', '', '', '[]', '[x]'])}=${encode(value)}`,
    )
    .join(random(20) ? '&' : ';&&')
  const request: FuzzRequest = {
    who: one(random, CALLERS),
    method: e.method,
    url: `${path}${search ? `?${search}` : ''}`,
    headers,
  }
  if (body !== undefined && e.method !== 'GET') {
    const text = JSON.stringify(body) ?? ''
    request.payload = damageText ? damageText(text) : text
    headers['content-type'] ??= e.takesCsv ? 'text/csv' : 'application/json'
  }
  return request
}

/** Simpler requests, the simplest first, to look for the smallest that still fails. */
export function* simpler(request: FuzzRequest): Generator<FuzzRequest> {
  const { payload, ...bare } = request
  if (payload !== undefined) yield bare
  for (const name of Object.keys(request.headers)) {
    const { [name]: _, ...headers } = request.headers
    yield { ...request, headers }
  }
  const [path = '', search = ''] = request.url.split('?', 2)
  const parts = search.split('&').filter(Boolean)
  for (const i of parts.keys()) {
    const rest = parts.toSpliced(i, 1).join('&')
    yield { ...request, url: `${path}${rest ? `?${rest}` : ''}` }
  }
  if (payload === undefined) return
  for (const text of simplerTexts(payload)) yield { ...request, payload: text }
}

function* simplerTexts(text: string): Generator<string> {
  try {
    for (const value of simplerValues(JSON.parse(text))) yield JSON.stringify(value)
  } catch {
    yield text.slice(0, text.length >> 1)
    yield text.slice(text.length >> 1)
  }
}

function* simplerValues(value: unknown): Generator<unknown> {
  if (typeof value === 'string' && value.length > 1) yield value.slice(0, value.length >> 1)
  if (Array.isArray(value))
    for (const i of value.keys()) {
      yield value.toSpliced(i, 1)
      for (const v of simplerValues(value[i])) yield value.with(i, v)
    }
  else if (typeof value === 'object' && value !== null)
    for (const [key, member] of Object.entries(value)) {
      const { [key]: _, ...rest } = value as Record<string, unknown>
      yield rest
      for (const v of simplerValues(member)) yield { ...value, [key]: v }
    }
}

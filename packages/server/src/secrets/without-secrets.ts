import { MASK } from '@switchroom/contract'

/** Names of fields whose values are secret, at any depth. */
const SECRET =
  /password|passwd|secret|token|credential(?!_sid)|connection_string|service_key|api[-_]?key|private[-_]?key|(?<!use_)voice_cloning_key|authorization|(?:^|-)cookie$|^auth$|^key$/i

/** Names that look like a secret's but are not. */
const NO_SECRETS = new Set(['api_key_sid', 'min_password_length'])
const isSecret = (name: string) => SECRET.test(name) && !NO_SECRETS.has(name)

// anybody's text may be scanned: none of these backtracks over more than a few characters
/** Headers in text, with their values to the end of the line. */
const HEADER = /\b(authorization|cookie)(\\{0,4}["']?[ \t]{0,8}:[ \t]{0,8})[^\r\n]+/gi
/** Credentials of an authentication scheme. */
const SCHEME = /\b(Bearer|Basic)[ \t]{1,8}[\w.~+/=-]{8,}/g
/** `password=…` and the like, as in JSON that was cut short, a query or a message. */
const NAMED =
  /((?:password|passwd|secret|token|credential|connection_string|service_key|api[-_]?key|private[-_]?key)[\w-]{0,64}\\{0,4}["']?\s{0,8}[:=]\s{0,8})(?:(\\{0,4}["'])(?:(?!\2)[^\r\n])+|[^"'\\\s,;&}\])]+)/gi

/** Names of fields with pressed keys, which are PINs as often as choices. */
const PRESSED = new Set(['digits', 'dtmf'])
/** A pressed key, as the feature server names its span. */
const KEY = /\bdtmf:[\dA-D*#]/gi

type Values = Record<string, unknown>

const isObject = (v: unknown): v is Values => typeof v === 'object' && v !== null
const isSet = (v: unknown) => v !== null && v !== undefined && v !== ''

/** Masks the credentials in every URL of a text: user, password, and query parameters with secret names. */
export const maskedUrls = (text: string) =>
  text.replace(/\b(?:https?|wss?):\/\/[^\s"'<>]+/gi, maskedUrl)

function maskedUrl(text: string): string {
  if (!URL.canParse(text)) return text
  const url = new URL(text)
  const secrets = [...url.searchParams.keys()].filter(isSecret)
  if (!url.username && !url.password && secrets.length === 0) return text
  if (url.username) url.username = '***'
  if (url.password) url.password = '***'
  for (const key of secrets) url.searchParams.set(key, '***')
  return url.href
}

/** The text without URL escapes, or unchanged if they are invalid. */
function unescaped(text: string) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The secrets that `maskedUrls` masks in a URL, without escapes. */
export function secretsOfUrl(text: string): string[] {
  if (!URL.canParse(text)) return []
  const { password, searchParams } = new URL(text)
  const inQuery = [...searchParams].filter(([key]) => isSecret(key)).map(([, value]) => value)
  return [password, unescaped(password), ...inQuery]
}

/** A URL up to its host: the rest may be a secret that grants access. Other text is unchanged. */
export const hostOnly = (text: string) =>
  URL.canParse(text) ? `${new URL(text).protocol}//${new URL(text).host}/${MASK}` : text

/** The sent value, or the stored one if the reader sent back its masked form. */
export const unlessHidden = <T extends string | null | undefined>(
  sent: T,
  stored: T,
  shown: (text: string) => string,
) => (stored && sent !== stored && sent === shown(stored) ? stored : sent)

/** Masks secrets in an application's JSON; text that is not JSON is masked as a whole. */
export function maskedJson(text: string): string {
  try {
    return JSON.stringify(normalize(JSON.parse(text)))
  } catch {
    return MASK
  }
}

/**
 * Masks secrets and pressed keys in text of the platform's components: a log line, a webhook's body, headers. JSON in
 * it is masked by the names of its fields, at any depth.
 */
export function maskedText(text: string): string {
  try {
    const parsed: unknown = JSON.parse(text)
    const shown = JSON.stringify(normalize(parsed, '', maskedText), (key, value) =>
      PRESSED.has(key) && isSet(value) ? MASK : value,
    )
    // numbers that JavaScript would round stay unchanged
    return shown === JSON.stringify(parsed) ? text : shown
  } catch {
    // not JSON, or nested too deeply to be anything
    return maskedUrls(text)
      .replace(HEADER, `$1$2${MASK}`)
      .replace(SCHEME, `$1 ${MASK}`)
      .replace(NAMED, `$1$2${MASK}`)
      .replace(KEY, `dtmf:${MASK}`)
  }
}

type Attribute = { key: string; value: Record<string, unknown> }

/** Masks secrets in an attribute of a span, by its name and in its text. */
export function maskedAttribute({ key, value }: Attribute): Attribute {
  const name = key.split('.').at(-1)!
  if (isSecret(name) || PRESSED.has(name)) return { key, value: { stringValue: MASK } }
  const { stringValue: text } = value
  return typeof text === 'string'
    ? { key, value: { ...value, stringValue: maskedText(text) } }
    : { key, value }
}

/** Masks the secrets of a value, at any depth. `mask` masks those within a text. */
export function normalize(value: unknown, key = '', mask = maskedUrls): unknown {
  if (isSecret(key)) return isSet(value) ? MASK : value
  // an application's variables may hold anything, so all are masked
  if (key === 'env_vars' && isObject(value))
    return Object.fromEntries(Object.keys(value).map((name) => [name, MASK]))
  if (key === 'app_json' && typeof value === 'string') return maskedJson(value)
  if (Array.isArray(value)) return value.map((v) => normalize(v, '', mask))
  if (isObject(value)) return withoutSecrets(value, mask)
  return typeof value === 'string' ? mask(value) : value
}

/** Masks the secrets of a row, by the names of its fields. */
export const withoutSecrets = (values: Values, mask = maskedUrls): Values =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, normalize(value, key, mask)]),
  )

import { MASK } from '@switchroom/contract'

/** Names of fields whose values are secret, at any depth. */
const SECRET =
  /password|passwd|secret|token|credential(?!_sid)|connection_string|service_key|api_?key|private_?key|(?<!use_)voice_cloning_key|^auth$|^key$/i

type Values = Record<string, unknown>

const isObject = (v: unknown): v is Values => typeof v === 'object' && v !== null
const isSet = (v: unknown) => v !== null && v !== undefined && v !== ''

/** Masks the credentials in every URL of a text: user, password, and query parameters with secret names. */
export const plainUrls = (text: string) =>
  text.replace(/\b(?:https?|wss?):\/\/[^\s"'<>]+/gi, plainUrl)

function plainUrl(text: string): string {
  if (!URL.canParse(text)) return text
  const url = new URL(text)
  const secrets = [...url.searchParams.keys()].filter((key) => SECRET.test(key))
  if (!url.username && !url.password && secrets.length === 0) return text
  if (url.username) url.username = '***'
  if (url.password) url.password = '***'
  for (const key of secrets) url.searchParams.set(key, '***')
  return url.href
}

/** All of a URL but what follows its host, which may be what lets its holder in; other text as it is. */
export const hostOnly = (text: string) =>
  URL.canParse(text) ? `${new URL(text).protocol}//${new URL(text).host}/${MASK}` : text

/** What was sent, or the stored value if a reader sent back what it was shown instead of it. */
export const unlessHidden = <T extends string | null | undefined>(
  sent: T,
  stored: T,
  shown: (text: string) => string,
) => (stored && sent !== stored && sent === shown(stored) ? stored : sent)

/** Masks secrets in an application's JSON; text that is not JSON is masked as a whole. */
export function plainJson(text: string): string {
  try {
    return JSON.stringify(normalise(JSON.parse(text)))
  } catch {
    return MASK
  }
}

export function normalise(value: unknown, key = ''): unknown {
  if (SECRET.test(key)) return isSet(value) ? MASK : value
  // an application's variables may hold anything, so all are masked
  if (key === 'env_vars' && isObject(value))
    return Object.fromEntries(Object.keys(value).map((name) => [name, MASK]))
  if (key === 'app_json' && typeof value === 'string') return plainJson(value)
  if (Array.isArray(value)) return value.map((v) => normalise(v))
  if (isObject(value)) return withoutSecrets(value)
  return typeof value === 'string' ? plainUrls(value) : value
}

/** Masks the secrets of a row, by the names of its fields. */
export const withoutSecrets = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, normalise(value, key)]))

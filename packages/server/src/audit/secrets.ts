import { MASK, MASK_CHANGED } from '@switchroom/contract'

/** Names of fields whose values are secret, at any depth. */
const SECRET =
  /password|passwd|secret|token|credential(?!_sid)|connection_string|service_key|api_?key|private_?key|(?<!use_)voice_cloning_key|^auth$|^key$/i

type Values = Record<string, unknown>

const isObject = (v: unknown): v is Values => typeof v === 'object' && v !== null
const isSet = (v: unknown) => v !== null && v !== undefined && v !== ''

/** Masks the credentials in a URL: user, password, and query parameters with secret names. */
function plainUrl(text: string): string {
  if (!/^(https?|wss?):\/\//i.test(text) || !URL.canParse(text)) return text
  const url = new URL(text)
  const secrets = [...url.searchParams.keys()].filter((key) => SECRET.test(key))
  if (!url.username && !url.password && secrets.length === 0) return text
  if (url.username) url.username = '***'
  if (url.password) url.password = '***'
  for (const key of secrets) url.searchParams.set(key, '***')
  return url.href
}

/** Masks secrets in an application's JSON; text that is not JSON is masked as a whole. */
function plainJson(text: string): string {
  try {
    return JSON.stringify(normalise(JSON.parse(text)))
  } catch {
    return MASK
  }
}

function normalise(value: unknown, key = ''): unknown {
  if (SECRET.test(key)) return isSet(value) ? MASK : value
  // an application's variables may hold anything, so all are masked
  if (key === 'env_vars' && isObject(value))
    return Object.fromEntries(Object.keys(value).map((name) => [name, MASK]))
  if (key === 'app_json' && typeof value === 'string') return plainJson(value)
  if (Array.isArray(value)) return value.map((v) => normalise(v))
  if (isObject(value)) return withoutSecrets(value)
  return typeof value === 'string' ? plainUrl(value) : value
}

/** Masks the secrets of a row for the audit log. */
export const withoutSecrets = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, normalise(value, key)]))

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** The fields that differ, with secrets masked. A changed secret shows only that it changed. */
export function difference(before: Values, after: Values): { before: Values; after: Values } {
  const was: Values = {}
  const is: Values = {}
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (isEqual(before[key], after[key])) continue
    was[key] = normalise(before[key] ?? null, key)
    is[key] = normalise(after[key] ?? null, key)
    // nothing but a secret inside it has changed
    if (isEqual(was[key], is[key])) is[key] = MASK_CHANGED
  }
  return { before: was, after: is }
}

import { MASK, MASK_CHANGED } from '@switchroom/contract'

/** Members whose values are nobody's business but their own, at any depth. */
const SECRET =
  /password|passwd|secret|token|credential(?!_sid)|connection_string|service_key|api_?key|private_?key|(?<!use_)voice_cloning_key|^auth$|^key$/i

type Values = Record<string, unknown>

const isObject = (v: unknown): v is Values => typeof v === 'object' && v !== null
const isSet = (v: unknown) => v !== null && v !== undefined && v !== ''

/** A URL without what may let somebody in: user and password, and parameters that are called secret. */
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

/** The verbs of an application as text, each without its secrets; text that is no JSON is not repeated. */
function plainJson(text: string): string {
  try {
    return JSON.stringify(plain(JSON.parse(text)))
  } catch {
    return MASK
  }
}

function plain(value: unknown, key = ''): unknown {
  if (SECRET.test(key)) return isSet(value) ? MASK : value
  // variables of an application hold whatever its author put there
  if (key === 'env_vars' && isObject(value))
    return Object.fromEntries(Object.keys(value).map((name) => [name, MASK]))
  if (key === 'app_json' && typeof value === 'string') return plainJson(value)
  if (Array.isArray(value)) return value.map((v) => plain(v))
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, plain(v, k)]))
  return typeof value === 'string' ? plainUrl(value) : value
}

/** A thing as the log may keep it. */
export const withoutSecrets = (values: Values) => plain(values) as Values

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** What differs, without secrets; that a secret is another one now can be seen, and nothing more of it. */
export function difference(before: Values, after: Values): { before: Values; after: Values } {
  const was: Values = {}
  const is: Values = {}
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (same(before[key], after[key])) continue
    was[key] = plain(before[key] ?? null, key)
    is[key] = plain(after[key] ?? null, key)
    // only secrets in it have changed
    if (same(was[key], is[key])) is[key] = MASK_CHANGED
  }
  return { before: was, after: is }
}

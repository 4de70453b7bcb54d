import type { z } from 'zod'

/** Labels of fields that do not follow from the name. Lower case, as within a sentence. */
const LABELS: Record<string, string> = {
  app_json: 'application JSON',
  bucket_credential: 'bucket settings',
  call_hook: 'calling webhook',
  default_carrier_set_entry_sid: 'default carrier',
  device_calling_application_sid: 'application for SIP device calls',
  device_to_call_ratio: 'ratio of devices to calls',
  disable_cdrs: 'disable call records',
  e164_leading_plus: 'E.164 leading plus',
  email: 'email',
  encodingMp3: 'MP3 encoding',
  env_vars: 'environment variables',
  force_change: 'force password change',
  initial_password: 'password',
  inviteCode: 'invite code',
  ipv4: 'address',
  lcr: 'routing table',
  lcr_carrier_set_entries: 'carriers of the route',
  lcr_carrier_set_entry_sid: 'carrier of the route',
  lcr_route_sid: 'route',
  lcr_sid: 'routing table',
  locationBeforeAuth: 'location before logging in',
  logGroupName: 'log group name',
  monitoring_domain_name: 'monitoring domain name',
  ms_teams_fqdn: 'MS Teams fully qualified domain name',
  number: 'phone number',
  oauth2_iss: 'OAuth issuer',
  price_id: 'price',
  private_network_cidr: 'private network CIDR',
  quantity: 'quantity',
  regex: 'digit prefix or regex',
  register_from_domain: 'SIP from domain',
  register_from_user: 'SIP from user',
  register_password: 'register password',
  register_sip_realm: 'SIP realm',
  role_arn: 'role ARN',
  secret_access_key: 'secret access key',
  siprec_hook_sid: 'SIPREC application',
  tenant_fqdn: 'domain name',
  voip_carrier_sid: 'carrier',
  voice_call_minutes: 'max minutes',
  voice_call_minutes_license: 'licensed minutes',
  voice_call_session: 'max calls',
  voice_call_session_license: 'licensed calls',
  wav: 'recording',
}

const ACRONYMS: Record<string, string> = {
  api: 'API',
  cidr: 'CIDR',
  dtls: 'DTLS',
  dtmf: 'DTMF',
  ice: 'ICE',
  id: 'ID',
  json: 'JSON',
  oauth2: 'OAuth',
  options: 'OPTIONS',
  sip: 'SIP',
  sips: 'SIPS',
  smpp: 'SMPP',
  stt: 'speech-to-text',
  tcp: 'TCP',
  tls: 'TLS',
  tts: 'text-to-speech',
  uri: 'URI',
  url: 'URL',
  wss: 'WSS',
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const article = (text: string) => (/^([aeio]|SIP|SMPP|MP3|MS|STT)/i.test(text) ? 'an' : 'a')

type Path = readonly PropertyKey[]

/** The label of the field at this path, as within a sentence. */
export function labelOf(path: Path): string {
  const names = path.filter((part): part is string => typeof part === 'string')
  const name = names.at(-1)
  if (name === undefined) return 'request'
  // the author of the application chose this name
  if (names.at(-2) === 'env_vars') return name
  const known = LABELS[name]
  if (known) return known
  return name
    .replace(/_sids?$/, (end) => (end === '_sids' ? 's' : ''))
    .replace(/^is_/, '')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_')
    .map((word) => ACRONYMS[word] ?? word)
    .join(' ')
}

/** The same at the start of a sentence. */
export const Label = (path: Path) => capital(labelOf(path))

const isMissing = (input: unknown) => input === undefined || input === null || input === ''

/** Errors for an empty text or number, and for an empty choice. */
export const enter = (path: Path) => `Enter the ${labelOf(path)}`
export const choose = (path: Path) => `Choose ${article(labelOf(path))} ${labelOf(path)}`

type Raw = z.core.$ZodRawIssue
const pathOf = (issue: Raw) => issue.path ?? []

/** Options for a schema whose other checks use the messages of `plainError`. */
export const whenMissing = (message: string | undefined) => ({
  error: (issue: Raw) => (issue.code === 'invalid_type' ? message : undefined),
})

/** Malformed sids get the platform's own message; for a missing one people made no choice. */
export const sidError = (issue: Raw) =>
  isMissing(issue.input) ? choose(pathOf(issue)) : 'Bad request'

export const flagError = (issue: Raw) => `${Label(pathOf(issue))} must be true or false`

const TYPES: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

/**
 * The message for every issue that a schema has no message for: zod's own are for
 * programmers. Passed to every parse of user input.
 */
export function plainError(issue: Raw): string {
  const path = pathOf(issue)
  const label = Label(path)
  switch (issue.code) {
    case 'invalid_type': {
      if (isMissing(issue.input))
        return issue.expected === 'string' || issue.expected === 'number'
          ? enter(path)
          : `${label} is required`
      return `${label} must be ${TYPES[issue.expected] ?? 'a different type'}`
    }
    case 'too_small':
      if (issue.origin === 'string')
        return issue.minimum === 1
          ? enter(path)
          : `${label} must have at least ${issue.minimum} characters`
      if (issue.origin === 'array') return `${label} must have at least ${entries(issue.minimum)}`
      return `${label} must be at least ${issue.minimum}`
    case 'too_big':
      if (issue.origin === 'string') return `${label} can have at most ${issue.maximum} characters`
      if (issue.origin === 'array') return `${label} can have at most ${entries(issue.maximum)}`
      return `${label} can be at most ${issue.maximum}`
    case 'invalid_value':
      return isMissing(issue.input) ? choose(path) : `Choose a valid ${labelOf(path)}`
    case 'invalid_format':
      return isMissing(issue.input) ? enter(path) : `Enter a valid ${labelOf(path)}`
    case 'unrecognized_keys':
      return `Unknown fields: ${issue.keys.join(', ')}`
    default:
      return isMissing(issue.input) ? enter(path) : `${label} is not valid`
  }
}

const entries = (n: number | bigint) => `${n} ${n === 1 ? 'entry' : 'entries'}`

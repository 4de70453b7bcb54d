import type { z } from 'zod'
import { plural, t, translated } from './text.ts'

/** Labels of fields that do not follow from the name. Lower case, as within a sentence. */
const LABELS: Record<string, string> = {
  app_json: t('application JSON'),
  bucket_credential: t('bucket settings'),
  call_hook: t('calling webhook'),
  default_carrier_set_entry_sid: t('default carrier'),
  device_calling_application_sid: t('application for SIP device calls'),
  device_to_call_ratio: t('ratio of devices to calls'),
  disable_cdrs: t('disable call records'),
  e164_leading_plus: t('E.164 leading plus'),
  email: t('email'),
  encodingMp3: t('MP3 encoding'),
  env_vars: t('environment variables'),
  force_change: t('force password change'),
  initial_password: t('password'),
  inviteCode: t('invite code'),
  ipv4: t('address'),
  lcr: t('routing table'),
  lcr_carrier_set_entries: t('carriers of the route'),
  lcr_carrier_set_entry_sid: t('carrier of the route'),
  lcr_route_sid: t('route'),
  lcr_sid: t('routing table'),
  locationBeforeAuth: t('location before logging in'),
  logGroupName: t('log group name'),
  monitoring_domain_name: t('monitoring domain name'),
  ms_teams_fqdn: t('MS Teams fully qualified domain name'),
  number: t('phone number'),
  oauth2_iss: t('OAuth issuer'),
  price_id: t('price'),
  private_network_cidr: t('private network CIDR'),
  quantity: t('quantity'),
  regex: t('digit prefix or regex'),
  register_from_domain: t('SIP from domain'),
  register_from_user: t('SIP from user'),
  register_password: t('register password'),
  register_sip_realm: t('SIP realm'),
  role_arn: t('role ARN'),
  secret_access_key: t('secret access key'),
  siprec_hook_sid: t('SIPREC application'),
  tenant_fqdn: t('domain name'),
  voip_carrier_sid: t('carrier'),
  voice_call_minutes: t('call minutes limit'),
  voice_call_minutes_license: t('licensed minutes'),
  voice_call_session: t('concurrent call limit'),
  voice_call_session_license: t('licensed calls'),
  wav: t('recording'),
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
const takesAn = (text: string) => /^([aeio]|SIP|SMPP|MP3|MS|STT)/i.test(text)

type Path = readonly PropertyKey[]

/** The label of the field at this path, as within a sentence. */
export function labelOf(path: Path): string {
  const names = path.filter((part): part is string => typeof part === 'string')
  const name = names.at(-1)
  if (name === undefined) return t('request')
  // the author of the application chose this name
  if (names.at(-2) === 'env_vars') return name
  const known = LABELS[name]
  if (known) return known
  const label = name
    .replace(/_sids?$/, (end) => (end === '_sids' ? 's' : ''))
    .replace(/^is_/, '')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_')
    .map((word) => ACRONYMS[word] ?? word)
    .join(' ')
  // what is in the catalogue are the labels of forms
  const inForms = translated(capital(label))
  return inForms === capital(label) ? label : inForms
}

/** The same at the start of a sentence. */
export const Label = (path: Path) => capital(labelOf(path))

const isMissing = (input: unknown) => input === undefined || input === null || input === ''

/** Errors for an empty text or number, and for an empty choice. */
export const enter = (path: Path) => t('Enter the {label}', { label: labelOf(path) })
export function choose(path: Path): string {
  const label = labelOf(path)
  return takesAn(label) ? t('Choose an {label}', { label }) : t('Choose a {label}', { label })
}

type Raw = z.core.$ZodRawIssue
const pathOf = (issue: Raw) => issue.path ?? []

/** Options for a schema whose other checks use the messages of `plainError`. */
export const whenMissing = (message: string | undefined) => ({
  error: (issue: Raw) => (issue.code === 'invalid_type' ? message : undefined),
})

/** Malformed sids get the platform's own message; for a missing one people made no choice. */
export const sidError = (issue: Raw) =>
  isMissing(issue.input) ? choose(pathOf(issue)) : t('Bad request')

export const flagError = (issue: Raw) =>
  t('{label} must be true or false', { label: Label(pathOf(issue)) })

const TYPES: Record<string, string> = {
  string: t('text'),
  number: t('a number'),
  int: t('a whole number'),
  boolean: t('true or false'),
  array: t('a list'),
  object: t('an object'),
  record: t('an object'),
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
          : t('{label} is required', { label })
      return t('{label} must be {type}', {
        label,
        type: TYPES[issue.expected] ?? t('a different type'),
      })
    }
    case 'too_small':
      if (issue.origin === 'string')
        return issue.minimum === 1
          ? enter(path)
          : t('{label} must have at least {minimum} characters', { label, minimum: issue.minimum })
      if (issue.origin === 'array')
        return plural(
          Number(issue.minimum),
          '{label} must have at least 1 entry|{label} must have at least {n} entries',
          { label },
        )
      return t('{label} must be at least {minimum}', { label, minimum: issue.minimum })
    case 'too_big':
      if (issue.origin === 'string')
        return t('{label} can have at most {maximum} characters', { label, maximum: issue.maximum })
      if (issue.origin === 'array')
        return plural(
          Number(issue.maximum),
          '{label} can have at most 1 entry|{label} can have at most {n} entries',
          { label },
        )
      return t('{label} can be at most {maximum}', { label, maximum: issue.maximum })
    case 'invalid_value':
      return isMissing(issue.input)
        ? choose(path)
        : t('Choose a valid {label}', { label: labelOf(path) })
    case 'invalid_format':
      return isMissing(issue.input)
        ? enter(path)
        : t('Enter a valid {label}', { label: labelOf(path) })
    case 'unrecognized_keys':
      return t('Unknown fields: {keys}', { keys: issue.keys.join(', ') })
    default:
      return isMissing(issue.input) ? enter(path) : t('{label} is not valid', { label })
  }
}

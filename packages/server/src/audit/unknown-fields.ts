import { type AuditKind, CLIENT_CODE_REJECTED, MASK, t } from '@switchroom/contract'
import { platform } from '../db/platform.ts'
import { invalidField } from '../http/failure.ts'
import { VOLATILE } from '../http/version.ts'

type Values = Record<string, unknown>

/** The table of each audit kind: older clients send any of its columns. */
const TABLES: Partial<Record<AuditKind, keyof typeof platform>> = {
  account: 'accounts',
  api_key: 'api_keys',
  application: 'applications',
  client: 'clients',
  google_custom_voice: 'google_custom_voices',
  lcr: 'lcr',
  ms_teams_tenant: 'ms_teams_tenants',
  phone_number: 'phone_numbers',
  sbc_address: 'sbc_addresses',
  service_provider: 'service_providers',
  sip_gateway: 'sip_gateways',
  smpp_address: 'smpp_addresses',
  smpp_gateway: 'smpp_gateways',
  user: 'users',
  voip_carrier: 'voip_carriers',
}

const isNothing = (v: unknown) => v === undefined || v === null || v === ''
const isObject = (v: unknown): v is Values => typeof v === 'object' && v !== null
const text = (v: unknown) => String(typeof v === 'boolean' ? Number(v) : v).toLowerCase()

/** True if a sent value equals the stored one, however databases, forms and older clients spell it. */
export function sameValue(sent: unknown, is: unknown): boolean {
  if (sent === MASK || (isNothing(sent) && isNothing(is))) return true
  if (isObject(sent) !== isObject(is)) return false
  if (!isObject(sent) || !isObject(is)) return text(sent) === text(is)
  if (Array.isArray(sent) && !(Array.isArray(is) && sent.length === is.length)) return false
  return Object.entries(sent).every(([key, value]) => sameValue(value, is[key]))
}

const SENTENCES: Record<string, string> = {
  email_activation_code: CLIENT_CODE_REJECTED,
  phone_activation_code: CLIENT_CODE_REJECTED,
}

/**
 * Fields that are never ignored: a caller who sends another owner, or a code, would be surprised to get a resource
 * without it.
 */
const NEVER_IGNORED = ['account_sid', 'service_provider_sid', ...Object.keys(SENTENCES)]

/**
 * Refuses fields that would be dropped silently: fields the read shows, and columns of the table. Stored values are
 * accepted, since clients send back what they read. On creation these fields are ignored, since clients clone
 * resources, as on the platform; there, unknown fields are refused. Throws 400.
 */
export function refuseUnknownFields(
  kind: AuditKind,
  sent: Values,
  before: Values | undefined,
  after: Values,
) {
  const table = TABLES[kind]
  if (!table && kind !== 'alert_destination') return
  const columns: object = table ? platform[table].columns : {}
  for (const [key, value] of Object.entries(sent)) {
    if (VOLATILE.includes(key)) continue
    const shown = key in after
    const isKnown = shown || key in columns
    if (before ? !isKnown : isKnown && !NEVER_IGNORED.includes(key)) continue
    if (sameValue(value, after[key]) || sameValue(value, before?.[key])) continue
    // an empty value asks for nothing where it is not shown
    if (isNothing(value) && !shown) continue
    throw invalidField(
      key,
      SENTENCES[key] ??
        (before ? t('{key} may not be modified', { key }) : t('{key} may not be set', { key })),
    )
  }
}

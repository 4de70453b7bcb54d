import { z } from 'zod'
import {
  accountParams,
  Flag,
  FlagIn,
  Int,
  listQuery,
  pageOf,
  SecretOrNull,
  Sid,
  SidOrNull,
  serviceProviderParams,
  sidOrNull,
  Text,
  TextOrNull,
  UNKNOWN_ACCOUNT,
  versioned,
} from '../wire/common.ts'
import { adds, endpoints, lists, removes, updates, views } from '../wire/endpoint.ts'
import { fileOptions } from '../wire/file-columns.ts'
import { hidden } from '../wire/hidden.ts'
import { exportFilters, importEndpoint } from '../wire/import.ts'
import { enter, Label } from '../wire/plain-messages.ts'
import type { Refusal } from '../wire/refusals.ts'
import { exportsMany, removesMany, selectionOf, updatesMany } from '../wire/selection.ts'
import { t } from '../wire/text.ts'
import { addressKind, DEFAULT_SIP_PORT, MAX_PORT } from './gateway-rules.ts'
import {
  GATEWAY_TAKEN,
  GatewayCells,
  gatewayIssues,
  SipGateway,
  SipGatewayIn,
} from './sip-gateways.ts'
import { duplicateSmppGatewayIssue, SmppGateway, SmppGatewayIn } from './smpp-gateways.ts'
import { DTMF_TYPES, TRUNK_TYPES } from './trunk-types.ts'

const text = z.string().nullable()

const password = hidden(z.string().nullable())

/** A carrier. Lists mask its passwords; a single read has them in clear text. */
export const VoipCarrier = z.object({
  voip_carrier_sid: z.string(),
  name: z.string(),
  description: text,
  account_sid: text,
  service_provider_sid: text,
  application_sid: text,
  e164_leading_plus: Flag,
  requires_register: Flag,
  register_username: text,
  register_sip_realm: text,
  register_password: password,
  tech_prefix: text,
  inbound_auth_username: text,
  inbound_auth_password: password,
  diversion: text,
  is_active: Flag,
  created_at: text,
  smpp_system_id: text,
  smpp_password: password,
  smpp_enquire_link_interval: z.number().nullable(),
  smpp_inbound_system_id: text,
  smpp_inbound_password: password,
  register_from_user: text,
  register_from_domain: text,
  register_public_ip_in_contact: Flag,
  /** Status last written by the registering component; {} before the first attempt. */
  register_status: z.record(z.string(), z.unknown()),
  dtmf_type: z.string(),
  outbound_sip_proxy: text,
  trunk_type: z.string(),
})
export type VoipCarrier = z.infer<typeof VoipCarrier>

/** With the owner's name and gateway counts, so that lists need no extra requests. */
export const VoipCarrierItem = VoipCarrier.extend({
  account_name: z.string().nullable(),
  /** Null if they could not be counted. */
  inbound_gateways: z.number().int().nullable(),
  outbound_gateways: z.number().int().nullable(),
})
export type VoipCarrierItem = z.infer<typeof VoipCarrierItem>

/** With the gateways, so that one request shows a carrier. */
export const VoipCarrierView = VoipCarrier.extend({
  sip_gateways: z.array(SipGateway),
  smpp_gateways: z.array(SmppGateway),
  ...versioned,
})
export type VoipCarrierView = z.infer<typeof VoipCarrierView>

export const AUTH_NEEDS_BOTH = t('Auth Trunk requires both username and password credentials.')
export const STATIC_IP_NEEDS_INBOUND = t(
  'Static IP Whitelist trunk type requires at least one inbound gateway.',
)
export const AUTH_REG_NEEDS_OUTBOUND = t(
  'Auth and Registration trunk types require at least one outbound gateway.',
)
export const NEEDS_OUTBOUND = t('You must provide at least one outbound SIP Gateway.')
export const REALM_REQUIRED = t('Enter the SIP realm. Registration requires it')
const REALM_EMPTY = t('Enter a SIP realm, or null to use the gateway’s address')
export const SMPP_NEEDS_OUTBOUND = t(
  'At least one outbound gateway is required when using system ID or password above.',
)
export const SMPP_NEEDS_PASSWORD = t(
  'Password is required if whitelisting carrier IP address(es) below.',
)
export const INVALID_PROXY = t('Please provide a valid SIP Proxy domain or IP address.')

const isHost = (host: string) =>
  host.startsWith('[')
    ? z.ipv6().safeParse(host.slice(1, -1)).success
    : addressKind(host) !== 'invalid'

/** A host of RFC 3261 with an optional port, alone or in a sip: or sips: URI. */
export function isSipProxy(value: string): boolean {
  const m = /^(?:sips?:(?:[^@\s]+@)?)?(\[[^\]\s]+\]|[^:\s;[]+)(?::(\d{1,5}))?(?:;\S*)?$/i.exec(
    value,
  )
  if (!m) return false
  const port = m[2] === undefined ? 5060 : Number(m[2])
  return isHost(m[1]!) && port >= 1 && port <= MAX_PORT
}

const Domain = (max: number) =>
  TextOrNull(max).refine((d) => d === null || addressKind(d) !== 'invalid', {
    error: ({ path }) =>
      t('{label} must be a domain name or IP address without spaces or a sip: prefix', {
        label: Label(path ?? []),
      }),
    params: {
      msg: (path: Refusal['path']) =>
        t('{path} must be a valid domain or IP address (no sip: prefix, no spaces)', {
          path: path.at(-1),
        }),
    },
  })

/** Limit of each kind of gateway. */
export const MAX_GATEWAYS = 500

const shape = {
  name: Text(64),
  description: TextOrNull(255).optional(),
  account_sid: sidOrNull(UNKNOWN_ACCOUNT).optional(),
  application_sid: sidOrNull(t('unknown application_sid')).optional(),
  e164_leading_plus: FlagIn.optional(),
  requires_register: FlagIn.optional(),
  register_username: TextOrNull(64)
    .refine((u) => !u || !/\s/.test(u), {
      error: t('The register username cannot contain spaces'),
      params: { msg: t('register_username must not contain whitespace') },
    })
    .optional(),
  register_sip_realm: Domain(64).optional(),
  register_password: SecretOrNull(64).optional(),
  tech_prefix: TextOrNull(16)
    .refine((p) => p === null || p.length >= 3, t('Tech prefix must have at least 3 characters'))
    .optional(),
  inbound_auth_username: TextOrNull(64).optional(),
  inbound_auth_password: SecretOrNull(64).optional(),
  diversion: TextOrNull(32).optional(),
  is_active: FlagIn.optional(),
  smpp_system_id: TextOrNull(255).optional(),
  smpp_password: SecretOrNull(64).optional(),
  smpp_enquire_link_interval: Int(0, 2_147_483_647).nullish(),
  smpp_inbound_system_id: TextOrNull(255).optional(),
  smpp_inbound_password: SecretOrNull(64).optional(),
  register_from_user: TextOrNull(128).optional(),
  register_from_domain: Domain(255).optional(),
  register_public_ip_in_contact: FlagIn.optional(),
  dtmf_type: z.enum(DTMF_TYPES).optional(),
  outbound_sip_proxy: TextOrNull(255)
    .refine((p) => p === null || isSipProxy(p), INVALID_PROXY)
    .optional(),
  trunk_type: z.enum(TRUNK_TYPES).optional(),
  /** Switchroom only: the complete list of gateways, saved in the same transaction. Omitted ones are deleted. */
  sip_gateways: z.array(SipGatewayIn).max(MAX_GATEWAYS).optional(),
  smpp_gateways: z.array(SmppGatewayIn).max(MAX_GATEWAYS).optional(),
}

type Gateways = z.infer<typeof SipGatewayIn>[]

/** Two gateways of a carrier must not share address and port. The later one gets the issue. */
export const duplicateGateways = (gateways: Gateways) => {
  const seen = new Set<string>()
  return gateways.flatMap((g, i) => {
    const isAddress = addressKind(g.ipv4) === 'ip'
    const key = `${g.ipv4.toLowerCase()}:${g.port ?? (isAddress ? DEFAULT_SIP_PORT : '')}`
    const twice = seen.has(key)
    seen.add(key)
    return twice ? [{ path: ['sip_gateways', i, 'ipv4'], message: GATEWAY_TAKEN }] : []
  })
}

type Trunk = {
  trunk_type?: string | undefined
  requires_register?: number | undefined
  register_username?: string | null | undefined
  register_password?: string | null | undefined
  register_sip_realm?: string | null | undefined
  inbound_auth_username?: string | null | undefined
  inbound_auth_password?: string | null | undefined
  sip_gateways?: Gateways | undefined
  smpp_system_id?: string | null | undefined
  smpp_password?: string | null | undefined
  smpp_inbound_password?: string | null | undefined
  smpp_gateways?: SmppGatewayIn[] | undefined
}

/** The rules between SMPP fields. */
function smppIssues(c: Trunk): Refusal[] {
  const gateways = c.smpp_gateways
  if (!gateways) return []
  const issues: Refusal[] = []
  if ((c.smpp_system_id || c.smpp_password) && !gateways.some((g) => g.outbound))
    issues.push({ path: ['smpp_gateways'], message: SMPP_NEEDS_OUTBOUND })
  if (gateways.some((g) => g.inbound) && !c.smpp_inbound_password)
    issues.push({ path: ['smpp_inbound_password'], message: SMPP_NEEDS_PASSWORD })
  for (const [i, gateway] of gateways.entries()) {
    const message = duplicateSmppGatewayIssue(gateway, gateways.slice(0, i))
    if (message) issues.push({ path: ['smpp_gateways', i, 'ipv4'], message })
  }
  return issues
}

/** All rules of a carrier, in the order of the form. */
export function trunkIssues(c: Trunk): Refusal[] {
  const issues: Refusal[] = []
  const gateways = c.sip_gateways
  if (c.trunk_type === 'auth') {
    for (const field of ['inbound_auth_username', 'inbound_auth_password'] as const)
      if (!c[field]) issues.push({ path: [field], message: AUTH_NEEDS_BOTH })
  }
  if (gateways) {
    const inbound = gateways.some((g) => g.inbound)
    const outbound = gateways.some((g) => g.outbound)
    if (c.trunk_type === 'auth' || c.trunk_type === 'reg') {
      if (gateways.length === 0) issues.push({ path: ['sip_gateways'], message: NEEDS_OUTBOUND })
      else if (!outbound) issues.push({ path: ['sip_gateways'], message: AUTH_REG_NEEDS_OUTBOUND })
    } else if (!inbound) issues.push({ path: ['sip_gateways'], message: STATIC_IP_NEEDS_INBOUND })
    issues.push(...duplicateGateways(gateways))
  }
  const registers = c.requires_register === 1 || c.trunk_type === 'reg'
  const missing = (field: string) => {
    const msg = registers
      ? t('{field} is required when requires_register is true', { field })
      : t('{field} is required', { field })
    issues.push({ path: [field], message: enter([field]), params: { msg } })
  }
  if ((registers || c.register_password) && !c.register_username) missing('register_username')
  if ((registers || c.register_username) && !c.register_password) missing('register_password')
  if (gateways && registers && !c.register_sip_realm)
    issues.push({ path: ['register_sip_realm'], message: REALM_REQUIRED })
  return [...issues, ...smppIssues(c)]
}

/** Why a carrier cannot be saved. With gateways all of it is checked; older clients save it in steps, without them. */
export const savedIssues = (c: Trunk): Refusal[] =>
  c.sip_gateways || c.smpp_gateways || c.requires_register === 1 ? trunkIssues(c) : []

const whole = (c: Trunk, ctx: z.RefinementCtx) => {
  for (const issue of savedIssues(c)) ctx.addIssue({ code: 'custom', ...issue })
}

const created = { ...shape, service_provider_sid: SidOrNull.optional() }
export const VoipCarrierCreate = z.object(created).superRefine(whole)

/** Omitted fields keep their stored values. The server checks the result. */
export const VoipCarrierUpdate = z.object({
  ...created,
  name: shape.name.optional(),
})

/**
 * A row of the CSV import and export of carriers: a carrier with one of its SIP gateways. Further rows of a carrier
 * repeat its name and account. References are names or sids. Passwords are never exported.
 */
export const CarrierRow = GatewayCells.extend({
  name: shape.name,
  account: TextOrNull(64).optional(),
  description: shape.description,
  is_active: shape.is_active,
  trunk_type: shape.trunk_type,
  e164_leading_plus: shape.e164_leading_plus,
  dtmf_type: shape.dtmf_type,
  application: TextOrNull(64).optional(),
  tech_prefix: shape.tech_prefix,
  diversion: shape.diversion,
  outbound_sip_proxy: shape.outbound_sip_proxy,
  requires_register: shape.requires_register,
  register_username: shape.register_username,
  register_password: shape.register_password,
  register_sip_realm: shape.register_sip_realm,
  register_from_user: shape.register_from_user,
  register_from_domain: shape.register_from_domain,
  register_public_ip_in_contact: shape.register_public_ip_in_contact,
  inbound_auth_username: shape.inbound_auth_username,
  inbound_auth_password: shape.inbound_auth_password,
}).superRefine(({ gateway, ...cells }, ctx) => {
  if (!gateway) return
  for (const { path, ...issue } of gatewayIssues({ ipv4: gateway, ...cells }))
    ctx.addIssue({ code: 'custom', ...issue, path: path[0] === 'ipv4' ? ['gateway'] : path })
})
export const CARRIER_NAME_TAKEN = t('There is a carrier of this name. An import only adds carriers')

/**
 * The platform's rule: an empty realm is refused, except below an owner, where its portal saves, which takes it for
 * none.
 */
const named = {
  register_sip_realm: z
    .string()
    .nullable()
    .refine((realm) => realm !== '', {
      error: REALM_EMPTY,
      params: {
        msg: 'register_sip_realm must not be empty string; use null to fall back to gateway IP',
      },
    })
    .pipe(shape.register_sip_realm.unwrap())
    .optional(),
}

const ofCarrier = { voip_carrier_sid: Sid }
const one = {
  path: '/VoipCarriers/:voip_carrier_sid',
  params: z.object(ofCarrier),
  access: 'account',
} as const
const query = listQuery('name', 'created_at').extend({
  /** Text within the name alone, as pickers ask for it. */
  name: z.string().trim().max(100).optional(),
  /** Carriers of this account and those its provider shares. */
  account_sid: Sid.optional(),
  /** Switchroom only: only carriers without an owner, which only administrators see. */
  ownerless: FlagIn.optional(),
})

const carrierFilters = { ...exportFilters, account_sid: Sid.optional() }
/** The carriers of a list, or those of them without an owner. */
export const CarrierSelection = selectionOf(
  'voip_carrier_sids',
  { ...carrierFilters, ownerless: FlagIn.optional() },
  t('Choose a carrier'),
)
export type CarrierSelection = z.infer<typeof CarrierSelection>

const refusals = { name: t('missing field name') }
const CARRIER_IMPORT_MAX_BYTES = 8 * 1024 * 1024

export const voipCarriers = endpoints({
  list: {
    path: '/VoipCarriers',
    access: 'account',
    ...lists,
    summary: 'List carriers',
    query,
    response: pageOf(VoipCarrierItem),
  },
  ofServiceProvider: {
    path: '/ServiceProviders/:service_provider_sid/VoipCarriers',
    params: serviceProviderParams,
    access: 'account',
    ...lists,
    summary: 'List carriers of a service provider and its accounts',
    query,
    response: pageOf(VoipCarrierItem),
  },
  ofAccount: {
    path: '/Accounts/:account_sid/VoipCarriers',
    params: accountParams,
    access: 'account',
    ...lists,
    summary: 'List carriers of an account',
    query,
    response: pageOf(VoipCarrierItem),
  },
  view: {
    ...one,
    ...views,
    summary: 'Get a carrier with its SIP and SMPP gateways',
    response: VoipCarrierView,
  },
  create: {
    path: '/VoipCarriers',
    access: 'account',
    ...adds,
    summary: 'Add a carrier with its SIP and SMPP gateways',
    body: z.object({ ...created, ...named }).superRefine(whole),
    refusals,
  },
  createForServiceProvider: {
    path: '/ServiceProviders/:service_provider_sid/VoipCarriers',
    params: serviceProviderParams,
    access: 'service_provider',
    ...adds,
    summary: 'Add a carrier to a service provider',
    body: VoipCarrierCreate,
    refusals,
  },
  createForAccount: {
    path: '/Accounts/:account_sid/VoipCarriers',
    params: accountParams,
    access: 'account',
    ...adds,
    summary: 'Add a carrier to an account',
    body: VoipCarrierCreate,
    refusals,
  },
  update: {
    ...one,
    ...updates,
    summary: 'Update a carrier with its SIP and SMPP gateways',
    body: VoipCarrierUpdate.extend(named),
  },
  updateOfServiceProvider: {
    path: '/ServiceProviders/:service_provider_sid/VoipCarriers/:voip_carrier_sid',
    params: serviceProviderParams.extend(ofCarrier),
    access: 'service_provider',
    ...updates,
    summary: 'Update a carrier of a service provider',
    body: VoipCarrierUpdate,
  },
  updateOfAccount: {
    path: '/Accounts/:account_sid/VoipCarriers/:voip_carrier_sid',
    params: accountParams.extend(ofCarrier),
    access: 'account',
    ...updates,
    summary: 'Update a carrier of an account',
    body: VoipCarrierUpdate,
  },
  import: {
    path: '/VoipCarriers/Import',
    access: 'account',
    summary: 'Import carriers with their SIP gateways from CSV, all or none',
    ...importEndpoint,
    takesCsv: CARRIER_IMPORT_MAX_BYTES,
  },
  export: {
    path: '/VoipCarriers/Export',
    access: 'account',
    method: 'GET',
    summary: 'Export carriers with their SIP gateways as CSV, without passwords',
    own: true,
    file: 'carriers.csv',
    query: z.object({ ...carrierFilters, ...fileOptions }),
    response: z.string(),
  },
  updateMany: {
    path: '/VoipCarriers',
    access: 'account',
    ...updatesMany,
    summary: 'Activate or deactivate many carriers, all or none',
    body: z.object({ select: CarrierSelection, is_active: FlagIn }),
  },
  exportMany: {
    path: '/VoipCarriers/Export',
    access: 'account',
    ...exportsMany,
    summary: 'Export the chosen carriers with their SIP gateways as CSV, without passwords',
    file: 'carriers.csv',
    body: z.object({ select: CarrierSelection }),
  },
  usesOfMany: {
    path: '/VoipCarriers/Uses',
    access: 'account',
    method: 'POST',
    own: true,
    allowViewOnly: true,
    maxBody: 1_000_000,
    summary: 'Count the chosen carriers that cannot be deleted because they are in use',
    body: z.object({ select: CarrierSelection }),
    response: z.object({ carriers: z.number().int(), in_use: z.number().int() }),
  },
  removeMany: {
    path: '/VoipCarriers/Delete',
    access: 'account',
    ...removesMany,
    summary: 'Delete many carriers that are not in use, with their gateways, all or none',
    body: z.object({ select: CarrierSelection }),
  },
  remove: { ...one, ...removes, summary: 'Delete a carrier that is not in use, with its gateways' },
})

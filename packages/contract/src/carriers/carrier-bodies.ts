import { z } from 'zod'
import {
  Flag,
  FlagIn,
  Int,
  SecretOrNull,
  SidOrNull,
  sidOrNull,
  Text,
  TextOrNull,
  UNKNOWN_ACCOUNT,
  versioned,
} from '../wire/common.ts'
import { IntegerOrNull, NumberOrNull, StringOrNull } from '../wire/fields.ts'
import { hidden } from '../wire/hidden.ts'
import { Label } from '../wire/plain-messages.ts'
import type { Refusal } from '../wire/refusals.ts'
import { t } from '../wire/text.ts'
import { addressKind, MAX_PORT } from './gateway-rules.ts'
import { GatewayCells, gatewayIssues, SipGateway, SipGatewayIn } from './sip-gateways.ts'
import { SmppGateway, SmppGatewayIn } from './smpp-gateways.ts'
import { savedIssues, type Trunk } from './trunk-rules.ts'
import { DTMF_TYPES, TRUNK_TYPES } from './trunk-types.ts'

const text = StringOrNull

const password = hidden(StringOrNull)

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
  smpp_enquire_link_interval: NumberOrNull,
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
  account_name: StringOrNull,
  /** Null if they could not be counted. */
  inbound_gateways: IntegerOrNull,
  outbound_gateways: IntegerOrNull,
})
export type VoipCarrierItem = z.infer<typeof VoipCarrierItem>

/** With the gateways, so that one request shows a carrier. */
export const VoipCarrierView = VoipCarrier.extend({
  sip_gateways: z.array(SipGateway),
  smpp_gateways: z.array(SmppGateway),
  ...versioned,
})
export type VoipCarrierView = z.infer<typeof VoipCarrierView>

export const REALM_EMPTY = t('Enter a SIP realm, or null to use the gateway’s address')
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

export const carrierFields = {
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

export const checkCarrier = (c: Trunk, ctx: z.RefinementCtx) => {
  for (const issue of savedIssues(c)) ctx.addIssue({ code: 'custom', ...issue })
}

export const createdFields = { ...carrierFields, service_provider_sid: SidOrNull.optional() }
export const VoipCarrierCreate = z.object(createdFields).superRefine(checkCarrier)

/** Omitted fields keep their stored values. The server checks the result. */
export const VoipCarrierUpdate = z.object({
  ...createdFields,
  name: carrierFields.name.optional(),
})

/**
 * A row of the CSV import and export of carriers: a carrier with one of its SIP gateways. Further rows of a carrier
 * repeat its name and account. References are names or sids. Passwords are never exported.
 */
export const CarrierRow = GatewayCells.extend({
  name: carrierFields.name,
  account: TextOrNull(64).optional(),
  description: carrierFields.description,
  is_active: carrierFields.is_active,
  trunk_type: carrierFields.trunk_type,
  e164_leading_plus: carrierFields.e164_leading_plus,
  dtmf_type: carrierFields.dtmf_type,
  application: TextOrNull(64).optional(),
  tech_prefix: carrierFields.tech_prefix,
  diversion: carrierFields.diversion,
  outbound_sip_proxy: carrierFields.outbound_sip_proxy,
  requires_register: carrierFields.requires_register,
  register_username: carrierFields.register_username,
  register_password: carrierFields.register_password,
  register_sip_realm: carrierFields.register_sip_realm,
  register_from_user: carrierFields.register_from_user,
  register_from_domain: carrierFields.register_from_domain,
  register_public_ip_in_contact: carrierFields.register_public_ip_in_contact,
  inbound_auth_username: carrierFields.inbound_auth_username,
  inbound_auth_password: carrierFields.inbound_auth_password,
}).superRefine(({ gateway, ...cells }, ctx) => {
  if (!gateway) return
  for (const { path, ...issue } of gatewayIssues({ ipv4: gateway, ...cells }))
    ctx.addIssue({ code: 'custom', ...issue, path: path[0] === 'ipv4' ? ['gateway'] : path })
})

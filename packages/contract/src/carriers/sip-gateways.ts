import { z } from 'zod'
import { Flag, FlagIn, Int, NoContent, resource, Sid, StoredSid } from '../wire/common.ts'
import { adds, endpoints, removes } from '../wire/endpoint.ts'
import { NumberOrNull, StringOrNull } from '../wire/fields.ts'
import type { Refusal } from '../wire/refusals.ts'
import { t } from '../wire/text.ts'
import { addressKind, isIPv6, MAX_PORT, SIP_PROTOCOLS } from './gateway-rules.ts'

export const SipGateway = z.object({
  sip_gateway_sid: z.string(),
  ipv4: z.string(),
  netmask: z.number(),
  port: NumberOrNull,
  inbound: Flag,
  outbound: Flag,
  voip_carrier_sid: z.string(),
  is_active: Flag,
  send_options_ping: Flag,
  use_sips_scheme: Flag,
  pad_crypto: Flag,
  protocol: StringOrNull,
  remove_ice: Flag,
  dtls_off: Flag,
})
export type SipGateway = z.infer<typeof SipGateway>

export const GATEWAY_ADDRESS = t(
  'Please provide a valid IP address or fully qualified domain name.',
)
export const NO_IPV6 = t(
  'The platform compares and calls gateways by IPv4. Enter an IPv4 address, or a domain name for outbound calls.',
)
export const FQDN_OUTBOUND_ONLY = t(
  'A fully qualified domain name may only be used for outbound calls.',
)
export const GATEWAY_TAKEN = t('Each SIP gateway must have a unique IP address.')

/** Without a port the platform looks up SRV records, so an IP address needs one. */
const Port = z
  .union([z.literal(''), z.null(), Int(1, MAX_PORT)])
  .transform((port) => (port === '' ? null : port))

const shape = {
  ipv4: z
    .string()
    .trim()
    .min(1, GATEWAY_ADDRESS)
    .max(128)
    .refine((a) => !/\s/.test(a), {
      error: GATEWAY_ADDRESS,
      params: { msg: t('Gateway must not contain whitespace') },
      abort: true,
    })
    .refine((a) => !isIPv6(a), { error: NO_IPV6, abort: true })
    .refine((a) => addressKind(a) !== 'invalid', GATEWAY_ADDRESS),
  netmask: Int(1, 32).default(32),
  port: Port.optional(),
  inbound: FlagIn,
  outbound: FlagIn,
  is_active: FlagIn.default(1),
  send_options_ping: FlagIn.default(0),
  use_sips_scheme: FlagIn.default(0),
  pad_crypto: FlagIn.default(0),
  protocol: z
    .enum(SIP_PROTOCOLS)
    .nullish()
    .transform((p) => p ?? 'udp'),
  remove_ice: FlagIn.default(0),
  dtls_off: FlagIn.default(0),
}
type Checked = { ipv4: string; inbound: Flag; outbound: Flag; netmask: number }

/** The platform's rules that involve several fields of a gateway. */
export const gatewayIssues = (g: Checked) => {
  const issues: Refusal[] = []
  if (g.inbound && addressKind(g.ipv4) !== 'ip')
    issues.push({ path: ['ipv4'], message: FQDN_OUTBOUND_ONLY })
  if (!g.inbound && g.netmask !== 32)
    issues.push({
      path: ['netmask'],
      message: t('An outbound-only gateway must have netmask 32'),
      params: { msg: t('For outbound only gateway netmask can only be 32') },
    })
  return issues
}

const Gateway = z.object(shape)

/** The cells of a gateway in the CSV import and export of carriers. Without an address the row has none. */
export const GatewayCells = Gateway.omit({ ipv4: true, is_active: true }).extend({
  gateway: shape.ipv4.optional(),
  gateway_is_active: shape.is_active,
  inbound: FlagIn.default(0),
  outbound: FlagIn.default(0),
})

/** A gateway within its carrier. Without a sid it is a new one. */
export const SipGatewayIn = Gateway.extend({ sip_gateway_sid: StoredSid }).superRefine((g, ctx) => {
  for (const issue of gatewayIssues(g)) ctx.addIssue({ code: 'custom', ...issue })
})
export type SipGatewayIn = z.infer<typeof SipGatewayIn>

export const SipGatewayCreate = Gateway.extend({ voip_carrier_sid: Sid }).superRefine((g, ctx) => {
  for (const issue of gatewayIssues(g)) ctx.addIssue({ code: 'custom', ...issue })
})

/** Omitted fields keep their stored values. The server checks the rules on the result. */
export const SipGatewayUpdate = z.object({
  ipv4: shape.ipv4.optional(),
  netmask: Int(1, 32).optional(),
  port: Port.optional(),
  inbound: FlagIn.optional(),
  outbound: FlagIn.optional(),
  is_active: FlagIn.optional(),
  send_options_ping: FlagIn.optional(),
  use_sips_scheme: FlagIn.optional(),
  pad_crypto: FlagIn.optional(),
  protocol: z.enum(SIP_PROTOCOLS).optional(),
  remove_ice: FlagIn.optional(),
  dtls_off: FlagIn.optional(),
})

const { one, all } = resource('/SipGateways', { sip_gateway_sid: Sid })

export const sipGateways = endpoints({
  list: {
    ...all,
    method: 'GET',
    summary: 'List SIP gateways of a carrier',
    query: z.object({ voip_carrier_sid: Sid }),
    refusals: { voip_carrier_sid: t('missing voip_carrier_sid') },
    response: z.array(SipGateway),
  },
  view: { ...one, method: 'GET', summary: 'Get a SIP gateway', response: SipGateway },
  create: {
    ...all,
    ...adds,
    summary: 'Add a SIP gateway to a carrier',
    body: SipGatewayCreate,
    refusals: { voip_carrier_sid: t('missing voip_carrier_sid'), ipv4: t('missing field ipv4') },
  },
  update: {
    ...one,
    method: 'PUT',
    summary: 'Update a SIP gateway',
    body: SipGatewayUpdate,
    status: 204,
    response: NoContent,
  },
  remove: { ...one, ...removes, summary: 'Delete a SIP gateway' },
})

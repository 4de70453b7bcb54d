import { z } from 'zod'
import { Flag, FlagIn, Int, NoContent, resource, Sid, StoredSid } from '../wire/common.ts'
import { adds, endpoints, removes } from '../wire/endpoint.ts'
import type { Issue } from '../wire/error-body.ts'
import { t } from '../wire/text.ts'
import { addressKind, DEFAULT_SMPP_PORT, isIPv6, MAX_PORT } from './gateway-rules.ts'
import { FQDN_OUTBOUND_ONLY, GATEWAY_ADDRESS, NO_IPV6 } from './sip-gateways.ts'

export const SmppGateway = z.object({
  smpp_gateway_sid: z.string(),
  ipv4: z.string(),
  port: z.number(),
  netmask: z.number(),
  is_primary: Flag,
  inbound: Flag,
  outbound: Flag,
  use_tls: Flag,
  voip_carrier_sid: z.string(),
})
export type SmppGateway = z.infer<typeof SmppGateway>

export const SMPP_SUBDOMAIN = t(
  'When using an FQDN, you must use a subdomain (e.g. sip.example.com).',
)

/** Domain names are for outbound only, and need a subdomain. */
function addressIssue(g: { ipv4: string; inbound: Flag; outbound: Flag }): string | undefined {
  const kind = addressKind(g.ipv4)
  if (kind === 'ip') return undefined
  if (isIPv6(g.ipv4)) return NO_IPV6
  if (kind === 'invalid')
    return g.outbound
      ? t('Please provide a valid outbound IP address or fully qualified domain name.')
      : t('Please provide a valid inbound IP address or fully qualified domain name.')
  if (g.ipv4.split('.').length < 3) return SMPP_SUBDOMAIN
  return g.inbound ? FQDN_OUTBOUND_ONLY : undefined
}

const shape = {
  ipv4: z.string().trim().min(1, GATEWAY_ADDRESS).max(128),
  port: Int(1, MAX_PORT),
  netmask: Int(1, 32),
  is_primary: FlagIn,
  inbound: FlagIn,
  outbound: FlagIn,
  use_tls: FlagIn,
}
const Gateway = z.object({
  ...shape,
  port: shape.port.default(DEFAULT_SMPP_PORT),
  netmask: shape.netmask.default(32),
  is_primary: shape.is_primary.default(1),
  inbound: shape.inbound.default(0),
  outbound: shape.outbound.default(1),
  use_tls: shape.use_tls.default(0),
})

export const smppGatewayIssues = (g: z.infer<typeof Gateway>): Issue[] => {
  const message = addressIssue(g)
  return message ? [{ path: ['ipv4'], message }] : []
}
const checked = (g: z.infer<typeof Gateway>, ctx: z.RefinementCtx) => {
  for (const issue of smppGatewayIssues(g)) ctx.addIssue({ code: 'custom', ...issue })
}

/** A gateway within its carrier. Without a sid it is a new one. */
export const SmppGatewayIn = Gateway.extend({ smpp_gateway_sid: StoredSid }).superRefine(checked)
export type SmppGatewayIn = z.infer<typeof SmppGatewayIn>

type Placed = { ipv4: string; port: number; inbound: Flag; outbound: Flag }

/** An error if an earlier gateway of the same direction has the same address. */
export const duplicateSmppGatewayIssue = (
  g: Placed,
  earlier: readonly Placed[],
): string | undefined =>
  earlier.some(
    (other) =>
      ((g.inbound && other.inbound) || (g.outbound && other.outbound)) &&
      g.ipv4.toLowerCase() === other.ipv4.toLowerCase() &&
      g.port === other.port,
  )
    ? g.outbound
      ? t('Each outbound SMPP gateway must have a unique IP address.')
      : t('Each inbound SMPP gateway must have a unique IP address.')
    : undefined

export const SmppGatewayCreate = Gateway.extend({ voip_carrier_sid: Sid }).superRefine(checked)

/** Omitted fields keep their stored values. The server checks the rules on the result. */
export const SmppGatewayUpdate = z.object(shape).partial()

const { one, all } = resource('/SmppGateways', { smpp_gateway_sid: Sid })

export const smppGateways = endpoints({
  list: {
    ...all,
    method: 'GET',
    summary: 'List SMPP gateways of a carrier',
    query: z.object({ voip_carrier_sid: Sid }),
    refusals: { voip_carrier_sid: t('missing voip_carrier_sid') },
    response: z.array(SmppGateway),
  },
  view: { ...one, method: 'GET', summary: 'Get an SMPP gateway', response: SmppGateway },
  create: {
    ...all,
    ...adds,
    summary: 'Add an SMPP gateway to a carrier',
    body: SmppGatewayCreate,
    refusals: { voip_carrier_sid: t('missing voip_carrier_sid'), ipv4: t('missing field ipv4') },
  },
  update: {
    ...one,
    method: 'PUT',
    summary: 'Update an SMPP gateway',
    body: SmppGatewayUpdate,
    status: 204,
    response: NoContent,
  },
  remove: { ...one, ...removes, summary: 'Delete an SMPP gateway' },
})

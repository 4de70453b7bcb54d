import {
  addressKind,
  DEFAULT_SIP_PORT,
  type Issue,
  MASK,
  type SipGateway,
  SipGatewayIn,
  trunkIssues,
  type VoipCarrierView,
} from '@switchroom/contract'
import { ownAccount } from '../lib/access'

export type GatewayValues = ReturnType<typeof blankGateway>

/** A gateway as the form holds it; `key` tells rows apart that the server has not seen yet. */
export const blankGateway = ({ inbound = false, outbound = false }) => ({
  key: crypto.randomUUID() as string,
  sip_gateway_sid: undefined as string | undefined,
  ipv4: '',
  port: '',
  netmask: '32',
  protocol: 'udp',
  inbound,
  outbound,
  is_active: true,
  pad_crypto: false,
  send_options_ping: false,
  use_sips_scheme: false,
  remove_ice: false,
  dtls_off: false,
})

const gatewayValues = (g: SipGateway): GatewayValues => ({
  key: g.sip_gateway_sid,
  sip_gateway_sid: g.sip_gateway_sid,
  ipv4: g.ipv4,
  port: g.port === null ? '' : String(g.port),
  netmask: String(g.netmask),
  protocol: g.protocol ?? 'udp',
  inbound: g.inbound === 1,
  outbound: g.outbound === 1,
  is_active: g.is_active === 1,
  pad_crypto: g.pad_crypto === 1,
  send_options_ping: g.send_options_ping === 1,
  use_sips_scheme: g.use_sips_scheme === 1,
  remove_ice: g.remove_ice === 1,
  dtls_off: g.dtls_off === 1,
})

/** A carrier as its form holds it. A password is undefined while the stored one is kept. */
export const valuesOf = (c?: VoipCarrierView) => ({
  name: c?.name ?? '',
  is_active: c ? c.is_active === 1 : true,
  account_sid: c ? (c.account_sid ?? '') : (ownAccount() ?? ''),
  trunk_type: c?.trunk_type ?? 'static_ip',
  dtmf_type: c?.dtmf_type ?? 'rfc2833',
  application_sid: c?.application_sid ?? '',
  inbound_auth_username: c?.inbound_auth_username ?? '',
  inbound_auth_password: undefined as string | undefined,
  e164_leading_plus: c?.e164_leading_plus === 1,
  register_username: c?.register_username ?? '',
  register_password: undefined as string | undefined,
  requires_register: c?.requires_register === 1,
  register_sip_realm: c?.register_sip_realm ?? '',
  register_from_user: c?.register_from_user ?? '',
  register_from_domain: c?.register_from_domain ?? '',
  register_public_ip_in_contact: c?.register_public_ip_in_contact === 1,
  tech_prefix: c?.tech_prefix ?? '',
  diversion: c?.diversion ?? '',
  outbound_sip_proxy: c?.outbound_sip_proxy ?? '',
  sip_gateways: c ? c.sip_gateways.map(gatewayValues) : [blankGateway({ inbound: true })],
})
export type CarrierValues = ReturnType<typeof valuesOf>

type Input = Parameters<typeof SipGatewayIn.safeParse>[0]

const gatewayToSend = ({ key: _, port, netmask, protocol, ...g }: GatewayValues) => ({
  ...g,
  ipv4: g.ipv4.trim(),
  port: port.trim() === '' ? null : Number(port),
  netmask: Number(netmask),
  protocol: protocol as 'udp',
  // these are of encrypted trunks only
  ...(!protocol.startsWith('tls') && {
    use_sips_scheme: false,
    remove_ice: false,
    dtls_off: false,
  }),
})

export function toBody(v: CarrierValues) {
  const { inbound_auth_password, register_password, ...rest } = v
  return {
    ...rest,
    trunk_type: v.trunk_type as 'auth',
    dtmf_type: v.dtmf_type as 'tones',
    ...(inbound_auth_password !== undefined && { inbound_auth_password }),
    ...(register_password !== undefined && { register_password }),
    outbound_sip_proxy: v.outbound_sip_proxy.replace(/\s+/g, ''),
    sip_gateways: v.sip_gateways.map(gatewayToSend),
  }
}

/** The rules of a trunk over what the form says and what stays stored. */
export function issuesOf(v: CarrierValues, stored?: VoipCarrierView): Issue[] {
  const secret = (typed: string | undefined, kept: string | null | undefined) =>
    typed === undefined ? kept && MASK : typed
  const gateways = v.sip_gateways.map((g) => SipGatewayIn.safeParse(gatewayToSend(g) as Input))
  return trunkIssues({
    ...v,
    requires_register: v.requires_register ? 1 : 0,
    register_password: secret(v.register_password, stored?.register_password),
    inbound_auth_password: secret(v.inbound_auth_password, stored?.inbound_auth_password),
    // a row that is wrong in itself is marked by the schema; the rules of the whole need it all the same
    sip_gateways: v.sip_gateways.map((g, i) => gateways[i]!.data ?? (gatewayToSend(g) as never)),
  })
}

/** What an address without a port gets as soon as it is one. */
export const portFor = (address: string, port: string) =>
  port === '' && addressKind(address.trim()) === 'ip' ? String(DEFAULT_SIP_PORT) : port

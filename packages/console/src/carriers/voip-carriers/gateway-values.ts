import {
  addressKind,
  DEFAULT_SIP_PORT,
  DEFAULT_SMPP_PORT,
  SIP_PROTOCOLS,
  type SipGateway,
  type SmppGateway,
} from '@switchroom/contract'
import { oneOf } from '../../lib/list-search'
import { newKey, unset } from '../../lib/unset'

export const NETMASKS = Array.from({ length: 32 }, (_, i) => String(32 - i)).map((n) => ({
  value: n,
  label: `/${n}`,
}))

export type GatewayValues = ReturnType<typeof blankGateway>

/** Form values of a gateway. The address is first because the conflict dialog shows the first members. */
export const blankGateway = ({ inbound = false, outbound = false }) => ({
  ipv4: '',
  port: '',
  key: newKey(),
  sip_gateway_sid: unset<string>(),
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

export const gatewayValues = (g: SipGateway): GatewayValues => ({
  ipv4: g.ipv4,
  port: g.port === null ? '' : String(g.port),
  key: g.sip_gateway_sid,
  sip_gateway_sid: g.sip_gateway_sid,
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

export type SmppValues = ReturnType<typeof blankSmpp>

export const blankSmpp = (direction: 'inbound' | 'outbound', key: string = newKey()) => ({
  ipv4: '',
  port: String(DEFAULT_SMPP_PORT),
  key,
  smpp_gateway_sid: unset<string>(),
  netmask: '32',
  is_primary: false,
  use_tls: false,
  inbound: direction === 'inbound',
  outbound: direction === 'outbound',
})

const smppValues = (g: SmppGateway): SmppValues => ({
  ipv4: g.ipv4,
  port: String(g.port),
  key: g.smpp_gateway_sid,
  smpp_gateway_sid: g.smpp_gateway_sid,
  netmask: String(g.netmask),
  is_primary: g.is_primary === 1,
  use_tls: g.use_tls === 1,
  inbound: g.inbound === 1,
  outbound: g.outbound === 1,
})

/** Adds a blank row for each direction without a gateway. */
export const smppRows = (stored: SmppGateway[]): SmppValues[] => [
  ...stored.map(smppValues),
  ...(['outbound', 'inbound'] as const)
    .filter((direction) => !stored.some((g) => g[direction]))
    .map((direction) => blankSmpp(direction, `first ${direction}`)),
]

export const gatewayToSend = ({ key: _, port, netmask, protocol, ...g }: GatewayValues) => ({
  ...g,
  port: port.trim() === '' ? null : Number(port),
  // an outbound gateway is a single address
  netmask: g.inbound ? Number(netmask) : 32,
  protocol: oneOf(SIP_PROTOCOLS, protocol),
  // these apply to encrypted trunks only
  ...(!protocol.startsWith('tls') && {
    use_sips_scheme: false,
    remove_ice: false,
    dtls_off: false,
  }),
})

export const smppToSend = ({ key: _, port, netmask, ...g }: SmppValues) => ({
  ...g,
  port: port.trim() === '' ? DEFAULT_SMPP_PORT : Number(port),
  netmask: Number(netmask),
})

/** The default port once an IP address has been typed and the port is empty. */
export const portFor = (address: string, port: string) =>
  port === '' && addressKind(address.trim()) === 'ip' ? String(DEFAULT_SIP_PORT) : port

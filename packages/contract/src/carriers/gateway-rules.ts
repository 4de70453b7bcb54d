export const SIP_PROTOCOLS = ['udp', 'tcp', 'tls', 'tls/srtp'] as const
export const DEFAULT_SIP_PORT = 5060
export const DEFAULT_SMPP_PORT = 2775
export const MAX_PORT = 65_535

// no leading zeros: some programs read those as octal
const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const IPV4 = new RegExp(`^(?:${octet}\\.){3}${octet}$`)
const HOST =
  /^(?=.{1,128}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/i

/** True if this looks like an IPv6 address, in brackets or not. */
export const isIPv6 = (address: string) =>
  /^\[?[\da-f:.]+\]?$/i.test(address) && address.split(':').length > 2

/** The kind of a gateway's address: IPv4, domain name or neither. `999.1.1.1` is neither. */
export const addressKind = (address: string): 'ip' | 'fqdn' | 'invalid' =>
  IPV4.test(address) ? 'ip' : HOST.test(address) ? 'fqdn' : 'invalid'

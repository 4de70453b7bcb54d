import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Config } from '../config/config.ts'

const prefix = (ip: string, ipv4Bits: number, ipv6Bits: number) => {
  if (!ipaddr.isValid(ip)) return ip
  // an IPv4 address mapped into IPv6 is the same network as the plain one
  const address = ipaddr.process(ip)
  const bits = address.kind() === 'ipv4' ? ipv4Bits : ipv6Bits
  const network =
    address.kind() === 'ipv4'
      ? ipaddr.IPv4.networkAddressFromCIDR(`${address}/${bits}`)
      : ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`)
  return `${network}/${bits}`
}

/** Network that attempts are counted by: one IPv4 address, or the /64 that an IPv6 customer has at least. */
export const networkOf = (ip: string) => prefix(ip, 32, 64)

/** Rough location of an address: its /24 for IPv4, its /48 for IPv6. */
export const neighborhoodOf = (ip: string) => prefix(ip, 24, 48)

/**
 * The caller's address. Headers are believed only behind the operator's own proxies; `x-real-ip` is for
 * proxies that send nothing else.
 */
export function addressOf(
  { headers, ip }: Pick<FastifyRequest, 'headers' | 'ip'>,
  { trusted_proxies }: Pick<Config, 'trusted_proxies'>,
) {
  const real = headers['x-real-ip']
  if (trusted_proxies === 0 || headers['x-forwarded-for'] || typeof real !== 'string') return ip
  return ipaddr.isValid(real) ? real : ip
}

import { lookup as resolve } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { t } from '@switchroom/contract'
import ipaddr from 'ipaddr.js'

/** Thrown for an address that outbound requests may not reach. */
export class Blocked extends Error {
  override name = 'Blocked'
}

export type Guard = {
  /** True if an IPv4 or IPv6 address is allowed. */
  mayReach: (address: string) => boolean
  /** Throws `Blocked` for a forbidden address. Host names are checked by `lookup`. */
  check: (host: string) => void
  /** DNS lookup that returns only allowed addresses: the connection uses exactly the checked one. */
  lookup: LookupFunction
}

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** Parses `10.0.0.0/8` or a single address. Throws on anything else. */
export const parseNetwork = (text: string): Network =>
  text.includes('/')
    ? ipaddr.parseCIDR(text)
    : [ipaddr.parse(text), ipaddr.parse(text).kind() === 'ipv4' ? 32 : 128]

/** True if an address is in one of these networks. */
export function inNetworks(text: string, networks: readonly string[]): boolean {
  if (!ipaddr.isValid(text)) return false
  // an IPv4 address mapped into IPv6 is checked as IPv4
  const address = ipaddr.process(text)
  return networks
    .map(parseNetwork)
    .some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
}

const BLOCKED = t(
  'The address is in an internal network, which this server may only reach if SWITCHROOM_ALLOW_NETWORKS names it',
)

/** True if the guard blocked the request, however a library has wrapped the error. */
export const isBlocked = (error: unknown): boolean =>
  error instanceof Error &&
  (error instanceof Blocked || error.message === BLOCKED || isBlocked(error.cause))

/**
 * Public in form, but answered by the machine or network that this server runs on. Other services of clouds have
 * addresses that no public network has: 169.254.0.0/16, 100.100.100.200, fd00:ec2::254, fd20:ce::254.
 */
const SERVICES = [
  // Azure: DNS, DHCP, and the agent's endpoint, which gives out configuration and certificates
  '168.63.129.16',
  // IBM Cloud: services for machines within it
  '161.26.0.0/16',
  '166.8.0.0/14',
  // IPv4 addresses written as IPv6 without a mapping, such as ::127.0.0.1 (RFC 4291, deprecated)
  '::/96',
]

/**
 * Allows public unicast addresses and the operator's networks. Blocks loopback, private, link-local,
 * carrier-grade NAT, multicast, reserved and metadata addresses, and those of cloud services, in any notation or IPv6
 * mapping.
 */
export function guard(allowed: readonly string[] = []): Guard {
  const mayReach = (text: string) => {
    if (!ipaddr.isValid(text)) return false
    const address = ipaddr.process(text)
    const isPublic = address.range() === 'unicast' && !inNetworks(text, SERVICES)
    return isPublic || inNetworks(text, allowed)
  }
  return {
    mayReach,
    check(host) {
      const bare = host.replace(/^\[|\]$/g, '')
      if (ipaddr.isValid(bare) && !mayReach(bare)) throw new Blocked(BLOCKED)
    },
    lookup: (host, options, done) =>
      resolve(host, { ...options, all: true }, (error, found) => {
        if (error) return done(error, '', 0)
        const reachable = found.filter((a) => mayReach(a.address))
        if (reachable.length === 0) return done(new Blocked(BLOCKED), '', 0)
        if (options.all) return done(null, reachable)
        done(null, reachable[0]!.address, reachable[0]!.family)
      }),
  }
}

import { lookup as resolve } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The address is not one that outbound calls may reach. */
export class Blocked extends Error {
  override name = 'Blocked'
}

export type Guard = {
  /** Whether calls may go to this address, written as IPv4 or IPv6. */
  mayReach: (address: string) => boolean
  /** Throws `Blocked` when the host is an address that may not be reached. A name is judged by `lookup`. */
  check: (host: string) => void
  /** Name resolution that finds only what may be reached: a connection goes to just the address judged. */
  lookup: LookupFunction
}

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** `10.0.0.0/8`, or a single address. Throws on anything else. */
export const parseNetwork = (text: string): Network =>
  text.includes('/')
    ? ipaddr.parseCIDR(text)
    : [ipaddr.parse(text), ipaddr.parse(text).kind() === 'ipv4' ? 32 : 128]

const BLOCKED = 'The address is in an internal network, which outbound calls may not reach'

/**
 * Only public unicast addresses, and the networks an operator allows: no loopback, private, link-local,
 * carrier-grade, multicast, reserved or metadata address, however it is written or wrapped.
 */
export function guard(allowed: readonly string[] = []): Guard {
  const networks = allowed.map(parseNetwork)
  const mayReach = (text: string) => {
    if (!ipaddr.isValid(text)) return false
    // an IPv4 address inside an IPv6 one is judged as what it is
    const address = ipaddr.process(text)
    if (address.range() === 'unicast') return true
    return networks.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
    )
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

import type { Call, SipGateway } from '@switchroom/contract'
import ipaddr from 'ipaddr.js'
import type { Row as Carrier } from '../../carriers/voip-carriers/readable.ts'
import type { Captured, End } from '../../stores/sip/store.ts'

/** The carrier's end of a trunk: networks, and names that are looked up elsewhere. */
export type Trunk = { networks: [ipaddr.IPv4 | ipaddr.IPv6, number][]; hosts: string[] }

export function trunkOf(
  { register_sip_realm }: Pick<Carrier, 'register_sip_realm'>,
  gateways: readonly Pick<SipGateway, 'ipv4' | 'netmask'>[],
): Trunk {
  const networks: Trunk['networks'] = []
  const hosts: string[] = []
  for (const { ipv4, netmask } of gateways)
    if (ipaddr.isValid(ipv4)) networks.push([ipaddr.process(ipv4), netmask ?? 32])
    else hosts.push(ipv4.toLowerCase())
  return {
    networks,
    hosts: [...hosts, ...(register_sip_realm ? [register_sip_realm.toLowerCase()] : [])],
  }
}

const plain = (address: string) => address.replace(/^\[(.*)\](?::\d+)?$|^([^:]+):\d+$/, '$1$2')

/** Returns a check for addresses of the carrier, in a call's capture. */
export function carrierMatcher(
  { networks, hosts }: Trunk,
  { remote_host }: Pick<Call, 'remote_host'>,
) {
  // a name may stand for many addresses: the one that the platform used is in the record
  const used = hosts.length > 0 && remote_host ? plain(remote_host) : undefined
  return ({ address }: End): boolean => {
    if (address === used) return true
    if (!ipaddr.isValid(address)) return false
    const ip = ipaddr.process(address)
    return networks.some(([network, bits]) => {
      if (network.kind() !== ip.kind()) return false
      return network.kind() === 'ipv4'
        ? (ip as ipaddr.IPv4).match(network as ipaddr.IPv4, Math.min(bits, 32))
        : (ip as ipaddr.IPv6).match(network as ipaddr.IPv6, bits === 32 ? 128 : bits)
    })
  }
}

/** Messages between the SBC and the carrier, and none beyond. */
export const onTrunk = (messages: readonly Captured[], isCarriers: (end: End) => boolean) =>
  messages.filter(
    ({ kind, source, destination }) =>
      kind === 'sip' && isCarriers(source) !== isCarriers(destination),
  )

import type { TRUNK_TYPES } from '@switchroom/contract'
import { blankGateway, type GatewayValues } from './values'

export type TrunkType = (typeof TRUNK_TYPES)[number]

export const TRUNKS: { value: TrunkType; label: string }[] = [
  { value: 'static_ip', label: 'IP Trunk' },
  { value: 'auth', label: 'Auth Trunk' },
  { value: 'reg', label: 'Registration Trunk' },
]
export const trunkLabel = (type: string) => TRUNKS.find((t) => t.value === type)?.label ?? type

type Registration = { register_status: Record<string, unknown> }
export const isRegistered = ({ register_status: { status } }: Registration) => status === 'ok'

/**
 * The gateways after a change of trunk type. Only an IP trunk recognises calls by their address: for the
 * others the inbound ones are put aside, to be back with it, and one to send calls to is made sure of.
 */
export function gatewaysFor(type: TrunkType, now: GatewayValues[], aside: GatewayValues[]) {
  if (type === 'static_ip') return { gateways: [...now, ...aside], aside: [] }
  const kept = now.filter((g) => g.outbound).map((g) => ({ ...g, inbound: false }))
  const parked = now.filter((g) => !g.outbound)
  return {
    gateways: kept.length > 0 ? kept : [blankGateway({ outbound: true })],
    aside: [...aside, ...parked],
  }
}

import { blankGateway, type GatewayValues } from './gateway-values'
import type { TrunkType } from './trunk-types'

/** Values set aside by a change of trunk type, restored when it is changed back. */
export type Parked = { gateways: GatewayValues[]; requires_register: boolean }
const INBOUND_CREDENTIALS = ['inbound_auth_username', 'inbound_auth_password'] as const

type Trunk = { trunk_type: string; sip_gateways: GatewayValues[]; requires_register: boolean }

/** Form values after a change of trunk type. Gateways are not lost until the carrier is saved. */
export function changeTrunk(type: TrunkType, now: Trunk, parked: Parked) {
  const moved =
    type === 'static_ip'
      ? withInbound(now.sip_gateways, parked.gateways)
      : withoutInbound(now.sip_gateways, parked.gateways)
  const leaves = now.trunk_type === 'reg'
  const leavesAuth = now.trunk_type === 'auth' && type !== 'auth'
  return {
    /** Fields cleared by leaving the old type. */
    cleared: leavesAuth ? INBOUND_CREDENTIALS : [],
    sip_gateways: moved.gateways,
    requires_register:
      type === 'reg' || (leaves ? parked.requires_register : now.requires_register),
    parked: {
      gateways: moved.parked,
      requires_register: leaves ? parked.requires_register : now.requires_register,
    },
  }
}

/** Only IP trunks have inbound gateways. The other types get at least one outbound gateway. */
function withoutInbound(now: GatewayValues[], parked: GatewayValues[]) {
  const inbound = now.filter((g) => g.inbound)
  const outbound = now.filter((g) => g.outbound).map((g) => ({ ...g, inbound: false }))
  return {
    gateways: outbound.length > 0 ? outbound : [blankGateway({ outbound: true })],
    parked: inbound.length > 0 ? inbound : parked,
  }
}

function withInbound(now: GatewayValues[], parked: GatewayValues[]) {
  const inbound = new Set(parked.map((g) => g.key))
  // a blank row is dropped once others are restored
  const kept = now
    .filter((g) => g.ipv4 || inbound.has(g.key))
    .map((g) => (inbound.has(g.key) ? { ...g, inbound: true } : g))
  const gateways = [...parked.filter((g) => !g.outbound), ...kept]
  return {
    gateways: gateways.length > 0 ? gateways : [blankGateway({ inbound: true })],
    parked: [],
  }
}

import { TRUNK_TYPES } from '@switchroom/contract'
import { oneOf } from '../../lib/list-search'
import { blankGateway, type GatewayValues } from './gateway-values'

export type TrunkType = (typeof TRUNK_TYPES)[number]

export const trunkTypeOf = (text: string) => oneOf(TRUNK_TYPES, text)

export const TRUNKS: { value: TrunkType; label: string }[] = [
  { value: 'static_ip', label: 'IP Trunk' },
  { value: 'auth', label: 'Auth Trunk' },
  { value: 'reg', label: 'Registration Trunk' },
]
export const trunkLabel = (type: string) => TRUNKS.find((t) => t.value === type)?.label ?? type

/** The registration status as text. */
export function registration({
  register_status: { status },
}: {
  register_status: Record<string, unknown>
}) {
  if (!status) return { tone: 'off', word: 'Not Started' } as const
  return status === 'ok'
    ? ({ tone: 'ok', word: 'Registered' } as const)
    : ({ tone: 'bad', word: 'Unregistered' } as const)
}

/** What changing the trunk type sets aside, to be restored when it is changed back. */
export type Parked = { gateways: GatewayValues[]; requires_register: boolean }
type Trunk = { trunk_type: string; sip_gateways: GatewayValues[]; requires_register: boolean }

/** Form values after a change of trunk type. Nothing is lost until the carrier is saved. */
export function changeTrunk(type: TrunkType, now: Trunk, parked: Parked) {
  const moved =
    type === 'static_ip'
      ? withInbound(now.sip_gateways, parked.gateways)
      : withoutInbound(now.sip_gateways, parked.gateways)
  const leaves = now.trunk_type === 'reg'
  return {
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

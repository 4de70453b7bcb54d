import { expect, it } from 'vitest'
import { blankGateway, type GatewayValues } from './gateway-values'
import { changeTrunk, type Parked } from './trunk'
import type { TrunkType } from './trunk-types'

const gateway = (ipv4: string, more: Partial<GatewayValues>): GatewayValues => ({
  ...blankGateway({}),
  ipv4,
  ...more,
})
const inbound = gateway('203.0.113.1', { inbound: true, netmask: '24' })
const outbound = gateway('sip.example.com', { outbound: true })
const both = gateway('203.0.113.2', { inbound: true, outbound: true })

/** Switches an IP trunk through these types in order. */
function switchTypes(types: TrunkType[], sip_gateways: GatewayValues[], requires_register = false) {
  let values = { trunk_type: 'static_ip', sip_gateways, requires_register }
  let parked: Parked = { gateways: [], requires_register: false }
  for (const type of types) {
    const next = changeTrunk(type, values, parked)
    parked = next.parked
    values = {
      trunk_type: type,
      sip_gateways: next.sip_gateways,
      requires_register: next.requires_register,
    }
  }
  return values
}

it.each(['auth', 'reg'] as const)('parks inbound gateways for %s', (type) => {
  const { sip_gateways } = switchTypes([type], [inbound, outbound, both])
  expect(sip_gateways).toEqual([outbound, { ...both, inbound: false }])
})

it.each(['auth', 'reg'] as const)('adds an outbound gateway for %s if there is none', (type) => {
  const { sip_gateways } = switchTypes([type], [inbound])
  expect(sip_gateways).toMatchObject([{ ipv4: '', inbound: false, outbound: true }])
})

it.each([
  [['auth', 'static_ip']],
  [['auth', 'reg', 'static_ip']],
  [['reg', 'auth', 'static_ip']],
] as const)('restores everything after %j', (types) => {
  expect(switchTypes([...types], [inbound, outbound, both]).sip_gateways).toEqual([
    inbound,
    outbound,
    both,
  ])
  expect(switchTypes([...types], [inbound]).sip_gateways).toEqual([inbound])
})

it('always registers as reg, and restores the setting for other types', () => {
  expect(switchTypes(['reg'], [outbound]).requires_register).toBe(true)
  expect(switchTypes(['reg', 'auth'], [outbound]).requires_register).toBe(false)
  expect(switchTypes(['reg', 'static_ip'], [outbound], true).requires_register).toBe(true)
  expect(switchTypes(['auth'], [outbound], true).requires_register).toBe(true)
})

it.each([
  ['auth', 'static_ip', ['inbound_auth_username', 'inbound_auth_password']],
  ['auth', 'reg', ['inbound_auth_username', 'inbound_auth_password']],
  ['auth', 'auth', []],
  ['static_ip', 'auth', []],
  ['reg', 'static_ip', []],
] as const)('from %s to %s clears %j', (trunk_type, type, cleared) => {
  const now = { trunk_type, sip_gateways: [], requires_register: false }
  expect(changeTrunk(type, now, { gateways: [], requires_register: false }).cleared).toEqual(
    cleared,
  )
})

it('adds an inbound gateway to an IP trunk without gateways', () => {
  expect(switchTypes(['auth', 'static_ip'], []).sip_gateways).toMatchObject([{ inbound: true }])
})

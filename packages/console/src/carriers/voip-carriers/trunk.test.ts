import { expect, it } from 'vitest'
import { blankGateway, type GatewayValues } from './gateway-values'
import { changeTrunk, type Parked, type TrunkType } from './trunk'

const gateway = (ipv4: string, more: Partial<GatewayValues>): GatewayValues => ({
  ...blankGateway({}),
  ipv4,
  ...more,
})
const inbound = gateway('203.0.113.1', { inbound: true, netmask: '24' })
const outbound = gateway('sip.example.com', { outbound: true })
const both = gateway('203.0.113.2', { inbound: true, outbound: true })

/** A trunk through one type after the other. */
function through(types: TrunkType[], sip_gateways: GatewayValues[], requires_register = false) {
  let now = { trunk_type: 'static_ip', sip_gateways, requires_register }
  let parked: Parked = { gateways: [], requires_register: false }
  for (const type of types) {
    const next = changeTrunk(type, now, parked)
    parked = next.parked
    now = {
      trunk_type: type,
      sip_gateways: next.sip_gateways,
      requires_register: next.requires_register,
    }
  }
  return now
}

it.each(['auth', 'reg'] as const)('puts inbound gateways aside for %s', (type) => {
  const { sip_gateways } = through([type], [inbound, outbound, both])
  expect(sip_gateways).toEqual([outbound, { ...both, inbound: false }])
})

it.each(['auth', 'reg'] as const)('makes sure of an outbound gateway for %s', (type) => {
  const { sip_gateways } = through([type], [inbound])
  expect(sip_gateways).toMatchObject([{ ipv4: '', inbound: false, outbound: true }])
})

it.each([
  [['auth', 'static_ip']],
  [['auth', 'reg', 'static_ip']],
  [['reg', 'auth', 'static_ip']],
] as const)('has everything back after %j', (types) => {
  expect(through([...types], [inbound, outbound, both]).sip_gateways).toEqual([
    inbound,
    outbound,
    both,
  ])
  expect(through([...types], [inbound]).sip_gateways).toEqual([inbound])
})

it('always registers as reg, and as before once it is another type again', () => {
  expect(through(['reg'], [outbound]).requires_register).toBe(true)
  expect(through(['reg', 'auth'], [outbound]).requires_register).toBe(false)
  expect(through(['reg', 'static_ip'], [outbound], true).requires_register).toBe(true)
  expect(through(['auth'], [outbound], true).requires_register).toBe(true)
})

it('begins an IP trunk that has none with an inbound gateway', () => {
  expect(through(['auth', 'static_ip'], []).sip_gateways).toMatchObject([{ inbound: true }])
})

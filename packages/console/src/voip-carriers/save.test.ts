import { type Endpoint, sipGateways, smppGateways, voipCarriers } from '@switchroom/contract'
import { beforeEach, expect, it, vi } from 'vitest'
import { createCarrier, updateCarrier } from './save'

const server = vi.hoisted(() => ({ stock: true, send: vi.fn() }))
vi.mock('../lib/api', () => ({ send: server.send }))
vi.mock('../lib/access', () => ({ ownAccount: () => undefined }))
vi.mock('../lib/capabilities', () => ({
  capabilities: async () => (server.stock ? undefined : { product: 'switchroom' }),
}))
vi.mock('../lib/failure', () => ({
  PartlySaved: class extends Error {},
  messageOf: (e: Error) => e.message,
}))

const inbound = { ipv4: '203.0.113.1', port: 5060, netmask: 32, inbound: true, outbound: false }
const outbound = {
  ipv4: 'sip.example.com',
  port: null,
  netmask: 32,
  inbound: false,
  outbound: true,
}
const smpp = { ipv4: 'smpp.example.com', port: 2775, netmask: 32, inbound: false, outbound: true }
const params = { voip_carrier_sid: 'c' }

let sip: object[]
let failing: (e: Endpoint, body: { ipv4?: string }) => boolean
beforeEach(() => {
  server.stock = true
  sip = []
  failing = () => false
  server.send.mockReset().mockImplementation(async (e: Endpoint, sent: { body?: object }) => {
    if (e === sipGateways.list) return sip
    if (e === smppGateways.list) return []
    if (failing(e, sent.body ?? {})) throw new Error('no more')
    return { sid: 'c' }
  })
})
const calls = () =>
  server.send.mock.calls
    .map(
      ([e, { body, params: of }]) =>
        `${e.method} ${e.path.split('/')[1]} ${body?.ipv4 ?? of?.sip_gateway_sid ?? ''}`,
    )
    .filter((call) => !call.startsWith('GET'))

it('saves in one call where the server can', async () => {
  server.stock = false
  const sent = { params, body: { name: 'x', sip_gateways: [inbound], smpp_gateways: [smpp] } }
  await updateCarrier(sent)
  expect(server.send.mock.calls).toEqual([[voipCarriers.update, sent]])
})

it('adds to a stock server call by call', async () => {
  const body = { name: 'x', sip_gateways: [inbound, outbound], smpp_gateways: [smpp] }
  expect(await createCarrier('p', { body })).toEqual({ sid: 'c' })
  expect(calls()).toEqual([
    'POST ServiceProviders ',
    'POST SipGateways 203.0.113.1',
    'POST SipGateways sip.example.com',
    'POST SmppGateways smpp.example.com',
  ])
})

it('says precisely what a stock server has and has not taken', async () => {
  failing = (e, { ipv4 }) => e === sipGateways.create && ipv4 === outbound.ipv4
  sip = [{ ...inbound, sip_gateway_sid: 'gone', ipv4: '203.0.113.9' }]
  const body = { name: 'x', sip_gateways: [inbound, outbound], smpp_gateways: [smpp] }
  await expect(updateCarrier({ params, body })).rejects.toThrow(
    'Saved: the carrier, SIP gateway 203.0.113.1. Not saved: SIP gateway sip.example.com, deletion of SIP gateway 203.0.113.9, SMPP gateway smpp.example.com. no more',
  )
  expect(await createCarrier('p', { body })).toMatchObject({
    sid: 'c',
    unsaved: expect.stringContaining('Not saved: SIP gateway sip.example.com'),
  })
})

it('adds nothing twice when it is tried again', async () => {
  sip = [
    { ...inbound, inbound: 1, outbound: 0, sip_gateway_sid: 'one' },
    { ...outbound, inbound: 0, outbound: 1, sip_gateway_sid: 'two' },
  ]
  await updateCarrier({ params, body: { name: 'x', sip_gateways: [inbound] } })
  expect(calls()).toEqual([
    'PUT VoipCarriers ',
    'PUT SipGateways 203.0.113.1',
    'DELETE SipGateways two',
  ])
})

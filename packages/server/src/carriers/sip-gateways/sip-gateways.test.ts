import { api, GATEWAY_ADDRESS, NO_IPV6 } from '@switchroom/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'

let t: TestApp
let carrier: string
beforeEach(async () => {
  t = await testApp()
  carrier = (await t.as('a1')(api.voipCarriers.create, { body: { name: 'trunk' } })).sid
})
afterEach(() => t.close())

const add = async (body: object, who = 'a1') =>
  (
    await t.as(who)(api.sipGateways.create, {
      body: { ipv4: '203.0.113.1', inbound: 1, outbound: 1, voip_carrier_sid: carrier, ...body },
    })
  ).sid
const change = (sip_gateway_sid: string, body: object) =>
  t.as('a1')(api.sipGateways.update, { params: { sip_gateway_sid }, body })
const view = (sip_gateway_sid: string) =>
  t.as('a1')(api.sipGateways.view, { params: { sip_gateway_sid } })

it('saves a gateway on its own, as older clients do', async () => {
  const sid = await add({ port: '', protocol: 'tls/srtp', remove_ice: true, inbound: true })
  expect(await view(sid)).toMatchObject({
    port: 5060,
    netmask: 32,
    protocol: 'tls/srtp',
    remove_ice: 1,
    inbound: 1,
    is_active: 1,
  })
  await change(sid, { is_active: false })
  expect(await view(sid)).toMatchObject({ is_active: 0, port: 5060 })
  expect(
    await t.as('a1')(api.sipGateways.list, { query: { voip_carrier_sid: carrier } }),
  ).toHaveLength(1)
})

it('validates the result of a change as a whole', async () => {
  const sid = await add({})
  await expect(change(sid, { ipv4: 'sip.example.com' })).rejects.toMatchObject({
    status: 400,
    message: 'A fully qualified domain name may only be used for outbound calls.',
  })
  await change(sid, { ipv4: 'sip.example.com', inbound: 0, port: null })
  expect(await view(sid)).toMatchObject({ ipv4: 'sip.example.com', port: null })
  await expect(change(sid, { netmask: 24 })).rejects.toMatchObject({
    message: 'For outbound only gateway netmask can only be 32',
  })
})

it('gives an address to one of two gateways that are changed at once', async () => {
  const sids = [await add({}), await add({ ipv4: '203.0.113.2' })]
  const answers = await Promise.allSettled(
    sids.map((sid, i) => change(sid, { ipv4: '203.0.113.9', netmask: 32 - i })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(answers.flatMap((one) => (one.status === 'rejected' ? one.reason.status : []))).toEqual([
    422,
  ])
})

it('requires unique addresses within a carrier', async () => {
  const sid = await add({})
  await expect(add({ port: 5060 })).rejects.toMatchObject({
    status: 422,
    message: 'Each SIP gateway must have a unique IP address.',
  })
  await expect(add({ netmask: 24 })).rejects.toMatchObject({ status: 422 })
  await add({ port: 5061 })
  await change(sid, { pad_crypto: 1 })
})

it.each([
  ['2001:db8::1', NO_IPV6],
  ['[2001:db8::1]', NO_IPV6],
  ['::ffff:192.0.2.1', NO_IPV6],
  ['01.2.3.4', GATEWAY_ADDRESS],
  ['192.0.2.300', GATEWAY_ADDRESS],
  ['192.0.2.1:5060', GATEWAY_ADDRESS],
])('says why %s is no address', async (ipv4, message) => {
  for (const inbound of [1, 0] as const)
    await expect(add({ ipv4, inbound })).rejects.toMatchObject({
      status: 400,
      body: { issues: expect.arrayContaining([{ path: ['ipv4'], message }]) },
    })
})

it('enforces the smallest allowed netmask', async () => {
  t.ctx.config.min_gateway_netmask = 24
  await expect(add({ netmask: 16 })).rejects.toMatchObject({
    message: 'netmask required to have value equal or greater than 24',
  })
  await add({ netmask: 24 })
})

it('cannot be moved to another carrier', async () => {
  const sid = await add({})
  const { sid: other } = await t.as('a1')(api.voipCarriers.create, { body: { name: 'other' } })
  await expect(change(sid, { voip_carrier_sid: other })).rejects.toMatchObject({ status: 400 })
  await change(sid, { voip_carrier_sid: carrier })
  expect(await view(sid)).toMatchObject({ voip_carrier_sid: carrier })
})

it('can be read but not changed by accounts that share its carrier', async () => {
  const { sid: shared } = await t.as('sp1')(api.voipCarriers.create, { body: { name: 'shared' } })
  const sid = await add({ voip_carrier_sid: shared }, 'sp1')
  expect(await view(sid)).toMatchObject({ voip_carrier_sid: shared })
  await expect(change(sid, { is_active: 0 })).rejects.toMatchObject({
    status: 400,
    message: 'invalid sip_gateway_sid',
  })
  await expect(add({ voip_carrier_sid: shared, port: 5070 })).rejects.toMatchObject({
    message: 'invalid voip_carrier_sid',
  })
})

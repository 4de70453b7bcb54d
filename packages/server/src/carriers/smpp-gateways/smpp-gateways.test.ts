import { api } from '@switchroom/contract'
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
    await t.as(who)(api.smppGateways.create, {
      body: { ipv4: 'smpp.example.com', voip_carrier_sid: carrier, ...body },
    })
  ).sid
const change = (smpp_gateway_sid: string, body: object) =>
  t.as('a1')(api.smppGateways.update, { params: { smpp_gateway_sid }, body })
const view = (smpp_gateway_sid: string) =>
  t.as('a1')(api.smppGateways.view, { params: { smpp_gateway_sid } })

it('saves a gateway on its own, as older clients do', async () => {
  const sid = await add({})
  expect(await view(sid)).toMatchObject({
    ipv4: 'smpp.example.com',
    port: 2775,
    netmask: 32,
    is_primary: 1,
    inbound: 0,
    outbound: 1,
    use_tls: 0,
  })
  await change(sid, { use_tls: true, port: '3550' })
  expect(await view(sid)).toMatchObject({ use_tls: 1, port: 3550, ipv4: 'smpp.example.com' })
  const list = () => t.as('a1')(api.smppGateways.list, { query: { voip_carrier_sid: carrier } })
  expect(await list()).toHaveLength(1)
  await t.as('a1')(api.smppGateways.remove, { params: { smpp_gateway_sid: sid } })
  expect(await list()).toEqual([])
})

it.each([
  [{ ipv4: 'example.com' }, 'When using an FQDN, you must use a subdomain (e.g. sip.example.com).'],
  [{ inbound: 1 }, 'A fully qualified domain name may only be used for outbound calls.'],
  [
    { ipv4: '999.1.1.1' },
    'Please provide a valid outbound IP address or fully qualified domain name.',
  ],
  [
    { ipv4: 'no host', inbound: 1, outbound: 0 },
    'Please provide a valid inbound IP address or fully qualified domain name.',
  ],
])('rejects %o', async (body, message) => {
  await expect(add(body)).rejects.toMatchObject({
    status: 400,
    body: { issues: [{ path: ['ipv4'], message }] },
  })
})

it('validates the result of a change as a whole', async () => {
  const sid = await add({})
  await expect(change(sid, { inbound: 1 })).rejects.toMatchObject({ status: 400 })
  await change(sid, { inbound: 1, ipv4: '203.0.113.7' })
  expect(await view(sid)).toMatchObject({ inbound: 1, outbound: 1 })
})

it('requires unique addresses within a direction', async () => {
  await add({ ipv4: '203.0.113.7' })
  await expect(add({ ipv4: '203.0.113.7' })).rejects.toMatchObject({
    status: 422,
    message: 'Each outbound SMPP gateway must have a unique IP address.',
  })
  await add({ ipv4: '203.0.113.7', inbound: 1, outbound: 0 })
  await expect(add({ ipv4: '203.0.113.7', inbound: 1, outbound: 0 })).rejects.toMatchObject({
    status: 422,
    message: 'Each inbound SMPP gateway must have a unique IP address.',
  })
  await add({ ipv4: '203.0.113.7', port: 2776 })
})

it('can be read but not changed by accounts that share its carrier', async () => {
  const { sid: shared } = await t.as('sp1')(api.voipCarriers.create, { body: { name: 'shared' } })
  const sid = await add({ voip_carrier_sid: shared }, 'sp1')
  expect(await view(sid)).toMatchObject({ voip_carrier_sid: shared })
  await expect(change(sid, { use_tls: 1 })).rejects.toMatchObject({
    status: 400,
    message: 'invalid smpp_gateway_sid',
  })
})

it('is missing on a platform without SMPP, and nothing fails', async () => {
  const sid = await add({})
  const { schemaHas } = t.ctx
  t.ctx.schemaHas = (table, column) => !table.startsWith('smpp_') && schemaHas(table, column)
  await expect(add({ port: 1 })).rejects.toMatchObject({
    message: 'This platform does not support SMPP.',
  })
  await expect(change(sid, { use_tls: 1 })).rejects.toMatchObject({ status: 400 })
  await expect(view(sid)).rejects.toMatchObject({ status: 404 })
  const params = { voip_carrier_sid: carrier }
  expect((await t.as('a1')(api.voipCarriers.view, { params })).smpp_gateways).toEqual([])
  expect(await t.as('a1')(api.signallingAddresses.smpps, { query: {} })).toEqual([])
  await t.as('a1')(api.voipCarriers.update, { params, body: { smpp_gateways: [] } })
  const smpp_gateways = [{ ipv4: '203.0.113.1', inbound: 1, outbound: 0 } as const]
  const body = { smpp_inbound_system_id: 's', smpp_inbound_password: 'p', smpp_gateways }
  await expect(t.as('a1')(api.voipCarriers.update, { params, body })).rejects.toMatchObject({
    status: 400,
    message: 'This platform does not support SMPP.',
  })
})

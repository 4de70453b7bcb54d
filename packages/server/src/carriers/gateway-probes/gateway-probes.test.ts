import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import { api, PROBE_TOO_SOON } from '@switchroom/contract'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { insert } from './queries.ts'

const peer = createSocket('udp4')
/** Delays answers until it resolves. */
let held: Promise<unknown> | undefined
peer.on('message', (request: Buffer, from: RemoteInfo) => {
  const answer = String(request).replace(/^OPTIONS .*/, 'SIP/2.0 200 OK')
  Promise.resolve(held).then(() => peer.send(answer, from.port, from.address))
})
beforeAll(() => new Promise<void>((done) => peer.bind(0, '127.0.0.1', done)))
afterAll(() => new Promise<void>((done) => peer.close(done)))

let t: TestApp
let carrier: string
beforeEach(async () => {
  held = undefined
  t = await testApp({ SWITCHROOM_ALLOW_NETWORKS: '127.0.0.0/8' })
  carrier = (await t.as('a1')(api.voipCarriers.create, { body: { name: 'trunk' } })).sid
})
afterEach(() => t.close())

const add = async (body: object = {}, voip_carrier_sid = carrier, who = 'a1') => {
  const gateway = { ipv4: '127.0.0.1', port: peer.address().port, inbound: false, outbound: true }
  const sent = { body: { ...gateway, voip_carrier_sid, ...body } }
  return (await t.as(who)(api.sipGateways.create, sent)).sid
}
const probe = (sip_gateway_sid: string, who = 'a1') =>
  t.as(who)(api.gatewayProbes.probe, { params: { sip_gateway_sid } })
const results = (voip_carrier_sid = carrier, who = 'a1') =>
  t.as(who)(api.gatewayProbes.ofCarrier, { params: { voip_carrier_sid } })
const probeKey = (sip_gateway_sid: string) => `switchroom:gateway-probe:${sip_gateway_sid}`

it('probes a gateway and stores the result', async () => {
  const sid = await add()
  const result = await probe(sid)
  expect(result).toEqual({
    sip_gateway_sid: sid,
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    outcome: 'ok',
    status: 200,
    reason: 'OK',
    rtt_ms: expect.any(Number),
    transport: 'udp',
    address: `127.0.0.1:${peer.address().port}`,
  })
  expect(await results()).toEqual([result])
  expect(await results(carrier, 'a1-viewer')).toEqual([result])
  await t.ctx.live.remove(probeKey(sid))
  const next = await probe(sid, 'sp1')
  expect(await results()).toEqual([next, result])
})

it('probes a gateway once at a time, with a pause between', async () => {
  const [sid, other] = [await add(), await add({ port: 5070 })]
  const hold = Promise.withResolvers<void>()
  held = hold.promise
  const requestReceived = once(peer, 'message')
  const running = probe(sid)
  await requestReceived
  const refused = { status: 429, message: PROBE_TOO_SOON }
  await expect(probe(sid)).rejects.toMatchObject(refused)
  expect((await probe(other)).outcome).toBe('unreachable')
  hold.resolve()
  expect((await running).outcome).toBe('ok')
  const answer = await t.request('a1', 'POST', `/SipGateways/${sid}/Probe`)
  expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, '2'])
  // asking too early does not extend the pause: an extended one would last eight seconds
  await expect.poll(() => t.ctx.live.get(probeKey(sid))).toEqual([undefined])
  expect((await probe(sid)).outcome).toBe('ok')
})

it('starts one probe for concurrent requests', async () => {
  const sid = await add()
  const hold = Promise.withResolvers<void>()
  held = hold.promise
  let refused = 0
  const all = Promise.allSettled(
    Array.from({ length: 8 }, () =>
      probe(sid).catch((e: unknown) => {
        refused++
        throw e
      }),
    ),
  )
  await expect.poll(() => refused).toBe(7)
  hold.resolve()
  expect((await all).filter((p) => p.status === 'fulfilled')).toHaveLength(1)
  expect(await results()).toHaveLength(1)
})

it('reaches no internal address that the operator has not allowed', async () => {
  const sid = await add({ ipv4: '10.2.3.4' })
  expect(await probe(sid)).toMatchObject({
    outcome: 'blocked',
    reason:
      'The address is in an internal network, which this server may only reach if SWITCHROOM_ALLOW_NETWORKS names it',
  })
})

it('probes only gateways for outbound calls', async () => {
  const sid = await add({ inbound: 1, outbound: 0 })
  await expect(probe(sid)).rejects.toMatchObject({ status: 400 })
})

it('lets accounts see results of a shared carrier, but not probe it', async () => {
  const { sid: shared } = await t.as('sp1')(api.voipCarriers.create, { body: { name: 'shared' } })
  const sid = await add({}, shared, 'sp1')
  await expect(probe(sid)).rejects.toMatchObject({ status: 404 })
  const result = await probe(sid, 'sp1')
  expect(await results(shared)).toEqual([result])
  await expect(results(shared, 'b1')).rejects.toMatchObject({ status: 404 })
})

it('leaves probes to the provider when accounts may not manage carriers', async () => {
  const sid = await add()
  t.ctx.config.admin_carrier = true
  await expect(probe(sid)).rejects.toMatchObject({ status: 400 })
  expect((await probe(sid, 'sp1')).outcome).toBe('ok')
})

it('keeps a hundred results of a gateway, shows fifty, and removes those of deleted gateways', async () => {
  const [sid, other] = [await add(), await add({ port: 5070 })]
  const result = await probe(sid)
  const at = (i: number) => new Date(Date.parse(result.at) + i * 1_000).toISOString()
  for (let i = 1; i <= 103; i++) await insert(t.db, { ...result, at: at(i) })
  await insert(t.db, { ...result, sip_gateway_sid: other })
  const storedResults = async (sip_gateway_sid: string) =>
    (
      await t.db
        .selectFrom('switchroom_gateway_probes')
        .select('at')
        .where('sip_gateway_sid', '=', sip_gateway_sid)
        .orderBy('at')
        .execute()
    ).map((p) => p.at)
  expect(await storedResults(sid)).toEqual(Array.from({ length: 100 }, (_, i) => at(i + 4)))
  expect((await results()).map((r) => r.at)).toEqual(
    Array.from({ length: 50 }, (_, i) => at(103 - i)),
  )
  await t.as('a1')(api.sipGateways.remove, { params: { sip_gateway_sid: sid } })
  await insert(t.db, { ...result, sip_gateway_sid: other })
  expect(await storedResults(sid)).toEqual([])
  expect(await storedResults(other)).toHaveLength(2)
})

import { randomUUID } from 'node:crypto'
import { api } from '@switchroom/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const sbc = (ipv4: string, more: object = {}) =>
  t.db
    .insertInto('sbc_addresses')
    .values({ sbc_address_sid: randomUUID(), ipv4, ...more })
    .execute()
const smpp = (ipv4: string, more: object = {}) =>
  t.db
    .insertInto('smpp_addresses')
    .values({ smpp_address_sid: randomUUID(), ipv4, port: 2775, ...more })
    .execute()
const sbcs = async (who: string, service_provider_sid?: string) =>
  (await t.as(who)(api.signallingAddresses.sbcs, { query: { service_provider_sid } })).map(
    (a) => a.ipv4,
  )
const smpps = async (who: string, service_provider_sid?: string) =>
  (await t.as(who)(api.signallingAddresses.smpps, { query: { service_provider_sid } })).map(
    (a) => a.ipv4,
  )

it('lists each address once, from its latest heartbeat', async () => {
  await sbc('198.51.100.1', { last_updated: '2026-01-01 00:00:00', tls_port: 5061 })
  await sbc('198.51.100.1', { last_updated: '2026-01-01 00:15:00', tls_port: 5443 })
  await sbc('198.51.100.1', { tls_port: 1 })
  await sbc('198.51.100.1', { port: 5080 })
  expect(await t.as('a1')(api.signallingAddresses.sbcs, { query: {} })).toMatchObject([
    { ipv4: '198.51.100.1', port: 5060, tls_port: 5443 },
    { ipv4: '198.51.100.1', port: 5080 },
  ])
})

it('shows a provider its own SBCs, or the shared ones if it has none', async () => {
  await sbc('198.51.100.1')
  await sbc('198.51.100.2', { service_provider_sid: t.sids.sp1 })
  for (const who of ['sp1', 'a1', 'a1-viewer', 'a1-key'])
    expect(await sbcs(who), who).toEqual(['198.51.100.2'])
  for (const who of ['sp2', 'b1', 'admin']) expect(await sbcs(who), who).toEqual(['198.51.100.1'])
  expect(await sbcs('admin', t.sids.sp1)).toEqual(['198.51.100.2'])
  expect(await sbcs('admin', t.sids.sp2)).toEqual(['198.51.100.1'])
  await expect(sbcs('b1', t.sids.sp1)).rejects.toMatchObject({ status: 404 })
})

it('shows the shared SMPP servers, or exactly those of a provider', async () => {
  await smpp('198.51.100.1')
  await smpp('198.51.100.1', { is_primary: 0 })
  await smpp('198.51.100.2', { service_provider_sid: t.sids.sp1, use_tls: 1 })
  expect(await smpps('a1')).toEqual(['198.51.100.1'])
  expect(await smpps('a1', t.sids.sp1)).toEqual(['198.51.100.2'])
  expect(await smpps('admin', t.sids.sp2)).toEqual([])
  await expect(smpps('sp2', t.sids.sp1)).rejects.toMatchObject({ status: 404 })
})

it('lets administrators add and remove addresses, for all or for a provider', async () => {
  const { addSbc, removeSbc, addSmpp, removeSmpp } = api.signallingAddresses
  const own = { ipv4: '198.51.100.7', service_provider_sid: t.sids.sp1 }
  const { sid: sbc_address_sid } = await t.as('admin')(addSbc, { body: { ...own, tls_port: 5061 } })
  const { sid: smpp_address_sid } = await t.as('admin')(addSmpp, { body: { ...own, use_tls: 1 } })
  const [row] = await t.as('sp1')(api.signallingAddresses.sbcs, { query: {} })
  expect(row).toMatchObject({ ...own, sbc_address_sid, port: 5060, tls_port: 5061, wss_port: null })
  // one without a time would be removed by the next border controller that starts
  expect(row!.last_updated).not.toBeNull()
  expect(await sbcs('b1')).toEqual([])
  expect(await smpps('a1', t.sids.sp1)).toEqual(['198.51.100.7'])

  await t.as('admin')(removeSbc, { params: { sbc_address_sid } })
  await t.as('admin')(removeSmpp, { params: { smpp_address_sid } })
  expect([await sbcs('a1'), await smpps('a1', t.sids.sp1)]).toEqual([[], []])
  await expect(t.as('admin')(removeSbc, { params: { sbc_address_sid } })).rejects.toMatchObject({
    status: 404,
  })
  const logged = await t.as('admin')(api.audit.list, { query: { page: 1 } })
  expect(logged.data.map((e) => `${e.action} ${e.kind} ${e.name}`)).toEqual([
    'delete smpp_address 198.51.100.7',
    'delete sbc_address 198.51.100.7',
    'create smpp_address 198.51.100.7',
    'create sbc_address 198.51.100.7',
  ])
})

it('says that a platform has no SMPP', async () => {
  const { addSmpp, removeSmpp } = api.signallingAddresses
  const body = { ipv4: '198.51.100.7' }
  const { sid: smpp_address_sid } = await t.as('admin')(addSmpp, { body })
  const { schemaHas } = t.ctx
  t.ctx.schemaHas = (table, column) => table !== 'smpp_addresses' && schemaHas(table, column)
  const refused = { status: 404, message: 'This platform has no SMPP' }
  await expect(t.as('admin')(addSmpp, { body })).rejects.toMatchObject(refused)
  await expect(t.as('admin')(removeSmpp, { params: { smpp_address_sid } })).rejects.toMatchObject(
    refused,
  )
  expect(await smpps('a1')).toEqual([])
})

it.each([
  { ipv4: 'sip.example.com' },
  { ipv4: '198.51.100.7', port: 65_536 },
  { ipv4: '198.51.100.7', service_provider_sid: randomUUID() },
])('rejects %j as an address', async (body) => {
  const { addSbc, addSmpp } = api.signallingAddresses
  for (const add of [addSbc, addSmpp])
    await expect(t.as('admin')(add, { body })).rejects.toMatchObject({ status: 400 })
})

import { randomUUID } from 'node:crypto'
import { api } from '@switchroom/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type TestApp, testApp } from '../test-app.ts'

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

it('says each address once, as its last heartbeat has it', async () => {
  await sbc('198.51.100.1', { last_updated: '2026-01-01 00:00:00', tls_port: 5061 })
  await sbc('198.51.100.1', { last_updated: '2026-01-01 00:15:00', tls_port: 5443 })
  await sbc('198.51.100.1', { tls_port: 1 })
  await sbc('198.51.100.1', { port: 5080 })
  expect(await t.as('a1')(api.signallingAddresses.sbcs, { query: {} })).toMatchObject([
    { ipv4: '198.51.100.1', port: 5060, tls_port: 5443 },
    { ipv4: '198.51.100.1', port: 5080 },
  ])
})

it('shows a provider its own SBCs, and the shared ones to those who have none', async () => {
  await sbc('198.51.100.1')
  await sbc('198.51.100.2', { service_provider_sid: t.sids.sp1 })
  for (const who of ['sp1', 'a1', 'a1-viewer', 'a1-key'])
    expect(await sbcs(who), who).toEqual(['198.51.100.2'])
  for (const who of ['sp2', 'b1', 'admin']) expect(await sbcs(who), who).toEqual(['198.51.100.1'])
  expect(await sbcs('admin', t.sids.sp1)).toEqual(['198.51.100.2'])
  expect(await sbcs('admin', t.sids.sp2)).toEqual(['198.51.100.1'])
  await expect(sbcs('b1', t.sids.sp1)).rejects.toMatchObject({ status: 404 })
})

it('shows the SMPP servers all share, or exactly those of a provider', async () => {
  await smpp('198.51.100.1')
  await smpp('198.51.100.1', { is_primary: 0 })
  await smpp('198.51.100.2', { service_provider_sid: t.sids.sp1, use_tls: 1 })
  expect(await smpps('a1')).toEqual(['198.51.100.1'])
  expect(await smpps('a1', t.sids.sp1)).toEqual(['198.51.100.2'])
  expect(await smpps('admin', t.sids.sp2)).toEqual([])
  await expect(smpps('sp2', t.sids.sp1)).rejects.toMatchObject({ status: 404 })
})

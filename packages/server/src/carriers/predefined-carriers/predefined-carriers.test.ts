import { api } from '@switchroom/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const template = async (name: string) =>
  (await t.as('')(api.predefinedCarriers.list, {})).find((c) => c.name === name)!
    .predefined_carrier_sid
const view = (sid: string) =>
  t.as('admin')(api.voipCarriers.view, { params: { voip_carrier_sid: sid } })

it('copies a template with all its gateways to the owner in the path', async () => {
  const predefined_carrier_sid = await template('TelecomsXChange')
  const params = { account_sid: t.sids.a1, predefined_carrier_sid }
  const { sid } = await t.as('sp1')(api.predefinedCarriers.addToAccount, { params })
  const carrier = await view(sid)
  expect(carrier).toMatchObject({
    name: 'TelecomsXChange',
    account_sid: t.sids.a1,
    service_provider_sid: t.sids.sp1,
    trunk_type: 'static_ip',
  })
  expect(carrier.sip_gateways.map((g) => g.ipv4)).toEqual([
    '174.136.44.213',
    'sip01.TelecomsXChange.com',
  ])
  const smpp = t.db.selectFrom('smpp_gateways').selectAll().where('voip_carrier_sid', '=', sid)
  expect(await smpp.execute()).toHaveLength(3)
})

it('gives a second copy another name', async () => {
  const predefined_carrier_sid = await template('Twilio')
  const params = { service_provider_sid: t.sids.sp1, predefined_carrier_sid }
  const { sid: one } = await t.as('sp1')(api.predefinedCarriers.addToServiceProvider, { params })
  const { sid: two } = await t.as('admin')(api.predefinedCarriers.addToServiceProvider, { params })
  expect((await view(one)).name).toBe('Twilio')
  expect((await view(two)).name).toMatch(/^Twilio-\w{8}$/)
  expect(await view(two)).toMatchObject({ account_sid: null, e164_leading_plus: 1 })
})

it('finds no other templates', async () => {
  const params = { account_sid: t.sids.a1, predefined_carrier_sid: crypto.randomUUID() }
  await expect(t.as('a1')(api.predefinedCarriers.addToAccount, { params })).rejects.toMatchObject({
    status: 404,
  })
})

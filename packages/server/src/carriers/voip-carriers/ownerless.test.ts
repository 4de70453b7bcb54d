import { randomUUID } from 'node:crypto'
import { api } from '@switchroom/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

const admin = () => t.as('admin')
const add = async (body: object) =>
  (await admin()(api.voipCarriers.create, { body: { name: randomUUID(), ...body } })).sid
const rowOf = (sid: string) =>
  t.db
    .selectFrom('voip_carriers')
    .select(['account_sid', 'service_provider_sid'])
    .where('voip_carrier_sid', '=', sid)
    .executeTakeFirstOrThrow()
/** A row as a stock server writes it: with or without an account, and without a provider. */
async function stock(account_sid: string | null) {
  const sid = randomUUID()
  await t.db
    .insertInto('voip_carriers')
    .values({ voip_carrier_sid: sid, name: `stock ${sid}`, account_sid })
    .execute()
  return sid
}
const status = async (...sent: Parameters<typeof t.request>) =>
  (await t.request(...sent)).statusCode
const listSids = async (who: string, path: string) =>
  ((await t.request(who, 'GET', path)).json() as { voip_carrier_sid: string }[]).map(
    (c) => c.voip_carrier_sid,
  )

it('has no owner when an administrator names none and there are several providers', async () => {
  const sid = await add({})
  expect(await rowOf(sid)).toEqual({ account_sid: null, service_provider_sid: null })
  for (const who of ['sp1', 'a1', 'sp2']) {
    expect(await status(who, 'GET', `/VoipCarriers/${sid}`)).toBe(404)
    expect(await listSids(who, '/VoipCarriers')).not.toContain(sid)
    expect(await listSids(who, '/VoipCarriers?ownerless=1')).toEqual([])
    for (const path of ['/VoipCarriers', `/ServiceProviders/${t.sids.sp1}/VoipCarriers`])
      expect(
        await status(who, 'PUT', `${path}/${sid}`, { service_provider_sid: t.sids.sp1 }),
      ).toBeGreaterThanOrEqual(400)
  }
  expect(await listSids('admin', '/VoipCarriers?ownerless=1')).toEqual([sid])
  expect(await rowOf(sid)).toEqual({ account_sid: null, service_provider_sid: null })
})

it('can be assigned to a provider once by an administrator', async () => {
  for (const path of ['/VoipCarriers', `/ServiceProviders/${t.sids.sp1}/VoipCarriers`]) {
    const sid = await stock(null)
    const put = (body: object) => t.request('admin', 'PUT', `${path}/${sid}`, body)
    const unknown = await put({ service_provider_sid: randomUUID() })
    expect(unknown.statusCode).toBe(path === '/VoipCarriers' ? 400 : 404)
    expect((await put({ service_provider_sid: t.sids.sp1 })).statusCode).toBe(204)
    expect(await rowOf(sid)).toEqual({ account_sid: null, service_provider_sid: t.sids.sp1 })
    expect(await status('sp1', 'GET', `/VoipCarriers/${sid}`)).toBe(200)
    for (const service_provider_sid of [t.sids.sp2, null]) {
      const again = await put({ service_provider_sid })
      expect(again.statusCode).toBe(400)
      expect(again.json().issues).toMatchObject([{ path: ['service_provider_sid'] }])
    }
  }
})

it('is not taken from owners who use it', async () => {
  const sid = await stock(null)
  const number = { number: '15550001', account_sid: t.sids.b1, voip_carrier_sid: sid }
  const { sid: number_sid } = await admin()(api.phoneNumbers.create, { body: number })
  const assignTo = (service_provider_sid: string) =>
    t.request('admin', 'PUT', `/VoipCarriers/${sid}`, { service_provider_sid })
  const refused = await assignTo(t.sids.sp1)
  expect(refused.statusCode).toBe(422)
  expect(refused.json().used_by).toMatchObject([{ items: [{ sid: number_sid }] }])
  expect((await assignTo(t.sids.sp2)).statusCode).toBe(204)
})

it('keeps its numbers and routes', async () => {
  const sid = await stock(null)
  const { sid: number } = await admin()(api.phoneNumbers.create, {
    body: { number: '15550002', account_sid: t.sids.a1, voip_carrier_sid: sid },
  })
  const path = `/PhoneNumbers/${number}`
  expect(await status('sp1', 'PUT', path, { account_sid: t.sids.a2 })).toBe(204)
  expect(
    await status('a1', 'POST', '/PhoneNumbers', { number: '15550003', voip_carrier_sid: sid }),
  ).toBe(400)
  const routes = [{ regex: '^1', lcr_carrier_set_entries: [{ voip_carrier_sid: sid }] }]
  const body = { name: 'x', account_sid: t.sids.a1, routes, default_carrier: sid }
  const { sid: lcr_sid } = await admin()(api.lcrs.create, { body })
  const { version: _, ...table } = await t.as('a1')(api.lcrs.view, { params: { lcr_sid } })
  expect(await status('a1', 'PUT', `/Lcrs/${lcr_sid}`, { ...table, name: 'y' })).toBe(204)
  const other = [
    { regex: '^2', lcr_carrier_set_entries: [{ voip_carrier_sid: await stock(null) }] },
  ]
  expect(await status('a1', 'PUT', `/Lcrs/${lcr_sid}`, { routes: other })).toBe(400)
  expect(await status('admin', 'DELETE', `/VoipCarriers/${sid}`)).toBe(422)
})

it('of an account counts as its provider’s carrier', async () => {
  const sid = await stock(t.sids.a1)
  const below = `/ServiceProviders/${t.sids.sp1}/VoipCarriers`
  expect(await listSids('sp1', below)).toContain(sid)
  // as the stock portal sends it
  const body = { name: 'renamed', account_sid: t.sids.a1, service_provider_sid: t.sids.sp1 }
  for (const foreign of ['sp2', 'b1', 'a2'])
    expect(await status(foreign, 'PUT', `/VoipCarriers/${sid}`, body)).toBeGreaterThanOrEqual(400)
  expect(
    await status('admin', 'PUT', `/ServiceProviders/${t.sids.sp2}/VoipCarriers/${sid}`, body),
  ).toBe(404)
  expect(await status('sp1', 'PUT', `${below}/${sid}`, { name: 'named' })).toBe(204)
  expect(await rowOf(sid)).toEqual({ account_sid: t.sids.a1, service_provider_sid: null })
  expect(await status('sp1', 'PUT', `${below}/${sid}`, body)).toBe(204)
  expect(await rowOf(sid)).toEqual({ account_sid: t.sids.a1, service_provider_sid: t.sids.sp1 })

  const another = await stock(t.sids.a1)
  expect(
    await status('a1', 'POST', '/PhoneNumbers', { number: '15550004', voip_carrier_sid: another }),
  ).toBe(201)
  const own = { name: 'mine', service_provider_sid: t.sids.sp1 }
  expect(await status('a1', 'PUT', `/VoipCarriers/${another}`, own)).toBe(204)
  expect(await status('sp1', 'DELETE', `/VoipCarriers/${await stock(t.sids.a1)}`)).toBe(204)
  // and by an administrator with the account alone
  expect(await rowOf(await add({ account_sid: t.sids.b1 }))).toEqual({
    account_sid: t.sids.b1,
    service_provider_sid: t.sids.sp2,
  })
})

it('belongs to the provider when there is only one', async () => {
  // a separate server, because the database is shared within a file
  await t.close()
  t = await testApp()
  await t.db.deleteFrom('users').where('service_provider_sid', '<>', t.sids.sp1).execute()
  await t.db.deleteFrom('api_keys').execute()
  await t.db.deleteFrom('accounts').where('service_provider_sid', '<>', t.sids.sp1).execute()
  await t.db
    .deleteFrom('service_providers')
    .where('service_provider_sid', '<>', t.sids.sp1)
    .execute()
  const { sid } = await t.as('admin')(api.voipCarriers.create, { body: { name: 'only' } })
  expect(
    await t.as('sp1')(api.voipCarriers.view, { params: { voip_carrier_sid: sid } }),
  ).toMatchObject({ account_sid: null, service_provider_sid: t.sids.sp1 })
})

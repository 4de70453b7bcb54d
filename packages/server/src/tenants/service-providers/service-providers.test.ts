import { api } from '@switchroom/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const hook = { url: 'https://example.com/register' }
const view = (service_provider_sid: string, who = 'admin') =>
  t.as(who)(api.serviceProviders.view, { params: { service_provider_sid } })
const change = (who: string, service_provider_sid: string, body: object) =>
  t.as(who)(api.serviceProviders.update, { params: { service_provider_sid }, body })

it('keeps the hook when it is omitted', async () => {
  await change('sp1', t.sids.sp1, { registration_hook: hook, limits: { voice_call_session: 3 } })
  await change('sp1', t.sids.sp1, { name: 'renamed', ms_teams_fqdn: 'teams.example.com' })
  expect(await view(t.sids.sp1)).toMatchObject({
    name: 'renamed',
    ms_teams_fqdn: 'teams.example.com',
    registration_hook: { ...hook, method: 'POST' },
    limits: [{ category: 'voice_call_session', quantity: 3 }],
  })
  await change('sp1', t.sids.sp1, { registration_hook: null, limits: { voice_call_session: null } })
  expect(await view(t.sids.sp1)).toMatchObject({ registration_hook: null, limits: [] })
})

it('shows its limits to itself and not to its accounts', async () => {
  await change('sp1', t.sids.sp1, { limits: { voice_call_session: 3 } })
  expect((await view(t.sids.sp1, 'a1')).limits).toEqual([])
})

it('is listed to itself, to its accounts and to administrators', async () => {
  const sidsFor = async (who: string) =>
    (await t.as(who)(api.serviceProviders.list, { query: { page: 1 } })).data
      .map((p) => p.service_provider_sid)
      .sort()
  const { sp1, sp2 } = t.sids
  for (const who of ['sp1', 'a1', 'a2-key']) expect(await sidsFor(who)).toEqual([sp1])
  for (const who of ['sp2', 'b1']) expect(await sidsFor(who)).toEqual([sp2])
  expect(await sidsFor('admin')).toEqual(expect.arrayContaining([sp1, sp2]))
})

it('requires unique names and root domains', async () => {
  await expect(change('sp1', t.sids.sp1, { name: 'TWO' })).rejects.toMatchObject({
    status: 422,
    body: { issues: [{ path: ['name'] }] },
  })
  await change('sp1', t.sids.sp1, { root_domain: 'sip.example.com' })
  await expect(
    t.as('admin')(api.serviceProviders.create, {
      body: { name: 'three', root_domain: 'sip.example.com' },
    }),
  ).rejects.toMatchObject({ status: 422, body: { issues: [{ path: ['root_domain'] }] } })
})

it('requires a root domain that leaves room for realms', async () => {
  await change('sp1', t.sids.sp1, { root_domain: 'SIP.Example.com' })
  expect(await view(t.sids.sp1)).toMatchObject({ root_domain: 'sip.example.com' })
  for (const root_domain of ['no domain', '-a.example.com', 'https://example.com'])
    await expect(change('sp1', t.sids.sp1, { root_domain }), root_domain).rejects.toMatchObject({
      status: 400,
      body: { issues: [{ path: ['root_domain'] }] },
    })
  await change('sp1', t.sids.sp1, { root_domain: '' })
  expect(await view(t.sids.sp1)).toMatchObject({ root_domain: null })
})

it('is not deleted while in use, and names what uses it', async () => {
  const params = { service_provider_sid: t.sids.sp1 }
  await expect(t.as('admin')(api.serviceProviders.remove, { params })).rejects.toMatchObject({
    status: 422,
    body: { used_by: [{ kind: 'Accounts', total: 2 }, { kind: 'Users' }] },
  })
  const { sid } = await t.as('admin')(api.serviceProviders.create, {
    body: { name: 'three', registration_hook: hook },
  })
  await t.as('admin')(api.voipCarriers.create, { body: { name: 'x', service_provider_sid: sid } })
  await t.as('admin')(api.serviceProviders.remove, { params: { service_provider_sid: sid } })
  await expect(view(sid)).rejects.toMatchObject({ status: 404 })
  const left = t.db.selectFrom('voip_carriers').selectAll().where('service_provider_sid', '=', sid)
  expect(await left.execute()).toEqual([])
})

it('is deleted once nothing is in it, also the last one', async () => {
  const remove = (service_provider_sid: string) =>
    t.as('admin')(api.serviceProviders.remove, { params: { service_provider_sid } })
  const { admin, 'admin-viewer': viewer } = t.users
  for (const table of ['phone_numbers', 'voip_carriers', 'api_keys'] as const)
    await t.db.deleteFrom(table).execute()
  await t.db.deleteFrom('users').where('user_sid', 'not in', [admin!, viewer!]).execute()
  await t.db.deleteFrom('accounts').where('account_sid', '!=', t.sids.b1).execute()
  await remove(t.sids.sp1)
  await expect(remove(t.sids.sp2)).rejects.toMatchObject({ status: 422 })
  await t.db.deleteFrom('accounts').execute()
  const listed = () =>
    t.as('admin')(api.serviceProviders.list, { query: { page: 1, page_size: 10 } })
  for (const { service_provider_sid } of (await listed()).data) await remove(service_provider_sid)
  expect(await listed()).toMatchObject({ data: [], total: 0 })
  const { sid } = await t.as('admin')(api.serviceProviders.create, { body: { name: 'first' } })
  expect(await view(sid)).toMatchObject({ name: 'first' })
})

it('rejects limits that are negative or not numbers, on every path', async () => {
  const ofAccount = { account_sid: t.sids.a1 }
  const ofProvider = { service_provider_sid: t.sids.sp1 }
  const category = 'voice_call_session'
  const as = t.as('admin')
  const refused = (path: string[], message: string) => ({
    status: 400,
    body: { msg: message, issues: [{ path, message }] },
  })
  for (const [quantity, single, inForm] of [
    [-1, 'Quantity must be at least 0', 'Concurrent call limit must be at least 0'],
    ['-5', 'Quantity must be at least 0', 'Concurrent call limit must be at least 0'],
    [1.5, 'Quantity must be a whole number', 'Concurrent call limit must be a whole number'],
    ['', 'Enter the quantity', 'Enter the concurrent call limit'],
  ] as [number, string, string][]) {
    const body = { category, quantity } as const
    for (const set of [
      () => as(api.limits.setForAccount, { params: ofAccount, body }),
      () => as(api.limits.setForServiceProvider, { params: ofProvider, body }),
    ])
      await expect(set()).rejects.toMatchObject(refused(['quantity'], single))
    const whole = { limits: { [category]: quantity } }
    for (const save of [
      () => as(api.accounts.update, { params: ofAccount, body: whole }),
      () => as(api.serviceProviders.update, { params: ofProvider, body: whole }),
    ])
      await expect(save()).rejects.toMatchObject(refused(['limits', category], inForm))
  }
  expect(await as(api.limits.ofAccount, { params: ofAccount, query: {} })).toEqual([])
})

it('sets, changes and removes single limits, as older clients do', async () => {
  const params = { account_sid: t.sids.a1 }
  const as = t.as('sp1')
  const set = (quantity: number) =>
    as(api.limits.setForAccount, { params, body: { category: 'voice_call_session', quantity } })
  const { sid } = await set(200)
  expect(await set(0)).toEqual({ sid })
  const of = async (query: object = {}) =>
    (await as(api.limits.ofAccount, { params, query })).map((l) => [l.category, l.quantity])
  expect(await of()).toEqual([['voice_call_session', 0]])
  await as(api.limits.setForAccount, { params, body: { category: 'device', quantity: 5 } })
  expect(await of({ category: 'device' })).toEqual([['device', 5]])
  await as(api.limits.removeFromAccount, { params, query: { category: 'device' } })
  expect(await of()).toEqual([['voice_call_session', 0]])
  await as(api.limits.removeFromAccount, { params, query: {} })
  expect(await of()).toEqual([])
})

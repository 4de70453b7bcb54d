import { api } from '@switchroom/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const add = (who: string, body: { tenant_fqdn: string } & Record<string, unknown>) =>
  t.as(who)(api.msTeamsTenants.create, { body })
const view = (ms_teams_tenant_sid: string) =>
  t.as('admin')(api.msTeamsTenants.view, { params: { ms_teams_tenant_sid } })
const change = (who: string, ms_teams_tenant_sid: string, body: object) =>
  t.as(who)(api.msTeamsTenants.update, { params: { ms_teams_tenant_sid }, body })
const hook = { url: 'https://example.com/hook' }
const application = async (who: string) =>
  (
    await t.as(who)(api.applications.create, {
      body: { name: 'ivr', call_hook: hook, call_status_hook: hook },
    })
  ).sid

it('adds a tenant to the account and its provider', async () => {
  const { sid } = await add('a1', { tenant_fqdn: ' Contoso.Example.com ', account_sid: t.sids.a1 })
  expect(await view(sid)).toMatchObject({
    ms_teams_tenant_sid: sid,
    tenant_fqdn: 'contoso.example.com',
    account_sid: t.sids.a1,
    service_provider_sid: t.sids.sp1,
    application_sid: null,
  })
})

it.each([
  ['Enter the domain name', ''],
  ['Domain name can have at most 255 characters', `${'a.'.repeat(127)}com`],
  ['Enter a domain name, such as tenant.example.com', 'contoso'],
  ['Enter a domain name, such as tenant.example.com', 'con toso.com'],
])('says %s', async (message, tenant_fqdn) => {
  await expect(add('a1', { tenant_fqdn })).rejects.toMatchObject({
    status: 400,
    body: { issues: [{ path: ['tenant_fqdn'], message }] },
  })
})

it('rejects a duplicate domain name across all owners', async () => {
  const tenant_fqdn = 'contoso.example.com'
  await add('b1', { tenant_fqdn })
  const twice = {
    status: 422,
    message: 'The domain name you have entered is already in use.',
    body: { issues: [{ path: ['tenant_fqdn'] }] },
  }
  await expect(add('a1', { tenant_fqdn: 'CONTOSO.example.com' })).rejects.toMatchObject(twice)
  const { sid } = await add('a1', { tenant_fqdn: 'fabrikam.example.com' })
  await expect(change('a1', sid, { tenant_fqdn })).rejects.toMatchObject(twice)
  await change('a1', sid, { tenant_fqdn: 'northwind.example.com' })
  expect(await view(sid)).toMatchObject({ tenant_fqdn: 'northwind.example.com' })
})

it('must belong to an account and a provider visible to the caller', async () => {
  const tenant_fqdn = 'contoso.example.com'
  const refused = (field: string, message: string) => ({
    status: 400,
    body: { issues: [{ path: [field], message }] },
  })
  await expect(add('sp1', { tenant_fqdn })).rejects.toMatchObject(
    refused('account_sid', 'Choose an account'),
  )
  const noAccount = refused('account_sid', 'No such account')
  for (const account_sid of [t.sids.b1, crypto.randomUUID()])
    await expect(add('sp1', { tenant_fqdn, account_sid })).rejects.toMatchObject(noAccount)
  const more = { account_sid: t.sids.a1, service_provider_sid: t.sids.sp2 }
  await expect(add('admin', { tenant_fqdn, ...more })).rejects.toMatchObject(
    refused('service_provider_sid', 'No such service provider'),
  )
  const { sid } = await add('a1', { tenant_fqdn, service_provider_sid: t.sids.sp1 })
  await expect(change('sp1', sid, { account_sid: t.sids.b1 })).rejects.toMatchObject(noAccount)
})

it('accepts only an application of its account', async () => {
  const noApplication = { status: 400, body: { issues: [{ path: ['application_sid'] }] } }
  const tenant_fqdn = 'contoso.example.com'
  const foreign = await application('a2')
  await expect(add('a1', { tenant_fqdn, application_sid: foreign })).rejects.toMatchObject(
    noApplication,
  )
  await expect(
    add('sp1', { tenant_fqdn, account_sid: t.sids.a1, application_sid: foreign }),
  ).rejects.toMatchObject(noApplication)
  const { sid } = await add('a1', { tenant_fqdn, application_sid: await application('a1') })
  await expect(change('sp1', sid, { application_sid: foreign })).rejects.toMatchObject(
    noApplication,
  )
})

it('drops the application when moved to another account, and changes provider with it', async () => {
  const application_sid = await application('a1')
  const { sid } = await add('a1', { tenant_fqdn: 'contoso.example.com', application_sid })
  await change('admin', sid, { account_sid: t.sids.b1 })
  expect(await view(sid)).toMatchObject({
    account_sid: t.sids.b1,
    service_provider_sid: t.sids.sp2,
    application_sid: null,
  })
  await expect(change('sp1', sid, {})).rejects.toMatchObject({ status: 404 })
})

it('lists tenants visible to the caller, with names', async () => {
  const application_sid = await application('a1')
  await add('a1', { tenant_fqdn: 'one.example.com', application_sid })
  await add('a2', { tenant_fqdn: 'two.example.com' })
  await add('b1', { tenant_fqdn: 'three.example.com' })
  const names = async (who: string, query: object = {}) =>
    (await t.as(who)(api.msTeamsTenants.list, { query: { page: 1, ...query } })).data.map(
      (row) => row.tenant_fqdn.split('.')[0],
    )
  expect(await names('admin')).toEqual(['one', 'three', 'two'])
  expect(await names('admin', { sort: '-tenant_fqdn' })).toEqual(['two', 'three', 'one'])
  expect(await names('admin', { service_provider_sid: t.sids.sp2 })).toEqual(['three'])
  expect(await names('sp1')).toEqual(['one', 'two'])
  expect(await names('sp1', { service_provider_sid: t.sids.sp2 })).toEqual([])
  expect(await names('sp1', { account_sid: t.sids.a2 })).toEqual(['two'])
  expect(await names('a1', { filter: 'ONE.' })).toEqual(['one'])
  const { data } = await t.as('a1')(api.msTeamsTenants.list, { query: { page: 1 } })
  expect(data).toMatchObject([{ account_name: 'a1', application_name: 'ivr' }])
})

it('deletes', async () => {
  const { sid } = await add('a1', { tenant_fqdn: 'contoso.example.com' })
  await t.as('a1')(api.msTeamsTenants.remove, { params: { ms_teams_tenant_sid: sid } })
  await expect(view(sid)).rejects.toMatchObject({ status: 404 })
})

import { api } from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { testPlatform } from '../../../test/stand-ins/feature-server.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())
const of = (account_sid: string) => ({ params: { account_sid } })
const realm = (account_sid: string, sip_realm: string) =>
  t.db.updateTable('accounts').set({ sip_realm }).where('account_sid', '=', account_sid).execute()

it('needs a realm', async () => {
  const listed = t.as('a1')(api.registeredUsers.ofAccount, of(t.sids.a1))
  await expect(listed).rejects.toMatchObject({
    status: 400,
    body: { msg: 'account does not have sip_realm configuration' },
  })
})

it('lists nobody without a platform', async () => {
  await realm(t.sids.a1, 'b.com')
  const as = t.as('a1')
  expect(await as(api.registeredUsers.ofAccount, of(t.sids.a1))).toEqual([])
  expect(await as(api.registeredUsers.find, { ...of(t.sids.a1), body: ['jane'] })).toEqual([
    { name: 'jane', contact: null, expiryTime: 0, protocol: null, registered_status: 'inactive' },
  ])
})

describe.each(process.env.TEST_REDIS_URL ? ['Redis'] : [])('with %s', () => {
  let platform: ReturnType<typeof testPlatform>
  beforeEach(async () => {
    platform = testPlatform(t.redis!)
    await realm(t.sids.a1, 'b.com')
    await realm(t.sids.a2, 'a.b.com')
    await realm(t.sids.b1, 'xb.com')
    await platform.register('jane@b.com', 300, { protocol: 'wss', sbcAddress: '10.0.0.1' })
    await platform.register('jane@a.b.com')
    await platform.register('x@jane@xb.com')
    await platform.redis.client.zadd('active-user', Date.now() - 1, 'user:late@b.com')
  })
  afterEach(() => platform.close())

  it('distinguishes realms with a common suffix', async () => {
    const names = async (who: string, account_sid: string) =>
      t.as(who)(api.registeredUsers.ofAccount, of(account_sid))
    expect(await names('a1', t.sids.a1)).toEqual(['jane@b.com'])
    expect(await names('a2', t.sids.a2)).toEqual(['jane@a.b.com'])
    expect(await names('b1', t.sids.b1)).toEqual(['x@jane@xb.com'])
  })

  it('returns what devices registered', async () => {
    const find = (body: string[] | Record<string, unknown>) =>
      t.as('a1')(api.registeredUsers.find, { ...of(t.sids.a1), body })
    const jane = { contact: 'sip:jane@b.com', protocol: 'wss', expiryTime: expect.any(Number) }
    expect(await find(['jane', 'john'])).toEqual([
      { name: 'jane', ...jane, sbcAddress: '10.0.0.1', registered_status: 'active' },
      { name: 'john', contact: null, protocol: null, expiryTime: 0, registered_status: 'inactive' },
    ])
    expect(await find(['jane@b.com'])).toMatchObject([
      { name: 'jane', registered_status: 'active' },
    ])
    for (const body of [[], {}]) expect(await find(body)).toEqual([{ name: 'jane', ...jane }])
    await t.as('a1')(api.clients.create, {
      body: { username: 'jane', password: 'x', allow_direct_app_calling: 0 },
    })
    const view = await t.as('a1')(api.registeredUsers.view, {
      params: { account_sid: t.sids.a1, client: 'jane' },
    })
    expect(view).toMatchObject({
      ...jane,
      name: 'jane',
      allow_direct_app_calling: 0,
      allow_direct_queue_calling: 1,
      registered_status: 'active',
    })
  })

  it('shows each caller those of its own accounts', async () => {
    const names = async (who: string, query = {}) =>
      (await t.as(who)(api.registeredUsers.list, { query }))!.data.map((u) => u.name)
    expect(await names('admin')).toEqual(['jane@a.b.com', 'jane@b.com', 'x@jane@xb.com'])
    expect(await names('sp1')).toEqual(['jane@a.b.com', 'jane@b.com'])
    expect(await names('a1')).toEqual(['jane@b.com'])
    expect(await names('a1', { account_sid: t.sids.a2 })).toEqual([])
    expect(await names('admin', { service_provider_sid: t.sids.sp2 })).toEqual(['x@jane@xb.com'])
    expect(await names('sp1', { service_provider_sid: t.sids.sp2 })).toEqual([])
    const list = await t.as('a1')(api.registeredUsers.list, { query: {} })
    expect(list?.data[0]).toMatchObject({ contact: 'sip:jane@b.com', transport: 'wss' })
  })
})

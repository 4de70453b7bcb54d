import { randomUUID } from 'node:crypto'
import { api, MASK } from '@switchroom/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const accounts = (key: string) => t.request(key, 'GET', '/Accounts')

it('creates a key that works, shows it once, and stores only its hash', async () => {
  const { sid, token } = await t.as('a1')(api.apiKeys.create, { body: { account_sid: t.sids.a1 } })
  expect((await accounts(token)).json()).toMatchObject([{ account_sid: t.sids.a1 }])
  const list = await t.as('a1')(api.apiKeys.ofAccount, {
    params: { account_sid: t.sids.a1 },
    query: { page: 1 },
  })
  expect(list.data.find((k) => k.api_key_sid === sid)?.token).toBe(MASK)
  const row = await t.db
    .selectFrom('api_keys')
    .selectAll()
    .where('api_key_sid', '=', sid)
    .executeTakeFirstOrThrow()
  expect(row.token).not.toContain(token)
  expect((await accounts(row.token)).statusCode).toBe(401)
})

it('accepts keys written by a stock server, case-sensitively', async () => {
  const token = randomUUID()
  await t.db
    .insertInto('api_keys')
    .values({ api_key_sid: randomUUID(), token, account_sid: t.sids.b1 })
    .execute()
  expect((await accounts(token)).statusCode).toBe(200)
  expect((await accounts(token.toUpperCase())).statusCode).toBe(401)
})

it('rejects a key once it expires or is deleted', async () => {
  const { sid, token } = await t.as('sp1')(api.apiKeys.create, {
    body: { service_provider_sid: t.sids.sp1, expiry_secs: 3600 },
  })
  expect((await accounts(token)).statusCode).toBe(200)
  const expire = t.db.updateTable('api_keys').set({ expires_at: '2020-01-01 00:00:00' })
  await expire.where('api_key_sid', '=', sid).execute()
  expect((await accounts(token)).statusCode).toBe(401)
  await t.as('sp1')(api.apiKeys.remove, { params: { api_key_sid: sid } })
  await expect(
    t.as('sp1')(api.apiKeys.remove, { params: { api_key_sid: sid } }),
  ).rejects.toMatchObject({ status: 404 })
})

it('belongs to the account when account and provider are named', async () => {
  const token = randomUUID()
  const owners = { account_sid: t.sids.a1, service_provider_sid: t.sids.sp1 }
  await t.db
    .insertInto('api_keys')
    .values({ api_key_sid: randomUUID(), token, ...owners })
    .execute()
  expect((await accounts(token)).json()).toHaveLength(1)
})

it.each([
  ['sp1', {}, 'service provider token may not be used to create admin token'],
  [
    'sp1',
    { service_provider_sid: 'sp2' },
    'a service provider token can only be used to create tokens for the same service provider',
  ],
  [
    'sp1',
    { account_sid: 'b1' },
    'a service provider token can only be used to create tokens for the same service provider',
  ],
  [
    'a1',
    { account_sid: 'a2' },
    'an account level token can only be used to create account level tokens for the same account',
  ],
  [
    'a1',
    {},
    'an account level token can only be used to create account level tokens for the same account',
  ],
] as const)('refuses %s a key with more access than its own (%o)', async (who, owner, msg) => {
  const body = Object.fromEntries(
    Object.entries(owner).map(([k, v]) => [k, t.sids[v as keyof typeof t.sids]]),
  )
  await expect(t.as(who)(api.apiKeys.create, { body })).rejects.toMatchObject({
    status: 400,
    message: msg,
  })
})

it('records its last use', async () => {
  await accounts('a1-key')
  const list = await t.as('a1')(api.apiKeys.ofAccount, {
    params: { account_sid: t.sids.a1 },
    query: { page: 1 },
  })
  expect(Date.parse(list.data[0]!.last_used!)).toBeGreaterThan(Date.now() - 60_000)
})

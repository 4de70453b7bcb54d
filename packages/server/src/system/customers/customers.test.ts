import { api } from '@switchroom/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
  const { sid } = await t.as('admin')(api.voipCarriers.create, {
    body: { name: 'Trunk', service_provider_sid: t.sids.sp1 },
  })
  for (const number of ['442079460001', '442079460002'])
    await t.as('sp1')(api.phoneNumbers.create, { body: { number, voip_carrier_sid: sid } })
})
afterEach(() => t.close())

const HOOK = { url: 'https://example.com/calls', method: 'POST' as const }
const customer = {
  name: 'Kestrel Logistics',
  sip_realm: 'kestrel.sip.example.com',
  limits: { voice_call_session: 10 },
  user: { name: 'ada', email: 'ada@example.com', initial_password: 'canary long enough 1' },
  application: { name: 'Reception', call_hook: HOOK, call_status_hook: HOOK },
  numbers: ['+44 20 7946 0001', '442079460002'],
}
const add = (who: string, body: object = {}, headers: Record<string, string> = {}) =>
  t.request(who, 'POST', '/Customers', { ...customer, ...body }, headers)
const count = async (table: 'accounts' | 'users' | 'applications') => {
  const { n } = await t.db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<string>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}
const counts = async () => [
  await count('accounts'),
  await count('users'),
  await count('applications'),
]

it('is an account with its limits, user, application and numbers', async () => {
  const answer = await add('sp1')
  expect(answer.statusCode, answer.body).toBe(201)
  const { account_sid, user_sid, application_sid, phone_number_sids } = answer.json()
  const params = { account_sid }
  expect(await t.as('sp1')(api.accounts.view, { params })).toMatchObject({
    name: 'Kestrel Logistics',
    sip_realm: 'kestrel.sip.example.com',
    service_provider_sid: t.sids.sp1,
    device_calling_application_sid: application_sid,
    limits: [{ category: 'voice_call_session', quantity: 10 }],
  })
  expect(await t.as('sp1')(api.users.view, { params: { user_sid } })).toMatchObject({
    ...{ name: 'ada', account_sid, force_change: 1, is_active: 1, manages_users: true },
  })
  expect(phone_number_sids).toHaveLength(2)
  for (const phone_number_sid of phone_number_sids)
    expect(
      await t.as('sp1')(api.phoneNumbers.view, { params: { phone_number_sid } }),
    ).toMatchObject({ account_sid, application_sid })

  const { data } = await t.as('admin')(api.audit.list, { query: { page: 1, page_size: 25 } })
  const own = data.filter(({ request_id }) => request_id === answer.headers['x-request-id'])
  expect(own.map(({ action, kind }) => `${action} ${kind}`).sort()).toEqual([
    'create account',
    'create application',
    'create user',
    'update account',
    'update phone_number',
    'update phone_number',
  ])
  expect(JSON.stringify(data)).not.toContain('canary')
})

it('takes as little as a name', async () => {
  const bare = { sip_realm: undefined, limits: undefined, user: null, application: null }
  expect((await add('sp1', { ...bare, numbers: undefined })).json()).toMatchObject({
    ...{ user_sid: null, application_sid: null, phone_number_sids: [] },
  })
})

it.each([
  ['a number that an account has', { numbers: ['442079460009'] }, 400, ['numbers']],
  ['a number that is none', { numbers: ['hello'] }, 400, ['numbers', '0']],
  [
    'a weak password',
    { user: { ...customer.user, initial_password: 'ab' } },
    400,
    ['user', 'initial_password'],
  ],
  [
    'a webhook without an address',
    { application: { ...customer.application, call_hook: { url: '' } } },
    400,
    ['application', 'call_hook', 'url'],
  ],
  [
    'an address that a user has',
    { user: { ...customer.user, email: 'a1@example.org' } },
    422,
    undefined,
  ],
  ['a name that is taken', { name: 'a1' }, 422, ['name']],
])('is not added by half: %s', async (_, wrong, status, path) => {
  const before = await counts()
  const { email } = await t.db
    .selectFrom('users')
    .select('email')
    .where('email', 'is not', null)
    .executeTakeFirstOrThrow()
  const taken = await t.db
    .selectFrom('accounts')
    .select('name')
    .where('account_sid', '=', t.sids.a1)
    .executeTakeFirstOrThrow()
  const body = JSON.parse(
    JSON.stringify(wrong)
      .replace('a1@example.org', email!)
      .replace('"name":"a1"', `"name":"${taken.name}"`),
  )
  const refused = await add('sp1', body)
  expect(refused.statusCode, refused.body).toBe(status)
  if (path) expect(refused.json().issues[0].path.map(String)).toEqual(path)
  expect(await counts()).toEqual(before)
})

it('takes no numbers of another provider, and is for providers alone', async () => {
  const before = await counts()
  expect((await add('sp2')).json().issues[0].path).toEqual(['numbers'])
  expect((await add('sp2', { service_provider_sid: t.sids.sp1, numbers: [] })).statusCode).toBe(201)
  expect((await add('admin', { numbers: [] })).json().issues[0].path).toEqual([
    'service_provider_sid',
  ])
  for (const who of ['a1', 'a1-viewer', 'sp1-viewer'])
    expect((await add(who)).statusCode, who).toBe(403)
  const [accounts] = await counts()
  expect(accounts).toBe(before[0]! + 1)
})

it('is added once, also if two ask at once or a client asks again', async () => {
  const before = await counts()
  const key = { 'idempotency-key': 'customer-1' }
  const [first, second] = await Promise.all([add('sp1', {}, key), add('sp1', {}, key)])
  expect(first.json()).toEqual(second.json())
  expect((await add('sp1', {}, key)).json()).toEqual(first.json())
  const others = await Promise.all(
    ['b', 'c', 'd', 'e'].map((name) =>
      add('sp1', { name, sip_realm: `${name}.sip.example.com`, numbers: [] }),
    ),
  )
  // one user of this address is there already
  expect(others.map(({ statusCode }) => statusCode)).toEqual([422, 422, 422, 422])
  expect(await counts()).toEqual(before.map((n) => n + 1))
})

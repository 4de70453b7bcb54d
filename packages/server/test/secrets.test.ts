import { api } from '@switchroom/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hashPassword } from '../src/secrets/passwords.ts'
import { type TestApp, testApp } from './app.ts'

/** Every secret gets a canary, which must not appear in other responses, logs or metrics. */
const PASSWORD = 'canary-password-1'
const NEW_PASSWORD = 'canary-newpassword-1'
const HOOK = 'canary-hookpassword'
const REGISTER = 'canary-registerpassword'
const INBOUND = 'canary-inboundpassword'
const SMPP = 'canary-smpppassword'
const SIP = 'canary-sippassword'
const ENV = 'canary-environment'

let t: TestApp
let key: string
let answers: string[] = []
beforeAll(async () => {
  t = await testApp({}, undefined, undefined, { ownApp: true })
  await t.db
    .updateTable('users')
    .set({ hashed_password: await hashPassword(PASSWORD) })
    .where('user_sid', '=', t.users.a1!)
    .execute()
  const call_hook = { url: 'https://example.com/x', username: 'u', password: HOOK }
  const { sid: account_sid } = await t.as('admin')(api.accounts.create, {
    body: { name: 'canary', service_provider_sid: t.sids.sp1, registration_hook: call_hook },
  })
  await t.as('admin')(api.applications.create, {
    body: {
      name: 'canary',
      account_sid,
      call_hook: { url: 'https://example.com/y' },
      call_status_hook: { url: 'https://example.com/z' },
      env_vars: { KEY: ENV },
    },
  })
  await t.as('admin')(api.voipCarriers.create, {
    body: {
      name: 'canary',
      account_sid,
      requires_register: 1,
      register_username: 'u',
      register_password: REGISTER,
      register_sip_realm: 'sip.example.com',
      inbound_auth_password: INBOUND,
      smpp_password: SMPP,
      smpp_inbound_password: SMPP,
    },
  })
  await t.as('admin')(api.clients.create, {
    body: { username: 'canary', password: SIP, account_sid },
  })
  key = (await t.as('admin')(api.apiKeys.create, { body: { account_sid } })).token

  const session = await t.as('')(api.session.login, {
    body: { username: 'a1', password: PASSWORD },
  })
  const refused = [
    ['', 'POST', '/login', { username: 'a1', password: [PASSWORD] }],
    ['', 'POST', '/login', { username: PASSWORD, password: 'wrong' }],
    [
      'admin',
      'POST',
      '/VoipCarriers',
      { name: 'x', register_username: 'a b', register_password: REGISTER },
    ],
    ['admin', 'POST', '/Clients', { username: 'a b', password: SIP, account_sid }],
    [
      session.token,
      'PUT',
      `/Users/${t.users.a1}`,
      { old_password: 'wrong', new_password: NEW_PASSWORD },
    ],
    [
      session.token,
      'PUT',
      `/Users/${t.users.a1}`,
      { old_password: PASSWORD, new_password: NEW_PASSWORD },
    ],
    [`${key}x`, 'GET', '/Users/me', undefined],
  ] as const
  answers = []
  for (const [who, method, path, body] of refused)
    answers.push((await t.request(who, method, path, body)).body)
  for (const path of [
    '/Accounts',
    '/Accounts?page=1',
    '/Users',
    '/VoipCarriers?page=1',
    '/VoipCarriers',
    '/Clients?page=1',
    '/Clients',
    `/Accounts/${account_sid}/ApiKeys`,
    '/ServiceProviders',
  ])
    answers.push((await t.request('admin', 'GET', path)).body)
  answers.push((await t.app.inject('/metrics')).body, (await t.app.inject('/openapi.json')).body)
})
afterAll(() => t.close())

it.each([
  ['a password', () => PASSWORD],
  ['a new password', () => NEW_PASSWORD],
  ['a webhook password', () => HOOK],
  ['a registration password', () => REGISTER],
  ['a password of inbound calls', () => INBOUND],
  ['an SMPP password', () => SMPP],
  ['a SIP client’s password', () => SIP],
  ['an environment variable', () => ENV],
  ['an API key', () => key],
  ['a session token', () => t.bearer.a1!],
])('%s is in no list, error, metric or log', (_, canary) => {
  expect(answers.join('\n')).not.toContain(canary())
  expect(t.lines.join('\n')).not.toContain(canary())
})

it('neither passwords nor environments are in plain text in the database', async () => {
  const tables = ['users', 'applications', 'api_keys', 'clients'] as const
  for (const table of tables) {
    const rows = JSON.stringify(await t.db.selectFrom(table).selectAll().execute())
    for (const canary of [PASSWORD, NEW_PASSWORD, SIP, ENV, key]) expect(rows).not.toContain(canary)
  }
})

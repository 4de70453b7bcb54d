import { ACCOUNT_DEACTIVATED, ACCOUNT_UNPAID, api, USER_DEACTIVATED } from '@switchroom/contract'
import { afterEach, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'
import { stripeStandIn } from '../../test/stand-ins/stripe.ts'
import { hashPassword } from '../secrets/passwords.ts'

let t: TestApp
afterEach(() => t.close())

const PASSWORD = 'correct horse 1'
const setPassword = async (name: string) =>
  t.db
    .updateTable('users')
    .set({ hashed_password: await hashPassword(PASSWORD) })
    .where('user_sid', '=', t.users[name]!)
    .execute()
const deactivate = (name: 'a1' | 'a2') =>
  t.as('admin')(api.accounts.update, {
    params: { account_sid: t.sids[name] },
    body: { is_active: 0 },
  })
const outcome = async (...sent: Parameters<TestApp['request']>) => {
  const answer = await t.request(...sent)
  return [answer.statusCode, answer.json().msg]
}
const login = (username: string, password = PASSWORD) =>
  t.request('', 'POST', '/login', { username, password })

it('refuses users, sessions and API keys of a deactivated account, and says why', async () => {
  t = await testApp()
  await setPassword('a1')
  await deactivate('a1')
  expect(await outcome('a1', 'GET', '/Applications')).toEqual([401, ACCOUNT_DEACTIVATED])
  expect(await outcome('a1-viewer', 'GET', '/Users/me')).toEqual([401, ACCOUNT_DEACTIVATED])
  expect(await outcome('a1-key', 'GET', '/Applications')).toEqual([403, ACCOUNT_DEACTIVATED])
  const refused = await login('a1')
  expect([refused.statusCode, refused.json().error]).toEqual([403, ACCOUNT_DEACTIVATED])
  // who does not know the password learns nothing
  expect((await login('a1', 'wrong')).json().error).toBe('Login credentials are incorrect')
  for (const who of ['a2', 'a2-key', 'sp1', 'sp1-key', 'admin'])
    expect((await t.request(who, 'GET', '/Applications')).statusCode).toBe(200)
})

it('brings no session back when the account is activated again', async () => {
  t = await testApp()
  await deactivate('a1')
  await t.as('sp1')(api.accounts.update, {
    params: { account_sid: t.sids.a1 },
    body: { is_active: 1 },
  })
  expect((await t.request('a1', 'GET', '/Applications')).statusCode).toBe(401)
  expect((await t.request('a1-key', 'GET', '/Applications')).statusCode).toBe(200)
})

it('refuses a user whom another server deactivated, and says why', async () => {
  t = await testApp()
  await setPassword('a1')
  await t.db
    .updateTable('users')
    .set({ is_active: 0 })
    .where('user_sid', '=', t.users.a1!)
    .execute()
  expect(await outcome('a1', 'GET', '/Applications')).toEqual([401, USER_DEACTIVATED])
  const refused = await login('a1')
  expect([refused.statusCode, refused.json().error]).toEqual([403, USER_DEACTIVATED])
  expect((await login('a1', 'wrong')).json().error).toBe('Login credentials are incorrect')
})

it('lets the people of an unpaid account log in, read and pay, and nothing else', async () => {
  const stripe = await stripeStandIn()
  t = await testApp(stripe.environment)
  await setPassword('a1')
  await t.db
    .updateTable('accounts')
    .set({ is_active: 0 })
    .where('account_sid', '=', t.sids.a1)
    .execute()
  const { token } = (await login('a1')).json()
  expect((await t.request(token, 'GET', '/Applications')).statusCode).toBe(200)
  expect((await t.request(token, 'POST', '/Session/renew')).statusCode).toBe(200)
  const hook = { url: 'https://example.com', method: 'POST' }
  const application = { name: 'x', call_hook: hook, call_status_hook: hook }
  expect(await outcome(token, 'POST', '/Applications', application)).toEqual([403, ACCOUNT_UNPAID])
  expect(
    await outcome(token, 'POST', `/Accounts/${t.sids.a1}/Calls`, { application_sid: t.sids.a1 }),
  ).toEqual([403, ACCOUNT_UNPAID])
  // a deletion also pays debts, and a test call costs money
  expect(await outcome(token, 'DELETE', `/Accounts/${t.sids.a1}`, {})).toEqual([
    403,
    ACCOUNT_UNPAID,
  ])
  const payment = await t.request(token, 'POST', '/Subscriptions', { action: 'upgrade-to-paid' })
  expect(payment.json().msg).not.toBe(ACCOUNT_UNPAID)
  expect(await outcome('a1-key', 'GET', '/Applications')).toEqual([403, ACCOUNT_DEACTIVATED])
  await stripe.close()
})

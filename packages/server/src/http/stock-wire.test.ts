import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'

// Requests of the platform's portal, SDK and Terraform-like clients, sent literally. More of them are in
// `stock-clients.test.ts` (bodies, slashes, empty queries), `stock-bodies.test.ts` (empty sids, flags, networks) and,
// for activation codes, `registration.test.ts`.

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

const send = (who: string, method: string, path: string, body?: unknown) =>
  t.request(who, method, path, body)
const statusOf = async (...request: Parameters<typeof send>) => (await send(...request)).statusCode
const read = async (who: string, path: string) => (await send(who, 'GET', path)).json()
const create = async (who: string, path: string, body: object): Promise<string> => {
  const answer = await send(who, 'POST', path, body)
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().sid
}

describe('carriers without a provider', () => {
  it('are saved on the provider’s path, and given to it', async () => {
    const sid = await create('admin', '/VoipCarriers', {
      name: 'of an account',
      account_sid: t.sids.a1,
    })
    await t.db
      .updateTable('voip_carriers')
      .set({ service_provider_sid: null })
      .where('voip_carrier_sid', '=', sid)
      .execute()
    const path = `/ServiceProviders/${t.sids.sp1}/VoipCarriers`
    const listed: { voip_carrier_sid: string }[] = await read('sp1', path)
    expect(listed.map((c) => c.voip_carrier_sid)).toContain(sid)
    expect(await statusOf('sp1', 'PUT', `${path}/${sid}`, { name: 'saved' })).toBe(204)
    const given = { service_provider_sid: t.sids.sp1 }
    expect(await statusOf('sp1', 'PUT', `${path}/${sid}`, given)).toBe(204)
    expect(await read('sp1', `/VoipCarriers/${sid}`)).toMatchObject({ name: 'saved', ...given })
  })

  it('are made by an administrator with a name alone, and their numbers assigned', async () => {
    const sid = await create('admin', '/VoipCarriers', { name: 'nobody’s' })
    expect(await read('admin', `/VoipCarriers/${sid}`)).toMatchObject({
      service_provider_sid: null,
    })
    const number = await create('admin', '/PhoneNumbers', {
      number: '15005550101',
      voip_carrier_sid: sid,
    })
    const assigned = { account_sid: t.sids.a1, application_sid: null }
    expect(await statusOf('admin', 'PUT', `/PhoneNumbers/${number}`, assigned)).toBe(204)
  })
})

it('reads, edits and deletes credentials without an owner on the account’s path', async () => {
  const path = `/Accounts/${t.sids.a1}/SpeechCredentials`
  const sid = await create('admin', path, { vendor: 'deepgram', api_key: 'k', use_for_tts: 1 })
  expect(await statusOf('admin', 'GET', `${path}/${sid}`)).toBe(200)
  expect(await statusOf('admin', 'PUT', `${path}/${sid}`, { use_for_stt: 1 })).toBe(204)
  expect(await statusOf('admin', 'DELETE', `${path}/${sid}`)).toBe(204)
})

describe('members that the caller may not change', () => {
  it('are answered as done if unchanged: limits, with every save of an account', async () => {
    const path = `/Accounts/${t.sids.a1}/Limits`
    const limit = { category: 'voice_call_session', quantity: 5 }
    expect(await statusOf('sp1', 'POST', path, limit)).toBe(201)
    expect(await statusOf('a1', 'POST', path, limit)).toBe(201)
    expect(await statusOf('a1', 'POST', path, { ...limit, quantity: 6 })).toBe(403)
  })

  it.each([['enable_debug_log'], ['is_active']])('%s: refused by name if changed', async (name) => {
    const path = `/Accounts/${t.sids.a2}`
    const { [name]: stored } = await read('a2', path)
    expect(await statusOf('a2', 'PUT', path, { [name]: stored })).toBe(204)
    const refused = await send('a2', 'PUT', path, { [name]: 1 - stored })
    expect([refused.statusCode, refused.json().issues[0].path]).toEqual([403, [name]])
    expect((await read('a2', path))[name]).toBe(stored)
  })

  it('a label of a credential: 400 by name', async () => {
    const path = `/Accounts/${t.sids.a1}/SpeechCredentials`
    const uses = { use_for_tts: 1, use_for_stt: 1 }
    const one = { vendor: 'deepgram', label: 'one', api_key: 'k', ...uses }
    const sid = await create('a1', path, one)
    const refused = await send('a1', 'PUT', `${path}/${sid}`, { ...uses, label: 'two' })
    expect([refused.statusCode, refused.json().issues[0].path]).toEqual([400, ['label']])
    expect(await statusOf('a1', 'PUT', `${path}/${sid}`, { ...uses, label: 'one' })).toBe(204)
  })
})

it('answers registered users with and without names, by names without the domain', async () => {
  const path = `/Accounts/${t.sids.a1}/RegisteredSipUsers`
  const realm = { sip_realm: 'sip.a1.example' }
  expect(await statusOf('sp1', 'PUT', `/Accounts/${t.sids.a1}`, realm)).toBe(204)
  for (const name of ['ann', 'ann@sip.a1.example'])
    expect((await send('a1', 'POST', path, [name])).json()).toMatchObject([{ name: 'ann' }])
  expect((await send('a1', 'POST', path, [])).json()).toEqual([])
})

it.each([
  ['/Accounts', { webhook_secret: 'wh_secret_x' }],
  ['/ApiKeys', { token: 'mine' }],
  ['/VoipCarriers', { created_at: '2020-01-01T00:00:00Z' }],
] as const)('ignores on create what its creator cannot set: %s', async (path, member) => {
  const owner = { service_provider_sid: t.sids.sp1 }
  const sid = await create('admin', path, { name: `of ${path}`, ...owner, ...member })
  expect(sid).toMatch(/^[\da-f-]{36}$/)
  const unknown = await send('admin', 'POST', path, { name: 'x', ...owner, nobody_knows: 1 })
  expect([unknown.statusCode, unknown.json().issues[0].path]).toEqual([400, ['nobody_knows']])
})

describe('filters of the portal on its second page', () => {
  const paths = () =>
    [`/Accounts/${t.sids.a1}`, `/ServiceProviders/${t.sids.sp1}`].flatMap((owner) => [
      `${owner}/RecentCalls`,
      `${owner}/Alerts`,
    ])
  it.each([
    'page=2&count=25&days=7&answered=undefined&direction=',
    'page=2&count=25&days=7&answered=true&direction=io',
    'page=1&count=25&answered=&direction=undefined',
  ])('count an unknown value as none: %s', async (query) => {
    for (const path of paths()) {
      const answer = await send('sp1', 'GET', `${path}?${query}`)
      expect(answer.statusCode, answer.body).toBe(200)
    }
  })
})

it('takes back every minimum password length that it answers', async () => {
  for (const min_password_length of [6, 7, 8, 20]) {
    const body = { min_password_length, require_digit: 0, require_special_character: 0 }
    expect(await statusOf('admin', 'POST', '/PasswordSettings', body)).toBe(201)
    const answered = await read('admin', '/PasswordSettings')
    expect(answered).toMatchObject(body)
    expect(await statusOf('admin', 'POST', '/PasswordSettings', answered)).toBe(201)
  }
})

it('lists no gateways of a carrier that was deleted a moment ago', async () => {
  const sid = await create('a1', '/VoipCarriers', { name: 'short' })
  expect(await statusOf('a1', 'DELETE', `/VoipCarriers/${sid}`)).toBe(204)
  for (const path of ['/SipGateways', '/SmppGateways']) {
    const answer = await send('admin', 'GET', `${path}?voip_carrier_sid=${sid}`)
    expect([answer.statusCode, answer.json()], path).toEqual([200, []])
    // others are refused, there as here
    for (const who of ['sp1', 'a1'])
      expect((await send(who, 'GET', `${path}?voip_carrier_sid=${sid}`)).json().msg).toBe(
        'invalid voip_carrier_sid',
      )
  }
})

it('takes PUT for POST where portals of other versions use it', async () => {
  const rules = { min_password_length: 8, require_digit: 0, require_special_character: 0 }
  expect(await statusOf('admin', 'PUT', '/PasswordSettings', rules)).toBeLessThan(300)
  const limit = { category: 'voice_call_session', quantity: 9 }
  const path = `/ServiceProviders/${t.sids.sp1}/Limits`
  for (const method of ['PUT', 'POST'])
    expect(await statusOf('admin', method, path, limit), method).toBeLessThan(300)
})

it('takes back what it gave: limits as a list or a record, empty lists', async () => {
  const path = `/Accounts/${t.sids.a2}`
  const limits = `${path}/Limits`
  const limit = { category: 'voice_call_session', quantity: 3 }
  expect(await statusOf('sp1', 'POST', limits, limit)).toBe(201)
  const account = await read('sp1', path)
  expect(account.limits).toMatchObject([limit])
  expect(await statusOf('sp1', 'PUT', path, account)).toBe(204)
  expect(await statusOf('sp1', 'PUT', path, { limits: { voice_call_session: 4 } })).toBe(204)
  expect(await read('sp1', limits)).toMatchObject([{ ...limit, quantity: 4 }])
  const table = await create('a2', '/Lcrs', { name: 'empty' })
  expect(await statusOf('a2', 'PUT', `/Lcrs/${table}`, await read('a2', `/Lcrs/${table}`))).toBe(
    204,
  )
  const carrier = await create('a2', '/VoipCarriers', { name: 'empty' })
  const whole = await read('a2', `/VoipCarriers/${carrier}`)
  expect(await statusOf('a2', 'PUT', `/VoipCarriers/${carrier}`, whole)).toBe(204)
})

import { api, type TokenClaims, USER_DEACTIVATED } from '@switchroom/contract'
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { PROOF, type TestApp, testApp } from '../../test/app.ts'
import { sessionKey } from '../http/tokens.ts'
import { redisLive } from '../live/redis.ts'
import { PERSONAL, TOO_EASY } from '../secrets/guessable-password.ts'
import { hashPassword } from '../secrets/passwords.ts'

let t: TestApp
afterEach(() => t.close())

const PASSWORD = 'correct horse 1'
/** Gives a test user a password, as log-in needs one. */
const setPassword = async (name: string, more: object = {}) =>
  t.db
    .updateTable('users')
    .set({ hashed_password: await hashPassword(PASSWORD), ...more })
    .where('user_sid', '=', t.users[name]!)
    .execute()
const login = (username: string, password = PASSWORD) =>
  t.request('', 'POST', '/login', { username, password })
const me = (token: string) => t.request(token, 'GET', '/Users/me')

describe('log in', () => {
  beforeEach(async () => {
    t = await testApp()
    await setPassword('a1')
  })

  it('says how the console looks to the user, so that the first screen needs no more', async () => {
    const first = (await login('a1')).json()
    expect(first).toMatchObject({ preferences: { language: null, theme: null }, brand: null })
    const { service_provider_sid } = first
    await t.as('admin')(api.brands.update, {
      params: { service_provider_sid },
      body: { name: 'Acme Voice' },
    })
    await t.request(first.token, 'PUT', '/Preferences', { language: 'de', theme: 'dark' })
    const second = (await login('a1')).json()
    expect(second).toMatchObject({
      preferences: { language: 'de', theme: 'dark' },
      brand: { name: 'Acme Voice' },
    })
    await setPassword('admin')
    expect((await login('admin')).json()).toMatchObject({ brand: null })
  })

  it('returns a token with the claims that the platform’s clients expect', async () => {
    const answer = await login('a1')
    expect(answer.statusCode).toBe(200)
    const body = answer.json()
    expect(body).toMatchObject({
      user_sid: t.users.a1,
      scope: 'account',
      force_change: false,
      permissions: [],
      account_sid: t.sids.a1,
      account_name: 'a1',
      service_provider_sid: t.sids.sp1,
      service_provider_name: 'one',
    })
    const claims = decodeJwt(body.token) as unknown as TokenClaims
    expect(claims).toMatchObject({ scope: 'account', name: 'a1', is_view_only: false })
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(3600)
    expect((await me(body.token)).statusCode).toBe(200)
  })

  it('rejects a wrong password and an unknown username with the same message', async () => {
    const [wrong, unknown] = [await login('a1', 'wrong'), await login('nobody', 'wrong')]
    expect([wrong.statusCode, unknown.statusCode]).toEqual([403, 403])
    expect(wrong.json().msg).toBe('Login credentials are incorrect')
    expect(unknown.json().msg).toBe(wrong.json().msg)
  })

  it('names a missing field', async () => {
    const answer = await t.request('', 'POST', '/login', { username: 'a1' })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().issues).toEqual([{ path: ['password'], message: 'Enter the password' }])
  })

  it('locks a user out after six failures, and resets the count after a success', async () => {
    for (let i = 0; i < 5; i++) await login('a1', 'wrong')
    expect((await login('a1')).statusCode).toBe(200)
    for (let i = 0; i < 5; i++)
      expect((await login('a1', 'wrong')).json().msg).toBe('Login credentials are incorrect')
    const sixth = await login('a1', 'wrong')
    expect(sixth.json()).toMatchObject({
      msg: 'Maximum login attempts reached. Please try again in 1800 seconds.',
      error: 'Maximum login attempts reached. Please try again in 1800 seconds.',
    })
    const right = await login('a1')
    expect(right.statusCode).toBe(403)
    expect(right.json().error).toBe(
      'Maximum login attempts reached. Please try again later or reset your password.',
    )
  })

  it('rejects inactive users and those of another sign-in provider', async () => {
    await setPassword('a2', { is_active: 0 })
    await setPassword('b1', { provider: 'github' })
    expect((await login('a2')).statusCode).toBe(403)
    expect((await login('b1')).statusCode).toBe(403)
  })

  it('has account scope for a row with only an account', async () => {
    await setPassword('a2', { service_provider_sid: null })
    expect((await login('a2')).json()).toMatchObject({
      scope: 'account',
      service_provider_sid: t.sids.sp1,
    })
  })

  it('lets a user who must change the password do only that', async () => {
    await setPassword('a1', { force_change: 1 })
    const { token } = (await login('a1')).json()
    const refused = await t.request(token, 'GET', '/Applications')
    expect(refused.statusCode).toBe(403)
    expect(refused.json().msg).toBe('You must create a new password')
    const changed = await t.request(token, 'PUT', `/Users/${t.users.a1}`, {
      old_password: PASSWORD,
      new_password: 'another horse 2',
    })
    expect(changed.statusCode).toBe(204)
    expect((await t.request(token, 'GET', '/Applications')).statusCode).toBe(200)
    expect((await login('a1', 'another horse 2')).json().force_change).toBe(false)
  })
})

describe('sessions', () => {
  beforeEach(async () => {
    t = await testApp()
    await setPassword('a1')
  })

  it('end alone at log-out, or all at once', async () => {
    const tokens: string[] = []
    for (let i = 0; i < 3; i++) tokens.push((await login('a1')).json().token)
    const open = () => Promise.all(tokens.map(async (token) => (await me(token)).statusCode))
    expect((await t.request(tokens[1]!, 'POST', '/logout')).statusCode).toBe(204)
    expect(await open()).toEqual([200, 401, 200])
    expect((await t.request(tokens[0]!, 'POST', '/logout?everywhere=x')).statusCode).toBe(400)
    expect(await open()).toEqual([200, 401, 200])
    expect((await t.request(tokens[0]!, 'POST', '/logout?everywhere=1')).statusCode).toBe(204)
    expect(await open()).toEqual([401, 401, 401])
    expect((await me(t.bearer.a2!)).statusCode).toBe(200)
  })

  it('end at log-out, and stay ended when the user logs in again', async () => {
    const { token } = (await login('a1')).json()
    await t.request(t.bearer.a1!, 'POST', '/logout')
    expect((await t.request(token, 'POST', '/logout')).statusCode).toBe(204)
    expect((await me(token)).statusCode).toBe(401)
    // the one thing that a stock server beside us looks at
    expect(await t.ctx.live.get(sessionKey(t.users.a1!))).toEqual([undefined])
    const { token: next } = (await login('a1')).json()
    expect((await me(next)).statusCode).toBe(200)
    expect((await me(token)).statusCode).toBe(401)
  })

  it('are renewed for active users only', async () => {
    const { token } = await t.as('a1')(api.session.renew, {})
    expect((await me(token)).statusCode).toBe(200)
    await t.as('admin')(api.users.update, {
      params: { user_sid: t.users.a1! },
      body: { is_active: 0 },
    })
    expect((await me(token)).statusCode).toBe(401)
    expect((await t.request(token, 'POST', '/Session/renew')).statusCode).toBe(401)
  })

  it('end when the password changes, except the one that changed it', async () => {
    const { token: here } = (await login('a1')).json()
    const { token: otherToken } = (await login('a1')).json()
    await t.request(here, 'PUT', `/Users/${t.users.a1}`, {
      old_password: PASSWORD,
      new_password: 'another horse 2',
    })
    expect((await me(here)).statusCode).toBe(200)
    expect((await me(otherToken)).statusCode).toBe(401)
  })

  it.each([
    ['deactivated', { is_active: 0 }],
    ['given a temporary password', { initial_password: 'another horse 2', proof: PROOF }],
    ['made view-only', { is_view_only: 1 }],
  ])('end when the user is %s', async (_, body) => {
    await t.as('admin')(api.users.update, {
      params: { user_sid: t.users.a1! },
      body: body as object,
    })
    expect((await t.request('a1', 'GET', '/Users/me')).statusCode).toBe(401)
  })

  it('continue when only the name changes', async () => {
    const params = { user_sid: t.users.a1! }
    await t.as('admin')(api.users.update, { params, body: { name: 'renamed' } })
    expect((await t.request('a1', 'GET', '/Users/me')).statusCode).toBe(200)
  })

  it('end with the user', async () => {
    await t.as('admin')(api.users.remove, { params: { user_sid: t.users.a1! } })
    expect((await t.request('a1', 'GET', '/Users/me')).statusCode).toBe(401)
  })

  it('are rejected when their state cannot be read', async () => {
    const refused = async () => {
      const answer = await t.request('a1', 'GET', '/Users/me')
      expect([answer.statusCode, answer.json().code]).toEqual([503, 'unavailable'])
    }
    await sql`alter table switchroom_sessions rename to switchroom_elsewhere`.execute(t.db)
    await refused()
    await sql`alter table switchroom_elsewhere rename to switchroom_sessions`.execute(t.db)
    const { live } = t.ctx
    t.ctx.live = redisLive({ host: '127.0.0.1', port: 9 }, () => {})
    await refused()
    await t.ctx.live.close()
    t.ctx.live = live
  })

  it('do not start, and no code is checked, while Redis is unavailable', async () => {
    const h = await testApp({ ENABLE_HOSTED_SYSTEM: '1' })
    const live = h.ctx.live
    h.ctx.live = redisLive({ host: '127.0.0.1', port: 9 }, () => {})
    for (const [method, path, body] of [
      ['POST', '/login', { username: 'a1', password: PASSWORD }],
      ['POST', '/signin', { email: 'a1@example.com', password: PASSWORD }],
      ['PUT', '/ActivationCode/000000', { user_sid: h.users.a1, type: 'email' }],
    ] as const) {
      const answer = await h.request('', method, path, body)
      expect([path, answer.statusCode, answer.json().code]).toEqual([path, 503, 'unavailable'])
    }
    await h.ctx.live.close()
    h.ctx.live = live
    await h.close()
  })

  it('cannot be made from a token signed with another key, or with none', async () => {
    const [header, payload] = t.bearer.admin!.split('.')
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
    for (const forged of [`${header}.${payload}.AAAA`, `${none}.${payload}.`])
      expect((await me(forged)).statusCode).toBe(401)
  })
})

describe('a forgotten password', () => {
  beforeEach(async () => {
    t = await testApp()
    await setPassword('sp1')
  })
  const requestReset = (email: string) => t.request('', 'POST', '/forgot-password', { email })
  const mailTo = (email: string, nth = 0) =>
    vi.waitUntil(() => t.mails.filter((m) => m.to === email)[nth], { timeout: 60_000 })
  const mailedLink = async () =>
    /reset-password\/(\S+)/.exec((await mailTo('sp1@example.com')).text)![1]!

  it('is reset with the mailed link, once, and ends all sessions', async () => {
    expect((await requestReset('sp1@example.com')).statusCode).toBe(204)
    const link = await mailedLink()
    const { jwt } = await t.as('')(api.session.signIn, { body: { link } })
    expect((await t.request(jwt, 'GET', '/Accounts')).statusCode).toBe(403)
    const change = { old_password: link, new_password: 'another horse 2' }
    expect((await t.request(jwt, 'POST', '/change-password', change)).statusCode).toBe(204)
    expect((await t.request('sp1', 'GET', '/Users/me')).statusCode).toBe(401)
    expect((await login('sp1', 'another horse 2')).statusCode).toBe(200)
    expect((await t.request('', 'POST', '/signin', { link })).statusCode).toBe(403)
  })

  it('is not reset by those who were deactivated since the link was mailed', async () => {
    await requestReset('sp1@example.com')
    const link = await mailedLink()
    await t.db
      .updateTable('users')
      .set({ is_active: 0 })
      .where('user_sid', '=', t.users.sp1!)
      .execute()
    const answer = await t.request('', 'POST', '/signin', { link })
    expect([answer.statusCode, answer.json().msg]).toEqual([403, USER_DEACTIVATED])
  })

  it('is not reset with another user’s link', async () => {
    await requestReset('sp1@example.com')
    const change = { old_password: await mailedLink(), new_password: 'another horse 2' }
    const answer = await t.request('a1', 'POST', '/change-password', change)
    expect(answer.statusCode).toBe(400)
    expect(answer.json().msg).toBe('old_password is incorrect')
  })

  it('does not reveal which emails exist', async () => {
    expect((await requestReset('nobody@example.com')).statusCode).toBe(204)
    const malformed = await requestReset('nobody')
    expect(malformed.statusCode).toBe(400)
    expect(malformed.json().error).toBe('invalid or missing email')
  })

  it('sends five emails an hour to a mailbox at most', async () => {
    for (let i = 0; i < 8; i++) await requestReset('sp1@example.com')
    await mailTo('sp1@example.com', 4)
    // emails are sent in the background: once a later one is out, so is any sixth
    await requestReset('a1@example.com')
    await mailTo('a1@example.com')
    expect(t.mails.filter((m) => m.to === 'sp1@example.com')).toHaveLength(5)
  })

  it('enforces the password rules', async () => {
    const change = { old_password: PASSWORD, new_password: 'short' }
    const answer = await t.request('sp1', 'POST', '/change-password', change)
    expect(answer.statusCode).toBe(400)
    expect(answer.json().issues[0].message).toContain('Be at least 8 characters long')
  })

  it('may not be common or personal, also with a mailed link', async () => {
    const change = (old_password: string, new_password: string) =>
      t.request('sp1', 'POST', '/change-password', { old_password, new_password })
    for (const [guess, message] of [
      ['password', TOO_EASY],
      ['sp1@example.com', PERSONAL],
    ] as const) {
      const answer = await change(PASSWORD, guess)
      expect(answer.statusCode).toBe(400)
      expect(answer.json().issues).toEqual([{ path: ['new_password'], message }])
    }
    await requestReset('sp1@example.com')
    expect((await change(await mailedLink(), 'aaaaaaaa')).json().msg).toBe(TOO_EASY)
    expect((await login('sp1')).statusCode).toBe(200)
  })
})

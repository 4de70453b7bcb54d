import { api } from '@switchroom/contract'
import { SignJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'
import { beginSession } from './sessions.ts'
import { sessionKey } from './tokens.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const status = async (token: string) => (await t.request(token, 'GET', '/Users/me')).statusCode
const claims = () => ({
  scope: 'account' as const,
  user_sid: t.users.a1!,
  permissions: [],
  is_view_only: false,
  force_change: false,
  account_sid: t.sids.a1,
  service_provider_sid: t.sids.sp1,
})
const begin = () =>
  beginSession(t.ctx, claims(), {
    method: 'password',
    meta: { ip: '192.0.2.1', user_agent: 'Browser' },
  })
const sessions = () =>
  t.db
    .selectFrom('switchroom_sessions')
    .selectAll()
    .where('user_sid', '=', t.users.a1!)
    .orderBy('began_at')
    .execute()

it('are recorded without anything that works as a token', async () => {
  const token = await begin()
  const row = (await sessions()).at(-1)!
  expect(row).toMatchObject({ method: 'password', ip: '192.0.2.1', user_agent: 'Browser' })
  expect(await status(row.session_sid)).toBe(401)
  for (const part of token.split('.')) expect(JSON.stringify(row)).not.toContain(part)
})

it('need their row: a token from before, or of a database that was restored, is refused', async () => {
  const token = await begin()
  await t.db.deleteFrom('switchroom_sessions').execute()
  expect(await status(token)).toBe(401)
})

it('do not carry over rights that the database no longer gives', async () => {
  const token = await begin()
  await t.db
    .updateTable('users')
    .set({ account_sid: t.sids.a2 })
    .where('user_sid', '=', t.users.a1!)
    .execute()
  expect(await status(token)).toBe(401)
})

it.each([
  ['sp1', 'another provider', () => ({ service_provider_sid: t.sids.sp2 })],
  ['sp1', 'the administrators', () => ({ service_provider_sid: null })],
  ['admin', 'a provider', () => ({ service_provider_sid: t.sids.sp1 })],
  ['admin', 'an account', () => ({ account_sid: t.sids.a1 })],
])('of %s do not carry over to %s', async (who, _, owners) => {
  expect(await status(t.bearer[who]!)).toBe(200)
  await t.db.updateTable('users').set(owners()).where('user_sid', '=', t.users[who]!).execute()
  expect(await status(t.bearer[who]!)).toBe(401)
})

it('last at most as long as configured, however often they are renewed', async () => {
  const { session_seconds, token_seconds } = t.ctx.config
  const start = Date.now()
  t.clock.now = () => start
  let token = await begin()
  let seconds = 0
  for (; seconds < session_seconds; seconds += token_seconds / 2) {
    t.clock.now = () => start + seconds * 1000
    const renewed = await t.request(token, 'POST', '/Session/renew')
    expect([seconds, renewed.statusCode]).toEqual([seconds, 200])
    token = renewed.json().token
  }
  t.clock.now = () => start + (session_seconds - 60) * 1000
  expect(await status(token)).toBe(200)
  t.clock.now = () => start + session_seconds * 1000
  expect(await status(token)).toBe(401)
  expect((await t.request(token, 'POST', '/Session/renew')).statusCode).toBe(401)
})

describe('beside a stock server', () => {
  beforeEach(() => {
    t.ctx.live.isPlatforms = true
  })

  /** A token as a stock server signs it. */
  const stockToken = async (issued = Date.now()) => {
    await t.ctx.live.set(sessionKey(t.users.a1!), 'x', 3600)
    return new SignJWT(claims())
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuedAt(Math.floor(issued / 1000))
      .setExpirationTime(Math.floor(issued / 1000) + 3600)
      .sign(new TextEncoder().encode('test-secret'))
  }
  const onList = async () => (await t.ctx.live.get(sessionKey(t.users.a1!)))[0] !== undefined

  it('end there as well, and when it ends them', async () => {
    const token = await begin()
    expect([await onList(), await status(token)]).toEqual([true, 200])
    await t.ctx.live.remove(sessionKey(t.users.a1!))
    expect(await status(token)).toBe(401)
    const next = await begin()
    await t.request(next, 'POST', '/logout?everywhere=1')
    expect(await onList()).toBe(false)
  })

  it.each([
    ['log-out', (token: string) => t.request(token, 'POST', '/logout')],
    [
      'the list of sessions',
      (token: string, sid: string) => t.request(token, 'DELETE', `/Users/me/Sessions/${sid}`),
    ],
  ])('lose their user only with the last one that ends, by %s', async (_, end) => {
    await t.db.deleteFrom('switchroom_sessions').execute()
    const tokens = [await begin(), await begin(), await stockToken(Date.now() - 5_000)]
    expect(await Promise.all(tokens.map(status))).toEqual([200, 200, 200])
    for (const [i, token] of tokens.entries()) {
      expect(await onList()).toBe(true)
      const sid = (await t.as(token)(api.sessions.list, {})).find((s) => s.is_current)!.session_sid
      expect((await end(token, sid)).statusCode).toBe(204)
      const left = tokens.map((_, j) => (j > i ? 200 : 401))
      expect(await Promise.all(tokens.map(status))).toEqual(left)
    }
    expect(await onList()).toBe(false)
  })

  it('stay where one is to end that is not there', async () => {
    await t.db.deleteFrom('switchroom_sessions').where('user_sid', '=', t.users.a1!).execute()
    const unseen = await stockToken(Date.now() - 5_000)
    await t.ctx.live.set(sessionKey(t.users.sp1!), 'x', 3600)
    const path = `/Users/${t.users.a1}/Sessions/${crypto.randomUUID()}`
    expect((await t.request('sp1', 'DELETE', path)).statusCode).toBe(404)
    expect([await onList(), await status(unseen)]).toEqual([true, 200])
  })

  it('that it began are listed, and end with the others', async () => {
    const token = await stockToken(Date.now() - 5_000)
    expect([await status(token), await status(token)]).toEqual([200, 200])
    expect((await sessions()).map((s) => s.method).sort()).toEqual(['password', 'platform_server'])
    expect((await t.request(token, 'POST', '/logout?everywhere=true')).statusCode).toBe(204)
    await t.ctx.live.set(sessionKey(t.users.a1!), 'x', 3600)
    expect(await status(token)).toBe(401)
  })

  it('stay ended when Redis loses its data and the user logs in again', async () => {
    const [ours, seen] = [await begin(), await stockToken(Date.now() - 5_000)]
    const unseen = await stockToken(Date.now() - 9_000)
    expect(await status(seen)).toBe(200)
    await t.request(ours, 'POST', '/logout?everywhere=1')
    await t.ctx.live.removeAll('')
    const next = await begin()
    expect(await Promise.all([next, ours, seen, unseen].map(status))).toEqual([200, 401, 401, 401])
  })

  it('end with their user, even if that server does not end them', async () => {
    const token = await stockToken()
    expect(await status(token)).toBe(200)
    await t.db.deleteFrom('users').where('user_sid', '=', t.users.a1!).execute()
    expect(await status(token)).toBe(401)
  })
})

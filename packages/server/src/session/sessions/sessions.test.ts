import { api } from '@switchroom/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { hashPassword } from '../../secrets/passwords.ts'
import { purgeSessions } from './start.ts'

const PASSWORD = 'correct horse 1'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'
const EDGE =
  'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36 Edg/140'
const DAY_MS = 86_400_000

let t: TestApp
beforeEach(async () => {
  t = await testApp({ JAMBONES_TRUST_PROXY: '1' })
  await t.db.deleteFrom('switchroom_sessions').where('user_sid', '=', t.users.a1!).execute()
  await t.db
    .updateTable('users')
    .set({ hashed_password: await hashPassword(PASSWORD) })
    .where('user_sid', '=', t.users.a1!)
    .execute()
})
afterEach(() => t.close())

const logIn = async (ip = '192.0.2.1', agent = FIREFOX): Promise<string> => {
  const headers = { 'x-forwarded-for': ip, 'user-agent': agent }
  const body = { username: 'a1', password: PASSWORD }
  return (await t.request('', 'POST', '/login', body, headers)).json().token
}
const list = (token: string) => t.as(token)(api.sessions.list, {})
const isOpen = async (token: string) =>
  (await t.request(token, 'GET', '/Users/me')).statusCode === 200
const entries = () =>
  t.db.selectFrom('switchroom_audit').selectAll().where('kind', '=', 'session').execute()

it('lists one’s own open sessions: when, where from and with what', async () => {
  const [first, second] = [await logIn(), await logIn('2001:db8::1', EDGE)]
  const third = await logIn()
  await t.request(third, 'DELETE', `/Users/me/Sessions/${(await list(third))[0]!.session_sid}`)
  expect(await list(first)).toMatchObject([
    {
      method: 'password',
      ip: '2001:db8::1',
      browser: 'Edge',
      system: 'Windows',
      is_current: false,
    },
    { method: 'password', ip: '192.0.2.1', browser: 'Firefox', system: 'Linux', is_current: true },
  ])
  expect((await list(second)).map((s) => s.is_current)).toEqual([true, false])
  await logIn('192.0.2.1', 'node/24')
  expect((await list(first))[0]).toMatchObject({ browser: null, client: 'node 24', system: null })
  t.clock.now = () => Date.now() + 2 * DAY_MS
  expect(
    await t.as('admin-key')(api.sessions.ofUser, { params: { user_sid: t.users.a1! } }),
  ).toEqual([])
})

it('ends one session, or all others', async () => {
  const [here, there, elsewhere] = [await logIn(), await logIn(), await logIn()]
  const [, , one] = await list(elsewhere)
  await t.as(there)(api.sessions.end, { params: { session_sid: one!.session_sid } })
  expect(await Promise.all([here, there, elsewhere].map(isOpen))).toEqual([false, true, true])
  await t.as(there)(api.sessions.endOthers, {})
  expect(await Promise.all([here, there, elsewhere].map(isOpen))).toEqual([false, true, false])
  expect(await list(there)).toHaveLength(1)
  // nobody else's business, so not in the audit log
  expect(await entries()).toEqual([])
})

it('lets view-only users end their own, and nobody end those of others', async () => {
  const token = await logIn()
  const { session_sid } = (await list(token))[0]!
  for (const who of ['a1-viewer', 'b1', 'a2']) {
    const path = `/Users/me/Sessions/${session_sid}`
    expect((await t.request(who, 'DELETE', path)).statusCode).toBe(404)
  }
  const path = `/Users/${t.users.a1}/Sessions`
  for (const [who, status] of [
    ['a1-viewer', 403],
    ['b1', 404],
  ] as const)
    for (const one of [path, `${path}/${session_sid}`])
      expect((await t.request(who, 'DELETE', one)).statusCode).toBe(status)
  expect(await isOpen(token)).toBe(true)
  expect((await t.request('a1-viewer', 'DELETE', '/Users/me/Sessions')).statusCode).toBe(204)
  expect(await isOpen('a1-viewer')).toBe(true)
})

it('lets whoever manages a user end its sessions, which is in the audit log', async () => {
  const [one, other] = [await logIn(), await logIn()]
  const params = { user_sid: t.users.a1! }
  const [newest] = await t.as('sp1')(api.sessions.ofUser, { params })
  await t.as('sp1')(api.sessions.endOfUser, {
    params: { ...params, session_sid: newest!.session_sid },
  })
  expect(await Promise.all([one, other].map(isOpen))).toEqual([true, false])
  await t.as('sp1')(api.sessions.endAllOfUser, { params })
  expect(await isOpen(one)).toBe(false)
  expect(await entries()).toMatchObject([
    {
      action: 'delete',
      actor: 'sp1',
      name: 'a1',
      account_sid: t.sids.a1,
      sid: newest!.session_sid,
    },
    { action: 'delete', actor: 'sp1', name: 'a1', sid: t.users.a1 },
  ])
})

it('mails a log-in from a new network with a new browser, but not the first', async () => {
  const mails = () => t.mails.filter((m) => m.subject === 'New login to your account')
  await logIn('192.0.2.1', FIREFOX)
  await logIn('192.0.2.200', EDGE)
  await logIn('198.51.100.1', FIREFOX)
  await logIn('203.0.113.9', 'curl/8.14.1')
  await expect.poll(mails).toHaveLength(1)
  expect(mails()[0]).toMatchObject({ to: 'a1@example.com' })
  expect(mails()[0]!.text).toMatch(/From: 203\.0\.113\.9\nWith: curl 8\.14\.1, not a browser\n/)
  expect(mails()[0]!.text).toContain('http://console.test/internal/security')
  // known by now
  await logIn('203.0.113.10', 'curl/8.14.1')
  // a new network, but only another version
  await logIn('198.51.101.1', 'curl/8.20.0')
  await logIn('192.0.2.1', FIREFOX)
  expect(mails()).toHaveLength(1)
})

it('are deleted 90 days after they ended, and with their user', async () => {
  const token = await logIn()
  const rows = async () =>
    (
      await t.db
        .selectFrom('switchroom_sessions')
        .select('session_sid')
        .where('user_sid', '=', t.users.a1!)
        .execute()
    ).length
  await t.request(token, 'POST', '/logout')
  await purgeSessions(t.db, Date.now() + 89 * DAY_MS)
  expect(await rows()).toBe(1)
  await purgeSessions(t.db, Date.now() + 92 * DAY_MS)
  expect(await rows()).toBe(0)
  await logIn()
  await t.as('sp1-key')(api.users.remove, { params: { user_sid: t.users.a1! } })
  await purgeSessions(t.db)
  expect(await rows()).toBe(0)
  const ends = await t.db
    .selectFrom('switchroom_session_ends')
    .select('user_sid')
    .where('user_sid', '=', t.users.a1!)
    .execute()
  expect(ends).toEqual([])
})

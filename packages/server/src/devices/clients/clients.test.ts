import { api, MASK } from '@switchroom/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const add = (who: string, body: { username: string } & Record<string, unknown>) =>
  t.as(who)(api.clients.create, { body })
const view = (who: string, client_sid: string) =>
  t.as(who)(api.clients.view, { params: { client_sid } })
const change = (who: string, client_sid: string, body: object) =>
  t.as(who)(api.clients.update, { params: { client_sid }, body })
const stored = (sid: string) =>
  t.db.selectFrom('clients').selectAll().where('client_sid', '=', sid).executeTakeFirstOrThrow()

it('adds a client to the caller’s own account, active and free to call', async () => {
  const { sid } = await add('a1', { username: ' jane ', password: 'x' })
  for (const account_sid of [t.sids.b1, crypto.randomUUID()])
    await expect(add('a1', { username: 'joe', password: 'x', account_sid })).rejects.toMatchObject({
      status: 400,
      message: 'No such account',
    })
  expect(await view('a1', sid)).toMatchObject({
    client_sid: sid,
    account_sid: t.sids.a1,
    username: 'jane',
    password: MASK,
    is_active: 1,
    allow_direct_app_calling: 1,
    allow_direct_queue_calling: 1,
    allow_direct_user_calling: 1,
  })
})

it('keeps the given flags', async () => {
  const { sid } = await add('a1', { username: 'jane', allow_direct_app_calling: 0 })
  expect(await view('a1', sid)).toMatchObject({ password: null, allow_direct_app_calling: 0 })
  await change('a1', sid, { is_active: false, allow_direct_user_calling: '0' })
  expect(await view('a1', sid)).toMatchObject({
    is_active: 0,
    allow_direct_app_calling: 0,
    allow_direct_queue_calling: 1,
    allow_direct_user_calling: 0,
  })
})

it.each([
  ['Enter the username', 'username', {}],
  ['Enter the username', 'username', { username: ' ' }],
  ['The username cannot contain spaces', 'username', { username: 'jane doe' }],
  ['Username can have at most 64 characters', 'username', { username: 'x'.repeat(65) }],
  [
    'Password can have at most 128 characters',
    'password',
    { username: 'jane', password: 'x'.repeat(129) },
  ],
])('says %s (%s)', async (message, field, body) => {
  await expect(add('a1', body as { username: string })).rejects.toMatchObject({
    status: 400,
    body: { issues: [{ path: [field], message }] },
  })
})

it('must belong to an account that is visible to the caller', async () => {
  const client = { username: 'jane' }
  await expect(add('sp1', client)).rejects.toMatchObject({
    status: 400,
    message: 'missing field account_sid',
  })
  const noSuchAccount = { status: 400, message: 'No such account' }
  for (const account_sid of [t.sids.b1, crypto.randomUUID()])
    await expect(add('sp1', { ...client, account_sid })).rejects.toMatchObject(noSuchAccount)
  const { sid } = await add('a1', client)
  await expect(change('sp1', sid, { account_sid: t.sids.b1 })).rejects.toMatchObject(noSuchAccount)
  await expect(change('a1', sid, { account_sid: t.sids.a2 })).rejects.toMatchObject(noSuchAccount)
})

it('rejects a duplicate username in an account, in any case', async () => {
  const twice = { status: 400, body: { issues: [{ path: ['username'] }] } }
  await add('a1', { username: 'jane' })
  const message = "the client's username already exists"
  await expect(add('a1', { username: 'Jane' })).rejects.toMatchObject({ ...twice, message })
  const { sid: elsewhere } = await add('a2', { username: 'jane' })
  await expect(change('sp1', elsewhere, { account_sid: t.sids.a1 })).rejects.toMatchObject(twice)
})

it('keeps the username that devices register with', async () => {
  const { sid } = await add('a1', { username: 'john' })
  for (const username of ['jane', 'John', null, ''])
    if (username)
      await expect(change('a1', sid, { username })).rejects.toMatchObject({
        status: 400,
        message: 'username may not be modified',
        body: { issues: [{ path: ['username'], message: 'The username cannot be changed' }] },
      })
    else await change('a1', sid, { username })
  await change('a1', sid, { username: ' john ', is_active: 0 })
  await change('sp1', sid, { account_sid: t.sids.a2 })
  expect(await view('a2', sid)).toMatchObject({ username: 'john', is_active: 0 })
})

it('accepts a username once with concurrent requests', async () => {
  for (const username of ['jane', 'joan', 'john', 'jack', 'jill']) {
    const tries = Array.from({ length: 8 }, () => add('a1', { username }))
    const made = (await Promise.allSettled(tries)).filter((r) => r.status === 'fulfilled')
    expect(made).toHaveLength(1)
  }
})

it('encrypts the password for the platform, and never returns it', async () => {
  const password = ' pässwörd € '
  const { sid } = await add('a1', { username: 'jane', password })
  const { password: sealed } = await stored(sid)
  expect(sealed).toMatch(/^\{"iv":"[0-9a-f]{32}","content":"[0-9a-f]+"\}$/)
  expect(t.ctx.box.open(sealed!)).toBe(password)
  const answers = await Promise.all([
    t.request('a1', 'GET', `/Clients/${sid}`),
    t.request('a1', 'GET', '/Clients'),
    t.request('admin', 'GET', '/Clients?page=1'),
  ])
  for (const { body } of answers) {
    expect(body).toContain(MASK)
    expect(body).not.toContain('content')
  }
})

it('stores the longest allowed password', async () => {
  const password = '€'.repeat(128)
  const { sid } = await add('a1', { username: 'jane', password })
  expect(t.ctx.box.open((await stored(sid)).password!)).toBe(password)
})

it('keeps a password when the mask is sent back, changes it, and clears it', async () => {
  const { sid } = await add('a1', { username: 'jane', password: 'first' })
  const opened = async () => {
    const { password } = await stored(sid)
    return password && t.ctx.box.open(password)
  }
  await change('a1', sid, { ...(await view('a1', sid)) })
  expect(await opened()).toBe('first')
  await change('a1', sid, { password: 'second' })
  expect(await opened()).toBe('second')
  await change('a1', sid, { password: null })
  expect(await opened()).toBeNull()
  const { sid: masked } = await add('a1', { username: 'john', password: MASK })
  expect((await stored(masked)).password).toBeNull()
})

it('lists clients visible to the caller, with account and realm', async () => {
  await t.db
    .updateTable('accounts')
    .set({ sip_realm: 'a1.example.com' })
    .where('account_sid', '=', t.sids.a1)
    .execute()
  for (const who of ['a1', 'a2', 'b1']) await add(who, { username: `of-${who}` })
  const names = async (who: string, query: object = {}) =>
    (await t.as(who)(api.clients.list, { query: { page: 1, ...query } })).data.map(
      (c) => c.username,
    )
  expect(await names('admin')).toEqual(['of-a1', 'of-a2', 'of-b1'])
  expect(await names('admin', { sort: '-username' })).toEqual(['of-b1', 'of-a2', 'of-a1'])
  expect(await names('admin', { service_provider_sid: t.sids.sp2 })).toEqual(['of-b1'])
  expect(await names('sp1')).toEqual(['of-a1', 'of-a2'])
  expect(await names('sp1', { account_sid: t.sids.a2 })).toEqual(['of-a2'])
  expect(await names('sp1', { account_sid: t.sids.b1 })).toEqual([])
  expect(await names('sp1', { service_provider_sid: t.sids.sp2 })).toEqual([])
  expect(await names('sp1', { filter: '2' })).toEqual(['of-a2'])
  const { sid } = await add('a1', { username: '15085550084' })
  for (const filter of ['+1 (508) 555-0084', sid, sid.slice(0, 13)])
    expect(await names('sp1', { filter }), filter).toEqual(['15085550084'])
  await t.as('a1')(api.clients.remove, { params: { client_sid: sid } })
  expect(await names('a1')).toEqual(['of-a1'])
  const query = { page: 1 }
  const { data } = await t.as('sp1')(api.clients.ofAccount, {
    params: { account_sid: t.sids.a1 },
    query,
  })
  expect(data).toMatchObject([{ account_name: 'a1', sip_realm: 'a1.example.com' }])
  const params = { service_provider_sid: t.sids.sp1 }
  const own = await t.as('a2')(api.clients.ofServiceProvider, { params, query })
  expect(own).toMatchObject({ total: 1, data: [{ account_name: 'a2', sip_realm: null }] })
})

it('deletes', async () => {
  const { sid } = await add('a1', { username: 'jane' })
  await t.as('a1')(api.clients.remove, { params: { client_sid: sid } })
  await expect(view('a1', sid)).rejects.toMatchObject({ status: 404 })
})

import { api } from '@switchroom/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { PROOF, type TestApp, testApp } from '../../test/app.ts'

// Who manages the users of an account: those with the platform's permission, and those without any.

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const PASSWORD = 'correct horse 1'
const body = (name: string) => ({
  name,
  email: `${name}@example.org`,
  initial_password: PASSWORD,
  force_change: 0 as const,
})
const add = async (who: string, name: string, more: object = {}) =>
  (await t.as(who)(api.users.create, { body: { ...body(name), ...more } })).user_sid
const viewOf = (user_sid: string) => t.as('admin')(api.users.view, { params: { user_sid } })
const permissionsOf = async (user_sid: string) =>
  (
    await t.db
      .selectFrom('user_permissions as u')
      .innerJoin('permissions as p', 'p.permission_sid', 'u.permission_sid')
      .select('p.name')
      .where('u.user_sid', '=', user_sid)
      .execute()
  ).map((p) => p.name)
/** A token of this user. */
const logIn = async (name: string) =>
  (await t.as('')(api.session.login, { body: { username: name, password: PASSWORD } })).token

/** A peer of `a1` who does not manage users. */
async function peer() {
  const user_sid = await add('a1', 'peer')
  return { user_sid, token: await logIn('peer') }
}

it('gives the first user of an account the right to manage others, not those whom they add', async () => {
  const { sid: account_sid } = await t.as('sp1')(api.accounts.create, { body: { name: 'New' } })
  const { token: key } = await t.as('sp1')(api.apiKeys.create, { body: { account_sid } })
  const first = await add(key, 'first')
  const second = await add(key, 'second')
  const third = await add('sp1', 'third', { account_sid })
  const fourth = await add(await logIn('first'), 'fourth', { manages_users: 1 })
  expect(await Promise.all([first, second, third, fourth].map(permissionsOf))).toEqual([
    [],
    ['PROVISION_SERVICES'],
    [],
    [],
  ])
  expect(await viewOf(second)).toMatchObject({ manages_users: false, is_view_only: false })
  expect(await viewOf(third)).toMatchObject({ manages_users: true })
})

it('lets who manages nobody change nothing of others', async () => {
  const { token } = await peer()
  const other = { user_sid: t.users.a1! }
  const before = await viewOf(other.user_sid)
  const session_sid = crypto.randomUUID()
  const select = { user_sids: [other.user_sid] }
  const refused = [
    t.request(token, 'POST', '/Users', body('more')),
    t.request(token, 'PUT', `/Users/${other.user_sid}`, { name: 'taken' }),
    t.request(token, 'PUT', `/Users/${other.user_sid}`, { initial_password: 'mine now 12' }),
    t.request(token, 'DELETE', `/Users/${other.user_sid}`),
    t.request(token, 'PUT', '/Users', { select, is_view_only: 1 }),
    t.request(token, 'POST', '/Users/Delete', { select }),
    t.request(token, 'GET', `/Users/${other.user_sid}/Sessions`),
    t.request(token, 'DELETE', `/Users/${other.user_sid}/Sessions`),
    t.request(token, 'DELETE', `/Users/${other.user_sid}/Sessions/${session_sid}`),
    t.request(token, 'DELETE', `/Users/${other.user_sid}/SecondFactor`),
    t.app.inject({
      method: 'POST',
      url: '/api/v1/Users/Import',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
      body: 'name,email,password\r\nmore,more@example.org,correct horse 1\r\n',
    }),
  ]
  for (const [i, answer] of (await Promise.all(refused)).entries())
    expect([answer.statusCode, answer.json().msg], `${i}`).toEqual([
      403,
      'You may not manage other users of your account',
    ])
  expect(await viewOf(other.user_sid)).toEqual(before)
})

it('sets a password with a proof of whoever sets it, and tells the user', async () => {
  const { user_sid, token } = await peer()
  const set = (who: string, more: object, sid = user_sid) =>
    t.request(who, 'PUT', `/Users/${sid}`, { initial_password: 'Unlike 7 others', ...more })
  const isOpen = async () => (await t.request(token, 'GET', '/Users/me')).statusCode === 200
  for (const proof of [undefined, {}, { password: PASSWORD }, { password: '' }]) {
    const refused = await set('a1', { proof })
    expect([refused.statusCode, refused.json().issues[0].path]).toEqual([
      400,
      ['proof', 'password'],
    ])
  }
  // the proof of somebody who may not, and one for a user out of reach
  expect((await set('a1-viewer', { proof: PROOF })).statusCode).toBe(403)
  expect((await set('b1', { proof: PROOF })).statusCode).toBe(404)
  expect([await isOpen(), t.mails]).toEqual([true, []])
  const sent = await set('a1', { proof: PROOF, force_change: 0, email: 'thief@example.org' })
  expect(sent.statusCode).toBe(204)
  expect(await isOpen()).toBe(false)
  // where the user read mail before
  expect(t.mails).toMatchObject([{ to: 'peer@example.org', subject: 'Your password was set' }])
  const body = { username: 'peer', password: 'Unlike 7 others' }
  expect(await t.as('')(api.session.login, { body })).toMatchObject({ force_change: true })
  // one's own is not known to somebody else
  expect((await set('a1', {}, t.users.a1)).statusCode).toBe(400)
  const mails = t.mails.length
  expect((await set('a1', { proof: PROOF }, t.users.a1)).statusCode).toBe(204)
  expect(t.mails).toHaveLength(mails)
  expect(await viewOf(t.users.a1!)).toMatchObject({ force_change: 0 })
})

it('counts wrong proofs as failed log-ins', async () => {
  const { user_sid } = await peer()
  const set = (password: string) =>
    t.request('a1', 'PUT', `/Users/${user_sid}`, {
      initial_password: 'Unlike 7 others',
      proof: { password },
    })
  for (let i = 0; i < 6; i++) expect((await set(`wrong ${i}`)).statusCode).not.toBe(204)
  expect((await set(PROOF.password)).statusCode).toBe(403)
})

it('lets everybody manage themselves, but not give themselves more', async () => {
  const { user_sid, token } = await peer()
  const own = (change: object) => t.request(token, 'PUT', `/Users/${user_sid}`, change)
  expect((await own({ name: 'renamed', manages_users: 0 })).statusCode).toBe(204)
  expect((await own({ manages_users: 1 })).statusCode).toBe(403)
  expect((await t.request(token, 'GET', `/Users/${user_sid}/Sessions`)).statusCode).toBe(200)
  expect(await viewOf(user_sid)).toMatchObject({ name: 'renamed', manages_users: false })
  expect((await t.request(token, 'DELETE', `/Users/${user_sid}`)).statusCode).toBe(204)
})

it('gives who manages nobody no API key that does', async () => {
  const { token } = await peer()
  const account_sid = t.sids.a1
  const { sid } = await t.as('a1')(api.apiKeys.create, { body: { account_sid } })
  for (const kinds of [undefined, ['access'], ['calls', 'access']])
    expect(
      (await t.request(token, 'POST', '/ApiKeys', { account_sid, kinds })).json(),
    ).toMatchObject({ code: 'forbidden', issues: [{ path: ['kinds'] }] })
  const rotated = await t.request(token, 'POST', `/ApiKeys/${sid}/Rotate`, {})
  expect(rotated.statusCode).toBe(403)
  const narrow = await t.as(token)(api.apiKeys.create, { body: { account_sid, kinds: ['calls'] } })
  for (const kinds of [null, ['access']])
    expect((await t.request(token, 'PUT', `/ApiKeys/${narrow.sid}`, { kinds })).statusCode).toBe(
      403,
    )
})

it('is given and taken by whoever manages a user, which ends the user’s sessions', async () => {
  const { user_sid, token } = await peer()
  const params = { user_sid }
  await t.as('a1')(api.users.update, { params, body: { manages_users: 1 } })
  expect((await t.request(token, 'GET', '/Users/me')).statusCode).toBe(401)
  const anew = await logIn('peer')
  await add(anew, 'theirs')
  await t.as('a1')(api.users.update, { params, body: { manages_users: 0 } })
  expect((await t.request(anew, 'POST', '/Users', body('more'))).statusCode).toBe(401)
  const lines = await t.db
    .selectFrom('switchroom_audit')
    .selectAll()
    .where('sid', '=', user_sid)
    .execute()
  expect(JSON.stringify(lines)).toContain('manages_users')
})

it('is not won by being view-only for a while', async () => {
  const { user_sid } = await peer()
  const params = { user_sid }
  await t.as('a1')(api.users.update, { params, body: { is_view_only: 1 } })
  expect(await permissionsOf(user_sid)).toEqual(['VIEW_ONLY'])
  await t.as('a1')(api.users.update, { params, body: { is_view_only: 0 } })
  expect(await permissionsOf(user_sid)).toEqual(['PROVISION_SERVICES'])
  const select = { user_sids: [user_sid] }
  await t.as('a1')(api.users.updateMany, { body: { select, is_view_only: 1 } })
  await t.as('a1')(api.users.updateMany, { body: { select, is_view_only: 0 } })
  expect(await permissionsOf(user_sid)).toEqual(['PROVISION_SERVICES'])
  await t.as('sp1')(api.users.updateMany, { body: { select, is_view_only: 1 } })
  await t.as('sp1')(api.users.updateMany, { body: { select, is_view_only: 0 } })
  expect(await permissionsOf(user_sid)).toEqual([])
})

it('keeps the platform’s permissions of adopted users', async () => {
  const user_sid = t.users.a1!
  const give = async (name: string) => {
    const { permission_sid } = await t.db
      .selectFrom('permissions')
      .select('permission_sid')
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
    const user_permissions_sid = crypto.randomUUID()
    await t.db
      .insertInto('user_permissions')
      .values({ user_permissions_sid, user_sid, permission_sid })
      .execute()
  }
  await give('PROVISION_SERVICES')
  expect(await viewOf(user_sid)).toMatchObject({ manages_users: false })
  await give('PROVISION_USERS')
  expect(await viewOf(user_sid)).toMatchObject({ manages_users: true })
  await t.as('sp1')(api.users.update, {
    params: { user_sid },
    body: { name: 'adopted', manages_users: 1, is_view_only: 0 },
  })
  expect((await permissionsOf(user_sid)).toSorted()).toEqual([
    'PROVISION_SERVICES',
    'PROVISION_USERS',
  ])
})

it('is for users of accounts who may change things', async () => {
  const update = (user_sid: string, body: object) =>
    t.request('admin', 'PUT', `/Users/${user_sid}`, body)
  expect((await update(t.users.sp1!, { manages_users: 0 })).json()).toMatchObject({
    code: 'invalid',
    issues: [{ path: ['manages_users'] }],
  })
  expect((await update(t.users.a1!, { is_view_only: 1, manages_users: 1 })).json()).toMatchObject({
    code: 'invalid',
    issues: [{ path: ['manages_users'] }],
  })
})

it('shows view-only users no sessions but their own', async () => {
  for (const who of ['a1-viewer', 'sp1-viewer', 'admin-viewer']) {
    expect((await t.request(who, 'GET', `/Users/${t.users.a1}/Sessions`)).statusCode, who).toBe(403)
    expect((await t.request(who, 'GET', `/Users/${t.users[who]}/Sessions`)).statusCode, who).toBe(
      200,
    )
  }
})

import { api, EMAIL_NOT_VERIFIED } from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'
import { PERSONAL, TOO_EASY } from '../secrets/guessable-password.ts'
import { hashPassword } from '../secrets/passwords.ts'
import { LAST_ADMIN, NO_PASSWORD } from './checks.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const body = (name: string, more: object = {}) => ({
  name,
  email: `${name}@example.org`,
  initial_password: 'long enough 1',
  ...more,
})
const view = (sid: string) => t.as('admin')(api.users.view, { params: { user_sid: sid } })

it('creates users with at most the creator’s access', async () => {
  const { user_sid: ofAccount } = await t.as('a1')(api.users.create, {
    body: body('x', { service_provider_sid: t.sids.sp1 }),
  })
  for (const owner of [{ service_provider_sid: t.sids.sp2 }, { account_sid: t.sids.b1 }])
    await expect(t.as('a1')(api.users.create, { body: body('w', owner) })).rejects.toMatchObject({
      status: 400,
      body: { issues: [{ path: Object.keys(owner) }] },
    })
  expect(await view(ofAccount)).toMatchObject({
    account_sid: t.sids.a1,
    service_provider_sid: t.sids.sp1,
  })
  const { user_sid: ofProvider } = await t.as('sp1')(api.users.create, {
    body: body('y', { service_provider_sid: null }),
  })
  expect(await view(ofProvider)).toMatchObject({
    account_sid: null,
    service_provider_sid: t.sids.sp1,
  })
})

it('sets the provider of an account’s user', async () => {
  const { user_sid } = await t.as('admin')(api.users.create, {
    body: body('x', { account_sid: t.sids.b1 }),
  })
  expect(await view(user_sid)).toMatchObject({ service_provider_sid: t.sids.sp2 })
})

it('rejects a username or email in use anywhere, on edits too', async () => {
  await expect(t.as('a1')(api.users.create, { body: body('b1') })).rejects.toMatchObject({
    status: 422,
    message: 'invalid username or email',
  })
  const params = { user_sid: t.users.a1! }
  const change = t.as('a1')(api.users.update, { params, body: { email: 'b1@example.com' } })
  await expect(change).rejects.toMatchObject({ status: 422 })
})

it('creates one user for concurrent requests with the same name', async () => {
  const both = await Promise.allSettled([
    t.as('a1')(api.users.create, { body: body('same') }),
    t.as('b1')(api.users.create, { body: body('same') }),
  ])
  expect(both.map((r) => r.status).sort()).toEqual(['fulfilled', 'rejected'])
})

it('accepts unchanged owners, including null', async () => {
  const params = { user_sid: t.users.sp1! }
  const owners = { service_provider_sid: t.sids.sp1, account_sid: null }
  await t.as('sp1')(api.users.update, { params, body: { name: 'renamed', ...owners } })
  expect(await view(t.users.sp1!)).toMatchObject({ name: 'renamed', ...owners })
})

it.each(['a1', 'sp1'])('does not let %s promote users or move them out', async (who) => {
  const params = { user_sid: t.users.a1! }
  const body = { service_provider_sid: t.sids.sp2, account_sid: t.sids.b1 }
  await expect(t.as(who)(api.users.update, { params, body })).rejects.toMatchObject({ status: 400 })
  expect(await view(t.users.a1!)).toMatchObject({ account_sid: t.sids.a1 })
})

it('keeps view-only when it is omitted', async () => {
  const params = { user_sid: t.users['a1-viewer']! }
  await t.as('a1')(api.users.update, { params, body: { is_view_only: 1 } })
  await t.as('a1')(api.users.update, { params, body: { name: 'renamed' } })
  expect(await t.as('a1')(api.users.view, { params })).toMatchObject({ is_view_only: true })
  await t.as('a1')(api.users.update, { params, body: { is_view_only: 0 } })
  expect(await t.as('a1')(api.users.view, { params })).toMatchObject({ is_view_only: false })
})

it('deactivates without other fields', async () => {
  const params = { user_sid: t.users.a1! }
  await t.as('sp1')(api.users.update, { params, body: { is_active: false } })
  expect(await view(t.users.a1!)).toMatchObject({ is_active: 0 })
})

it('forces nobody to change a password who has none here', async () => {
  const params = { user_sid: t.users.a1! }
  const stored = (row: { provider?: string; force_change?: 0 | 1 }) =>
    t.db.updateTable('users').set(row).where('user_sid', '=', params.user_sid).execute()
  await stored({ provider: 'oidc' })
  await expect(
    t.as('sp1')(api.users.update, { params, body: { force_change: 1 } }),
  ).rejects.toMatchObject({ status: 400, body: { issues: [{ path: ['force_change'] }] } })
  // values stored by a stock server can be saved with the rest, and restored
  await stored({ force_change: 1 })
  await t.as('sp1')(api.users.update, { params, body: { force_change: 1, name: 'renamed' } })
  await t.as('sp1')(api.users.update, { params, body: { force_change: 0 } })
  expect(await view(t.users.a1!)).toMatchObject({ name: 'renamed', force_change: 0 })
})

it('sets no password for a user who logs in elsewhere', async () => {
  const row = () =>
    t.db
      .selectFrom('users')
      .select(['hashed_password', 'force_change'])
      .where('user_sid', '=', t.users.a1!)
      .executeTakeFirstOrThrow()
  await t.db
    .updateTable('users')
    .set({ provider: 'oidc', hashed_password: null })
    .where('user_sid', '=', t.users.a1!)
    .execute()
  const before = await row()
  const refused = (field: string) => ({
    status: 400,
    body: { issues: [{ path: [field], message: NO_PASSWORD }] },
  })
  const params = { user_sid: t.users.a1! }
  await expect(
    t.as('sp1')(api.users.update, { params, body: { initial_password: 'long enough 1' } }),
  ).rejects.toMatchObject(refused('initial_password'))
  const own = { old_password: 'x', new_password: 'long enough 1' }
  await expect(t.as('a1')(api.users.update, { params, body: own })).rejects.toMatchObject(
    refused('new_password'),
  )
  await expect(t.as('a1')(api.session.changePassword, { body: own })).rejects.toMatchObject(
    refused('new_password'),
  )
  expect(await row()).toEqual(before)
})

it('keeps the last active administrator who may change things', async () => {
  await t.as('admin')(api.users.remove, { params: { user_sid: t.users.late! } })
  await t.as('admin')(api.users.update, {
    params: { user_sid: t.users['admin-viewer']! },
    body: { is_view_only: 1 },
  })
  const params = { user_sid: t.users.admin! }
  await expect(t.as('admin')(api.users.remove, { params })).rejects.toMatchObject({ status: 400 })
  for (const body of [
    { is_active: 0 as const },
    { is_view_only: 1 as const },
    { service_provider_sid: t.sids.sp1 },
  ])
    await expect(t.as('admin')(api.users.update, { params, body })).rejects.toMatchObject({
      status: 400,
    })
})

it('keeps the last active administrator of those who are all view-only', async () => {
  const user_sid = t.users['admin-viewer']!
  await t.as('admin')(api.users.update, { params: { user_sid }, body: { is_view_only: 1 } })
  await t.db
    .updateTable('users')
    .set({ is_active: 0 })
    .where('user_sid', 'in', [t.users.admin!, t.users.late!])
    .execute()
  for (const [method, body] of [
    ['DELETE', undefined],
    ['PUT', { is_active: 0 }],
  ] as const) {
    const answer = await t.request('admin-key', method, `/Users/${user_sid}`, body)
    expect([answer.statusCode, answer.json().msg]).toEqual([400, LAST_ADMIN])
  }
})

it('lets a view-only user change only the own password', async () => {
  const path = `/Users/${t.users['a1-viewer']}`
  const passwords = { old_password: 'wrong', new_password: 'long enough 2' }
  expect((await t.request('a1-viewer', 'PUT', path, passwords)).json().msg).toBe(
    'old_password is incorrect',
  )
  const other = `/Users/${t.users.a1}`
  for (const [where, change] of [
    [path, { name: 'me' }],
    [other, passwords],
  ] as const)
    expect((await t.request('a1-viewer', 'PUT', where, change)).json().msg).toBe(
      'User has view-only access',
    )
})

it('rejects passwords that are easy to guess and names the field', async () => {
  const issues = (field: string, message: string) => ({
    status: 400,
    body: { issues: [{ path: [field], message }] },
  })
  const create = (initial_password: string) =>
    t.as('a1')(api.users.create, {
      body: { name: 'jane.doe', email: 'jd@carrier.example', initial_password },
    })
  for (const [guess, message] of [
    ['12345678', TOO_EASY],
    ['jane.doe', PERSONAL],
    ['carrier-1', PERSONAL],
    ['switchroom', PERSONAL],
  ] as const)
    await expect(create(guess)).rejects.toMatchObject(issues('initial_password', message))
  const { user_sid } = await create('long enough 1')

  const update = (who: string, sid: string, body: object) =>
    t.as(who)(api.users.update, { params: { user_sid: sid }, body })
  await expect(update('a1', user_sid, { initial_password: 'jane.doe1' })).rejects.toMatchObject(
    issues('initial_password', PERSONAL),
  )
  // the new name counts
  await expect(
    update('a1', user_sid, { name: 'rumpelstilzchen', initial_password: 'Rumpelstilzchen' }),
  ).rejects.toMatchObject(issues('initial_password', PERSONAL))

  await t.db
    .updateTable('users')
    .set({ hashed_password: await hashPassword('password') })
    .where('user_sid', '=', user_sid)
    .execute()
  const { token } = await t.as('')(api.session.login, {
    body: { username: 'jane.doe', password: 'password' },
  })
  await expect(
    update(token, user_sid, { old_password: 'password', new_password: 'password1' }),
  ).rejects.toMatchObject(issues('new_password', TOO_EASY))
})

it('lists users visible to the caller, by role and text, paged', async () => {
  const list = (who: string, query: object = {}) =>
    t.as(who)(api.users.list, { query: { page: 1, ...query } })
  const names = async (who: string, query?: object) =>
    (await list(who, query)).data.map((u) => u.name)
  expect(await names('a1')).toEqual(['a1', 'a1-viewer', 'gone'])
  expect(await names('sp2')).toEqual(['b1', 'b1-viewer', 'sp2', 'sp2-viewer'])
  expect(await names('admin', { scope: 'service_provider' })).toEqual([
    'sp1',
    'sp1-viewer',
    'sp2',
    'sp2-viewer',
  ])
  expect(await names('admin', { filter: '%' })).toEqual([])
  expect(
    await list('admin', { page_size: 2, page: 2, sort: '-name', account_sid: t.sids.a1 }),
  ).toMatchObject({
    total: 3,
    data: [{ name: 'a1' }],
  })
})

it('never returns a hash or a code', async () => {
  await t.db
    .updateTable('users')
    .set({ hashed_password: 'CANARY', email_activation_code: 'CANARY' })
    .execute()
  for (const path of ['/Users', '/Users?page=1', '/Users/me', `/Users/${t.users.a1}`])
    expect((await t.request('a1', 'GET', path)).body).not.toContain('CANARY')
})

it('changes a password with the old one for its own user only', async () => {
  const sent = { old_password: 'long enough 1', new_password: 'longer than before 2' }
  for (const who of ['admin', 'sp1'])
    await expect(
      t.as(who)(api.users.update, { params: { user_sid: t.users.a1! }, body: sent }),
    ).rejects.toMatchObject({
      status: 403,
      message: 'Only the user can change a password with the old one',
    })
})

it('gets no password from an API key', async () => {
  const body = { initial_password: 'longer than before 2' }
  await expect(
    t.as('a1-key')(api.users.update, { params: { user_sid: t.users.a1! }, body }),
  ).rejects.toMatchObject({
    status: 403,
    message: 'An API key cannot set the password of a user',
  })
})

describe('in the hosted variant', () => {
  beforeEach(() => {
    t.ctx.config.page.ENABLE_HOSTED_SYSTEM = true
  })
  const rename = (who: string, more: object) =>
    t.as(who)(api.users.update, { params: { user_sid: t.users.a1! }, body: more })

  it('keeps an address that its account did not verify', async () => {
    await expect(rename('a1', { email: 'new@example.org' })).rejects.toMatchObject({
      status: 400,
      body: { issues: [{ path: ['email'], message: EMAIL_NOT_VERIFIED }] },
    })
    await rename('sp1', { email: 'new@example.org' })
  })

  it('is no way for an account to find out which names exist', async () => {
    const tooMany = { status: 429, body: { code: 'too_many' } }
    for (let i = 0; i < 30; i++) await rename('a1', { name: `a1 ${i}` })
    await expect(rename('a1', { name: 'one more' })).rejects.toMatchObject(tooMany)
    await expect(t.as('a1')(api.users.create, { body: body('x') })).rejects.toMatchObject(tooMany)
    await rename('sp1', { name: 'one more' })
  })
})

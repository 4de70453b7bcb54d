import { api, MAX_SAVED_VIEWS, VIEW_NAME_TAKEN } from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const save = async (who: string, more: { name?: string; is_shared?: boolean } = {}) =>
  (
    await t.as(who)(api.savedViews.create, {
      body: { list: 'users', name: 'x', search: { filter: 'x', page_size: 25 }, view: {}, ...more },
    })
  ).sid
const seen = (who: string) => t.as(who)(api.savedViews.list, { query: { list: 'users' } })
const namesOf = async (who: string) => (await seen(who)).map(({ name }) => name)
const params = (saved_view_sid: string) => ({ params: { saved_view_sid } })
const change = (who: string, sid: string, body: object) =>
  t.as(who)(api.savedViews.update, { ...params(sid), body })
const remove = (who: string, sid: string) => t.as(who)(api.savedViews.remove, params(sid))
const log = async () =>
  (await t.as('admin')(api.audit.list, { query: { page: 1, kind: 'saved_view' } })).data
/** Makes another user of the scope the one who saved a view. */
const byColleague = (saved_view_sid: string) =>
  t.db
    .updateTable('switchroom_saved_views')
    .set({ user_sid: t.users['a1-viewer']! })
    .where('saved_view_sid', '=', saved_view_sid)
    .execute()
const EVERYONE = ['admin', 'admin-viewer', 'sp1', 'sp1-viewer', 'sp2', 'a1', 'a1-viewer', 'a2']
const readers = async () => {
  const found: string[] = []
  for (const who of EVERYONE) if ((await seen(who)).length > 0) found.push(who)
  return found
}

it('keeps a personal view for its user alone, and out of the audit log', async () => {
  const sid = await save('a1')
  expect(await seen('a1')).toEqual([
    {
      saved_view_sid: sid,
      list: 'users',
      name: 'x',
      search: { filter: 'x', page_size: 25 },
      view: {},
      is_shared: false,
      is_own: true,
    },
  ])
  expect(await t.as('a1')(api.savedViews.list, { query: { list: 'clients' } })).toEqual([])
  expect(await readers()).toEqual(['a1'])
  for (const who of ['a1-viewer', 'sp1', 'admin']) {
    await expect(change(who, sid, { name: 'y' })).rejects.toMatchObject({ status: 404 })
    await expect(remove(who, sid)).rejects.toMatchObject({ status: 404 })
  }
  await change('a1', sid, { name: 'y', view: { hidden: ['Email'], compact: true } })
  expect(await seen('a1')).toMatchObject([
    { name: 'y', search: { filter: 'x' }, view: { hidden: ['Email'], compact: true } },
  ])
  await remove('a1', sid)
  expect(await namesOf('a1')).toEqual([])
  expect(await log()).toEqual([])
})

it.each([
  ['a1', ['a1', 'a1-viewer']],
  ['sp1', ['sp1', 'sp1-viewer']],
  ['admin', ['admin', 'admin-viewer']],
])('shares what %s shares with exactly its scope', async (who, scope) => {
  const sid = await save(who)
  await change(who, sid, { is_shared: true })
  expect(await readers()).toEqual(scope)
  expect(await seen(scope[1]!)).toMatchObject([{ is_shared: true, is_own: false }])
  await change(who, sid, { name: 'y' })
  await change(who, sid, { is_shared: false })
  expect(await readers()).toEqual([who])
  await remove(who, sid)
  expect((await log()).map(({ action, name }) => [action, name])).toEqual([
    ['delete', 'y'],
    ['update', 'y'],
    ['create', 'x'],
  ])
})

it('lets colleagues change and delete a shared view, but not take it from everyone', async () => {
  const sid = await save('a1', { is_shared: true })
  await byColleague(sid)
  await change('a1', sid, { name: 'y', is_shared: true })
  expect(await namesOf('a1-viewer')).toEqual(['y'])
  await expect(change('a1', sid, { is_shared: false })).rejects.toMatchObject({
    status: 403,
    body: { issues: [{ path: ['is_shared'] }] },
  })
  await remove('a1', sid)
  expect(await namesOf('a1-viewer')).toEqual([])
})

it('lets view-only users keep views of their own, but neither share nor change shared ones', async () => {
  const own = await save('a1-viewer', { name: 'own' })
  await change('a1-viewer', own, { name: 'renamed' })
  const refused = { status: 403, body: { issues: [{ path: ['is_shared'] }] } }
  await expect(save('a1-viewer', { is_shared: true })).rejects.toMatchObject(refused)
  await expect(change('a1-viewer', own, { is_shared: true })).rejects.toMatchObject(refused)
  const shared = await save('a1', { is_shared: true })
  // also those they shared when they could
  await byColleague(shared)
  await expect(change('a1-viewer', shared, { name: 'y' })).rejects.toMatchObject({ status: 403 })
  await expect(remove('a1-viewer', shared)).rejects.toMatchObject({ status: 403 })
  expect(await namesOf('a1-viewer')).toEqual(['renamed', 'x'])
  await remove('a1-viewer', own)
  expect(await namesOf('a1-viewer')).toEqual(['x'])
})

it('has no view for an API key', async () => {
  await expect(seen('a1-key')).rejects.toMatchObject({ status: 404 })
})

describe('names', () => {
  const taken = { status: 422, body: { issues: [{ path: ['name'], message: VIEW_NAME_TAKEN }] } }

  it('are unique per list, among a person’s own and among shared ones', async () => {
    await save('a1')
    await expect(save('a1')).rejects.toMatchObject(taken)
    const shared = await save('a1', { is_shared: true })
    await expect(save('a1', { is_shared: true })).rejects.toMatchObject(taken)
    await expect(change('a1', shared, { is_shared: false })).rejects.toMatchObject(taken)
    await change('a1', shared, { name: 'x' })
    const other = await save('a1', { name: 'y' })
    await expect(change('a1', other, { name: 'x' })).rejects.toMatchObject(taken)
    for (const who of ['a1-viewer', 'a2', 'sp1']) await save(who)
    await t.as('a1')(api.savedViews.create, {
      body: { list: 'clients', name: 'x', search: {}, view: {} },
    })
  })

  it('stay unique when two save at once', async () => {
    const both = await Promise.allSettled([save('a1'), save('a1')])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })
})

it.each([
  ['name', { name: '' }],
  ['name', { name: 'x'.repeat(101) }],
  ['list', { list: 'nothing' }],
  ['search', { search: { filter: 'x'.repeat(5_000) } }],
  ['search', { search: { filter: { deep: 1 } } }],
  ['view', { view: { order: Array.from({ length: 100 }, () => 'x'.repeat(60)) } }],
  ['view', { view: { compact: 1 } }],
])('refuses a wrong %s (%#)', async (field, body) => {
  await expect(
    t.as('a1')(api.savedViews.create, {
      body: { list: 'users', name: 'x', search: {}, view: {}, ...body } as never,
    }),
  ).rejects.toMatchObject({
    status: 400,
    body: { issues: [{ path: expect.arrayContaining([field]) }] },
  })
})

it('has a limit for a person, and another for a scope', async () => {
  const now = new Date().toISOString()
  const rows = [null, t.sids.a1].flatMap((shared_with) =>
    Array.from({ length: MAX_SAVED_VIEWS }, (_, i) => ({
      saved_view_sid: `${shared_with ? 'shared' : 'own'}-${i}`,
      list: 'clients' as const,
      name: String(i),
      content: '{"search":{},"view":{}}',
      user_sid: t.users.a1!,
      shared_with,
      created_at: now,
      updated_at: now,
    })),
  )
  await t.db.insertInto('switchroom_saved_views').values(rows).execute()
  await expect(save('a1')).rejects.toMatchObject({ status: 422 })
  await expect(save('a1', { is_shared: true })).rejects.toMatchObject({ status: 422 })
  await save('a1-viewer')
  await save('a2', { is_shared: true })
})

describe('is removed', () => {
  const left = async () =>
    (await t.db.selectFrom('switchroom_saved_views').select('name').execute())
      .map(({ name }) => name)
      .sort()

  it('with its user, unless it is shared', async () => {
    await save('a1', { name: 'own' })
    await save('a1', { name: 'shared', is_shared: true })
    await save('a2', { name: 'other' })
    await t.as('admin')(api.users.remove, { params: { user_sid: t.users.a1! } })
    expect(await left()).toEqual(['other', 'shared'])
    expect(await seen('a1-viewer')).toMatchObject([{ name: 'shared', is_own: false }])
  })

  it('with its account', async () => {
    await save('a1', { name: 'own' })
    await save('a1', { name: 'shared', is_shared: true })
    await save('a2', { name: 'other' })
    await save('sp1', { name: 'provider’s', is_shared: true })
    const account = { account_sid: t.sids.a1, stripe_customer_id: null }
    for (const removed of t.ctx.onAccountRemoved) await removed(t.db, account)
    expect(await left()).toEqual(['other', 'provider’s'])
  })

  it('with its provider', async () => {
    await save('sp1', { name: 'shared', is_shared: true })
    await save('sp2', { name: 'other', is_shared: true })
    for (const removed of t.ctx.onProviderRemoved) await removed(t.db, t.sids.sp1)
    expect(await left()).toEqual(['other'])
  })
})

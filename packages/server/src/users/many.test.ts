import { api } from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'
import { recordStatements } from '../../test/statements.ts'
import { pendingEntries } from '../audit/verify.ts'
import { insertMany } from '../db/insert-many.ts'
import { beginSession } from '../http/sessions.ts'
import { StateUnreachable } from '../live/state.ts'

let t: TestApp
let sids: string[]
let bearers: string[]
const meta = { ip: '127.0.0.1', user_agent: 'test' }

const add = async (who: string, name: string, more: object = {}) => {
  const body = { name, email: `${name}@example.org`, initial_password: 'long enough 1', ...more }
  return (await t.as(who)(api.users.create, { body })).user_sid
}
const sessionOf = (user_sid: string, name: string) =>
  beginSession(
    t.ctx,
    {
      ...{ scope: 'account', user_sid, name, permissions: [], is_view_only: false },
      ...{ force_change: false, account_sid: t.sids.a1, service_provider_sid: t.sids.sp1 },
    },
    { method: 'password', meta },
  )
beforeEach(async () => {
  t = await testApp()
  sids = []
  bearers = []
  for (const n of [1, 2, 3, 4]) {
    const sid = await add('a1', `agent-${n}`, { force_change: 0 })
    sids.push(sid)
    bearers.push(await sessionOf(sid, `agent-${n}`))
  }
})
afterEach(() => t.close())

const change = (who: string, body: object) => t.request(who, 'PUT', '/Users', body)
const remove = (who: string, select: object) => t.request(who, 'POST', '/Users/Delete', { select })
const view = (user_sid: string) => t.as('admin')(api.users.view, { params: { user_sid } })
const entriesOf = async (sid: string) =>
  (await t.as('admin')(api.audit.list, { query: { page: 1, sid } })).data
const logIns = async () =>
  Promise.all(bearers.map(async (b) => (await t.request(b, 'GET', '/Users/me')).statusCode))
/** Every table that a refused change must leave as it is. */
const state = async () =>
  JSON.stringify([
    await t.db.selectFrom('users').selectAll().orderBy('user_sid').execute(),
    await t.db.selectFrom('user_permissions').selectAll().orderBy('user_sid').execute(),
    await t.db.selectFrom('switchroom_session_ends').selectAll().orderBy('user_sid').execute(),
    await t.db.selectFrom('switchroom_audit').select('seq').orderBy('seq').execute(),
  ])

it('deactivates many users and ends their sessions, with an audit entry each', async () => {
  const select = { user_sids: sids.slice(0, 3) }
  expect(await logIns()).toEqual([200, 200, 200, 200])
  expect((await change('a1', { select, is_active: 0 })).json()).toEqual({ changed: 3 })
  expect(await logIns()).toEqual([401, 401, 401, 200])
  expect((await change('a1', { select, is_active: false })).json()).toEqual({ changed: 0 })
  for (const sid of select.user_sids) {
    expect(await view(sid)).toMatchObject({ is_active: 0 })
    expect(await entriesOf(sid)).toMatchObject([
      { action: 'update', before: { is_active: 1 }, after: { is_active: 0 } },
      { action: 'create' },
    ])
  }
  expect((await change('sp1', { select, is_active: 1 })).json()).toEqual({ changed: 3 })
  // the ended sessions do not come back
  expect(await logIns()).toEqual([401, 401, 401, 200])
})

it('makes many users view-only and gives them full access again, as the change of one does', async () => {
  const [alone, ...many] = sids
  const set = (is_view_only: 0 | 1) =>
    change('sp1', { select: { user_sids: many }, is_view_only, is_active: 1 })
  const setAlone = (is_view_only: 0 | 1) =>
    t.as('sp1')(api.users.update, { params: { user_sid: alone! }, body: { is_view_only } })
  await setAlone(1)
  expect((await set(1)).json()).toEqual({ changed: 3 })
  expect(await logIns()).toEqual([401, 401, 401, 401])
  for (const sid of sids) expect(await view(sid)).toMatchObject({ is_view_only: true })
  expect((await set(1)).json()).toEqual({ changed: 0 })
  await setAlone(0)
  expect((await set(0)).json()).toEqual({ changed: 3 })
  for (const sid of sids) expect(await view(sid)).toMatchObject({ is_view_only: false })
  const changesOf = async (sid: string) =>
    (await entriesOf(sid))
      .map(({ action, before, after }) => ({ action, before, after }))
      .slice(0, 2)
  for (const sid of many) expect(await changesOf(sid)).toEqual(await changesOf(alone!))
  expect(await t.db.selectFrom('user_permissions').selectAll().execute()).toEqual([])
})

it('requires new passwords, and leaves sessions open as the change of one does', async () => {
  const select = { user_sids: sids }
  expect((await change('a1', { select, force_change: 1 })).json()).toEqual({ changed: 4 })
  expect(await logIns()).toEqual([200, 200, 200, 200])
  const { token } = await t.as('')(api.session.login, {
    body: { username: 'agent-1', password: 'long enough 1' },
  })
  expect((await t.request(token, 'GET', '/Users')).json()).toMatchObject({
    msg: 'You must create a new password',
  })
})

it('changes only those that differ, and ends no other sessions', async () => {
  const [first] = sids
  await change('a1', { select: { user_sids: [first] }, is_view_only: 1 })
  const select = { user_sids: sids }
  expect((await change('a1', { select, is_active: 1, is_view_only: 1 })).json()).toEqual({
    changed: 3,
  })
  expect((await change('a1', { select, is_view_only: 0, force_change: 1 })).json()).toEqual({
    changed: 4,
  })
  bearers = await Promise.all(sids.map((sid, i) => sessionOf(sid, `agent-${i + 1}`)))
  await change('a1', { select: { user_sids: [first] }, is_view_only: 1 })
  expect((await change('a1', { select, is_view_only: 0, force_change: 0 })).json()).toEqual({
    changed: 4,
  })
  expect(await logIns()).toEqual([401, 200, 200, 200])
})

describe('nothing is changed', () => {
  let before: string
  beforeEach(async () => {
    before = await state()
  })
  afterEach(async () => expect(await state()).toBe(before))

  it('when one is foreign, above the caller or gone', async () => {
    const hidden = [t.users.b1!, t.users.sp1!, t.users.admin!, t.users.a2!, crypto.randomUUID()]
    for (const missing of hidden) {
      const select = { user_sids: [sids[0], missing] }
      for (const answer of [
        await change('a1', { select, is_active: 0 }),
        await remove('a1', select),
      ]) {
        expect(answer.statusCode).toBe(404)
        expect(answer.json()).toMatchObject({
          msg: 'Nothing was changed: 1 of 2 users no longer exist',
          issues: [{ path: ['user_sids', missing] }],
        })
      }
    }
    // an account’s provider, and administrators, are above a provider as well
    const select = { user_sids: [sids[0], t.users.admin] }
    expect((await change('sp1', { select, is_view_only: 1 })).statusCode).toBe(404)
    expect((await remove('sp1', select)).statusCode).toBe(404)
  })

  it('when callers are among those who lose access', async () => {
    const refused = {
      msg: 'Nothing was changed: 1 of 2 users is you',
      issues: [
        { path: ['users', 'a1'], message: 'This is your own user. Leave it out of the selection' },
      ],
    }
    const select = { user_sids: [sids[0], t.users.a1] }
    for (const body of [{ is_active: 0 }, { is_view_only: 1 }]) {
      const answer = await change('a1', { select, ...body })
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toMatchObject(refused)
    }
    expect((await remove('a1', select)).json()).toMatchObject(refused)
    expect((await remove('a1', { matching: {} })).statusCode).toBe(400)
    expect((await change('a1', { select, is_active: 1, is_view_only: 0 })).json()).toEqual({
      changed: 0,
    })
  })

  it('when no active administrator would remain, though each could go alone', async () => {
    const administrators = ['admin', 'admin-viewer', 'late']
    const select = { user_sids: [...administrators.map((name) => t.users[name]!), sids[0]] }
    for (const answer of [
      await change('admin-key', { select, is_active: 0 }),
      await remove('admin-key', select),
      await remove('admin-key', { matching: {} }),
      await change('admin-key', { select: { matching: { scope: 'admin' } }, is_active: 0 }),
    ]) {
      expect(answer.statusCode).toBe(400)
      const { msg, issues } = answer.json() as { msg: string; issues: { path: string[] }[] }
      expect(msg).toMatch(
        /^Nothing was changed: 3 of \d+ users are the only active administrators$/,
      )
      expect(issues.map(({ path }) => path[1]).toSorted()).toEqual(administrators)
    }
  })

  it('when one has no password here that could be changed', async () => {
    const ofUser = (provider: string) =>
      t.db.updateTable('users').set({ provider }).where('user_sid', '=', sids[1]!).execute()
    await ofUser('oidc')
    const answer = await change('a1', { select: { user_sids: sids }, force_change: 1 })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({
      msg: 'Nothing was changed: 1 of 4 users have no password here',
      issues: [{ path: ['users', 'agent-2'] }],
    })
    await ofUser('local')
  })

  it('when sessions cannot be ended', async () => {
    const { live } = t.ctx
    const remove = async () => {
      throw new StateUnreachable('Redis does not answer')
    }
    const silent = { ...live, isPlatforms: true, remove }
    t.ctx.live = { ...silent, within: () => silent }
    const select = { user_sids: sids }
    const answer = await change('a1-key', { select, is_active: 0 })
    t.ctx.live = live
    expect(answer.statusCode).toBe(503)
  })

  it('for view-only callers, limited API keys, and those with no change', async () => {
    const select = { user_sids: sids }
    for (const who of ['a1-viewer', 'sp1-viewer', 'admin-viewer']) {
      expect((await change(who, { select, is_active: 0 })).statusCode).toBe(403)
      expect((await remove(who, select)).statusCode).toBe(403)
    }
    const limited = await t.keyOf('a1', { kinds: ['access'] })
    expect((await change(limited, { select, is_active: 0 })).statusCode).toBe(403)
    const other = await t.keyOf('a1', { kinds: ['devices'] })
    expect((await remove(other, select)).statusCode).toBe(403)
    expect((await change('a1', { select })).json().issues).toMatchObject([
      { message: 'Choose what to change' },
    ])
  })

  it.each([
    ['nothing', {}],
    ['no users', { user_sids: [] }],
    ['both', { user_sids: ['00000000-0000-4000-8000-000000000000'], matching: {} }],
    ['an unknown filter', { matching: { account: 'x' } }],
  ])('by a selection of %s', async (_, select) => {
    expect((await remove('a1', select)).statusCode).toBe(400)
    expect((await change('a1', { select, is_active: 0 })).statusCode).toBe(400)
  })

  it('by fields that only the change of one user takes', async () => {
    const select = { user_sids: sids }
    await change('sp1', { select, is_active: 1, account_sid: t.sids.a2, initial_password: 'x' })
    expect(await view(sids[0]!)).toMatchObject({ account_sid: t.sids.a1 })
  })
})

it('lets all other administrators go', async () => {
  const select = { user_sids: [t.users['admin-viewer'], t.users.late] }
  expect((await change('admin', { select, is_active: 0 })).json()).toEqual({ changed: 2 })
  // inactive ones are no longer in the way
  expect((await remove('admin', select)).json()).toEqual({ deleted: 2 })
  const last = { user_sids: [t.users.admin] }
  expect((await remove('admin-key', last)).statusCode).toBe(400)
})

it('keeps an administrator when two requests would each leave the other’s', async () => {
  await t.as('admin')(api.users.remove, { params: { user_sid: t.users['admin-viewer']! } })
  const answers = await Promise.all(
    [t.users.admin, t.users.late].map((sid) => remove('admin-key', { user_sids: [sid] })),
  )
  expect(answers.map((a) => a.statusCode).toSorted()).toEqual([200, 400])
})

it('changes all that match the filter, of the caller’s own only', async () => {
  const matching = (filters: object) =>
    change('sp1', { select: { matching: filters }, force_change: 1 })
  expect((await matching({ account_sid: t.sids.b1 })).json()).toEqual({ changed: 0 })
  expect((await matching({ scope: 'admin' })).json()).toEqual({ changed: 0 })
  expect((await matching({ filter: 'agent-2' })).json()).toEqual({ changed: 1 })
  expect((await matching({ filter: 'agent', account_sid: t.sids.a1 })).json()).toEqual({
    changed: 3,
  })
  expect((await view(t.users.b1!)).force_change).toBe(0)
})

it('exports the chosen users without passwords', async () => {
  const header =
    'name,email,scope,service_provider,account,is_active,is_view_only,password,force_change\r\n'
  const file = (who: string, select: object) => t.request(who, 'POST', '/Users/Export', { select })
  const chosen = await file('a1-viewer', { user_sids: sids.slice(0, 2) })
  expect(chosen.body).toBe(
    `${header}agent-1,agent-1@example.org,account,one,a1,1,0,,0\r\nagent-2,agent-2@example.org,account,one,a1,1,0,,0\r\n`,
  )
  expect((await file('sp1', { matching: { filter: 'agent-3' } })).body).toBe(
    `${header}agent-3,agent-3@example.org,account,one,a1,1,0,,0\r\n`,
  )
  expect((await file('a1', { user_sids: [t.users.b1] })).statusCode).toBe(404)
  expect((await file('a1', { matching: { filter: 'b1' } })).body).toBe(header)
})

it('deletes users with everything that is theirs', async () => {
  const [first, , , last] = sids as [string, string, string, string]
  for (const user_sid of [first, last]) {
    await t.db
      .insertInto('switchroom_recovery_codes')
      .values({ user_sid, code_digest: 'x', created_at: '2026-01-01T00:00:00.000Z' })
      .execute()
    await t.db
      .insertInto('switchroom_alert_marks')
      .values({ user_sid, owner: t.sids.a1, seen_until: 1 })
      .execute()
    await t.db.insertInto('switchroom_break_glass').values({ user_sid }).execute()
  }
  await change('a1', { select: { user_sids: sids }, is_view_only: 1 })
  t.clock.now = () => Date.now() + 10_000
  expect((await remove('a1', { user_sids: sids.slice(0, 3) })).json()).toEqual({ deleted: 3 })
  expect(await logIns()).toEqual([401, 401, 401, 401])
  for (const table of [
    'switchroom_recovery_codes',
    'switchroom_alert_marks',
    'switchroom_break_glass',
    'user_permissions',
  ] as const) {
    const rows = await t.db.selectFrom(table).select('user_sid').execute()
    expect(rows, table).toEqual([{ user_sid: last }])
  }
  const left = await t.db
    .selectFrom('switchroom_sessions')
    .select('user_sid')
    .where('user_sid', 'in', sids)
    .execute()
  expect(left).toEqual([{ user_sid: last }])
  const ends = await t.db
    .selectFrom('switchroom_session_ends')
    .select(['user_sid', 'ended_at'])
    .where('user_sid', 'in', sids)
    .execute()
  const endOf = new Map(ends.map((e) => [e.user_sid, Number(e.ended_at)]))
  for (const sid of sids.slice(0, 3)) expect(endOf.get(sid)).toBeGreaterThan(endOf.get(last)!)
  expect(await entriesOf(first)).toMatchObject([
    { action: 'delete', before: { name: 'agent-1' } },
    {},
    {},
  ])
  expect(JSON.stringify(await entriesOf(first))).not.toContain('argon2')
})

it('takes as many statements for hundreds of users as for two', async () => {
  await t.close()
  const recorder = recordStatements()
  t = await testApp({}, undefined, recorder.tracing)
  const rows = Array.from({ length: 400 }, (_, i) => ({
    ...{ user_sid: crypto.randomUUID(), name: `user-${i}`, email: `user-${i}@example.org` },
    ...{ provider: 'local', account_sid: t.sids.a1, service_provider_sid: t.sids.sp1 },
  }))
  await insertMany(t.db, 'users', rows)
  const count = async (run: () => Promise<{ statusCode: number }>) => {
    const statements = await recorder.during(async () => expect((await run()).statusCode).toBe(200))
    return statements.length
  }
  const of = (from: number, to: number) => ({
    user_sids: rows.slice(from, to).map((u) => u.user_sid),
  })
  const deactivate = (select: object) => () =>
    change('sp1', { select, is_active: 0, is_view_only: 1 })
  await count(deactivate(of(0, 1)))
  const few = await count(deactivate(of(1, 3)))
  expect(await count(deactivate(of(3, 300)))).toBe(few)
  const fewDeleted = await count(() => remove('sp1', of(0, 2)))
  expect(await count(() => remove('sp1', of(2, 400)))).toBe(fewDeleted)
})

it('changes and deletes as many in a thread as it does few', async () => {
  const MANY = 1_200
  await t.close()
  t = await testApp({}, undefined, undefined, { onFile: true })
  const rows = Array.from({ length: MANY }, (_, i) => ({
    ...{ user_sid: crypto.randomUUID(), name: `user-${i}`, email: `user-${i}@example.org` },
    ...{ provider: 'local', account_sid: t.sids.a1, service_provider_sid: t.sids.sp1 },
  }))
  await insertMany(t.db, 'users', rows)
  await insertMany(
    t.db,
    'switchroom_sessions',
    rows.map(({ user_sid }) => ({
      ...{ session_sid: crypto.randomUUID(), user_sid, method: 'password', began_at: 1 },
      ...{ ip: '', user_agent: '', last_seen_at: 1, last_ip: '', ends_at: 9e12 },
      force_change: 0,
    })),
  )
  const select = { matching: { filter: 'user-', account_sid: t.sids.a1 } }
  const sessions = () =>
    t.db
      .selectFrom('switchroom_sessions')
      .innerJoin('users', 'users.user_sid', 'switchroom_sessions.user_sid')
      .select('ended_at')
      .where('users.name', 'like', 'user-%')
      .execute()
  expect((await change('sp1', { select, is_view_only: 1 })).json()).toEqual({ changed: MANY })
  const { n } = await t.db
    .selectFrom('user_permissions')
    .select((eb) => eb.fn.count('user_sid').distinct().as('n'))
    .executeTakeFirstOrThrow()
  expect(Number(n)).toBe(MANY)
  const open = await sessions()
  expect(open).toHaveLength(MANY)
  expect(open.filter((s) => s.ended_at === null)).toEqual([])
  expect((await remove('sp1', select)).json()).toEqual({ deleted: MANY })
  expect(await sessions()).toEqual([])
  const { total } = await t.as('sp1')(api.users.list, { query: { page: 1, filter: 'user-' } })
  expect(total).toBe(0)
  await expect.poll(() => pendingEntries(t.db)).toBe(0)
})

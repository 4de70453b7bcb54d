import { api } from '@switchroom/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { addFailure } from '../../../test/failures.ts'

let t: TestApp
let ours: string
let provider: string
beforeAll(async () => {
  t = await testApp()
  ours = await addFailure(t.db, { account_sid: t.sids.a1, trunk: 'Trunk' })
  await addFailure(t.db, { account_sid: t.sids.a2, trunk: 'Trunk' })
  provider = await addFailure(t.db, {
    service_provider_sid: t.sids.sp1,
    trunk: 'Trunk',
    reason: 'No 100%_circuit',
  })
  await addFailure(t.db, { service_provider_sid: t.sids.sp2, sip_status: 404, prefix: '+4420' })
})
afterAll(() => t.close())

const list = async (who: string, query: object = {}) =>
  (await t.as(who)(api.failures.list, { query: { page: 1, ...query } as never })).data
const sids = async (who: string, query?: object) =>
  (await list(who, query)).map((f) => f.failure_sid)
const put = (who: string, sid: string, body: object, headers?: Record<string, string>) =>
  t.request(who, 'PUT', `/Failures/${sid}`, body, headers)

it('shows one inbox: an account’s own, or that of a provider', async () => {
  expect(await sids('a1')).toEqual([ours])
  expect(await sids('sp1')).toEqual([provider])
  expect(await sids('sp1', { account_sid: t.sids.a1 })).toEqual([ours])
  expect(await sids('admin')).toHaveLength(2)
  expect(await sids('admin', { service_provider_sid: t.sids.sp1 })).toEqual([provider])
  for (const [who, query] of [
    ['a1', `account_sid=${t.sids.a2}`],
    ['sp1', `account_sid=${t.sids.b1}`],
    ['sp1', `service_provider_sid=${t.sids.sp2}`],
  ] as const)
    expect((await t.request(who, 'GET', `/Failures?page=1&${query}`)).statusCode).toBe(404)
})

it('finds by carrier, reason, status and prefix', async () => {
  const found = async (filter: string) => (await list('admin', { filter })).map((f) => f.sip_status)
  expect(await found('trunk')).toEqual([503])
  expect(await found('100%_')).toEqual([503])
  expect(await found('100__')).toEqual([])
  expect(await found('404')).toEqual([404])
  expect(await found('+44 20')).toEqual([404])
  expect(await found('0044 20')).toEqual([404])
  expect(await found('9'.repeat(90))).toEqual([])
  expect(await sids('admin', { trunk: 'Trunk' })).toEqual([provider])
})

it('names carriers of the owner only', async () => {
  const carrier = async (who: string) =>
    (await t.as(who)(api.voipCarriers.create, { body: { name: 'Trunk' } })).sid
  await carrier('a2')
  await carrier('sp2')
  const named = async (who: string) => (await list(who))[0]!.carrier?.voip_carrier_sid
  expect(await named('a1')).toBeUndefined()
  const shared = await carrier('sp1')
  expect(await named('a1')).toBe(shared)
  expect(await named('sp1')).toBe(shared)
  const own = await carrier('a1')
  expect(await named('a1')).toBe(own)
})

it('is assigned to people who see it', async () => {
  const { users } = t
  for (const [who, sid, user, status] of [
    ['a1', ours, users.a1, 204],
    ['a1', ours, users.a2, 400],
    ['a1', ours, users.sp1, 400],
    ['sp1', ours, users.sp1, 204],
    ['sp1', ours, users.a2, 400],
    ['sp1', provider, users.a1, 400],
    ['sp1', provider, users.sp2, 400],
    ['sp1', provider, users.admin, 400],
    ['admin', provider, users.admin, 204],
    ['admin', provider, users.sp2, 400],
  ] as const) {
    const answer = await put(who, sid, { assigned_to: user })
    expect(answer.statusCode, `${who} ${answer.body}`).toBe(status)
    if (status === 400) expect(answer.json()).toMatchObject({ issues: [{ path: ['assigned_to'] }] })
  }
  expect((await list('a1'))[0]).toMatchObject({ assigned_to: users.sp1, assignee: 'sp1' })
  await t.db.deleteFrom('users').where('user_sid', '=', users['sp2-viewer']!).execute()
  await t.db
    .updateTable('switchroom_failures')
    .set({ assigned_to: users['sp2-viewer']! })
    .where('failure_sid', '=', ours)
    .execute()
  expect((await list('a1'))[0]).toMatchObject({ assigned_to: null, assignee: null })
})

it('is changed by those who may, and the log says so', async () => {
  expect((await put('a1-viewer', ours, { state: 'resolved' })).statusCode).toBe(403)
  expect((await put('a2', ours, { state: 'resolved' })).statusCode).toBe(404)
  expect((await put('a1', provider, { state: 'resolved' })).statusCode).toBe(404)
  expect((await put('a1', ours, { state: 'returned' })).json()).toMatchObject({
    issues: [{ path: ['state'] }],
  })
  const past = { state: 'muted', muted_until: '2026-01-01T00:00:00Z' }
  expect((await put('a1', ours, past)).json()).toMatchObject({
    issues: [{ path: ['muted_until'] }],
  })
  expect((await put('a1', ours, { ...past, state: 'resolved' })).statusCode).toBe(400)
  expect((await put('a1', ours, { state: 'muted' })).statusCode).toBe(204)
  const { data } = await t.as('a1')(api.audit.list, {
    query: { page: 1, kind: 'failure' } as never,
  })
  expect(data[0]).toMatchObject({ action: 'update', sid: ours, after: { state: 'muted' } })
})

it('refuses a change of an older version, which further calls do not make', async () => {
  const read = async () =>
    (await t.request('a1', 'GET', `/Failures/${ours}`)).json() as { version: string }
  const { version } = await read()
  const match = { 'if-match': `"${version}"` }
  await t.db
    .updateTable('switchroom_failures')
    .set({ calls: 99, last_at: new Date().toISOString() })
    .where('failure_sid', '=', ours)
    .execute()
  expect((await put('a1', ours, { state: 'open' }, match)).statusCode).toBe(204)
  expect((await put('a1', ours, { state: 'resolved' }, match)).statusCode).toBe(409)
})

it('goes with its account', async () => {
  const body = { name: 'fresh', service_provider_sid: t.sids.sp1 }
  const { sid: account_sid } = await t.as('sp1')(api.accounts.create, { body })
  await addFailure(t.db, { account_sid })
  expect(await sids('sp1', { account_sid })).toHaveLength(1)
  expect((await t.request('sp1', 'DELETE', `/Accounts/${account_sid}`)).statusCode).toBe(204)
  const left = await t.db.selectFrom('switchroom_failures').select('account_sid').execute()
  expect(left.map((f) => f.account_sid)).not.toContain(account_sid)
})

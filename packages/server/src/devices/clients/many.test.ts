import { api } from '@switchroom/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'

let t: TestApp
let sids: string[]
let foreign: string
const add = async (who: string, username: string) =>
  (await t.as(who)(api.clients.create, { body: { username, password: 'secret' } })).sid
beforeAll(async () => {
  t = await testApp()
  sids = []
  for (const n of [1, 2, 3, 4]) sids.push(await add('a1', `desk-${n}`))
  foreign = await add('b1', 'desk-9')
})
afterAll(() => t.close())

const change = (who: string, body: object) => t.request(who, 'PUT', '/Clients', body)
const remove = (who: string, select: object) =>
  t.request(who, 'POST', '/Clients/Delete', { select })
const stored = () => t.db.selectFrom('clients').selectAll().orderBy('username').execute()

it('sets switches of many clients, with an audit entry each, and keeps the others', async () => {
  const select = { client_sids: sids.slice(0, 3) }
  expect((await change('a1', { select, is_active: 0 })).json()).toEqual({ changed: 3 })
  expect((await change('a1', { select, is_active: false })).json()).toEqual({ changed: 0 })
  const calling = { allow_direct_app_calling: 0, allow_direct_user_calling: 0 }
  expect((await change('sp1', { select, ...calling })).json()).toEqual({ changed: 3 })
  expect((await stored()).map((c) => [c.is_active, c.allow_direct_app_calling])).toEqual([
    [0, 0],
    [0, 0],
    [0, 0],
    [1, 1],
    [1, 1],
  ])
  const { data } = await t.as('a1')(api.audit.list, { query: { page: 1, sid: sids[0]! } })
  expect(data).toMatchObject([
    { action: 'update', name: 'desk-1', after: calling },
    { action: 'update', before: { is_active: 1 }, after: { is_active: 0 } },
    { action: 'create' },
  ])
  expect(JSON.stringify(data)).not.toContain('secret')
})

it('changes all that match the filter, of the caller’s own only', async () => {
  const matching = (filters: object) =>
    change('sp1', { select: { matching: filters }, is_active: 1 })
  expect((await matching({ service_provider_sid: t.sids.sp2 })).json()).toEqual({ changed: 0 })
  expect((await matching({ account_sid: t.sids.b1 })).json()).toEqual({ changed: 0 })
  expect((await matching({ filter: 'desk-2' })).json()).toEqual({ changed: 1 })
  expect((await matching({ service_provider_sid: t.sids.sp1 })).json()).toEqual({ changed: 2 })
})

it('changes nothing when one is foreign or gone', async () => {
  for (const missing of [foreign, crypto.randomUUID()]) {
    const answer = await change('a1', { select: { client_sids: [sids[0], missing] }, is_active: 0 })
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toMatchObject({
      msg: 'Nothing was changed: 1 of 2 SIP clients no longer exist',
      issues: [{ path: ['client_sids', missing] }],
    })
    expect((await remove('a1', { client_sids: [sids[0], missing] })).statusCode).toBe(404)
  }
  expect((await stored()).every((c) => c.is_active === 1)).toBe(true)
})

it.each([
  ['nothing', {}],
  ['no clients', { client_sids: [] }],
  ['too many', { client_sids: Array.from({ length: 10_001 }, () => crypto.randomUUID()) }],
  ['both', { client_sids: ['00000000-0000-4000-8000-000000000000'], matching: {} }],
  ['an unknown filter', { matching: { account: 'x' } }],
])('does not take a selection of %s', async (_, select) => {
  expect((await remove('a1', select)).statusCode).toBe(400)
  expect((await change('a1', { select, is_active: 0 })).statusCode).toBe(400)
})

it('needs a change, and a caller who may make it', async () => {
  const select = { client_sids: sids }
  expect((await change('a1', { select })).json().issues).toMatchObject([
    { message: 'Choose what to change' },
  ])
  expect((await change('a1-viewer', { select, is_active: 0 })).statusCode).toBe(403)
  expect((await remove('a1-viewer', select)).statusCode).toBe(403)
})

it('exports the chosen ones without passwords, and deletes them', async () => {
  const select = { client_sids: sids.slice(0, 2) }
  const file = await t.request('a1-viewer', 'POST', '/Clients/Export', { select })
  expect(file.body).toBe(
    'username,account,password,is_active,allow_direct_app_calling,allow_direct_queue_calling,allow_direct_user_calling\r\ndesk-1,a1,,1,0,1,0\r\ndesk-2,a1,,1,0,1,0\r\n',
  )
  const foreignFile = await t.request('a1', 'POST', '/Clients/Export', {
    select: { client_sids: [foreign] },
  })
  expect(foreignFile.statusCode).toBe(404)
  const matching = { matching: { filter: 'desk-9' } }
  expect((await t.request('a1', 'POST', '/Clients/Export', { select: matching })).body).toMatch(
    /^username[^\n]*\n$/,
  )
  expect((await remove('a1', select)).json()).toEqual({ deleted: 2 })
  expect((await remove('sp1', { matching: {} })).json()).toEqual({ deleted: 2 })
  expect((await stored()).map((c) => c.client_sid)).toEqual([foreign])
  const { data } = await t.as('a1')(api.audit.list, { query: { page: 1, sid: sids[0]! } })
  expect(data[0]).toMatchObject({ action: 'delete', before: { username: 'desk-1' } })
})

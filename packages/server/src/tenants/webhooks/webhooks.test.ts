import { randomUUID } from 'node:crypto'
import { api, MASK, WEBHOOKS_PER_HOUR } from '@switchroom/contract'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const CANARY = 'canary-webhook-4d1e'
const hook = { url: 'https://example.com/hook', method: 'post', username: 'u', password: CANARY }
const add = (who: string, body: object = hook) => t.request(who, 'POST', '/Webhooks', body)
const view = (who: string, sid: string) => t.request(who, 'GET', `/Webhooks/${sid}`)

it('accepts one from every caller, and shows it to administrators', async () => {
  for (const who of ['admin', 'sp1', 'sp1-key', 'a1', 'a1-key']) {
    const added = await add(who)
    expect([added.statusCode, Object.keys(added.json())], who).toEqual([201, ['sid']])
    const { sid } = added.json()
    expect((await view('admin', sid)).json()).toEqual({ ...hook, method: 'POST', webhook_sid: sid })
    // not even its own: a row does not say whose it is
    for (const other of ['sp1', 'sp2', 'a1', 'a1-key', 'a1-viewer']) {
      const refused = await view(other, sid)
      expect(refused.statusCode, other).toBe(403)
      expect(refused.body).not.toContain(CANARY)
    }
  }
  expect((await view('admin', randomUUID())).statusCode).toBe(404)
  expect((await view('admin', 'x')).statusCode).toBe(400)
})

it('fills in defaults', async () => {
  const { sid } = await t.as('a1')(api.webhooks.create, { body: { url: 'wss://example.com/ws' } })
  const found = await t.as('admin')(api.webhooks.view, { params: { webhook_sid: sid } })
  expect(found).toEqual({
    webhook_sid: sid,
    url: 'wss://example.com/ws',
    method: 'GET',
    username: null,
    password: null,
  })
})

it.each([
  ['url', {}],
  ['url', { url: '' }],
  ['url', { url: 'ftp://example.com' }],
  ['url', { url: `https://example.com/${'x'.repeat(1_024)}` }],
  ['method', { ...hook, method: 'PATCH' }],
  ['password', { ...hook, password: null }],
  ['username', { ...hook, username: null }],
  // there is nothing a mask could stand for
  ['password', { ...hook, password: MASK }],
])('names the invalid %s of %j', async (field, body) => {
  const answer = await add('a1', body)
  expect([answer.statusCode, answer.json().issues[0].path]).toEqual([400, [field]])
  expect(await t.db.selectFrom('webhooks').selectAll().execute()).toEqual([])
})

it('is in the audit log of the caller that added it, without its password', async () => {
  const { sid } = (await add('a1')).json()
  for (const who of ['a1', 'sp1', 'admin']) {
    const { data } = await t.as(who)(api.audit.list, { query: { page: 1, kind: 'webhook' } })
    expect(data, who).toMatchObject([
      { action: 'create', sid, account_sid: t.sids.a1, after: { url: hook.url, password: MASK } },
    ])
  }
  for (const who of ['a2', 'b1', 'sp2']) {
    const { data } = await t.as(who)(api.audit.list, { query: { page: 1, kind: 'webhook' } })
    expect(data, who).toEqual([])
  }
  const entries = await t.db.selectFrom('switchroom_audit').selectAll().execute()
  expect(JSON.stringify(entries)).not.toContain(CANARY)
  expect(t.lines.join()).not.toContain(CANARY)
})

it('is kept when resources with webhooks are saved and deleted', async () => {
  const { sid } = (await add('a1')).json()
  const body = { name: 'x', call_hook: hook, call_status_hook: hook }
  const { sid: application_sid } = (await t.request('a1', 'POST', '/Applications', body)).json()
  // a sid in the body does not select another owner's row
  const taken = { call_hook: { url: 'https://example.org/', webhook_sid: sid } }
  expect((await t.request('a2', 'PUT', `/Applications/${application_sid}`, taken)).statusCode).toBe(
    404,
  )
  expect((await t.request('a1', 'PUT', `/Applications/${application_sid}`, taken)).statusCode).toBe(
    204,
  )
  await t.as('a1')(api.applications.remove, { params: { application_sid } })
  expect((await view('admin', sid)).json()).toMatchObject({ url: hook.url })
  expect(await t.db.selectFrom('webhooks').select('webhook_sid').execute()).toHaveLength(1)
})

it('limits how many an account adds per hour', async () => {
  // keeps the test within one hour
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  try {
    for (let i = 0; i < WEBHOOKS_PER_HOUR; i++)
      expect((await add(i % 2 ? 'a1' : 'a1-key')).statusCode).toBe(201)
    const refused = await add('a1')
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    for (const other of ['a2', 'sp1', 'admin']) expect((await add(other)).statusCode).toBe(201)
  } finally {
    vi.useRealTimers()
  }
})

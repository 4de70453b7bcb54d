import { api } from '@switchroom/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const call_hook = { url: 'https://example.com/call', username: 'u', password: 'p' }
const call_status_hook = { url: 'https://example.com/status' }
const app = (name: string, more: object = {}) => ({ name, call_hook, call_status_hook, ...more })
const add = (who: string, name: string, more: object = {}) =>
  t.as(who)(api.applications.create, { body: app(name, more) })
const view = (sid: string) =>
  t.as('admin')(api.applications.view, { params: { application_sid: sid } })
const change = (who: string, application_sid: string, body: object) =>
  t.as(who)(api.applications.update, { params: { application_sid }, body })
const webhooks = async () => (await t.db.selectFrom('webhooks').selectAll().execute()).length

it('adds an application with the platform’s defaults and shows its hooks', async () => {
  const { sid } = await add('a1', 'ivr', { account_sid: t.sids.a1 })
  expect(await view(sid)).toMatchObject({
    name: 'ivr',
    account_sid: t.sids.a1,
    call_hook: { ...call_hook, method: 'POST', webhook_sid: expect.any(String) },
    call_status_hook: { ...call_status_hook, username: null, password: null },
    messaging_hook: null,
    speech_synthesis_vendor: 'google',
    speech_synthesis_language: 'en-US',
    speech_synthesis_voice: 'en-US-Standard-C',
    record_all_calls: 0,
    env_vars: null,
  })
})

it('requires unique names within an account only', async () => {
  await add('a1', 'ivr')
  await add('a2', 'ivr')
  await expect(add('a1', 'IVR')).rejects.toMatchObject({
    status: 422,
    message: 'The name you have entered is already in use on another one of your applications.',
    body: { issues: [{ path: ['name'] }] },
  })
})

it.each([
  [
    { call_hook: undefined },
    ['call_hook'],
    'Calling webhook is required',
    "'call_hook' must be an object when adding an application",
  ],
  [
    { call_hook: 'https://example.com' },
    ['call_hook'],
    'Calling webhook must be an object',
    "'call_hook' must be an object when adding an application",
  ],
  [
    { call_hook: { url: 'https://exa_mple.com' } },
    ['call_hook', 'url'],
    'The URL has an invalid host name: exa_mple.com',
    'call_hook URL has invalid hostname exa_mple.com',
  ],
  [
    { call_hook: { url: ' https://example.com' } },
    ['call_hook', 'url'],
    'The URL cannot begin or end with a space',
    'call_hook URL contains leading/trailing whitespace',
  ],
  [{ app_json: '[' }, ['app_json'], 'Enter a JSON array of verbs'],
  [{ app_json: [] }, ['app_json'], 'Enter a JSON array of verbs'],
  [{ app_json: '{}' }, ['app_json'], 'Error: malformed jambonz payload: must be array'],
  [{ app_json: '[{"verb":"play"}]' }, ['app_json'], 'Error: play: missing value for url'],
  [{ app_json: '[{"verb":"sing"}]' }, ['app_json'], 'Error: invalid instruction: sing'],
  [
    { app_json: '[{"verb":"agent"}]' },
    ['app_json'],
    'Error: The platform supports agent from version 10.1.0. The rules of version 0.9.8 apply here.',
  ],
  [{ name: ' ' }, ['name'], 'Enter the name', 'missing field name'],
  [{ name: 'x'.repeat(65) }, ['name'], 'Name can have at most 64 characters'],
] as [object, string[], string, string?][])(
  'rejects %o and names the field',
  async (more, path, message, msg = message) => {
    const before = await webhooks()
    await expect(add('a1', 'ivr', more)).rejects.toMatchObject({
      status: 400,
      message: msg,
      body: { issues: [{ path, message }] },
    })
    expect(await webhooks()).toBe(before)
  },
)

it('encrypts the environment, and decrypts it for its owner', async () => {
  const { sid } = await add('a1', 'ivr', { env_vars: { TOKEN: 'CANARY', size: 3, on: true } })
  expect((await view(sid)).env_vars).toEqual({ TOKEN: 'CANARY', size: 3, on: true })
  const row = t.db.selectFrom('applications').select('env_vars').where('application_sid', '=', sid)
  expect((await row.executeTakeFirstOrThrow()).env_vars).not.toContain('CANARY')
  expect(t.lines.join('')).not.toContain('CANARY')
  await change('a1', sid, { env_vars: null })
  expect((await view(sid)).env_vars).toBeNull()
})

it('may have verbs of the version that is set', async () => {
  const newer = await testApp({ SWITCHROOM_PLATFORM_VERSION: '10.3.0' })
  const body = app('agent', { app_json: '[{"verb":"agent"}]' })
  const { sid } = await newer.as('a1')(api.applications.create, { body })
  expect(sid).toMatch(/^[\da-f-]{36}$/)
  await newer.close()
})

it('removes verbs again', async () => {
  const app_json = '[{"verb":"play","url":"https://example.com/a.wav"}]'
  const { sid } = await add('a1', 'ivr', { app_json })
  expect((await view(sid)).app_json).toBe(app_json)
  await expect(change('a1', sid, { app_json: '[{"verb":"say","tex":1}]' })).rejects.toMatchObject({
    status: 400,
    message: 'Error: say: unknown property tex',
  })
  await change('a1', sid, { app_json: null })
  expect((await view(sid)).app_json).toBeNull()
})

it('changes only the sent fields, and updates hooks in place', async () => {
  const { sid } = await add('a1', 'ivr', { messaging_hook: { url: 'https://example.com/sms' } })
  const before = await view(sid)
  const count = await webhooks()
  await change('a1', sid, { call_hook: { url: 'wss://example.com/ws' }, record_all_calls: true })
  const after = await view(sid)
  expect(after).toMatchObject({
    call_hook: {
      webhook_sid: before.call_hook!.webhook_sid,
      url: 'wss://example.com/ws',
      method: 'GET',
    },
    call_status_hook: before.call_status_hook,
    messaging_hook: before.messaging_hook,
    record_all_calls: 1,
  })
  await change('a1', sid, { messaging_hook: null })
  expect((await view(sid)).messaging_hook).toBeNull()
  expect(await webhooks()).toBe(count - 1)
})

it('deletes whatever version the caller has seen', async () => {
  const { sid } = await add('a1', 'ivr')
  const answer = await t.request('a1', 'DELETE', `/Applications/${sid}`, undefined, {
    'if-match': '"older"',
  })
  expect(answer.statusCode).toBe(204)
})

it('does not overwrite a newer version, and logs every change without secrets', async () => {
  const { sid } = await add('a1', 'ivr', { env_vars: { TOKEN: 'CANARY' } })
  const params = { application_sid: sid }
  const { version } = await t.as('a1')(api.applications.view, { params })
  await change('sp1', sid, { call_hook: { ...call_hook, password: 'CANARY-2' } })
  await expect(
    t.as('a1')(api.applications.update, { params, version, body: { name: 'mine' } }),
  ).rejects.toMatchObject({
    status: 409,
    body: { code: 'changed', current: { call_hook: { password: 'CANARY-2' } } },
  })
  await t.as('a1')(api.applications.remove, { params })
  const log = await t.db.selectFrom('switchroom_audit').selectAll().orderBy('seq').execute()
  expect(log.map((e) => [e.action, e.kind, e.sid])).toEqual(
    ['create', 'update', 'delete'].map((action) => [action, 'application', sid]),
  )
  expect(JSON.stringify(log)).not.toContain('CANARY')
})

it('leaves a hook that another application shares unchanged', async () => {
  const { sid: one } = await add('a1', 'one')
  const { sid: two } = await add('a1', 'two')
  const shared = (await view(one)).call_hook!.webhook_sid
  await t.db
    .updateTable('applications')
    .set({ call_hook_sid: shared })
    .where('application_sid', '=', two)
    .execute()
  await change('a1', two, { call_hook: { url: 'https://example.com/other' } })
  expect((await view(one)).call_hook).toMatchObject({ webhook_sid: shared, url: call_hook.url })
  await t.as('a1')(api.applications.remove, { params: { application_sid: two } })
  expect((await view(one)).call_hook).toMatchObject({ webhook_sid: shared })
})

it('is not deleted while in use, and names what uses it', async () => {
  const { sid } = await add('a1', 'ivr')
  await t.as('a1')(api.phoneNumbers.create, {
    body: { number: '15085551212', application_sid: sid },
  })
  await t.as('a1')(api.accounts.update, {
    params: { account_sid: t.sids.a1 },
    body: { siprec_hook_sid: sid },
  })
  await expect(
    t.as('a1')(api.applications.remove, { params: { application_sid: sid } }),
  ).rejects.toMatchObject({
    status: 422,
    message: 'cannot delete application with phone numbers',
    body: { used_by: [{ kind: 'Accounts' }, { kind: 'Phone numbers', total: 1 }] },
  })
})

it('moves to another account only while not in use', async () => {
  const { sid } = await add('a1', 'ivr')
  await t.as('a1')(api.phoneNumbers.create, {
    body: { number: '15085551212', application_sid: sid },
  })
  await expect(change('sp1', sid, { account_sid: t.sids.a2 })).rejects.toMatchObject({
    status: 422,
  })
  await expect(change('sp1', sid, { account_sid: t.sids.b1 })).rejects.toMatchObject({
    status: 400,
  })
})

it('lists filtered, paged, sorted and complete', async () => {
  for (const name of ['100% mine', '100 yours', 'b_c', 'bxc']) await add('a1', name)
  const list = async (query: object) =>
    (
      await t.as('a1')(api.applications.ofAccount, {
        params: { account_sid: t.sids.a1 },
        query: { page: 1, ...query },
      })
    ).data.map((a) => a.name)
  expect(await list({ filter: '100%' })).toEqual(['100% mine'])
  expect(await list({ name: 'b_C' })).toEqual(['b_c'])
  expect(await list({ sort: '-name', page_size: 2, page: 2 })).toEqual(['100% mine', '100 yours'])
  const bare = (await t.request('a1', 'GET', '/Applications')).json()
  // where an underscore sorts is the collation's business
  const names = bare.map((a: { name: string }) => a.name)
  expect(names.slice(0, 2)).toEqual(['100 yours', '100% mine'])
  expect(names.slice(2).sort()).toEqual(['b_c', 'bxc'])
  const paged = (
    await t.request('a1', 'GET', '/v1/applications/?page=0&page_size=1'.replace('/v1', ''))
  ).json()
  expect(paged).toMatchObject({ total: 4, page: 1, page_size: 1 })
})

it('is added to an account of the caller’s own provider only', async () => {
  for (const account_sid of [t.sids.b1, crypto.randomUUID()])
    await expect(add('sp1', 'ivr', { account_sid })).rejects.toMatchObject({
      status: 403,
      message: 'insufficient privileges',
    })
  await add('sp1', 'ivr', { account_sid: t.sids.a2 })
})

it('is listed with those of its provider', async () => {
  for (const who of ['a1', 'a2', 'b1']) await add(who, `of ${who}`)
  const namesOf = async (who: string, service_provider_sid: string) =>
    (
      await t.as(who)(api.applications.ofServiceProvider, {
        params: { service_provider_sid },
        query: { page: 1, filter: 'of ' },
      })
    ).data.map(({ name }) => name)
  for (const who of ['admin', 'sp1'])
    expect(await namesOf(who, t.sids.sp1)).toEqual(['of a1', 'of a2'])
  expect(await namesOf('admin', t.sids.sp2)).toEqual(['of b1'])
})

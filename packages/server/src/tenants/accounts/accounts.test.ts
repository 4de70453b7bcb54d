import { api, MASK, webhookSecret } from '@switchroom/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { hashPassword } from '../../secrets/passwords.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const hook = {
  url: 'https://example.com/register',
  method: 'POST' as const,
  username: 'u',
  password: 'p',
}
const view = (sid: string, who = 'admin') =>
  t.as(who)(api.accounts.view, { params: { account_sid: sid } })
const change = (who: string, account_sid: string, body: object) =>
  t.as(who)(api.accounts.update, { params: { account_sid }, body })
/** They keep an account from being deleted. */
const deleteKeys = ({ db }: TestApp) => db.deleteFrom('api_keys').execute()
const webhooks = async () => (await t.db.selectFrom('webhooks').selectAll().execute()).length

it('adds an account with its hooks, realm and limits in one go', async () => {
  const { sid } = await t.as('sp1')(api.accounts.create, {
    body: {
      name: 'acme',
      sip_realm: 'Acme.Example.COM',
      registration_hook: hook,
      queue_event_hook: { url: '' },
      limits: { voice_call_session: 5, device: 0 },
    },
  })
  expect(await view(sid)).toMatchObject({
    service_provider_sid: t.sids.sp1,
    sip_realm: 'acme.example.com',
    registration_hook: hook,
    queue_event_hook: null,
    is_active: 1,
    record_format: 'mp3',
    limits: [
      { category: 'voice_call_session', quantity: 5 },
      { category: 'device', quantity: 0 },
    ],
  })
  expect((await view(sid)).webhook_secret).toMatch(/^wh_secret_[1-9a-zA-Z]{20,26}$/)
})

it('shows the queue event webhook in every read of what has it', async () => {
  const body = { name: 'queues', queue_event_hook: hook }
  const { sid } = await t.as('sp1')(api.accounts.create, { body })
  await change('a1', t.sids.a1, { queue_event_hook: hook })
  const shown = async (who: string, path: string) => {
    const found = (await t.request(who, 'GET', path)).json()
    const rows = Array.isArray(found) ? found : [found.account ?? found]
    return rows
      .filter((a) => [sid, t.sids.a1].includes(a.account_sid))
      .map((a) => a.queue_event_hook)
  }
  const masked = { ...hook, password: hook.password && MASK }
  expect(await shown('a1', `/Accounts/${t.sids.a1}`)).toEqual([hook])
  expect(await shown('sp1', `/Accounts/${sid}`)).toEqual([hook])
  expect(await shown('a1', '/Users/me')).toEqual([hook])
  for (const path of ['/Accounts', `/ServiceProviders/${t.sids.sp1}/Accounts`])
    expect(await shown('sp1', path)).toEqual([masked, masked])
})

it('requires unique names within a provider and unique realms, with the form’s messages', async () => {
  await expect(t.as('sp1')(api.accounts.create, { body: { name: 'A1' } })).rejects.toMatchObject({
    status: 422,
    message: 'The name you have entered is already in use on another one of your accounts.',
    body: { issues: [{ path: ['name'] }] },
  })
  await t.as('sp2')(api.accounts.create, { body: { name: 'a1', sip_realm: 'x.example.com' } })
  await expect(change('sp1', t.sids.a1, { sip_realm: 'X.example.com' })).rejects.toMatchObject({
    status: 422,
    message: 'The SIP Realm you have entered is already in use on another one of your accounts.',
    body: { issues: [{ path: ['sip_realm'] }] },
  })
  await change('sp1', t.sids.a1, { sip_realm: '' })
  await change('sp1', t.sids.a2, { sip_realm: '' })
  expect((await view(t.sids.a2)).sip_realm).toBeNull()
})

it('leaves nothing behind when it cannot be added', async () => {
  await change('sp1', t.sids.a1, { sip_realm: 'x.example.com' })
  const before = await webhooks()
  const body = { name: 'acme', sip_realm: 'x.example.com', registration_hook: hook }
  await expect(t.as('sp1')(api.accounts.create, { body })).rejects.toMatchObject({ status: 422 })
  expect(await webhooks()).toBe(before)
})

it('keeps the password of a hook when the mask is sent back', async () => {
  await change('a1', t.sids.a1, { registration_hook: hook })
  const renamed = { ...hook, url: 'https://example.com/renamed', password: MASK }
  await change('a1', t.sids.a1, { registration_hook: renamed })
  const password = t.db.selectFrom('webhooks').select('password').where('url', '=', renamed.url)
  expect(await password.execute()).toEqual([{ password: hook.password }])
})

it('changes a hook in place, clears it, and leaves no orphan', async () => {
  const before = await webhooks()
  await change('a1', t.sids.a1, { registration_hook: hook })
  await change('a1', t.sids.a1, { registration_hook: { ...hook, url: 'wss://example.com/ws' } })
  expect(await webhooks()).toBe(before + 1)
  expect((await view(t.sids.a1)).registration_hook).toMatchObject({
    url: 'wss://example.com/ws',
    method: 'GET',
  })
  await change('a1', t.sids.a1, { name: 'renamed' })
  expect((await view(t.sids.a1)).registration_hook).not.toBeNull()
  await change('a1', t.sids.a1, { registration_hook: {} })
  expect((await view(t.sids.a1)).registration_hook).toBeNull()
  expect(await webhooks()).toBe(before)
})

it.each([
  [{ url: 'ftp://example.com' }, 'The URL must begin with http://, https://, ws:// or wss://'],
  [{ url: 'nonsense' }, 'Enter a valid URL'],
  [
    { url: 'https://example.com', username: 'u' },
    'When using HTTP basic authentication both the username and password fields are required.',
  ],
])('rejects the hook %o and names it', async (registration_hook, message) => {
  await expect(change('a1', t.sids.a1, { registration_hook })).rejects.toMatchObject({
    status: 400,
    body: { issues: [{ path: ['registration_hook', expect.any(String)], message }] },
  })
})

it('lets an account decide neither its capacity nor its plan', async () => {
  const refused = (status: number, ...path: string[]) => ({ status, body: { issues: [{ path }] } })
  const tried: [object, object][] = [
    [{ limits: { voice_call_session: 1000 } }, refused(403, 'limits', 'voice_call_session')],
    [{ is_active: 0 }, refused(403, 'is_active')],
    [{ device_to_call_ratio: 99 }, refused(403, 'device_to_call_ratio')],
    [{ enable_debug_log: 1 }, refused(403, 'enable_debug_log')],
    [{ plan_type: 'paid' }, refused(400, 'plan_type')],
    [{ stripe_customer_id: 'cus_x' }, refused(400, 'stripe_customer_id')],
    [{ webhook_secret: 'mine' }, refused(400, 'webhook_secret')],
    [{ registration_hook_sid: crypto.randomUUID() }, refused(400, 'registration_hook_sid')],
  ]
  for (const [body, refusal] of tried)
    await expect(change('a1', t.sids.a1, { ...body, record_format: 'wav' })).rejects.toMatchObject(
      refusal,
    )
  expect(await view(t.sids.a1)).toMatchObject({
    limits: [],
    is_active: 1,
    device_to_call_ratio: 5,
    enable_debug_log: 0,
    plan_type: 'trial',
    stripe_customer_id: null,
    webhook_secret: 'wh_secret_a1',
    record_format: 'mp3',
  })
  const { version: _, ...stored } = await view(t.sids.a1)
  await change('a1', t.sids.a1, { ...stored, record_format: 'wav' })
  expect(await view(t.sids.a1)).toMatchObject({ record_format: 'wav' })
})

it('accepts unchanged limits from an account, but no changes', async () => {
  const path = `/Accounts/${t.sids.a1}/Limits`
  const limit = { category: 'voice_call_session', quantity: 7 }
  const status = async (...[who, method, to, body]: Parameters<typeof t.request>) =>
    (await t.request(who, method, to, body)).statusCode
  expect(await status('a1', 'DELETE', `${path}?category=device`)).toBe(204)
  expect(await status('sp1', 'POST', path, limit)).toBe(201)
  const again = await t.request('a1', 'POST', path, limit)
  expect(again.statusCode).toBe(201)
  expect(again.json().sid).toBe((await view(t.sids.a1)).limits[0]?.account_limits_sid)
  const changed = await t.request('a1', 'POST', path, { ...limit, quantity: 8 })
  expect(changed.statusCode).toBe(403)
  expect(changed.json().issues).toMatchObject([{ path: ['quantity'] }])
  expect(await status('a1', 'POST', path, { ...limit, category: 'device' })).toBe(403)
  expect(await status('a1', 'DELETE', `${path}?category=voice_call_session`)).toBe(403)
  expect(await status('a2', 'POST', path, limit)).toBe(404)
  expect((await view(t.sids.a1)).limits).toMatchObject([limit])
})

it('lets only admins switch the debug log on', async () => {
  // clients that clone an account send it along
  const body = { name: 'x', enable_debug_log: 1 as const }
  const { sid } = await t.as('sp1')(api.accounts.create, { body })
  expect(await view(sid)).toMatchObject({ enable_debug_log: 0 })
  const debug = change('sp1', t.sids.a1, { enable_debug_log: 1, is_active: 0 })
  await expect(debug).rejects.toMatchObject({ status: 403 })
  await change('sp1', t.sids.a1, { enable_debug_log: 0, is_active: 0 })
  expect(await view(t.sids.a1)).toMatchObject({ enable_debug_log: 0, is_active: 0 })
  await change('admin', t.sids.a1, { enable_debug_log: 1 })
  expect(await view(t.sids.a1)).toMatchObject({ enable_debug_log: 1 })
})

it('accepts only its own applications for device calls', async () => {
  const call_hook = { url: 'https://example.com/hook' }
  const body = { name: 'app', call_hook, call_status_hook: call_hook }
  const { sid: own } = await t.as('a1')(api.applications.create, { body })
  const { sid: sibling } = await t.as('a2')(api.applications.create, { body })
  await change('sp1', t.sids.a1, { device_calling_application_sid: own })
  await expect(change('sp1', t.sids.a1, { siprec_hook_sid: sibling })).rejects.toMatchObject({
    status: 400,
    body: { issues: [{ path: ['siprec_hook_sid'] }] },
  })
})

it('cannot be moved to another provider; repeating the same one is no change', async () => {
  await change('admin', t.sids.a1, { service_provider_sid: t.sids.sp1 })
  await expect(
    change('admin', t.sids.a1, { service_provider_sid: t.sids.sp2 }),
  ).rejects.toMatchObject({ status: 400, message: 'service_provider_sid may not be modified' })
})

it('masks secrets in lists and shows the signing secret on a single read', async () => {
  await change('a1', t.sids.a1, { registration_hook: hook })
  const bucket = { vendor: 'aws_s3', name: 'b', access_key_id: 'id', secret_access_key: 'CANARY' }
  await t.db
    .updateTable('accounts')
    .set({ bucket_credential: t.ctx.box.seal(JSON.stringify(bucket)) })
    .where('account_sid', '=', t.sids.a1)
    .execute()
  const list = await t.request('a1', 'GET', '/Accounts')
  expect(list.json()).toMatchObject([
    { webhook_secret: MASK, registration_hook: { username: 'u', password: MASK } },
  ])
  expect(await view(t.sids.a1)).toMatchObject({
    webhook_secret: 'wh_secret_a1',
    bucket_credential: { vendor: 'aws_s3', access_key_id: 'id', secret_access_key: MASK },
  })
  expect((await t.request('a1', 'GET', `/Accounts/${t.sids.a1}`)).body).not.toContain('CANARY')
})

it('creates a new signing secret only for true, and not for view-only users', async () => {
  const path = `/Accounts/${t.sids.a1}/WebhookSecret`
  const secret = async (who: string, query = '') =>
    (await t.request(who, 'GET', path + query)).json()
  expect(await secret('a1', '?regenerate=false')).toEqual({ webhook_secret: 'wh_secret_a1' })
  expect((await secret('a1-viewer', '?regenerate=true')).msg).toBe('User has view-only access')
  const { webhook_secret } = await secret('a1', '?regenerate=true')
  expect(webhook_secret).not.toBe('wh_secret_a1')
  expect(await secret('a1')).toEqual({ webhook_secret })
  expect(await secret('a1-viewer')).toEqual({ webhook_secret: MASK })
})

it('signs by a secret that its applications have already, and tells the audit log of none', async () => {
  const path = `/Accounts/${t.sids.a1}/WebhookSecret`
  const set = (who: string, webhook_secret: string, sid = t.sids.a1) =>
    t.request(who, 'POST', `/Accounts/${sid}/WebhookSecret`, { webhook_secret })
  const next = webhookSecret()
  expect((await set('a1', next)).statusCode).toBe(204)
  expect((await t.request('a1', 'GET', path)).json()).toEqual({ webhook_secret: next })
  const { data } = await t.as('admin')(api.audit.list, { query: { page: 1, page_size: 25 } })
  const entry = { action: 'update', kind: 'account', sid: t.sids.a1 }
  expect(data).toContainEqual(expect.objectContaining(entry))
  expect(JSON.stringify(data)).not.toContain(next)

  for (const wrong of ['', 'mine', 'wh_secret_short', `${next}1`, next.replace(/.$/, '0')]) {
    const refused = await set('a1', wrong)
    expect([refused.statusCode, refused.json().issues[0].path]).toEqual([400, ['webhook_secret']])
  }
  expect((await set('a1-viewer', next)).statusCode).toBe(403)
  expect((await set('a1', next, t.sids.a2)).statusCode).toBe(404)
  expect((await t.request('a1', 'GET', path)).json()).toEqual({ webhook_secret: next })
})

it('is not deleted while in use, and names what uses it', async () => {
  const { sid } = await t.as('a1')(api.phoneNumbers.create, { body: { number: '15085551212' } })
  const params = { account_sid: t.sids.a1 }
  await expect(t.as('sp1')(api.accounts.remove, { params, body: {} })).rejects.toMatchObject({
    status: 422,
    body: {
      code: 'in_use',
      used_by: [
        { kind: 'Phone numbers', total: 1, items: [{ sid, name: '15085551212' }] },
        { kind: 'API keys', total: 1 },
      ],
    },
  })
  expect((await t.request('a1', 'GET', '/Users/me')).statusCode).toBe(200)
})

it('is deleted with everything it owns, and its sessions', async () => {
  await change('a1', t.sids.a1, { registration_hook: hook })
  await t.as('a1')(api.voipCarriers.create, { body: { name: 'Own carrier' } })
  await deleteKeys(t)
  const hooks = await webhooks()
  await t.as('sp1')(api.accounts.remove, { params: { account_sid: t.sids.a1 }, body: {} })
  for (const table of ['voip_carriers', 'users', 'accounts'] as const) {
    const left = t.db.selectFrom(table).select('account_sid').where('account_sid', '=', t.sids.a1)
    expect(await left.execute(), table).toEqual([])
  }
  expect(await webhooks()).toBe(hooks - 1)
  expect((await t.request('a1', 'GET', '/Users/me')).statusCode).toBe(401)
})

it('does not delete itself where nobody signs up', async () => {
  const params = { account_sid: t.sids.a1 }
  for (const who of ['a1', 'a1-key'])
    for (const body of [{}, { password: 'x' }])
      await expect(t.as(who)(api.accounts.remove, { params, body }), who).rejects.toMatchObject({
        status: 403,
        message: 'insufficient permissions',
      })
  await deleteKeys(t)
  await expect(t.as('a1')(api.accounts.remove, { params, body: {} })).rejects.toMatchObject({
    status: 403,
  })
  expect(await view(t.sids.a1)).toMatchObject(params)
})

it('answers 403 for foreign and missing accounts alike, as the platform does', async () => {
  for (const sid of [t.sids.b1, crypto.randomUUID()])
    for (const method of ['PUT', 'DELETE']) {
      const answer = await t.request('sp1', method, `/Accounts/${sid}`, {})
      expect([answer.statusCode, answer.json().msg]).toEqual([403, 'insufficient permissions'])
    }
})

it('answers Bad request to an invalid sid', async () => {
  const answer = await t.request('admin', 'GET', '/Accounts/123')
  expect([answer.statusCode, answer.json().msg]).toEqual([400, 'Bad request'])
})

it('counts and clears the cached prompts of one account only', async () => {
  const prompts = async (account_sid: string) =>
    (await t.as('a1')(api.accounts.ttsCache, { params: { account_sid } })).size
  for (const key of [`${t.sids.a1}:1`, `${t.sids.a1}:2`, `${t.sids.a2}:1`, 'of-all'])
    await t.ctx.live.set(`tts:${key}`, 'x', 60)
  expect(await prompts(t.sids.a1)).toBe(2)
  await expect(prompts(t.sids.a2)).rejects.toMatchObject({ status: 403 })
  await t.as('a1')(api.accounts.clearTtsCache, { params: { account_sid: t.sids.a1 } })
  expect(await prompts(t.sids.a1)).toBe(0)
  expect(await t.as('admin')(api.settings.ttsCache, {})).toEqual({ size: 2 })
})

it('lists no charges, and reveals nothing about other accounts', async () => {
  const charges = (who: string, account_sid: string) =>
    t.as(who)(api.accounts.charges, { params: { account_sid } })
  for (const who of ['admin', 'sp1', 'a1', 'a1-key', 'a1-viewer'])
    expect(await charges(who, t.sids.a1), who).toEqual([])
  for (const sid of [t.sids.a2, t.sids.b1, crypto.randomUUID()])
    await expect(charges('a1', sid)).rejects.toMatchObject({ status: 403 })
})

it('changes an account’s realm, in lower case and unique', async () => {
  const realm = (who: string, account_sid: string, sip_realm: string) =>
    t.as(who)(api.accounts.setSipRealm, { params: { account_sid, sip_realm } })
  await realm('a1', t.sids.a1, 'East.Acme.Example')
  expect(await view(t.sids.a1)).toMatchObject({ sip_realm: 'east.acme.example' })
  await realm('sp1', t.sids.a2, 'west.acme.example')
  await expect(realm('admin', t.sids.b1, 'EAST.acme.example')).rejects.toMatchObject({
    status: 422,
    body: { issues: [{ path: ['sip_realm'] }] },
  })
  for (const bad of ['acme', 'acme.example', '-a.acme.example', 'a b.acme.example'])
    await expect(realm('a1', t.sids.a1, bad), bad).rejects.toMatchObject({
      status: 400,
      message: `invalid sip_realm: ${bad}`,
    })
})

it('deletes itself in the hosted variant by a person only, with the password, when unused', async () => {
  const h = await testApp({ ENABLE_HOSTED_SYSTEM: '1' })
  try {
    await h.db
      .updateTable('users')
      .set({ hashed_password: await hashPassword('long enough 1') })
      .where('user_sid', '=', h.users.a1!)
      .execute()
    const remove = (who: string, password?: string) =>
      h.as(who)(api.accounts.remove, {
        params: { account_sid: h.sids.a1 },
        body: { password },
      })
    for (const wrong of [undefined, '', 'not it'])
      await expect(remove('a1', wrong)).rejects.toMatchObject({
        status: 400,
        body: { issues: [{ path: ['password'], message: 'password is incorrect' }] },
      })
    for (const password of [undefined, 'long enough 1'])
      await expect(remove('a1-key', password)).rejects.toMatchObject({
        status: 403,
        message: 'insufficient permissions',
      })
    await expect(remove('a1', 'long enough 1')).rejects.toMatchObject({
      status: 422,
      body: { code: 'in_use', used_by: [{ kind: 'API keys', total: 1 }] },
    })
    await deleteKeys(h)
    await remove('a1', 'long enough 1')
    for (const who of ['a1', 'a1-viewer'])
      expect((await h.request(who, 'GET', '/Users/me')).statusCode, who).toBe(401)
  } finally {
    await h.close()
  }
})

import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { api, MASK, type Sent } from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { recordStatements } from '../../../test/statements.ts'
import { kindOf } from '../../db/open.ts'
import { transaction } from '../../db/transaction.ts'
import { setDetails } from '../../http/api-key.ts'

const recorded = recordStatements()
let t: TestApp
beforeEach(async () => {
  t = await testApp({}, undefined, recorded.tracing)
})
afterEach(() => t.close())

const accounts = (key: string) => t.request(key, 'GET', '/Accounts')

/** A key as a stock server writes it, of this owner. */
async function ofStockServer(
  owner: { account_sid: string; service_provider_sid?: string } = { account_sid: t.sids.a1 },
) {
  const key = { api_key_sid: randomUUID(), token: randomUUID() }
  await t.db
    .insertInto('api_keys')
    .values({ ...key, ...owner })
    .execute()
  return key
}

it('creates a key that works, shows it once, and stores only its hash', async () => {
  const { sid, token } = await t.as('a1')(api.apiKeys.create, { body: { account_sid: t.sids.a1 } })
  expect((await accounts(token)).json()).toMatchObject([{ account_sid: t.sids.a1 }])
  const list = await t.as('a1')(api.apiKeys.ofAccount, {
    params: { account_sid: t.sids.a1 },
    query: { page: 1 },
  })
  expect(list.data.find((k) => k.api_key_sid === sid)?.token).toBe(MASK)
  const row = await t.db
    .selectFrom('api_keys')
    .selectAll()
    .where('api_key_sid', '=', sid)
    .executeTakeFirstOrThrow()
  expect(row.token).not.toContain(token)
  expect((await accounts(row.token)).statusCode).toBe(401)
})

it('accepts keys written by a stock server, case-sensitively', async () => {
  const { token } = await ofStockServer({ account_sid: t.sids.b1 })
  expect((await accounts(token)).statusCode).toBe(200)
  expect((await accounts(token.toUpperCase())).statusCode).toBe(401)
})

it('rejects a key once it expires or is deleted', async () => {
  const { sid, token } = await t.as('sp1')(api.apiKeys.create, {
    body: { service_provider_sid: t.sids.sp1, expiry_secs: 3600 },
  })
  expect((await accounts(token)).statusCode).toBe(200)
  const expire = t.db.updateTable('api_keys').set({ expires_at: '2020-01-01 00:00:00' })
  await expire.where('api_key_sid', '=', sid).execute()
  expect((await accounts(token)).statusCode).toBe(401)
  await t.as('sp1')(api.apiKeys.remove, { params: { api_key_sid: sid } })
  await expect(
    t.as('sp1')(api.apiKeys.remove, { params: { api_key_sid: sid } }),
  ).rejects.toMatchObject({ status: 404 })
})

it('belongs to the account when account and provider are named', async () => {
  const { token } = await ofStockServer({
    account_sid: t.sids.a1,
    service_provider_sid: t.sids.sp1,
  })
  expect((await accounts(token)).json()).toHaveLength(1)
})

it.each([
  ['sp1', {}, 'service provider token may not be used to create admin token'],
  [
    'sp1',
    { service_provider_sid: 'sp2' },
    'a service provider token can only be used to create tokens for the same service provider',
  ],
  [
    'sp1',
    { account_sid: 'b1' },
    'a service provider token can only be used to create tokens for the same service provider',
  ],
  [
    'a1',
    { account_sid: 'a2' },
    'an account level token can only be used to create account level tokens for the same account',
  ],
  [
    'a1',
    {},
    'an account level token can only be used to create account level tokens for the same account',
  ],
] as const)('refuses %s a key with more access than its own (%o)', async (who, owner, msg) => {
  const body = Object.fromEntries(
    Object.entries(owner).map(([k, v]) => [k, t.sids[v as keyof typeof t.sids]]),
  )
  await expect(t.as(who)(api.apiKeys.create, { body })).rejects.toMatchObject({
    status: 400,
    message: msg,
  })
})

it('records its last use', async () => {
  await accounts('a1-key')
  const list = await t.as('a1')(api.apiKeys.ofAccount, {
    params: { account_sid: t.sids.a1 },
    query: { page: 1 },
  })
  expect(Date.parse(list.data[0]!.last_used!)).toBeGreaterThan(Date.now() - 60_000)
})

const HOUR = 3_600
const listOf = async (who: string) =>
  (
    await t.as(who)(api.apiKeys.ofAccount, {
      params: { account_sid: t.sids.a1 },
      query: { page: 1 },
    })
  ).data
type Options = Omit<Sent<typeof api.apiKeys.create>['body'], 'account_sid'>
const create = (who: string, options: Options = {}) =>
  t.as(who)(api.apiKeys.create, { body: { account_sid: t.sids.a1, ...options } })
const from = (key: string, remoteAddress: string) =>
  t.app.inject({
    method: 'GET',
    url: '/api/v1/Accounts',
    remoteAddress,
    headers: { authorization: `Bearer ${key}` },
  })

describe('a token', () => {
  it('has a shape that secret scanners recognize and verify', async () => {
    const tokens = await Promise.all(
      Array.from({ length: 20 }, async () => (await create('a1')).token),
    )
    for (const token of tokens) {
      const [, random, sum] = /^swr_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/.exec(token)!
      let value = 0
      for (const digit of sum!)
        value =
          value * 62 +
          '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.indexOf(digit)
      expect(value).toBe(crc32(random!))
    }
    expect(new Set(tokens).size).toBe(20)
  })

  it('with a wrong checksum or length costs no query', async () => {
    const { token } = await create('a1')
    const swapped = token.at(-1) === 'a' ? 'b' : 'a'
    const queries = vi.spyOn(t.db, 'selectFrom')
    for (const wrong of [
      token.slice(0, -1) + swapped,
      `swr_${token.slice(5, 6)}${token.slice(4)}`,
      `${token}0`,
      'swr_',
      `swr_${'0'.repeat(36)}`,
      `swr_${'é'.repeat(36)}`,
    ])
      expect((await accounts(encodeURIComponent(wrong))).statusCode, wrong).toBe(401)
    expect(queries).not.toHaveBeenCalled()
    queries.mockRestore()
    expect((await accounts(token)).statusCode).toBe(200)
  })
})

it('shows its name, creator, limits and last use', async () => {
  const { sid, token } = await create('a1', {
    name: 'Deploy',
    view_only: 1,
    kinds: ['phone_numbers', 'accounts'],
    networks: ['127.0.0.1', '2001:db8::/32'],
    expiry_secs: HOUR,
  })
  expect((await accounts(token)).statusCode).toBe(200)
  expect((await listOf('a1')).find((k) => k.api_key_sid === sid)).toMatchObject({
    name: 'Deploy',
    created_by: 'a1',
    view_only: 1,
    kinds: ['phone_numbers', 'accounts'],
    networks: ['127.0.0.1/32', '2001:db8::/32'],
    last_used_ip: '127.0.0.1',
    replaced_by: null,
  })
})

it('records from where a key of a stock server was used', async () => {
  const { api_key_sid, token } = await ofStockServer()
  await from(token, '198.51.100.7')
  expect((await listOf('a1')).find((k) => k.api_key_sid === api_key_sid)).toMatchObject({
    name: null,
    view_only: 0,
    kinds: null,
    networks: null,
    last_used_ip: '198.51.100.7',
  })
})

it('is the actor in the audit log by its name', async () => {
  const { token } = await create('a1', { name: 'Deploy' })
  await t.request(token, 'POST', '/PhoneNumbers', { number: '15085551212' })
  const entry = await t.db
    .selectFrom('switchroom_audit')
    .select(['actor', 'user_sid'])
    .orderBy('seq', 'desc')
    .executeTakeFirstOrThrow()
  expect(entry).toEqual({ actor: 'Deploy', user_sid: null })
})

it.each([
  ['127.0.0.1', ['127.0.0.1'], 200],
  ['203.0.113.9', ['203.0.113.0/24'], 200],
  ['::ffff:203.0.113.9', ['203.0.113.0/24'], 200],
  ['203.0.114.9', ['203.0.113.0/24', '198.51.100.1'], 403],
  ['2001:db8::1', ['2001:db8::/32'], 200],
  ['2001:db9::1', ['2001:db8::/32', '0.0.0.0/0'], 403],
])('from %s with networks %o answers %i', async (ip, networks, status) => {
  const { token } = await create('a1', { networks })
  const answer = await from(token, ip)
  expect(answer.statusCode).toBe(status)
  if (status === 403)
    expect(answer.json().msg).toBe('This API key may not be used from your address')
})

it.each([
  [{ networks: ['10.0.0.0/33'] }, 'networks'],
  [{ networks: ['example.com'] }, 'networks'],
  [{ kinds: ['everything'] }, 'kinds'],
  [{ name: 'x'.repeat(65) }, 'name'],
  [{ expiry_secs: 5_000_000_000 }, 'expiry_secs'],
  [{ expiry_secs: 3_000_000_000 }, 'expiry_secs'],
])('is not created with %o', async (options, field) => {
  const body = { account_sid: t.sids.a1, ...options }
  const answer = await t.request('a1', 'POST', '/ApiKeys', body)
  expect(answer.statusCode).toBe(400)
  expect(answer.json().issues[0].path[0]).toBe(field)
})

describe('a key never creates more than it may', () => {
  it.each<[string, Options, Options]>([
    ['longer', { expiry_secs: HOUR }, {}],
    ['longer', { expiry_secs: HOUR }, { expiry_secs: HOUR + 60 }],
    ['of more kinds', { kinds: ['access'] }, {}],
    ['of more kinds', { kinds: ['access'] }, { kinds: ['access', 'calls'] }],
    ['of all kinds', { kinds: ['access'] }, { kinds: [] }],
    ['for more networks', { networks: ['127.0.0.0/8'] }, {}],
    ['for more networks', { networks: ['127.0.0.0/8'] }, { networks: ['127.0.0.0/7'] }],
    ['for other networks', { networks: ['127.0.0.0/8'] }, { networks: ['10.0.0.1'] }],
    ['for IPv6', { networks: ['127.0.0.0/8'] }, { networks: ['::/0'] }],
    ['at all when it can only read', { view_only: 1 }, { view_only: 1 }],
  ])('%s (%o creates %o)', async (_, own, made) => {
    const { token } = await create('a1', own)
    const before = (await listOf('a1')).length
    const body = { account_sid: t.sids.a1, ...made }
    const answer = await t.request(token, 'POST', '/ApiKeys', body)
    expect(answer.statusCode, answer.body).toBe(403)
    expect(await listOf('a1')).toHaveLength(before)
  })

  it('and creates what it may', async () => {
    const own: Options = {
      expiry_secs: HOUR,
      kinds: ['access', 'calls'],
      networks: ['127.0.0.0/8'],
    }
    const { token } = await create('a1', own)
    const made = await create(token, {
      expiry_secs: HOUR / 2,
      kinds: ['calls'],
      networks: ['127.0.0.0/9'],
      view_only: 1,
    })
    expect((await accounts(made.token)).statusCode).toBe(403)
    expect((await create('a1-key')).token).toMatch(/^swr_/)
  })

  it.each([
    ['a1-key', { service_provider_sid: 'sp1' }],
    ['a1-key', {}],
    ['sp1-key', {}],
    ['sp1-key', { account_sid: 'b1' }],
  ])('of a wider owner (%s creates %o)', async (who, owner) => {
    const body = Object.fromEntries(
      Object.entries(owner).map(([k, v]) => [k, t.sids[v as keyof typeof t.sids]]),
    )
    expect((await t.request(who, 'POST', '/ApiKeys', body)).statusCode).toBe(400)
  })

  it.each<[Options]>([
    [{ expiry_secs: HOUR }],
    [{ kinds: ['access'] }],
    [{ networks: ['127.0.0.1'] }],
  ])('nor creates or changes users (%o)', async (own) => {
    const { token } = await create('a1', own)
    const refused = [
      await t.request(token, 'POST', '/Users', {
        name: 'whole',
        email: 'whole@example.com',
        initial_password: 'a long pass phrase 1',
        is_active: true,
      }),
      await t.request(token, 'PUT', `/Users/${t.users.a1}`, { email: 'mine@example.com' }),
      await t.request(token, 'PUT', `/Users/${t.users['a1-viewer']}`, { is_view_only: false }),
    ]
    for (const answer of refused) {
      expect(answer.statusCode, answer.body).toBe(403)
      expect(answer.json().msg).toContain('An API key that expires or has limits')
    }
  })

  it('nor sets the password of a user, with whatever key', async () => {
    for (const key of ['admin-key', 'sp1-key', 'a1-key']) {
      const change = { initial_password: 'a long pass phrase 1' }
      const answer = await t.request(key, 'PUT', `/Users/${t.users.a1}`, change)
      expect(answer.statusCode, answer.body).toBe(403)
    }
    const everlasting = await t.request('a1-key', 'POST', '/Users', {
      name: 'as before',
      email: 'before@example.com',
      initial_password: 'a long pass phrase 1',
    })
    expect(everlasting.statusCode, everlasting.body).toBe(201)
  })
})

describe('a rotated key', () => {
  const rotate = (who: string, sid: string, overlap_secs = HOUR) =>
    t.as(who)(api.apiKeys.rotate, { params: { api_key_sid: sid }, body: { overlap_secs } })

  it('stays valid beside its successor until it expires, with the same limits', async () => {
    const old = await create('a1', { name: 'Deploy', kinds: ['accounts'], view_only: 1 })
    const made = await rotate('a1', old.sid)
    for (const token of [old.token, made.token])
      expect((await accounts(token)).statusCode).toBe(200)
    const list = await listOf('a1')
    const [was, is] = [old.sid, made.sid].map((sid) => list.find((k) => k.api_key_sid === sid))
    expect(was).toMatchObject({ name: 'Deploy', replaced_by: made.sid })
    const left = Date.parse(was!.expires_at!) - Date.now()
    expect(left).toBeGreaterThan((HOUR - 10) * 1000)
    expect(left).toBeLessThanOrEqual(HOUR * 1000)
    expect(is).toMatchObject({
      name: 'Deploy',
      kinds: ['accounts'],
      view_only: 1,
      expires_at: null,
      replaced_by: null,
    })
    const entries = await t.db
      .selectFrom('switchroom_audit')
      .select(['action', 'sid'])
      .where('sid', 'in', [old.sid, made.sid])
      .orderBy('seq')
      .execute()
    expect(entries.map((e) => e.action).sort()).toEqual(['create', 'create', 'update'])
  })

  it('is refused at once without an overlap, and later with one', async () => {
    const old = await create('a1')
    const { token } = await rotate('a1', old.sid, 0)
    expect((await accounts(old.token)).statusCode).toBe(401)
    expect((await accounts(token)).statusCode).toBe(200)
    const later = await create('a1')
    await rotate('a1', later.sid)
    await t.db
      .updateTable('api_keys')
      .set({ expires_at: '2020-01-01 00:00:00' })
      .where('api_key_sid', '=', later.sid)
      .execute()
    expect((await accounts(later.token)).statusCode).toBe(401)
  })

  it('lives no longer than it would have, nor does its successor', async () => {
    const old = await create('a1', { expiry_secs: 60 })
    const made = await rotate('a1', old.sid)
    const list = await listOf('a1')
    for (const sid of [old.sid, made.sid]) {
      const { expires_at } = list.find((k) => k.api_key_sid === sid)!
      expect(Date.parse(expires_at!)).toBeLessThanOrEqual(Date.now() + 60_000)
    }
  })

  it('can be one of a stock server', async () => {
    const { api_key_sid, token } = await ofStockServer()
    const made = await rotate('a1', api_key_sid)
    expect((await accounts(made.token)).statusCode).toBe(200)
    expect((await accounts(token)).statusCode).toBe(200)
    expect((await listOf('a1')).find((k) => k.api_key_sid === api_key_sid)?.replaced_by).toBe(
      made.sid,
    )
  })

  it('cannot be rotated again, nor once it has expired', async () => {
    const old = await create('a1')
    await rotate('a1', old.sid)
    await expect(rotate('a1', old.sid)).rejects.toMatchObject({ status: 422 })
    const expired = await create('a1')
    await t.db
      .updateTable('api_keys')
      .set({ expires_at: '2020-01-01 00:00:00' })
      .where('api_key_sid', '=', expired.sid)
      .execute()
    await expect(rotate('a1', expired.sid)).rejects.toMatchObject({ status: 422 })
  })

  it('is rotated by no key of less power, and no stranger', async () => {
    const whole = await create('a1')
    const { token } = await create('a1', { kinds: ['access'] })
    await expect(rotate(token, whole.sid)).rejects.toMatchObject({ status: 403 })
    await expect(rotate('a2', whole.sid)).rejects.toMatchObject({ status: 404 })
    await expect(rotate('a1-viewer', whole.sid)).rejects.toMatchObject({ status: 403 })
    expect((await accounts(whole.token)).statusCode).toBe(200)
  })
})

type Change = Sent<typeof api.apiKeys.update>['body']
const view = (who: string, api_key_sid: string) =>
  t.as(who)(api.apiKeys.view, { params: { api_key_sid } })
const update = (who: string, api_key_sid: string, body: Change, version?: string) =>
  t.as(who)(api.apiKeys.update, { params: { api_key_sid }, body, ...(version && { version }) })
const at = (seconds: number) =>
  new Date(Math.floor(Date.now() / 1000 + seconds) * 1000).toISOString()

describe('an edited key', () => {
  it('has the new name, expiry and limits at once, and the old token', async () => {
    const { sid, token } = await create('a1', { name: 'Deploy' })
    const limits = {
      name: 'Number import',
      view_only: 1 as const,
      kinds: ['phone_numbers' as const],
      expires_at: at(HOUR),
    }
    await update('a1', sid, { ...limits, networks: ['127.0.0.1'] })
    expect(await view('a1', sid)).toMatchObject({
      ...limits,
      networks: ['127.0.0.1/32'],
      created_by: 'a1',
      token: MASK,
    })
    expect((await accounts(token)).statusCode).toBe(403)
    expect((await t.request(token, 'GET', '/PhoneNumbers')).statusCode).toBe(200)
    await update('a1', sid, { networks: ['203.0.113.0/24'] })
    expect((await t.request(token, 'GET', '/PhoneNumbers')).statusCode).toBe(403)
    await update('a1', sid, {
      name: '',
      view_only: 0,
      kinds: null,
      networks: null,
      expires_at: null,
    })
    expect(await view('a1', sid)).toMatchObject({
      name: null,
      view_only: 0,
      kinds: null,
      networks: null,
      expires_at: null,
    })
    expect((await accounts(token)).statusCode).toBe(200)
  })

  it('keeps what the request leaves out', async () => {
    const own: Options = { name: 'Deploy', kinds: ['calls'], networks: ['127.0.0.1'], view_only: 1 }
    const { sid } = await create('a1', { ...own, expiry_secs: HOUR })
    const { version: _, ...before } = await view('a1', sid)
    await update('a1', sid, { name: 'Export' })
    expect(await view('a1', sid)).toMatchObject({ ...before, name: 'Export' })
    await update('a1', sid, {})
    expect(await view('a1', sid)).toMatchObject({ ...before, name: 'Export' })
  })

  it('is in the audit log, with what changed', async () => {
    const { sid } = await create('a1', { name: 'Deploy', kinds: ['calls'] })
    await update('a1', sid, { name: 'Export', kinds: ['calls', 'alerts'] })
    const { data } = await t.as('a1')(api.audit.list, { query: { page: 1, sid } })
    expect(data[0]).toMatchObject({
      action: 'update',
      kind: 'api_key',
      name: 'Export',
      before: { name: 'Deploy', kinds: ['calls'] },
      after: { name: 'Export', kinds: ['calls', 'alerts'] },
    })
  })

  it('refuses an edit of an older version, but not since it was used', async () => {
    const { sid, token } = await create('a1', { name: 'Deploy' })
    const { version } = await view('a1', sid)
    await from(token, '198.51.100.7')
    await update('a1', sid, { name: 'First' }, version)
    await expect(update('a1', sid, { name: 'Second' }, version)).rejects.toMatchObject({
      status: 409,
      body: { code: 'changed', current: { name: 'First' } },
    })
    expect((await view('a1', sid)).name).toBe('First')
  })

  it('can be one of a stock server, which keeps its token', async () => {
    const { api_key_sid, token } = await ofStockServer()
    await update('a1', api_key_sid, { name: 'Old', kinds: ['calls'] })
    expect((await accounts(token)).statusCode).toBe(403)
    expect(await view('a1', api_key_sid)).toMatchObject({ name: 'Old', kinds: ['calls'] })
  })

  it.each<[Change, string]>([
    [{ kinds: [] }, 'kinds'],
    [{ networks: [] }, 'networks'],
    [{ networks: ['10.0.0.0/33'] }, 'networks'],
    [{ name: 'x'.repeat(65) }, 'name'],
    [{ expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    [{ expires_at: 'tomorrow' }, 'expires_at'],
    [{ expires_at: '2038-02-01T00:00:00Z' }, 'expires_at'],
    [{ token: 'mine' } as Change, 'token'],
    [{ account_sid: randomUUID() } as Change, 'account_sid'],
    [{ service_provider_sid: randomUUID() } as Change, 'service_provider_sid'],
  ])('is refused with %o', async (change, field) => {
    const { sid } = await create('a1', { kinds: ['calls'] })
    const before = await view('a1', sid)
    const answer = await t.request('a1', 'PUT', `/ApiKeys/${sid}`, change)
    expect(answer.statusCode, answer.body).toBe(400)
    expect(answer.json().issues[0].path[0]).toBe(field)
    expect(await view('a1', sid)).toEqual(before)
  })

  it('can live as long as the database can store', async () => {
    const { sid } = await create('a1')
    const expires_at = '2038-01-19T03:14:07.000Z'
    await update('a1', sid, { expires_at })
    expect(await view('a1', sid)).toMatchObject({ expires_at })
  })

  it('keeps limits that cannot be read, which allow nothing', async () => {
    const { sid, token } = await create('a1', { kinds: ['accounts'] })
    await t.db
      .updateTable('switchroom_api_keys')
      .set({ kinds: '["acc' })
      .where('api_key_sid', '=', sid)
      .execute()
    await update('a1', sid, { name: 'Deploy' })
    expect((await accounts(token)).statusCode).toBe(403)
    const { version: _, ...read } = await view('a1', sid)
    expect((await t.request('a1', 'PUT', `/ApiKeys/${sid}`, read)).statusCode).toBe(400)
  })

  it('is none that has been rotated or has expired', async () => {
    const rotated = await create('a1')
    await t.as('a1')(api.apiKeys.rotate, { params: { api_key_sid: rotated.sid }, body: {} })
    const expired = await create('a1')
    await t.db
      .updateTable('api_keys')
      .set({ expires_at: '2020-01-01 00:00:00' })
      .where('api_key_sid', '=', expired.sid)
      .execute()
    for (const { sid } of [rotated, expired])
      await expect(update('a1', sid, { expires_at: null })).rejects.toMatchObject({ status: 422 })
  })

  it.each<[string, Options, Change]>([
    ['for longer', { expiry_secs: HOUR }, { expires_at: null }],
    ['for longer', { expiry_secs: HOUR }, { expires_at: at(2 * HOUR) }],
    ['of more kinds', { kinds: ['access'] }, { kinds: ['access', 'calls'] }],
    ['of all kinds', { kinds: ['access'] }, { kinds: null }],
    ['for all networks', { networks: ['127.0.0.0/8'] }, { networks: null }],
    ['for more networks', { networks: ['127.0.0.0/8'] }, { networks: ['127.0.0.0/7'] }],
    ['for other networks', { networks: ['127.0.0.0/8'] }, { networks: ['10.0.0.1'] }],
    ['that can write', { view_only: 1 }, { view_only: 0 }],
    ['with another name if it can only read', { view_only: 1 }, { name: 'x' }],
  ])('is made by no key into one %s than that key (%o, %o)', async (_, own, change) => {
    const { sid, token } = await create('a1', own)
    const twin = await create('a1', own)
    const whole = await create('a1')
    for (const edited of [sid, twin.sid, whole.sid]) {
      const before = await view('a1', edited)
      const answer = await t.request(token, 'PUT', `/ApiKeys/${edited}`, change)
      expect(answer.statusCode, answer.body).toBe(403)
      const { last_used: _, last_used_ip: __, ...after } = await view('a1', edited)
      expect(before).toMatchObject(after)
    }
  })

  it('is narrowed by a key of the same power, itself included', async () => {
    const own: Options = {
      expiry_secs: HOUR,
      kinds: ['access', 'calls'],
      networks: ['127.0.0.0/8'],
    }
    const { sid, token } = await create('a1', own)
    const twin = await create('a1', own)
    const change: Change = {
      name: 'Less',
      view_only: 1,
      kinds: ['access'],
      networks: ['127.0.0.0/9'],
      expires_at: at(HOUR / 2),
    }
    for (const edited of [twin.sid, sid]) {
      await update(token, edited, change)
      expect(await view('a1', edited)).toMatchObject({ name: 'Less', kinds: ['access'] })
    }
    // it has made itself read only
    expect((await t.request(token, 'PUT', `/ApiKeys/${sid}`, {})).statusCode).toBe(403)
  })

  it('does not take back what narrows it while its own request waits', async () => {
    const { sid, token } = await create('a1', { kinds: ['access', 'calls'] })
    let answer = t.request(token, 'GET', '/Accounts')
    await answer
    const locks = () => recorded.begun.filter((sql) => sql.includes('get_lock')).length
    await transaction(
      t.db,
      async (tx) => {
        const before = locks()
        answer = t.request(token, 'PUT', `/ApiKeys/${sid}`, { kinds: ['access', 'calls'] })
        // it is let in, and waits for the lock; on SQLite for the only connection
        if (kindOf(t.db) === 'mysql') await expect.poll(locks).toBeGreaterThan(before)
        else for (let i = 0; i < 50; i++) await nextTurn()
        await setDetails(tx, sid, { kinds: '["access"]' })
      },
      { lock: `api_key:${sid}` },
    )
    expect((await answer).statusCode, (await answer).body).toBe(403)
  })

  it('is nobody else’s', async () => {
    const { sid } = await create('a1')
    for (const who of ['a2', 'b1', 'sp2', 'a2-key', 'sp2-key'])
      for (const call of [() => update(who, sid, { name: 'x' }), () => view(who, sid)])
        await expect(call()).rejects.toMatchObject({ status: 404 })
    const ofProvider = await t.as('sp1')(api.apiKeys.create, {
      body: { service_provider_sid: t.sids.sp1 },
    })
    const ofAdministrators = await t.as('admin')(api.apiKeys.create, { body: {} })
    for (const who of ['a1', 'a1-key', 'sp1'])
      await expect(update(who, ofAdministrators.sid, { name: 'x' })).rejects.toMatchObject({
        status: 404,
      })
    await expect(update('a1', ofProvider.sid, { name: 'x' })).rejects.toMatchObject({ status: 404 })
    await update('sp1', sid, { name: 'by its provider' })
    await update('admin', ofAdministrators.sid, { name: 'by an administrator' })
  })
})

describe('administrators’ own keys', () => {
  const keysFor = (who: string) => t.as(who)(api.apiKeys.list, { query: { page: 1 } })

  it('are listed for administrators, without those of accounts and providers', async () => {
    const { sid } = await t.as('admin')(api.apiKeys.create, { body: { name: 'Provisioning' } })
    await create('a1')
    await t.as('sp1')(api.apiKeys.create, { body: { service_provider_sid: t.sids.sp1 } })
    const { data, total } = await keysFor('admin')
    expect(total).toBe(data.length)
    expect(data.every((k) => !k.account_sid && !k.service_provider_sid)).toBe(true)
    expect(data.find((k) => k.api_key_sid === sid)).toMatchObject({
      name: 'Provisioning',
      created_by: 'admin',
      token: MASK,
    })
    expect(await keysFor('admin-viewer')).toEqual({ ...(await keysFor('admin')) })
  })

  it.each(['sp1', 'a1', 'sp1-key', 'a1-key'])('are not shown to %s', async (who) => {
    await expect(keysFor(who)).rejects.toMatchObject({ status: 403 })
  })

  it('are edited, rotated and deleted like others', async () => {
    const { sid, token } = await t.as('admin')(api.apiKeys.create, { body: {} })
    await update('admin', sid, { kinds: ['accounts'] })
    expect((await accounts(token)).statusCode).toBe(200)
    expect((await t.request(token, 'GET', '/Users')).statusCode).toBe(403)
    const successor = await t.as('admin')(api.apiKeys.rotate, {
      params: { api_key_sid: sid },
      body: {},
    })
    expect((await accounts(successor.token)).statusCode).toBe(200)
    await t.as('admin')(api.apiKeys.remove, { params: { api_key_sid: sid } })
    expect((await accounts(token)).statusCode).toBe(401)
  })
})

it('leaves nothing of ours when it is deleted', async () => {
  const { sid } = await create('a1', { name: 'Deploy' })
  await t.as('a1')(api.apiKeys.remove, { params: { api_key_sid: sid } })
  const rows = await t.db
    .selectFrom('switchroom_api_keys')
    .selectAll()
    .where('api_key_sid', '=', sid)
    .execute()
  expect(rows).toEqual([])
})

it.each(['kinds', 'networks'])('allows nothing with %s that cannot be read', async (column) => {
  const { sid, token } = await create('a1', { kinds: ['accounts'], networks: ['127.0.0.0/8'] })
  expect((await accounts(token)).statusCode).toBe(200)
  await t.db
    .updateTable('switchroom_api_keys')
    .set({ [column]: '["acc' })
    .where('api_key_sid', '=', sid)
    .execute()
  expect([401, 403]).toContain((await accounts(token)).statusCode)
})

import { api, MASK, NO_IPV6 } from '@switchroom/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const inbound = { ipv4: '203.0.113.1', inbound: 1 as const, outbound: 0 as const }
const outbound = { ipv4: 'sip.example.com', inbound: 0 as const, outbound: 1 as const }
const add = async (who: string, body: object) =>
  (await t.as(who)(api.voipCarriers.create, { body: { name: 'trunk', ...body } })).sid
const view = (sid: string, who = 'admin') =>
  t.as(who)(api.voipCarriers.view, { params: { voip_carrier_sid: sid } })
const change = (who: string, voip_carrier_sid: string, body: object) =>
  t.as(who)(api.voipCarriers.update, { params: { voip_carrier_sid }, body })
const count = async (table: 'voip_carriers' | 'sip_gateways') =>
  (await t.db.selectFrom(table).selectAll().execute()).length

it('adds a carrier with its gateways, and sets the provider of its account', async () => {
  const sid = await add('admin', { account_sid: t.sids.a1, sip_gateways: [inbound, outbound] })
  expect(await view(sid)).toMatchObject({
    account_sid: t.sids.a1,
    service_provider_sid: t.sids.sp1,
    trunk_type: 'static_ip',
    dtmf_type: 'rfc2833',
    is_active: 1,
    register_status: {},
    sip_gateways: [
      { ipv4: '203.0.113.1', port: 5060, netmask: 32, protocol: 'udp', inbound: 1, outbound: 0 },
      { ipv4: 'sip.example.com', port: null, inbound: 0, outbound: 1, is_active: 1 },
    ],
  })
})

it('saves a carrier and its gateways atomically', async () => {
  const sid = await add('a1', { sip_gateways: [inbound, outbound] })
  const before = await view(sid)
  const [first] = before.sip_gateways
  const foreign = crypto.randomUUID()
  await expect(
    change('a1', sid, {
      name: 'changed',
      sip_gateways: [{ ...inbound, ipv4: '203.0.113.9', sip_gateway_sid: foreign }],
    }),
  ).rejects.toMatchObject({
    status: 400,
    body: { issues: [{ path: ['sip_gateways', 0, 'sip_gateway_sid'] }] },
  })
  expect(await view(sid)).toEqual(before)
  await change('a1', sid, {
    name: 'changed',
    sip_gateways: [
      { ...inbound, sip_gateway_sid: first!.sip_gateway_sid, netmask: 24 },
      { ...inbound, ipv4: '203.0.113.2' },
    ],
  })
  expect(await view(sid)).toMatchObject({
    name: 'changed',
    sip_gateways: [
      { sip_gateway_sid: first!.sip_gateway_sid, netmask: 24 },
      { ipv4: '203.0.113.2' },
    ],
  })
  expect(await count('sip_gateways')).toBe(2)
})

it('saves its SMPP gateways with it', async () => {
  const smpp = { smpp_system_id: 'me', smpp_password: 'p', smpp_inbound_password: 'q' }
  const sid = await add('a1', {
    ...smpp,
    smpp_gateways: [
      { ipv4: ' smpp.example.com ', use_tls: true, is_primary: false },
      { ipv4: '203.0.113.9', inbound: 1, outbound: 0, netmask: 24 },
    ],
  })
  const { smpp_gateways: before } = await view(sid)
  expect(before).toMatchObject([
    { ipv4: '203.0.113.9', netmask: 24, inbound: 1, outbound: 0, port: 2775 },
    { ipv4: 'smpp.example.com', use_tls: 1, is_primary: 0, inbound: 0, outbound: 1 },
  ])
  const [first, second] = before
  await change('a1', sid, { smpp_gateways: [{ ...second, port: 3550 }] })
  expect((await view(sid)).smpp_gateways).toEqual([{ ...second, port: 3550 }])
  const other = await add('a1', {})
  await expect(
    change('a1', other, { name: 'mine', smpp_gateways: [{ ...second, inbound: 0 }] }),
  ).rejects.toMatchObject({
    body: { issues: [{ path: ['smpp_gateways', 0, 'smpp_gateway_sid'] }] },
  })
  expect(await view(other)).toMatchObject({ name: 'trunk', smpp_gateways: [] })
  await change('a1', sid, { name: 'kept' })
  expect((await view(sid)).smpp_gateways).toHaveLength(1)
  expect(first!.voip_carrier_sid).toBe(sid)
})

it('rejects a gateway of another carrier', async () => {
  const one = await add('a1', { sip_gateways: [inbound] })
  const two = await add('a2', { sip_gateways: [inbound] })
  const [gateway] = (await view(two)).sip_gateways
  const stolen = { ...inbound, sip_gateway_sid: gateway!.sip_gateway_sid }
  await expect(change('a1', one, { sip_gateways: [stolen] })).rejects.toMatchObject({ status: 400 })
  expect((await view(two)).sip_gateways).toHaveLength(1)
})

it.each([
  [
    { sip_gateways: [outbound] },
    ['sip_gateways'],
    'Static IP Whitelist trunk type requires at least one inbound gateway.',
  ],
  [
    { trunk_type: 'auth', sip_gateways: [outbound] },
    ['inbound_auth_username'],
    'Auth Trunk requires both username and password credentials.',
  ],
  [
    { trunk_type: 'reg', sip_gateways: [inbound] },
    ['sip_gateways'],
    'Auth and Registration trunk types require at least one outbound gateway.',
  ],
  [
    { trunk_type: 'reg', sip_gateways: [] },
    ['sip_gateways'],
    'You must provide at least one outbound SIP Gateway.',
  ],
  [
    { sip_gateways: [inbound, inbound] },
    ['sip_gateways', 1, 'ipv4'],
    'Each SIP gateway must have a unique IP address.',
  ],
  [
    { sip_gateways: [{ ...outbound, inbound: 1 }] },
    ['sip_gateways', 0, 'ipv4'],
    'A fully qualified domain name may only be used for outbound calls.',
  ],
  [
    { sip_gateways: [{ ...inbound, ipv4: '999.1.1.1' }] },
    ['sip_gateways', 0, 'ipv4'],
    'Please provide a valid IP address or fully qualified domain name.',
  ],
  [
    { sip_gateways: [{ ...inbound, port: 70000 }] },
    ['sip_gateways', 0, 'port'],
    expect.any(String),
  ],
  [
    { outbound_sip_proxy: 'not a host' },
    ['outbound_sip_proxy'],
    'Please provide a valid SIP Proxy domain or IP address.',
  ],
  [
    { smpp_system_id: 'me', smpp_gateways: [] },
    ['smpp_gateways'],
    'At least one outbound gateway is required when using system ID or password above.',
  ],
  [
    { smpp_gateways: [{ ...inbound, ipv4: '203.0.113.9' }] },
    ['smpp_inbound_password'],
    'Password is required if whitelisting carrier IP address(es) below.',
  ],
  [
    { smpp_gateways: [{ ipv4: 'smpp.example.com' }, { ipv4: 'SMPP.example.com' }] },
    ['smpp_gateways', 1, 'ipv4'],
    'Each outbound SMPP gateway must have a unique IP address.',
  ],
  [
    { smpp_gateways: [{ ipv4: 'example.com' }] },
    ['smpp_gateways', 0, 'ipv4'],
    'When using an FQDN, you must use a subdomain (e.g. sip.example.com).',
  ],
  [
    // the platform knows a peer by its dotted address alone
    { sip_gateways: [{ ...inbound, ipv4: '2001:db8::1' }] },
    ['sip_gateways', 0, 'ipv4'],
    NO_IPV6,
  ],
  [
    // one address and port is one gateway, whatever its netmask
    { sip_gateways: [inbound, { ...inbound, netmask: 24, port: 5060 }] },
    ['sip_gateways', 1, 'ipv4'],
    'Each SIP gateway must have a unique IP address.',
  ],
  [{ tech_prefix: '12' }, ['tech_prefix'], 'Tech prefix must have at least 3 characters'],
  [
    { requires_register: 1, register_username: 'u' },
    ['register_password'],
    'Enter the register password',
  ],
  [
    { register_sip_realm: 'sip:x' },
    ['register_sip_realm'],
    'SIP realm must be a domain name or IP address without spaces or a sip: prefix',
  ],
])('rejects %o and names the field', async (body, path, message) => {
  await expect(add('a1', body)).rejects.toMatchObject({
    status: 400,
    body: { issues: expect.arrayContaining([{ path, message }]) },
  })
  expect(await count('voip_carriers')).toBe(0)
})

it.each([
  'sip.example.com',
  '203.0.113.1:5080',
  'sip:proxy.example.com:5060',
  'sips:u@proxy.example.com;lr',
  'sip:[2001:db8::1]:5061;transport=tcp',
])('accepts %s as outbound proxy', async (outbound_sip_proxy) => {
  expect(await view(await add('a1', { outbound_sip_proxy }))).toMatchObject({ outbound_sip_proxy })
})

it('validates the result of a change as a whole', async () => {
  const sid = await add('a1', {})
  await expect(change('a1', sid, { requires_register: 1 })).rejects.toMatchObject({ status: 400 })
  await change('a1', sid, { register_username: 'u', register_password: 'p' })
  await change('a1', sid, { requires_register: 1 })
  expect(await view(sid)).toMatchObject({ requires_register: 1, register_password: 'p' })
})

it('keeps a password when the mask is sent back, and clears one sent as null', async () => {
  const sid = await add('a1', { register_username: 'u', register_password: 'secret' })
  await change('a1', sid, { register_password: MASK, description: 'x' })
  expect(await view(sid)).toMatchObject({ register_password: 'secret', description: 'x' })
  await change('a1', sid, { register_username: null, register_password: null })
  expect(await view(sid)).toMatchObject({ register_password: null })
})

it('ignores a register status and owner columns', async () => {
  const sid = await add('a1', {})
  await change('a1', sid, { register_status: '{"status":"ok"}' })
  await expect(change('a1', sid, { service_provider_sid: t.sids.sp2 })).rejects.toMatchObject({
    status: 400,
    body: { issues: [{ path: ['service_provider_sid'] }] },
  })
  expect(await view(sid)).toMatchObject({ register_status: {}, service_provider_sid: t.sids.sp1 })
})

it('shows an account its provider’s shared carriers, without passwords and read-only', async () => {
  const sid = await add('sp1', { register_username: 'u', register_password: 'secret' })
  expect(await view(sid, 'a1')).toMatchObject({ register_password: MASK, account_sid: null })
  expect(await view(sid, 'sp1')).toMatchObject({ register_password: 'secret' })
  await expect(view(sid, 'b1')).rejects.toMatchObject({ status: 404 })
  for (const [method, path] of [
    ['PUT', `/VoipCarriers/${sid}`],
    ['DELETE', `/VoipCarriers/${sid}`],
    ['DELETE', `/VoipCarriers/${crypto.randomUUID()}`],
  ] as const) {
    const answer = await t.request('a1', method, path, {})
    expect([answer.statusCode, answer.json().msg]).toEqual([
      422,
      'carrier belongs to a different user',
    ])
  }
})

it('lists with gateway counts and masks, for an account and by text', async () => {
  await add('sp1', { name: 'shared', register_username: 'u', register_password: 'CANARY' })
  await add('a1', {
    name: 'own',
    sip_gateways: [inbound, outbound, { ...outbound, ipv4: 'b.example.com' }],
  })
  await add('a2', { name: 'sibling' })
  const list = async (who: string, query: object = {}) =>
    (
      await t.as(who)(api.voipCarriers.ofServiceProvider, {
        params: { service_provider_sid: t.sids.sp1 },
        query: { page: 1, ...query },
      })
    ).data
  const names = async (who: string, query?: object) => (await list(who, query)).map((c) => c.name)
  expect(await names('sp1')).toEqual(['own', 'shared', 'sibling'])
  expect(await names('sp1', { account_sid: t.sids.a1 })).toEqual(['own', 'shared'])
  expect(await names('a1')).toEqual(['own', 'shared'])
  expect(await names('admin', { name: 'SIB' })).toEqual(['sibling'])
  expect((await list('a1'))[0]).toMatchObject({ inbound_gateways: 1, outbound_gateways: 2 })
  expect(JSON.stringify(await list('sp1'))).not.toContain('CANARY')
  const own = await t.as('sp1')(api.voipCarriers.ofAccount, {
    params: { account_sid: t.sids.a1 },
    query: { page: 1 },
  })
  expect(own.total).toBe(1)
})

it('belongs to the owner in the path', async () => {
  const params = { account_sid: t.sids.a1 }
  const another = { name: 'x', account_sid: t.sids.a2 }
  await expect(
    t.as('sp1')(api.voipCarriers.createForAccount, { params, body: another }),
  ).rejects.toMatchObject({ status: 400, body: { issues: [{ path: ['account_sid'] }] } })
  const body = { name: 'x', account_sid: t.sids.a1 }
  const { sid } = await t.as('sp1')(api.voipCarriers.createForAccount, { params, body })
  expect(await view(sid)).toMatchObject({
    account_sid: t.sids.a1,
    service_provider_sid: t.sids.sp1,
  })
  await expect(
    t.as('sp1')(api.voipCarriers.updateOfAccount, {
      params: { account_sid: t.sids.a2, voip_carrier_sid: sid },
      body: { name: 'y' },
    }),
  ).rejects.toMatchObject({ status: 404 })
})

it('is not given away by an account', async () => {
  const sid = await add('a1', {})
  const before = await view(sid)
  for (const account_sid of [null, t.sids.a2, t.sids.b1, crypto.randomUUID()])
    await expect(change('a1', sid, { name: 'changed', account_sid })).rejects.toMatchObject({
      status: 400,
      body: { issues: [{ path: ['account_sid'], message: 'account_sid may not be modified' }] },
    })
  expect(await view(sid)).toEqual(before)
  await change('a1', sid, { name: 'changed', account_sid: t.sids.a1 })
  expect(await view(sid)).toMatchObject({ name: 'changed', account_sid: t.sids.a1 })
})

it('goes to another account only of its provider, and when nothing uses it', async () => {
  const sid = await add('admin', { account_sid: t.sids.a1 })
  const before = await view(sid)
  for (const who of ['admin', 'sp1']) {
    const moved = { account_sid: t.sids.a2, service_provider_sid: t.sids.sp2 }
    await expect(change(who, sid, moved)).rejects.toMatchObject({
      status: 400,
      body: { issues: [{ path: ['service_provider_sid'] }] },
    })
  }
  const { sid: number_sid } = await t.as('a1')(api.phoneNumbers.create, {
    body: { number: '15550001', voip_carrier_sid: sid },
  })
  await expect(change('admin', sid, { account_sid: t.sids.a2 })).rejects.toMatchObject({
    status: 422,
    body: { used_by: [{ items: [{ sid: number_sid }] }] },
  })
  expect(await view(sid)).toEqual(before)
  await t.as('a1')(api.phoneNumbers.remove, { params: { phone_number_sid: number_sid } })
  await change('admin', sid, { account_sid: t.sids.a2, service_provider_sid: t.sids.sp1 })
  expect(await view(sid)).toMatchObject({ account_sid: t.sids.a2 })
})

it('accepts only an application of its own account', async () => {
  const hook = { url: 'https://example.com/hook' }
  const app = { name: 'ivr', call_hook: hook, call_status_hook: hook }
  const { sid: own } = await t.as('a1')(api.applications.create, { body: app })
  const { sid: sibling } = await t.as('a2')(api.applications.create, { body: app })
  const { sid: foreign } = await t.as('b1')(api.applications.create, { body: app })
  const sid = await add('sp1', { account_sid: t.sids.a1, application_sid: own })
  const refused = async (body: object, message: string) =>
    expect(change('sp1', sid, body)).rejects.toMatchObject({ status: 400, message })
  await refused(
    { application_sid: sibling },
    'application_sid does not exist for specified account_sid',
  )
  await refused({ application_sid: foreign }, 'unknown application_sid')
  await change('sp1', sid, { account_sid: t.sids.a2 })
  expect(await view(sid)).toMatchObject({ account_sid: t.sids.a2, application_sid: null })
})

it('leaves the default application to administrators if so configured', async () => {
  const hook = { url: 'https://example.com/hook' }
  const app = { name: 'ivr', call_hook: hook, call_status_hook: hook }
  const { sid: application_sid } = await t.as('a1')(api.applications.create, { body: app })
  t.ctx.config.page.DISABLE_DEFAULT_TRUNK_ROUTING = true
  const refused = { status: 400, message: 'insufficient privileges' }
  await expect(add('a1', { application_sid })).rejects.toMatchObject(refused)
  const sid = await add('a1', {})
  for (const who of ['a1', 'sp1'])
    await expect(change(who, sid, { application_sid })).rejects.toMatchObject(refused)
  await change('admin', sid, { application_sid })
  await change('a1', sid, { name: 'other', application_sid })
  expect(await view(sid)).toMatchObject({ name: 'other', application_sid })
})

it('is not deleted while numbers or routes use it, and is deleted with its gateways', async () => {
  const sid = await add('a1', { sip_gateways: [inbound] })
  const number = await t.as('a1')(api.phoneNumbers.create, {
    body: { number: '15085551212', voip_carrier_sid: sid },
  })
  const params = { voip_carrier_sid: sid }
  await expect(t.as('a1')(api.voipCarriers.remove, { params })).rejects.toMatchObject({
    status: 422,
    message: 'cannot delete voip carrier with active phone numbers',
    body: { used_by: [{ kind: 'Phone numbers', total: 1, items: [{ name: '15085551212' }] }] },
  })
  expect(await count('sip_gateways')).toBe(1)
  await t.as('a1')(api.phoneNumbers.remove, { params: { phone_number_sid: number.sid } })
  await t.as('a1')(api.voipCarriers.remove, { params })
  expect(await count('sip_gateways')).toBe(0)
})

it('is in the audit log with its gateways as they are stored', async () => {
  const smpp = { ipv4: '203.0.113.2', port: 2775 }
  const sid = await add('admin', { sip_gateways: [inbound], smpp_gateways: [smpp] })
  const stored = async (table: 'sip_gateways' | 'smpp_gateways') =>
    t.db.selectFrom(table).selectAll().where('voip_carrier_sid', '=', sid).execute()
  const gateways = {
    sip_gateways: await stored('sip_gateways'),
    smpp_gateways: await stored('smpp_gateways'),
  }
  await t.as('admin')(api.voipCarriers.remove, { params: { voip_carrier_sid: sid } })
  const { data } = await t.as('admin')(api.audit.list, { query: { page: 1, sid } })
  const { sip_gateways, smpp_gateways } = data[0]!.before as typeof gateways
  expect({ sip_gateways, smpp_gateways }).toEqual(gateways)
})

it('is not deleted while a route uses it', async () => {
  const sid = await add('a1', {})
  const lcr_sid = crypto.randomUUID()
  const lcr_route_sid = crypto.randomUUID()
  await t.db.insertInto('lcr').values({ lcr_sid, account_sid: t.sids.a1 }).execute()
  const route = { lcr_route_sid, lcr_sid, regex: '^44', priority: 1 }
  await t.db.insertInto('lcr_routes').values(route).execute()
  const entry = { lcr_carrier_set_entry_sid: crypto.randomUUID(), lcr_route_sid, priority: 1 }
  await t.db
    .insertInto('lcr_carrier_set_entry')
    .values({ ...entry, voip_carrier_sid: sid })
    .execute()
  await expect(
    t.as('a1')(api.voipCarriers.remove, { params: { voip_carrier_sid: sid } }),
  ).rejects.toMatchObject({
    status: 422,
    message: 'In order to delete the carrier it cannot be in use.',
    body: { used_by: [{ kind: 'Outbound call routing', items: [{ name: '^44' }] }] },
  })
})

it('is read-only for accounts if so configured', async () => {
  const sid = await add('a1', {})
  t.ctx.config.admin_carrier = true
  const refused = { status: 400, message: 'insufficient privileges' }
  await expect(add('a1', {})).rejects.toMatchObject(refused)
  await expect(change('a1', sid, { name: 'x' })).rejects.toMatchObject(refused)
  await add('sp1', {})
})

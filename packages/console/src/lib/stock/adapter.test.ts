import {
  ApiError,
  accounts,
  alerts,
  applications,
  clients,
  type Endpoint,
  lcrs,
  msTeamsTenants,
  outgoing,
  phoneNumbers,
  providerSpeechCredentials,
  registration,
  type Sent,
  serviceProviders,
  settings,
  type TokenClaims,
  type Transport,
  users,
  voipCarriers,
} from '@switchroom/contract'
import { beforeEach, expect, it, vi } from 'vitest'

vi.mock('../config', () => ({ config: { DEFAULT_SERVICE_PROVIDER_SID: 'sp' } }))
vi.mock('../oauth-client', () => ({ callbackAddress: () => 'back', clientId: () => 'client' }))
const { askStock } = await import('./adapter')
const { forgetLookUps } = await import('./lists')

const [SP, A, B, APP, C, G, N, U, L, R, E1] = Array.from(
  { length: 11 },
  (_, i) => `00000000-0000-4000-8000-0000000000${10 + i}`,
) as [string, string, string, string, string, string, string, string, string, string, string]

/** What the server answers, by method and path; `undefined` is 204. */
let answers: Record<string, unknown>
let wire: [string, unknown?][]
const via: Transport = async (method, url, body) => {
  const path = url.replace(/\?.*/, '')
  wire.push(
    body === undefined
      ? [`${method} ${url}`]
      : [`${method} ${url}`, JSON.parse(JSON.stringify(body))],
  )
  const found = answers[`${method} ${path}`]
  if (found instanceof ApiError) return { status: found.status, json: () => found.body }
  if (found !== undefined) return { status: method === 'POST' ? 201 : 200, json: () => found }
  if (method === 'GET') return { status: 200, json: () => [] }
  return method === 'POST'
    ? { status: 201, json: () => ({ sid: 'new' }) }
    : { status: 204, json: () => undefined }
}
const refusal = (status: number, msg: string) =>
  new ApiError(status, { msg } as ConstructorParameters<typeof ApiError>[1])

const admin = { scope: 'admin', user_sid: U } as TokenClaims
const accountUser = {
  scope: 'account',
  user_sid: U,
  account_sid: A,
  service_provider_sid: SP,
} as TokenClaims

const send = <E extends Endpoint>(e: E, sent: Sent<E>, user = admin) =>
  askStock(via, { user, provider: async () => SP }, e, outgoing(e, sent))
const written = () => wire.filter(([what]) => !what.startsWith('GET'))

const account = {
  account_sid: A,
  name: 'Acme',
  service_provider_sid: SP,
  sip_realm: 'a.example.com',
}
beforeEach(() => {
  wire = []
  forgetLookUps()
  answers = { 'GET /Accounts': [account], [`GET /Accounts/${A}`]: account }
})

it('sends null for none, in accounts and in what has an application', async () => {
  await send(accounts.create, {
    body: {
      name: ' Acme ',
      sip_realm: '',
      device_calling_application_sid: '',
      siprec_hook_sid: '',
      service_provider_sid: SP,
    },
  })
  await send(msTeamsTenants.create, {
    body: { tenant_fqdn: 't.example.com', account_sid: A, application_sid: '' },
  })
  await send(phoneNumbers.create, {
    body: {
      number: '+15551234567',
      voip_carrier_sid: C,
      account_sid: '',
      application_sid: '',
      description: 'x',
    },
  })
  expect(written()).toEqual([
    [
      'POST /Accounts',
      {
        name: 'Acme',
        sip_realm: null,
        device_calling_application_sid: null,
        siprec_hook_sid: null,
        service_provider_sid: SP,
      },
    ],
    [
      'POST /MicrosoftTeamsTenants',
      {
        tenant_fqdn: 't.example.com',
        account_sid: A,
        application_sid: null,
        service_provider_sid: SP,
      },
    ],
    [
      'POST /PhoneNumbers',
      { number: '15551234567', voip_carrier_sid: C, account_sid: null, application_sid: null },
    ],
  ])
})

it('sends only members that the server knows', async () => {
  await send(settings.saveSystemInformation, {
    body: { domain_name: '', min_password_length: 8 } as { domain_name: string },
  })
  await send(phoneNumbers.update, {
    params: { phone_number_sid: N },
    body: { application_sid: '', description: 'x', number: '', voip_carrier_sid: null },
  })
  expect(written()).toEqual([
    ['POST /SystemInformation', { domain_name: null }],
    [`PUT /PhoneNumbers/${N}`, { application_sid: null }],
  ])
})

const newUser = { name: 'n', email: 'n@example.com', initial_password: 'secret12' }
it('gives a user of an account both owners', async () => {
  const flags = { force_change: 1, is_active: 1, is_view_only: 0 }
  await send(users.create, { body: { ...newUser, account_sid: A } })
  await send(users.create, { body: newUser }, accountUser)
  await send(users.create, { body: { ...newUser, account_sid: null, service_provider_sid: null } })
  expect(written().map(([, body]) => body)).toEqual([
    { ...newUser, ...flags, account_sid: A, service_provider_sid: SP },
    { ...newUser, ...flags, account_sid: A, service_provider_sid: SP },
    { ...newUser, ...flags },
  ])
})

it('refuses a user of an account whose provider is not known', async () => {
  answers['GET /Accounts'] = []
  await expect(send(users.create, { body: { ...newUser, account_sid: B } })).rejects.toThrow(
    'The service provider of this account is not known.',
  )
  expect(written()).toEqual([])
})

it('changes a user without nulls, and without taking a permission away', async () => {
  const params = { user_sid: U }
  answers[`GET /Users/${U}`] = { account_sid: A, service_provider_sid: SP, is_view_only: true }
  await send(users.update, { params, body: { old_password: 'a', new_password: 'b' } })
  await send(users.update, { params, body: { name: 'n', is_view_only: false, account_sid: A } })
  expect(written()).toEqual([
    [`PUT /Users/${U}`, { old_password: 'a', new_password: 'b', is_view_only: 1 }],
    [`PUT /Users/${U}`, { name: 'n', is_view_only: 0, account_sid: A, service_provider_sid: SP }],
  ])
  await expect(
    send(users.update, { params, body: { account_sid: null, service_provider_sid: null } }),
  ).rejects.toThrow('This server does not offer moving a user to a wider scope')
})

it('lists users of one provider with its administrators', async () => {
  answers['GET /Users'] = [
    { name: 'x', scope: 'account', account_sid: A, service_provider_sid: SP },
    { name: 'y', scope: 'account', account_sid: B, service_provider_sid: 'other' },
    { name: 'root', scope: 'admin' },
  ]
  const query = { page: 1, service_provider_sid: SP }
  expect(await send(users.list, { query })).toMatchObject({
    total: 2,
    data: [{ name: 'x' }, { name: 'root' }],
  })
})

it('leaves out a realm that did not change, and brings another one where it is taken', async () => {
  const params = { account_sid: A }
  await send(
    accounts.update,
    { params, body: { name: 'b', sip_realm: 'a.example.com' } },
    accountUser,
  )
  await send(accounts.update, { params, body: { sip_realm: 'b.c.example' } }, accountUser)
  await send(accounts.update, { params, body: { sip_realm: 'b.c.example' } })
  expect(written()).toEqual([
    [`PUT /Accounts/${A}`, { name: 'b' }],
    [`POST /Accounts/${A}/SipRealms/b.c.example`],
    [`PUT /Accounts/${A}`, { sip_realm: 'b.c.example' }],
  ])
})

it('saves an account call by call, and says how far it came', async () => {
  const bucket_credential = {
    vendor: 'azure' as const,
    name: 'b',
    connection_string: 'c',
  }
  const body = { name: 'Acme', bucket_credential, limits: { voice_call_session: 5 } }
  expect(await send(accounts.create, { body })).toEqual({ sid: 'new' })
  expect(written()).toEqual([
    ['POST /Accounts', { name: 'Acme', service_provider_sid: SP }],
    ['PUT /Accounts/new', { bucket_credential }],
    ['POST /Accounts/new/Limits', { category: 'voice_call_session', quantity: 5 }],
  ])
  answers['POST /Accounts/new/Limits'] = refusal(400, 'no more')
  expect(await send(accounts.create, { body })).toEqual({
    sid: 'new',
    unsaved: 'Saved: the account, where recordings are kept. Not saved: Max calls. no more',
  })
})

it('looks for what uses an account before it deletes anything', async () => {
  const params = { account_sid: A }
  answers['GET /Clients'] = [{ client_sid: 'c', account_sid: A, username: 'bob' }]
  await expect(send(accounts.remove, { params, body: {} })).rejects.toMatchObject({
    body: {
      code: 'in_use',
      msg: 'In order to delete the account it cannot be in use.',
      used_by: [{ kind: 'SIP clients', total: 1, items: [{ sid: 'c', name: 'bob' }] }],
    },
  })
  expect(written()).toEqual([])
  answers['GET /Clients'] = []
  await send(accounts.remove, { params, body: {} })
  expect(written()).toEqual([[`DELETE /Accounts/${A}`, {}]])
})

it('deletes no carrier, application or provider that something uses', async () => {
  answers['GET /Lcrs'] = [{ lcr_sid: L }]
  answers['GET /LcrRoutes'] = [
    { lcr_route_sid: R, regex: '^1', lcr_carrier_set_entries: [{ voip_carrier_sid: C }] },
  ]
  answers['GET /Accounts'] = [{ ...account, siprec_hook_sid: APP }]
  answers[`GET /ServiceProviders/${SP}/Accounts`] = [account]
  for (const removing of [
    send(voipCarriers.remove, { params: { voip_carrier_sid: C } }),
    send(applications.remove, { params: { application_sid: APP } }),
    send(serviceProviders.remove, { params: { service_provider_sid: SP } }),
  ])
    await expect(removing).rejects.toMatchObject({ body: { code: 'in_use' } })
  expect(written()).toEqual([])
  answers = {}
  await send(voipCarriers.remove, { params: { voip_carrier_sid: C } })
  expect(written()).toEqual([[`DELETE /VoipCarriers/${C}`]])
})

const inbound = {
  ipv4: '203.0.113.1',
  port: 5060,
  netmask: 32,
  inbound: 1 as const,
  outbound: 0 as const,
}
it('saves a carrier gateway by gateway, and adds none twice', async () => {
  const params = { voip_carrier_sid: C }
  answers['GET /SipGateways'] = [
    { sip_gateway_sid: G, ...inbound },
    { sip_gateway_sid: 'gone', ...inbound, ipv4: '203.0.113.9' },
  ]
  await send(voipCarriers.update, {
    params,
    body: { name: 'x', application_sid: '', account_sid: A, sip_gateways: [inbound] },
  })
  expect(written()).toEqual([
    [`PUT /VoipCarriers/${C}`, { name: 'x', application_sid: null, account_sid: A }],
    [`PUT /SipGateways/${G}`, expect.objectContaining({ ipv4: '203.0.113.1', inbound: 1 })],
    ['DELETE /SipGateways/gone'],
  ])
  answers[`PUT /SipGateways/${G}`] = refusal(500, 'Cannot add or update a child row: a foreign key')
  await expect(
    send(voipCarriers.update, { params, body: { name: 'x', sip_gateways: [inbound] } }),
  ).rejects.toThrow(
    'Saved: the carrier. Not saved: SIP gateway 203.0.113.1, deletion of SIP gateway 203.0.113.9. The server could not complete the request and gave no reason.',
  )
})

it('filters carriers by name, counts their gateways, and says whose they are', async () => {
  answers[`GET /ServiceProviders/${SP}/VoipCarriers`] = {
    total: 2,
    page: 1,
    page_size: 25,
    data: [
      { voip_carrier_sid: C, name: 'c', account_sid: A },
      { voip_carrier_sid: 'd', name: 'd', account_sid: null },
    ],
  }
  answers['GET /SipGateways'] = [inbound]
  const list = () =>
    send(voipCarriers.ofServiceProvider, {
      params: { service_provider_sid: SP },
      query: { page: 1, page_size: 25, filter: 'c' },
    })
  expect((await list()).data).toMatchObject([
    { account_name: 'Acme', inbound_gateways: 1, outbound_gateways: 0 },
    { account_name: null, inbound_gateways: 1, outbound_gateways: 0 },
  ])
  expect(wire.map(([what]) => what)).toEqual([
    `GET /ServiceProviders/${SP}/VoipCarriers?name=c&page=1&page_size=25`,
    'GET /Accounts',
    `GET /SipGateways?voip_carrier_sid=${C}`,
    'GET /SipGateways?voip_carrier_sid=d',
  ])
  answers['GET /SipGateways'] = refusal(403, 'insufficient privileges')
  expect((await list()).data).toMatchObject([{ inbound_gateways: null }, {}])
})

it('lists applications of one provider by name', async () => {
  answers['GET /Applications'] = {
    total: 2,
    data: [
      { name: 'mine', account_sid: A },
      { name: 'theirs', account_sid: B },
    ],
  }
  const found = await send(applications.ofServiceProvider, {
    params: { service_provider_sid: SP },
    query: { page: 1, filter: 'm' },
  })
  expect(found).toMatchObject({ total: 1, data: [{ name: 'mine', account_name: 'Acme' }] })
  expect(wire[0]![0]).toBe('GET /Applications?name=m&page=1&page_size=10000')
})

it('shows names in lists of numbers, tenants and clients, looked up once', async () => {
  answers['GET /PhoneNumbers'] = {
    total: 1,
    data: [{ number: '1', account_sid: A, application_sid: null }],
  }
  answers['GET /MicrosoftTeamsTenants'] = [
    { tenant_fqdn: 't', account_sid: A, service_provider_sid: SP, application_sid: null },
    { tenant_fqdn: 'u', account_sid: B, service_provider_sid: 'other', application_sid: null },
  ]
  answers['GET /Clients'] = [{ username: 'bob', account_sid: A }]
  const query = { page: 1, page_size: 25, service_provider_sid: SP }
  expect((await send(phoneNumbers.list, { query: { ...query, filter: '1' } })).data).toMatchObject([
    { account_name: 'Acme', application_name: null },
  ])
  expect((await send(msTeamsTenants.list, { query })).data).toMatchObject([
    { account_name: 'Acme' },
  ])
  expect((await send(clients.list, { query })).data).toMatchObject([
    { account_name: 'Acme', sip_realm: 'a.example.com' },
  ])
  expect(wire.filter(([what]) => what === 'GET /Accounts')).toHaveLength(1)
  expect(wire[0]![0]).toBe(
    `GET /PhoneNumbers?service_provider_sid=${SP}&filter=1&page=1&page_size=25`,
  )
})

it('assigns numbers one by one, and says how far it came', async () => {
  answers[`PUT /PhoneNumbers/${B}`] = refusal(403, 'insufficient privileges')
  const body = { select: { phone_number_sids: [N, B] }, application_sid: '' }
  await expect(send(phoneNumbers.updateMany, { body })).rejects.toThrow(
    '1 of 2 phone numbers were changed. insufficient privileges',
  )
  expect(written()[0]).toEqual([`PUT /PhoneNumbers/${N}`, { application_sid: null }])
})

it('tells an application which webhook is which', async () => {
  const params = { application_sid: APP }
  answers[`GET /Applications/${APP}`] = {
    call_hook: { webhook_sid: 'w' },
    messaging_hook: { webhook_sid: 'm' },
  }
  const call_hook = { url: 'https://example.com/', method: 'POST' }
  await expect(
    send(applications.update, { params, body: { name: 'x', call_hook, messaging_hook: null } }),
  ).rejects.toThrow('Not saved: the removal of its messaging webhook')
  expect(written()).toEqual([
    [`PUT /Applications/${APP}`, { name: 'x', call_hook: { ...call_hook, webhook_sid: 'w' } }],
  ])
})

it('keeps the webhook of a provider that is changed', async () => {
  const registration_hook = {
    url: 'https://example.com/',
    method: 'GET',
    username: null,
    password: null,
  }
  answers[`GET /ServiceProviders/${SP}`] = { registration_hook }
  await send(serviceProviders.update, {
    params: { service_provider_sid: SP },
    body: { name: 'x', limits: { voice_call_session: null } },
  })
  expect(written()).toEqual([
    [`PUT /ServiceProviders/${SP}`, { name: 'x', registration_hook }],
    [`DELETE /ServiceProviders/${SP}/Limits?category=voice_call_session`],
  ])
})

it('saves a routing table route by route', async () => {
  const entry = { lcr_carrier_set_entry_sid: E1, voip_carrier_sid: C, workload: 1, priority: 0 }
  const last = { lcr_route_sid: 'last', priority: 9999, lcr_carrier_set_entries: [entry] }
  answers[`GET /Lcrs/${L}`] = { lcr_sid: L, default_carrier_set_entry_sid: E1 }
  answers['GET /LcrRoutes'] = [
    { lcr_route_sid: R, regex: '^1', priority: 0, lcr_carrier_set_entries: [] },
    last,
  ]
  const params = { lcr_sid: L }
  expect(await send(lcrs.view, { params })).toMatchObject({ default_carrier: C, routes: [{}] })
  await send(lcrs.update, {
    params,
    body: {
      name: '',
      default_carrier: B,
      routes: [{ regex: '^2', lcr_carrier_set_entries: [{ voip_carrier_sid: C }] }],
    },
  })
  expect(written()).toEqual([
    [`PUT /Lcrs/${L}`, { name: null }],
    [`DELETE /LcrRoutes/${R}`],
    [
      `PUT /Lcrs/${L}/Routes`,
      [
        { regex: '^2', priority: 0, lcr_carrier_set_entries: [{ voip_carrier_sid: C }] },
        expect.objectContaining({
          lcr_route_sid: 'last',
          priority: 9999,
          lcr_carrier_set_entries: [{ ...entry, voip_carrier_sid: B }],
        }),
      ],
    ],
  ])
})

it('sends credentials whole, with numbers for yes and no', async () => {
  const params = { service_provider_sid: SP, speech_credential_sid: C }
  answers[`GET /ServiceProviders/${SP}/SpeechCredentials/${C}`] = { vendor: 'google', region: 'us' }
  await send(providerSpeechCredentials.update, { params, body: { use_for_tts: true, mode: 'x' } })
  expect(written()).toEqual([
    [`PUT /ServiceProviders/${SP}/SpeechCredentials/${C}`, { region: 'us', use_for_tts: 1 }],
  ])
})

it('makes the code that a registration needs', async () => {
  await send(registration.register, {
    body: { provider: 'local', email: 'a@example.com', password: 'secret12' },
  })
  expect(written()[0]![1]).toMatchObject({
    service_provider_sid: 'sp',
    email_activation_code: expect.stringMatching(/^\d{6}$/),
  })
})

it('says in plain words what the server does not have, and never its database’s', async () => {
  await expect(send(alerts.list, { query: { page: 1, count: 1 } })).rejects.toThrow(
    'This server does not offer this.',
  )
  answers[`PUT /Accounts/${A}`] = refusal(422, "Duplicate entry 'x' for key 'sip_realm'")
  await expect(
    send(accounts.update, { params: { account_sid: A }, body: { sip_realm: 'x.y.z' } }),
  ).rejects.toMatchObject({ body: { code: 'conflict', issues: [{ path: ['sip_realm'] }] } })
})

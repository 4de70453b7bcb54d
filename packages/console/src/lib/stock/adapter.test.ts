import { ApiError, type TokenClaims, type Transport } from '@switchroom/contract'
import { beforeEach, expect, it, vi } from 'vitest'
import {
  accounts,
  alerts,
  apiKeys,
  applications,
  clients,
  type Endpoint,
  lcrs,
  msTeamsTenants,
  phoneNumbers,
  providerSpeechCredentials,
  registration,
  type Sent,
  serviceProviders,
  settings,
  users,
  voipCarriers,
} from '../endpoints'

vi.mock('../config', () => ({ config: { DEFAULT_SERVICE_PROVIDER_SID: 'sp' } }))
vi.mock('../oauth-client', () => ({ callbackAddress: () => 'back', clientId: () => 'client' }))
const { askStock } = await import('./adapter')
const { clearLookUps } = await import('./lists')

const [SP, A, B, APP, C, G, N, U, L, R, E1] = Array.from(
  { length: 11 },
  (_, i) => `00000000-0000-4000-8000-0000000000${10 + i}`,
) as [string, string, string, string, string, string, string, string, string, string, string]

/** Server responses by method and path; `undefined` is 204. */
let answers: Record<string, unknown>
let requests: [string, unknown?][]
const transport: Transport = async (method, url, body) => {
  const path = url.replace(/\?.*/, '')
  requests.push(
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
const apiError = (status: number, msg: string) =>
  new ApiError(status, { msg } as ConstructorParameters<typeof ApiError>[1])

const admin = { scope: 'admin', user_sid: U } as TokenClaims
const accountUser = {
  scope: 'account',
  user_sid: U,
  account_sid: A,
  service_provider_sid: SP,
} as TokenClaims

const send = async <E extends Endpoint>(e: E, sent: Sent<E>, user = admin) =>
  askStock(transport, { user, provider: async () => SP }, e, await e.parse(sent))
const writes = () => requests.filter(([what]) => !what.startsWith('GET'))

const account = {
  account_sid: A,
  name: 'Acme',
  service_provider_sid: SP,
  sip_realm: 'a.example.com',
}
beforeEach(() => {
  requests = []
  clearLookUps()
  answers = { 'GET /Accounts': [account], [`GET /Accounts/${A}`]: account }
})

it('sends null for none, in accounts and in resources with an application', async () => {
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
  expect(writes()).toEqual([
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

it('sends only fields the server knows', async () => {
  await send(settings.saveSystemInformation, {
    body: { domain_name: '', min_password_length: 8 } as { domain_name: string },
  })
  await send(phoneNumbers.update, {
    params: { phone_number_sid: N },
    body: { application_sid: '', description: 'x', number: '', voip_carrier_sid: null },
  })
  expect(writes()).toEqual([
    ['POST /SystemInformation', { domain_name: null }],
    [`PUT /PhoneNumbers/${N}`, { application_sid: null }],
  ])
})

it('creates an API key with nothing but its owner, and refuses what would be lost', async () => {
  await send(apiKeys.create, { body: { account_sid: A } })
  expect(writes()).toEqual([['POST /ApiKeys', { account_sid: A }]])
  for (const more of [{ expiry_secs: 60 }, { name: 'n' }, { view_only: 1 as const }])
    await expect(send(apiKeys.create, { body: { account_sid: A, ...more } })).rejects.toThrow()
  expect(writes()).toHaveLength(1)
})

const newUser = { name: 'n', email: 'n@example.com', initial_password: 'secret12' }
it('sends both owners for an account user', async () => {
  const flags = { force_change: 1, is_active: 1, is_view_only: 0 }
  await send(users.create, { body: { ...newUser, account_sid: A } })
  await send(users.create, { body: newUser }, accountUser)
  await send(users.create, { body: { ...newUser, account_sid: null, service_provider_sid: null } })
  expect(writes().map(([, body]) => body)).toEqual([
    { ...newUser, ...flags, account_sid: A, service_provider_sid: SP },
    { ...newUser, ...flags, account_sid: A, service_provider_sid: SP },
    { ...newUser, ...flags },
  ])
})

it('refuses an account user when the provider is unknown', async () => {
  answers['GET /Accounts'] = []
  await expect(send(users.create, { body: { ...newUser, account_sid: B } })).rejects.toThrow(
    'The service provider of this account is not known.',
  )
  expect(writes()).toEqual([])
})

it('updates a user without nulls, keeping permissions', async () => {
  const params = { user_sid: U }
  answers[`GET /Users/${U}`] = { account_sid: A, service_provider_sid: SP, is_view_only: true }
  await send(users.update, { params, body: { old_password: 'a', new_password: 'b' } })
  await send(users.update, { params, body: { name: 'n', is_view_only: false, account_sid: A } })
  expect(writes()).toEqual([
    [`PUT /Users/${U}`, { old_password: 'a', new_password: 'b', is_view_only: 1 }],
    [`PUT /Users/${U}`, { name: 'n', is_view_only: 0, account_sid: A, service_provider_sid: SP }],
  ])
  await expect(
    send(users.update, { params, body: { account_sid: null, service_provider_sid: null } }),
  ).rejects.toThrow('This server does not offer moving a user to a wider scope')
})

it('lists a provider’s users together with administrators', async () => {
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

it('omits an unchanged SIP realm, and sends a new one to its own endpoint', async () => {
  const params = { account_sid: A }
  await send(
    accounts.update,
    { params, body: { name: 'b', sip_realm: 'a.example.com' } },
    accountUser,
  )
  await send(accounts.update, { params, body: { sip_realm: 'b.c.example' } }, accountUser)
  await send(accounts.update, { params, body: { sip_realm: 'b.c.example' } })
  expect(writes()).toEqual([
    [`PUT /Accounts/${A}`, { name: 'b' }],
    [`POST /Accounts/${A}/SipRealms/b.c.example`],
    [`PUT /Accounts/${A}`, { sip_realm: 'b.c.example' }],
  ])
})

it('saves an account step by step, and reports which steps failed', async () => {
  const bucket_credential = {
    vendor: 'azure' as const,
    name: 'b',
    connection_string: 'c',
  }
  const body = { name: 'Acme', bucket_credential, limits: { voice_call_session: 5 } }
  expect(await send(accounts.create, { body })).toEqual({ sid: 'new' })
  expect(writes()).toEqual([
    ['POST /Accounts', { name: 'Acme', service_provider_sid: SP }],
    ['PUT /Accounts/new', { bucket_credential }],
    ['POST /Accounts/new/Limits', { category: 'voice_call_session', quantity: 5 }],
  ])
  answers['POST /Accounts/new/Limits'] = apiError(400, 'no more')
  expect(await send(accounts.create, { body })).toEqual({
    sid: 'new',
    unsaved:
      'Saved: the account, where recordings are kept. Not saved: Concurrent call limit. no more',
  })
})

it('checks whether an account is in use before deleting anything', async () => {
  const params = { account_sid: A }
  answers['GET /Clients'] = [{ client_sid: 'c', account_sid: A, username: 'bob' }]
  await expect(send(accounts.remove, { params, body: {} })).rejects.toMatchObject({
    body: {
      code: 'in_use',
      msg: 'In order to delete the account it cannot be in use.',
      used_by: [{ kind: 'SIP clients', total: 1, items: [{ sid: 'c', name: 'bob' }] }],
    },
  })
  expect(writes()).toEqual([])
  answers['GET /Clients'] = []
  await send(accounts.remove, { params, body: {} })
  expect(writes()).toEqual([[`DELETE /Accounts/${A}`, {}]])
})

it('refuses to delete a carrier, application or provider in use', async () => {
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
  expect(writes()).toEqual([])
  answers = {}
  await send(voipCarriers.remove, { params: { voip_carrier_sid: C } })
  expect(writes()).toEqual([[`DELETE /VoipCarriers/${C}`]])
})

const inbound = {
  ipv4: '203.0.113.1',
  port: 5060,
  netmask: 32,
  inbound: 1 as const,
  outbound: 0 as const,
}
it('saves gateways one by one, and adds none twice', async () => {
  const params = { voip_carrier_sid: C }
  answers['GET /SipGateways'] = [
    { sip_gateway_sid: G, ...inbound },
    { sip_gateway_sid: 'gone', ...inbound, ipv4: '203.0.113.9' },
  ]
  await send(voipCarriers.update, {
    params,
    body: { name: 'x', application_sid: '', account_sid: A, sip_gateways: [inbound] },
  })
  expect(writes()).toEqual([
    [`PUT /VoipCarriers/${C}`, { name: 'x', application_sid: null, account_sid: A }],
    [`PUT /SipGateways/${G}`, expect.objectContaining({ ipv4: '203.0.113.1', inbound: 1 })],
    ['DELETE /SipGateways/gone'],
  ])
  answers[`PUT /SipGateways/${G}`] = apiError(
    500,
    'Cannot add or update a child row: a foreign key',
  )
  await expect(
    send(voipCarriers.update, { params, body: { name: 'x', sip_gateways: [inbound] } }),
  ).rejects.toThrow(
    'Saved: the carrier. Not saved: SIP gateway 203.0.113.1, deletion of SIP gateway 203.0.113.9. The server could not complete the request and gave no reason.',
  )
})

it('filters carriers by name, with gateway counts and owners', async () => {
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
  expect(requests.map(([what]) => what)).toEqual([
    `GET /ServiceProviders/${SP}/VoipCarriers?name=c&page=1&page_size=25`,
    'GET /Accounts',
    `GET /SipGateways?voip_carrier_sid=${C}`,
    'GET /SipGateways?voip_carrier_sid=d',
  ])
  answers['GET /SipGateways'] = apiError(403, 'insufficient privileges')
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
  expect(requests[0]![0]).toBe('GET /Applications?name=m&page=1&page_size=10000')
})

it('adds names to lists of numbers, tenants and clients, each looked up once', async () => {
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
  expect(requests.filter(([what]) => what === 'GET /Accounts')).toHaveLength(1)
  expect(requests[0]![0]).toBe(
    `GET /PhoneNumbers?service_provider_sid=${SP}&filter=1&page=1&page_size=25`,
  )
})

it('assigns numbers one by one, and reports how many were changed', async () => {
  answers[`PUT /PhoneNumbers/${B}`] = apiError(403, 'insufficient privileges')
  const body = { select: { phone_number_sids: [N, B] }, application_sid: '' }
  await expect(send(phoneNumbers.updateMany, { body })).rejects.toThrow(
    '1 of 2 phone numbers were changed. insufficient privileges',
  )
  expect(writes()[0]).toEqual([`PUT /PhoneNumbers/${N}`, { application_sid: null }])
})

it('sends webhook sids with an application’s webhooks, and says what cannot be removed', async () => {
  const params = { application_sid: APP }
  answers[`GET /Applications/${APP}`] = {
    call_hook: { webhook_sid: 'w' },
    messaging_hook: { webhook_sid: 'm' },
  }
  const call_hook = { url: 'https://example.com/', method: 'POST' }
  await expect(
    send(applications.update, { params, body: { name: 'x', call_hook, messaging_hook: null } }),
  ).rejects.toThrow('Not saved: the removal of its messaging webhook')
  expect(writes()).toEqual([
    [`PUT /Applications/${APP}`, { name: 'x', call_hook: { ...call_hook, webhook_sid: 'w' } }],
  ])
})

it('keeps a provider’s webhook on update', async () => {
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
  expect(writes()).toEqual([
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
  expect(writes()).toEqual([
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

it('sends complete credentials, with numbers for booleans', async () => {
  const params = { service_provider_sid: SP, speech_credential_sid: C }
  answers[`GET /ServiceProviders/${SP}/SpeechCredentials/${C}`] = { vendor: 'google', region: 'us' }
  await send(providerSpeechCredentials.update, { params, body: { use_for_tts: true, mode: 'x' } })
  expect(writes()).toEqual([
    [`PUT /ServiceProviders/${SP}/SpeechCredentials/${C}`, { region: 'us', use_for_tts: 1 }],
  ])
})

it('sends a registration with a generated activation code', async () => {
  await send(registration.register, {
    body: { provider: 'local', email: 'a@example.com', password: 'secret12' },
  })
  expect(writes()[0]![1]).toMatchObject({
    service_provider_sid: 'sp',
    email_activation_code: expect.stringMatching(/^\d{6}$/),
  })
})

it('replaces the server’s and database’s messages with plain ones', async () => {
  await expect(send(alerts.list, { query: { page: 1, count: 1 } })).rejects.toThrow(
    'This server does not offer this.',
  )
  answers[`PUT /Accounts/${A}`] = apiError(422, "Duplicate entry 'x' for key 'sip_realm'")
  await expect(
    send(accounts.update, { params: { account_sid: A }, body: { sip_realm: 'x.y.z' } }),
  ).rejects.toMatchObject({ body: { code: 'conflict', issues: [{ path: ['sip_realm'] }] } })
})

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'

// `msg` is for programs, exactly as on the platform; the field's message is for people.

let t: TestApp
const sids: Record<string, string> = {}
beforeAll(async () => {
  t = await testApp({ ENABLE_HOSTED_SYSTEM: '1' })
  Object.assign(sids, t.sids, { unknown: randomUUID() })
  const createResource = async (name: string, who: string, path: string, body: object) => {
    const answer = await t.request(who, 'POST', path, body)
    sids[name] = answer.json().sid
    expect(sids[name], answer.body).toBeDefined()
  }
  const hook = { url: 'https://example.com/x' }
  const application = { name: 'app', call_hook: hook, call_status_hook: hook }
  await createResource('carrier', 'a1', '/VoipCarriers', { name: 'trunk' })
  await createResource('gateway', 'a1', '/SipGateways', {
    ipv4: '203.0.113.1',
    inbound: 0,
    outbound: 1,
    voip_carrier_sid: sids.carrier,
  })
  await createResource('app', 'a1', '/Applications', application)
  await createResource('other_app', 'a2', '/Applications', application)
  await createResource('number', 'a1', '/PhoneNumbers', {
    number: '15085551212',
    voip_carrier_sid: sids.carrier,
  })
  await createResource('client', 'a1', '/Clients', { username: 'jane', password: 'secret12' })
  await createResource('lcr', 'a1', '/Lcrs', { name: 'outbound' })
  await createResource('route', 'a1', '/LcrRoutes', { lcr_sid: sids.lcr, regex: '^1', priority: 0 })
  const key = async (name: string, who: string, body: object) =>
    createResource(name, who, '/ApiKeys', body)
  await key('key_a1', 'a1', { account_sid: sids.a1 })
})
afterAll(() => t.close())

/** `{a1}` in a path or a body is the sid of that name. */
const fillSids = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value ?? null).replace(/\{(\w+)\}/g, (_, name) => sids[name]!))

type Row = [
  request: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`,
  body: unknown,
  status: number,
  msg: string,
  /** Text of the first issue; left out where there is none. */
  plain?: string,
  who?: string,
]

const gateway = { ipv4: '203.0.113.9', inbound: 1, outbound: 1, voip_carrier_sid: '{carrier}' }
const outboundOnly = { ...gateway, inbound: 0, netmask: 24 }
const hook = { url: 'https://example.com/x' }
const hooks = { call_hook: hook, call_status_hook: hook }
const registers = { name: 'x', requires_register: true }
const route = { regex: '^44', priority: 1 }
const sentence = {
  text: 'Hello',
  language: 'en-US',
  voice: 'x',
  speech_credential_sid: '{unknown}',
}
const joins = { service_provider_sid: '{sp1}' }
const DOMAIN = 'must be a valid domain or IP address (no sip: prefix, no spaces)'
const PLAIN_DOMAIN = 'must be a domain name or IP address without spaces or a sip: prefix'
const REALM_EMPTY =
  'register_sip_realm must not be empty string; use null to fall back to gateway IP'
const NO_REALM = 'Enter a SIP realm, or null to use the gateway’s address'
const ROUTE = 'Each route needs a regex and a carrier.'
const ENTRIES = 'Lcr Route batch process require lcr_carrier_set_entries'
const ENTRY = 'One of lcr_carrier_set_entries is missing voip_carrier_sid'
const INCOMPLETE = 'The response from GitHub is incomplete. Try again.'
const ALL = 'speech_credential_sid, text, language, voice are all required'
const BOTH = 'missing old_password or new_password'
const SAME_ACCOUNT =
  'an account level token can only be used to create account level tokens for the same account'
const SAME_PROVIDER =
  'a service provider token can only be used to create tokens for the same service provider'

const carriers: Row[] = [
  ['POST /VoipCarriers', {}, 400, 'missing field name', 'Enter the name'],
  [
    'POST /VoipCarriers',
    { name: 'x', account_sid: '{unknown}' },
    400,
    'unknown account_sid',
    'unknown account_sid',
    'admin',
  ],
  [
    'POST /VoipCarriers',
    { name: 'x', application_sid: '{app}' },
    400,
    'account_sid missing',
    'account_sid missing',
    'sp1',
  ],
  ...(['POST /VoipCarriers', 'PUT /VoipCarriers/{carrier}'] as const).flatMap((request): Row[] => [
    [
      request,
      { name: 'x', application_sid: '{unknown}' },
      400,
      'unknown application_sid',
      'unknown application_sid',
    ],
    [
      request,
      { name: 'x', account_sid: '{a1}', application_sid: '{other_app}' },
      400,
      'application_sid does not exist for specified account_sid',
      'application_sid does not exist for specified account_sid',
      'sp1',
    ],
    [
      request,
      registers,
      400,
      'register_username is required when requires_register is true',
      'Enter the register username',
    ],
    [
      request,
      { ...registers, register_username: 'jane' },
      400,
      'register_password is required when requires_register is true',
      'Enter the register password',
    ],
    [
      request,
      { ...registers, register_username: 'jane doe', register_password: 'p' },
      400,
      'register_username must not contain whitespace',
      'The register username cannot contain spaces',
    ],
    [request, { name: 'x', register_sip_realm: '' }, 400, REALM_EMPTY, NO_REALM],
    ...['sip:example.com', 'sips:example.com', 'exa mple.com', 'localhost'].map(
      (register_sip_realm): Row => [
        request,
        { name: 'x', register_sip_realm },
        400,
        `register_sip_realm ${DOMAIN}`,
        `SIP realm ${PLAIN_DOMAIN}`,
      ],
    ),
    [
      request,
      { name: 'x', register_from_domain: 'sip:example.com' },
      400,
      `register_from_domain ${DOMAIN}`,
      `SIP from domain ${PLAIN_DOMAIN}`,
    ],
  ]),
  [
    'PUT /VoipCarriers/{carrier}',
    { name: 'x' },
    422,
    'carrier belongs to a different user',
    undefined,
    'a2',
  ],
  [
    'DELETE /VoipCarriers/{carrier}',
    undefined,
    422,
    'carrier belongs to a different user',
    undefined,
    'a2',
  ],
  [
    'DELETE /VoipCarriers/{carrier}',
    undefined,
    422,
    'cannot delete voip carrier with active phone numbers',
  ],
  [
    'POST /ServiceProviders/{sp1}/VoipCarriers',
    {},
    400,
    'missing field name',
    'Enter the name',
    'sp1',
  ],
]

const gateways: Row[] = [
  ['GET /SipGateways', undefined, 400, 'missing voip_carrier_sid', 'Choose a carrier'],
  [
    'POST /SipGateways',
    { ...gateway, voip_carrier_sid: '' },
    400,
    'missing voip_carrier_sid',
    'Choose a carrier',
  ],
  [
    'POST /SipGateways',
    { ...gateway, ipv4: undefined },
    400,
    'missing field ipv4',
    'Enter the address',
  ],
  [
    'POST /SipGateways',
    { ...gateway, ipv4: '203.0. 113.9' },
    400,
    'Gateway must not contain whitespace',
    'Please provide a valid IP address or fully qualified domain name.',
  ],
  [
    'POST /SipGateways',
    outboundOnly,
    400,
    'For outbound only gateway netmask can only be 32',
    'An outbound-only gateway must have netmask 32',
  ],
  [
    'PUT /SipGateways/{gateway}',
    { netmask: 24 },
    400,
    'For outbound only gateway netmask can only be 32',
    'An outbound-only gateway must have netmask 32',
  ],
  [
    'PUT /VoipCarriers/{carrier}',
    { sip_gateways: [gateway, outboundOnly] },
    400,
    'For outbound only gateway netmask can only be 32',
    'An outbound-only gateway must have netmask 32',
  ],
  [
    'DELETE /SipGateways/{unknown}',
    undefined,
    400,
    'invalid sip_gateway_sid',
    'invalid sip_gateway_sid',
  ],
  ['GET /SmppGateways', undefined, 400, 'missing voip_carrier_sid', 'Choose a carrier'],
  ['POST /SmppGateways', { ipv4: 'x' }, 400, 'missing voip_carrier_sid', 'Choose a carrier'],
]

const routing: Row[] = [
  ['GET /LcrRoutes', undefined, 400, 'missing lcr_sid', 'Choose a routing table'],
  ['POST /LcrRoutes', route, 400, 'missing parameter lcr_sid', 'Choose a routing table'],
  ['GET /LcrCarrierSetEntries', undefined, 400, 'missing lcr_route_sid', 'Choose a route'],
  ['POST /LcrCarrierSetEntries', {}, 400, 'missing lcr_route_sid', 'Choose a route'],
  [
    'POST /LcrCarrierSetEntries',
    { lcr_route_sid: '{unknown}', voip_carrier_sid: '{carrier}' },
    400,
    'unknown lcr_route_sid',
    'unknown lcr_route_sid',
  ],
  [
    'POST /LcrCarrierSetEntries',
    { lcr_route_sid: '{route}' },
    400,
    'missing voip_carrier_sid',
    'Choose a carrier',
  ],
  [
    'POST /LcrCarrierSetEntries',
    { lcr_route_sid: '{route}', voip_carrier_sid: '{unknown}' },
    400,
    'unknown voip_carrier_sid',
    'unknown voip_carrier_sid',
  ],
  ...(['POST', 'PUT'] as const).flatMap((method): Row[] => [
    [`${method} /Lcrs/{lcr}/Routes`, [route], 400, ENTRIES, ROUTE],
    [
      `${method} /Lcrs/{lcr}/Routes`,
      [{ ...route, lcr_carrier_set_entries: [] }],
      400,
      ENTRIES,
      ROUTE,
    ],
    [
      `${method} /Lcrs/{lcr}/Routes`,
      [{ ...route, lcr_carrier_set_entries: [{}] }],
      400,
      ENTRY,
      ROUTE,
    ],
  ]),
  [
    'POST /Lcrs',
    { name: 'x', account_sid: '{unknown}' },
    400,
    'unknown account_sid',
    'unknown account_sid',
    'admin',
  ],
]

const provisioning: Row[] = [
  ['POST /PhoneNumbers', {}, 400, 'number is required', 'Enter the phone number'],
  [
    'POST /PhoneNumbers',
    { number: '1508 555' },
    400,
    'number cannot contain whitespace',
    'The phone number cannot contain spaces',
  ],
  [
    'PUT /PhoneNumbers/{number}',
    { number: '1' },
    400,
    'number may not be modified',
    'The number cannot be changed',
  ],
  [
    'PUT /PhoneNumbers/{number}',
    { voip_carrier_sid: '{unknown}' },
    400,
    'voip_carrier_sid may not be modified',
    'The carrier cannot be changed',
  ],
  ['GET /PhoneNumbers/foobar', undefined, 400, 'Bad request', 'Bad request'],
  ['POST /Clients', {}, 400, 'missing field username', 'Enter the username'],
  [
    'POST /Clients',
    { username: 'jane doe' },
    400,
    'username cannot contain whitespace',
    'The username cannot contain spaces',
  ],
  [
    'POST /Clients',
    { username: 'x' },
    400,
    'missing field account_sid',
    'Choose an account',
    'admin',
  ],
  ['POST /Applications', hooks, 400, 'missing field name', 'Enter the name'],
  [
    'POST /Applications',
    { name: 'x', ...hooks },
    400,
    'missing field account_sid',
    'Choose an account',
    'admin',
  ],
  [
    'POST /Applications',
    { name: 'x', ...hooks, account_sid: '{b1}' },
    403,
    'insufficient privileges',
    undefined,
    'sp1',
  ],
  [
    'POST /Applications',
    { name: 'x', ...hooks, call_hook: 'https://example.com' },
    400,
    "'call_hook' must be an object when adding an application",
    'Calling webhook must be an object',
  ],
  [
    'PUT /Applications/{app}',
    { call_status_hook: 'https://example.com' },
    400,
    "'call_status_hook' must be an object when updating an application",
    'Call status hook must be an object',
  ],
  [
    'POST /Applications',
    { name: 'x', ...hooks, call_hook: { url: 'nonsense' } },
    400,
    'call_hook URL is invalid',
    'Enter a valid URL',
  ],
  [
    'PUT /Applications/{app}',
    { call_status_hook: { url: 'ftp://example.com' } },
    400,
    'call_status_hook URL has missing or invalid protocol ftp:',
    'The URL must begin with http://, https://, ws:// or wss://',
  ],
  [
    'PUT /Applications/{app}',
    { call_hook: { url: 'https://exa_mple.com' } },
    400,
    'call_hook URL has invalid hostname exa_mple.com',
    'The URL has an invalid host name: exa_mple.com',
  ],
  [
    'PUT /Applications/{app}',
    { call_hook: { url: ' https://example.com' } },
    400,
    'call_hook URL contains leading/trailing whitespace',
    'The URL cannot begin or end with a space',
  ],
  ['POST /MicrosoftTeamsTenants', {}, 400, 'missing field tenant_fqdn', 'Enter the domain name'],
]

const owners: Row[] = [
  ['POST /ServiceProviders', {}, 400, 'missing field name', 'Enter the name', 'admin'],
  ['PUT /ServiceProviders/123', { name: 'x' }, 400, 'Bad request', 'Bad request', 'admin'],
  ['POST /Accounts', {}, 400, 'missing field name', 'Enter the name', 'sp1'],
  [
    'POST /Accounts',
    { name: 'x' },
    400,
    'missing field service_provider_sid',
    'Choose a service provider',
    'admin',
  ],
  ['POST /Accounts', { name: 'x' }, 403, 'insufficient permissions'],
  [
    'POST /Accounts',
    { name: 'x', registration_hook: 'https://example.com' },
    400,
    "'registration_hook' must be an object when adding an account",
    'Registration hook must be an object',
    'sp1',
  ],
  [
    'PUT /Accounts/{a1}',
    { registration_hook: { url: 'nonsense' } },
    400,
    'registration_hook URL is invalid',
    'Enter a valid URL',
  ],
  ['PUT /Accounts/{b1}', { name: 'x' }, 403, 'insufficient permissions', undefined, 'sp1'],
  ['PUT /Accounts/{a2}', { name: 'x' }, 403, 'insufficient permissions'],
  ['DELETE /Accounts/{a2}', undefined, 403, 'insufficient permissions'],
  ['PUT /Users/foobar', { name: 'x' }, 400, 'Bad request', 'Bad request', 'admin'],
  [
    'POST /ApiKeys',
    {},
    400,
    'service provider token may not be used to create admin token',
    undefined,
    'sp1',
  ],
  ['POST /ApiKeys', { service_provider_sid: '{sp2}' }, 400, SAME_PROVIDER, undefined, 'sp1'],
  ['POST /ApiKeys', { account_sid: '{b1}' }, 400, SAME_PROVIDER, undefined, 'sp1'],
  ['POST /ApiKeys', { account_sid: '{a2}' }, 400, SAME_ACCOUNT],
  ['POST /change-password', {}, 400, BOTH, 'Enter the old password'],
  ['POST /change-password', { old_password: 'x' }, 400, BOTH, 'Enter the new password'],
  [
    'POST /PasswordSettings',
    { min_password_length: 5 },
    400,
    'invalid min_password_length property: should be between 8-20',
    'Minimum password length must be between 6 and 20',
    'admin',
  ],
]

const speech: Row[] = [
  ['POST /Accounts/{a1}/SpeechCredentials', {}, 400, 'vendor is required', 'Choose a vendor'],
  [
    'GET /Accounts/{a1}/SpeechCredentials/speech/supportedLanguagesAndVoices',
    undefined,
    400,
    'vendor is required',
    'Enter the vendor',
  ],
  [
    'POST /ServiceProviders/123/SpeechCredentials',
    { vendor: 'google' },
    400,
    'Bad request',
    'Bad request',
    'sp1',
  ],
  ['DELETE /Accounts/{a1}/SpeechCredentials/foobar', undefined, 400, 'Bad request', 'Bad request'],
  [
    'POST /Accounts/{a1}/TtsCache/Synthesize',
    { ...sentence, speech_credential_sid: undefined },
    400,
    ALL,
    'Choose a speech credential',
  ],
  [
    'POST /Accounts/{a1}/TtsCache/Synthesize',
    { ...sentence, voice: '' },
    400,
    ALL,
    'Enter the voice',
  ],
  [
    'POST /GoogleCustomVoices',
    { name: 'x', model: '' },
    400,
    'missing speech_credential_sid',
    'Choose a speech credential',
  ],
  [
    'POST /GoogleCustomVoices',
    { speech_credential_sid: '{unknown}', name: 'x' },
    400,
    'missing field model',
    'Enter the model',
  ],
]

const hosted: Row[] = [
  ['POST /register', joins, 400, 'missing provider', 'missing provider', ''],
  [
    'POST /register',
    { ...joins, provider: 'local', email: 'jane@example.com' },
    400,
    'missing email or password',
    'Enter the password',
    '',
  ],
  [
    'POST /register',
    { ...joins, provider: 'local', email: 'jane', password: 'canary horse 1' },
    400,
    'invalid email',
    'invalid email',
    '',
  ],
  [
    'POST /register',
    { ...joins, provider: 'github' },
    400,
    'missing oauth2_code for provider github',
    INCOMPLETE,
    '',
  ],
  [
    'POST /register',
    { ...joins, provider: 'github', oauth2_code: 'x' },
    400,
    'missing oauth2_state for provider github',
    INCOMPLETE,
    '',
  ],
  [
    'POST /Subscriptions',
    {},
    400,
    'invalid or missing action',
    'Choose what to do with the subscription',
  ],
  [
    'POST /Subscriptions',
    { action: 'update-payment-method' },
    400,
    'missing payment_method_id',
    'Enter the payment method ID',
  ],
  [
    'POST /Subscriptions',
    { action: 'update-quantities', products: [] },
    400,
    'missing products',
    'Products must have at least 1 entry',
  ],
  [
    'POST /Subscriptions',
    { action: 'update-quantities', products: [{ product_sid: '{unknown}', quantity: 1 }] },
    400,
    'missing price_id',
    'Enter the price',
  ],
]

it.each([...carriers, ...gateways, ...routing, ...provisioning, ...owners, ...speech, ...hosted])(
  'answers %s %j with %i %s',
  async (...row) => {
    const [request, body, status, msg, plain, who = 'a1'] = row as Row
    const [method, path] = fillSids(request).split(' ') as [string, string]
    const answer = await t.request(
      who,
      method,
      path,
      body === undefined ? undefined : fillSids(body),
    )
    const { msg: message, issues } = answer.json()
    expect([answer.statusCode, message, issues[0]?.message]).toEqual([status, msg, plain])
    // only the field messages: the platform's text is not repeated there
    for (const issue of issues) expect(Object.keys(issue)).toEqual(['path', 'message'])
  },
)

it.each([{ register_sip_realm: null }, { register_sip_realm: '203.0.113.1' }])(
  'accepts a carrier with %j',
  async (body) => {
    const answer = await t.request('a1', 'POST', '/VoipCarriers', { name: 'realm', ...body })
    expect(answer.statusCode, answer.body).toBe(201)
  },
)

it('treats an empty realm as none where the portal saves', async () => {
  const path = `/Accounts/${t.sids.a1}/VoipCarriers`
  const answer = await t.request('a1', 'POST', path, { name: 'empty', register_sip_realm: '' })
  expect(answer.statusCode, answer.body).toBe(201)
})

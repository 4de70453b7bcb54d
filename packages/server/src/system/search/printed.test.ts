import { randomUUID } from 'node:crypto'
import { api, type Found } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { callLine, type StoreKind, send, storeKinds, testStore } from '../../../test/calls.ts'
import { addFailure } from '../../../test/failures.ts'

/**
 * Everything that a row or a page shows finds it: in the palette, and in the filter of the list that shows it. Each
 * line is one text that somebody reads on screen, and its owner.
 */

let t: TestApp
const now = Date.now()

const sid = {
  account: 'b77e41f0-9c1d-4a53-8e2b-1f6dc0a956ae',
  application: 'c4d09b12-0e3f-4f7a-9a61-7be3d2155d10',
  carrier: '5e1fa7d3-64b2-4c0e-b1a9-90c7f3e8d421',
  other: '9d83cc02-51fe-4b6d-8f17-3ab264e0f7c5',
  client: 'e0a96d4f-2b7c-4d18-a3f5-6c81b90e7d32',
  user: 'f3b8120c-7d4e-49a6-9b05-2ec97a61fd84',
  speech: 'a18c5b0e-3f92-4e67-8d4b-c07f16e93ad5',
  lcr: 'd26e9f13-8a05-4b7c-9c3e-41f8a0d75be6',
  tenant: '8b0fd3c7-14ea-4c95-a6d2-e93b57f0c128',
  number: '3c7a0e95-f2b1-4d86-8e0c-5a94d1b7f630',
  destination: '7fe2c481-0b9d-4a3e-95c6-d8a10f37be59',
  subscription: '1c94be06-5d3a-4f27-8a9e-e07b63d2c815',
  request: 'ad51f08e-6c27-4e9b-b840-19f3e7c6d2a0',
  failure: '',
  call: '6ec1d0a9-47bf-4d35-9e82-fb03a76c51d4',
  second: '2fa09c57-b3e1-4860-a7d4-e5168c9f30bd',
}
const short = (whole: string) => `${whole.slice(0, 4)}…${whole.slice(-4)}`
const trace_id = 'd94f0b1ce7a25386409ffbd1ce8a7725'

beforeAll(async () => {
  t = await testApp()
  const { db } = t
  const { sp1: service_provider_sid, a2: elsewhere } = t.sids
  const owner = { account_sid: sid.account }
  const hook = async (url: string) => {
    const webhook_sid = randomUUID()
    await db.insertInto('webhooks').values({ webhook_sid, url, method: 'POST' }).execute()
    return webhook_sid
  }
  await db
    .insertInto('accounts')
    .values({
      ...owner,
      service_provider_sid: service_provider_sid!,
      name: 'Vogelmühle Klinik',
      sip_realm: 'klinik.sip.example.net',
      webhook_secret: 'wh_secret_printed',
      registration_hook_sid: await hook('https://reg.klinik.example.net/registered'),
      queue_event_hook_sid: await hook('https://queue.klinik.example.net/events'),
    })
    .execute()
  await db
    .insertInto('applications')
    .values({
      ...owner,
      application_sid: sid.application,
      name: 'Empfang São Paulo',
      call_hook_sid: await hook('https://u:sesame@ivr.vogel.example.org/greet?token=opensesame'),
      call_status_hook_sid: await hook('https://status.vogel.example.org/done'),
      messaging_hook_sid: await hook('https://sms.vogel.example.org/in'),
      speech_synthesis_vendor: 'deepgram',
      speech_recognizer_vendor: 'soniox',
      speech_synthesis_voice: 'aura-asteria-en',
    })
    .execute()
  const carriers = [
    {
      ...owner,
      service_provider_sid: service_provider_sid!,
      voip_carrier_sid: sid.carrier,
      name: 'Thameslane Telecom',
      description: 'Outbound to the British Isles',
      register_username: 'thames-login',
      register_sip_realm: 'reg.thameslane.example',
      tech_prefix: '77#',
    },
    {
      service_provider_sid: service_provider_sid!,
      account_sid: elsewhere!,
      voip_carrier_sid: sid.other,
      name: 'Łódź Connect',
    },
  ]
  for (const carrier of carriers) await db.insertInto('voip_carriers').values(carrier).execute()
  await db
    .insertInto('sip_gateways')
    .values([
      {
        sip_gateway_sid: randomUUID(),
        voip_carrier_sid: sid.carrier,
        ipv4: '192.0.2.77',
        port: 5070,
        inbound: 1,
        outbound: 0,
      },
      {
        sip_gateway_sid: randomUUID(),
        voip_carrier_sid: sid.carrier,
        ipv4: 'edge.thames.example',
        inbound: 0,
        outbound: 1,
      },
    ])
    .execute()
  await db
    .insertInto('smpp_gateways')
    .values({
      smpp_gateway_sid: randomUUID(),
      voip_carrier_sid: sid.carrier,
      ipv4: '198.51.100.23',
      port: 2775,
    })
    .execute()
  await db
    .insertInto('clients')
    .values({
      ...owner,
      client_sid: sid.client,
      username: 'front.desk',
      password: 'x',
      is_active: 0,
    })
    .execute()
  await db
    .insertInto('users')
    .values({
      ...owner,
      service_provider_sid: service_provider_sid!,
      user_sid: sid.user,
      name: 'renée.oconnor',
      email: 'renee@vogel.example.org',
      provider: 'local',
      hashed_password: 'x',
    })
    .execute()
  await db
    .insertInto('speech_credentials')
    .values({
      ...owner,
      service_provider_sid: service_provider_sid!,
      speech_credential_sid: sid.speech,
      vendor: 'microsoft',
      label: 'night-shift',
      credential: '',
      use_for_tts: 1,
      use_for_stt: 1,
    })
    .execute()
  await db
    .insertInto('lcr')
    .values({ ...owner, lcr_sid: sid.lcr, name: 'Evening plan', is_active: 0 })
    .execute()
  const lcr_route_sid = randomUUID()
  await db
    .insertInto('lcr_routes')
    .values({
      lcr_route_sid,
      lcr_sid: sid.lcr,
      regex: '^447',
      description: 'Mobiles in the UK',
      priority: 0,
    })
    .execute()
  await db
    .insertInto('lcr_carrier_set_entry')
    .values({
      lcr_carrier_set_entry_sid: randomUUID(),
      lcr_route_sid,
      voip_carrier_sid: sid.carrier,
    })
    .execute()
  await db
    .insertInto('ms_teams_tenants')
    .values({
      ...owner,
      service_provider_sid: service_provider_sid!,
      ms_teams_tenant_sid: sid.tenant,
      application_sid: sid.application,
      tenant_fqdn: 'teams.vogelmuehle.example',
    })
    .execute()
  await db
    .insertInto('phone_numbers')
    .values({
      ...owner,
      phone_number_sid: sid.number,
      number: '442079460958',
      application_sid: sid.application,
      voip_carrier_sid: sid.carrier,
    })
    .execute()
  await db
    .insertInto('switchroom_phone_numbers')
    .values({ phone_number_sid: sid.number, description: 'Straße 5, Notaufnahme' })
    .execute()
  await db
    .insertInto('switchroom_alert_destinations')
    .values({
      ...owner,
      service_provider_sid: service_provider_sid!,
      alert_destination_sid: sid.destination,
      name: 'On call',
      kind: 'mail',
      address: 'nights@vogel.example.org',
      sealed_secret: null,
      alert_types: '[]',
      is_active: 1,
      active_since: 0,
      last_tried_at: null,
      last_error: null,
    })
    .execute()
  await db
    .insertInto('switchroom_webhook_requests')
    .values({
      webhook_request_sid: sid.request,
      owner: sid.account,
      ...owner,
      service_provider_sid: service_provider_sid!,
      kind: 'environment',
      application_sid: sid.application,
      hook: null,
      alert_destination_sid: null,
      repeats: null,
      at: new Date(now).toISOString(),
      method: 'POST',
      url: 'https://ivr.vogel.example.org/greet?step=2',
      host: 'https://ivr.vogel.example.org',
      outcome: 'error_status',
      status: 502,
      error: 'Bad gateway from upstream',
      duration_ms: 12,
      attempt: 1,
      request_headers: '[]',
      response_headers: '[]',
      request_body: null,
      response_body: null,
      verdict: null,
      digest: 'x',
    } as never)
    .execute()
  await db
    .insertInto('switchroom_event_subscriptions')
    .values({
      ...owner,
      event_subscription_sid: sid.subscription,
      service_provider_sid: null,
      name: 'Warehouse',
      url: 'https://events.klinik.example.net/in',
      ...{ sealed_secret: 'sealed', kinds: '[]', is_active: 1, since: now, audit_seq: 0 },
      ...{ failures: 0, paused_until: 0, holder: '', leased_until: 0 },
    })
    .execute()
  sid.failure = await addFailure(db, {
    service_provider_sid: service_provider_sid!,
    trunk: 'Thameslane Telecom',
    sip_status: 486,
    reason: 'Q.850 cause 17',
    prefix: '+4477',
    assigned_to: sid.user,
  })
  await t.as('sp1')(api.applications.update, {
    params: { application_sid: sid.application },
    body: { record_all_calls: 1 },
  })
})
afterAll(() => t.close())

/** A store with two calls, one of them of the account. */
async function storeWithCalls(kind: StoreKind) {
  const store = await testStore(kind)
  const { sp1: service_provider_sid } = t.sids
  const owner = { account_sid: sid.account }
  const tags = {
    ...owner,
    service_provider_sid: service_provider_sid!,
    host: '10.0.0.1',
  }
  const lines = [
    callLine({
      ms: now - 60_000,
      ns: 1,
      tags: { ...tags, answered: 'false', direction: 'outbound', trunk: 'Thameslane Telecom' },
      fields: {
        call_sid: sid.call,
        sip_callid: 'a84b4c76e66710@pbx.vogel.example.org',
        application_sid: sid.application,
        trace_id,
        from: '+442079460958',
        to: '+4915112345678',
        duration: 0,
        sip_status: 486,
        termination_reason: 'caller canceled',
      },
    }),
    callLine({
      ms: now - 120_000,
      ns: 2,
      tags: {
        ...tags,
        account_sid: t.sids.a1!,
        answered: 'true',
        direction: 'inbound',
        trunk: 'Other',
      },
      fields: {
        call_sid: sid.second,
        sip_callid: 'c0ffee7700@pbx.elsewhere.example',
        from: '+15085550123',
        to: '+15085550199',
        duration: 30,
        sip_status: 200,
      },
    }),
  ]
  expect(await send(store, lines.join('\n'))).toMatchObject({ status: 204 })
  return store
}

type Thing = Exclude<
  keyof typeof sid,
  'subscription' | 'failure' | 'other' | 'second' | 'destination' | 'request'
>
type Line = [thing: keyof typeof sid, what: string, typed: string]

const KINDS: Record<Thing, Found['kind']> = {
  account: 'account',
  application: 'application',
  carrier: 'voip_carrier',
  client: 'client',
  user: 'user',
  speech: 'speech_credential',
  lcr: 'lcr',
  tenant: 'ms_teams_tenant',
  number: 'phone_number',
  call: 'call',
}

/** Results that the palette must find. */
const PALETTE: Line[] = [
  ['account', 'name', 'Vogelmühle'],
  ['account', 'sid', sid.account],
  ['account', 'short sid', short(sid.account)],
  ['account', 'first digits of its sid', 'b77e41'],
  ['account', 'SIP realm', 'klinik.sip.example.net'],
  ['account', 'host of its registration webhook', 'reg.klinik'],
  ['account', 'host of its queue webhook', 'queue.klinik'],
  ['application', 'name', 'Empfang'],
  ['application', 'short sid', short(sid.application)],
  ['application', 'first digits of its sid', 'c4d0'],
  ['application', 'host of its calling webhook', 'ivr.vogel.example.org'],
  ['application', 'calling webhook', 'https://ivr.vogel.example.org/greet'],
  ['application', 'host of its status webhook', 'status.vogel'],
  ['application', 'host of its messaging webhook', 'sms.vogel'],
  ['application', 'account', 'Klinik Empfang'],
  ['carrier', 'name', 'Thameslane'],
  ['carrier', 'short sid', short(sid.carrier)],
  ['carrier', 'description', 'British Isles'],
  ['carrier', 'gateway address', '192.0.2.77'],
  ['carrier', 'gateway address and port', '192.0.2.77:5070'],
  ['carrier', 'gateway host', 'edge.thames'],
  ['carrier', 'SMPP gateway address', '198.51.100.23'],
  ['carrier', 'register username', 'thames-login'],
  ['carrier', 'register realm', 'reg.thameslane.example'],
  ['client', 'username', 'front.desk'],
  ['client', 'SIP address', 'sip:front.desk@klinik.sip.example.net'],
  ['client', 'short sid', short(sid.client)],
  ['user', 'username', 'renée.o'],
  ['user', 'email', 'renee@vogel'],
  ['speech', 'label', 'night-shift'],
  ['speech', 'name of its vendor', 'Microsoft'],
  ['lcr', 'name', 'Evening plan'],
  ['lcr', 'route pattern', '^447'],
  ['lcr', 'route description', 'Mobiles in the UK'],
  ['lcr', 'carrier of a route', 'Thameslane Evening'],
  ['tenant', 'domain', 'teams.vogelmuehle.example'],
  ['tenant', 'short sid', short(sid.tenant)],
  ['number', 'number', '+44 20 7946 0958'],
  ['number', 'description', 'Notaufnahme'],
  ['number', 'short sid', short(sid.number)],
  ['number', 'first digits of its sid', '3c7a0e95'],
]

const page = 'page=1&page_size=50'
const recent = () => `/ServiceProviders/${t.sids.sp1}/RecentCalls?page=1&count=50`
const PALETTE_CALLS: Line[] = [
  ['call', 'call_sid', sid.call],
  ['call', 'short call_sid', short(sid.call)],
  ['call', 'first digits of its call_sid', '6ec1d0'],
  ['call', 'Call-ID', 'a84b4c76e66710@pbx.vogel.example.org'],
  ['call', 'trace id', trace_id],
  ['call', 'first digits of its trace id', trace_id.slice(0, 8)],
]

/** Lists, the member of a row that names it, and the texts to search for. */
const LISTS: Record<string, { path: () => string; key: string; lines: Line[] }> = {
  accounts: {
    path: () => `/Accounts?${page}`,
    key: 'account_sid',
    lines: [
      ['account', 'name', 'Vogelmühle'],
      ['account', 'sid', sid.account],
      ['account', 'short sid', short(sid.account)],
      ['account', 'first digits of its sid', 'b77e'],
      ['account', 'SIP realm', 'klinik.sip'],
      ['account', 'host of its registration webhook', 'reg.klinik'],
      ['account', 'host of its queue webhook', 'queue.klinik'],
    ],
  },
  applications: {
    path: () => `/Applications?${page}`,
    key: 'application_sid',
    lines: [
      ['application', 'name', 'Empfang'],
      ['application', 'account', 'Vogelmühle'],
      ['application', 'account and name', 'klinik empfang'],
      ['application', 'host of its calling webhook', 'ivr.vogel'],
      ['application', 'host of its status webhook', 'status.vogel'],
      ['application', 'host of its messaging webhook', 'sms.vogel'],
      ['application', 'short sid', short(sid.application)],
      ['application', 'first digits of its sid', 'c4d0'],
      ['application', 'vendor of its voice', 'Deepgram'],
      ['application', 'voice', 'asteria'],
    ],
  },
  carriers: {
    path: () => `/VoipCarriers?${page}`,
    key: 'voip_carrier_sid',
    lines: [
      ['carrier', 'name', 'thameslane'],
      ['carrier', 'account', 'Vogelmühle'],
      ['carrier', 'description', 'British Isles'],
      ['carrier', 'gateway address', '192.0.2.77'],
      ['carrier', 'gateway address and port', '192.0.2.77:5070'],
      ['carrier', 'gateway host', 'edge.thames'],
      ['carrier', 'SMPP gateway address', '198.51.100'],
      ['carrier', 'register username', 'thames-login'],
      ['carrier', 'register realm', 'reg.thameslane'],
      ['carrier', 'tech prefix', '77#'],
      ['carrier', 'short sid', short(sid.carrier)],
    ],
  },
  clients: {
    path: () => `/Clients?${page}`,
    key: 'client_sid',
    lines: [
      ['client', 'username', 'front.desk'],
      ['client', 'account', 'Vogelmühle'],
      ['client', 'SIP realm', 'klinik.sip'],
      ['client', 'SIP address', 'front.desk@klinik.sip.example.net'],
      ['client', 'status', 'inactive'],
      ['client', 'short sid', short(sid.client)],
    ],
  },
  users: {
    path: () => `/Users?${page}`,
    key: 'user_sid',
    lines: [
      ['user', 'username', 'renée'],
      ['user', 'email', 'renee@vogel'],
      ['user', 'account', 'Vogelmühle'],
      ['user', 'account and username', 'renée klinik'],
      ['user', 'first digits of its sid', 'f3b8120c'],
    ],
  },
  'speech services': {
    path: () => `/ServiceProviders/${t.sids.sp1}/SpeechCredentials?${page}&all=1`,
    key: 'speech_credential_sid',
    lines: [
      ['speech', 'vendor', 'Microsoft'],
      ['speech', 'label', 'night-shift'],
      ['speech', 'account', 'Vogelmühle'],
      ['speech', 'short sid', short(sid.speech)],
    ],
  },
  'routing tables': {
    path: () => `/Lcrs?${page}&account_sid=${sid.account}`,
    key: 'lcr_sid',
    lines: [
      ['lcr', 'name', 'Evening'],
      ['lcr', 'account', 'Vogelmühle'],
      ['lcr', 'route pattern', '^447'],
      ['lcr', 'route description', 'Mobiles in the UK'],
      ['lcr', 'carrier of a route', 'Thameslane'],
      ['lcr', 'status', 'inactive'],
    ],
  },
  'phone numbers': {
    path: () => `/PhoneNumbers?${page}`,
    key: 'phone_number_sid',
    lines: [
      ['number', 'number', '+44 20 7946 0958'],
      ['number', 'description', 'Notaufnahme'],
      ['number', 'account', 'Vogelmühle'],
      ['number', 'application', 'Empfang'],
      ['number', 'carrier', 'Thameslane'],
      ['number', 'short sid', short(sid.number)],
      ['number', 'first digits of its sid', '3c7a'],
    ],
  },
  'Teams tenants': {
    path: () => `/MicrosoftTeamsTenants?${page}`,
    key: 'ms_teams_tenant_sid',
    lines: [
      ['tenant', 'domain', 'teams.vogelmuehle'],
      ['tenant', 'account', 'Klinik'],
      ['tenant', 'application', 'Empfang'],
      ['tenant', 'short sid', short(sid.tenant)],
    ],
  },
  destinations: {
    path: () => `/AlertDestinations?${page}`,
    key: 'alert_destination_sid',
    lines: [
      ['destination', 'name', 'On call'],
      ['destination', 'address', 'nights@vogel'],
      ['destination', 'account', 'Vogelmühle'],
    ],
  },
  'webhook log': {
    path: () => `/WebhookRequests?${page}`,
    key: 'webhook_request_sid',
    lines: [
      ['request', 'address', 'ivr.vogel.example.org/greet'],
      ['request', 'error', 'Bad gateway'],
      ['request', 'HTTP status', '502'],
      ['request', 'account', 'Vogelmühle'],
      ['request', 'application', 'Empfang'],
    ],
  },
  failures: {
    path: () => `/Failures?${page}`,
    key: 'failure_sid',
    lines: [
      ['failure', 'carrier', 'Thameslane'],
      ['failure', 'status', '486'],
      ['failure', 'name of the status', 'Busy here'],
      ['failure', 'reason', 'cause 17'],
      ['failure', 'prefix', '+44 77'],
      ['failure', 'assignee', 'renée'],
    ],
  },
  inbox: {
    path: () => `/ServiceProviders/${t.sids.sp1}/Issues?${page}`,
    key: 'key',
    lines: [
      ['failure', 'carrier', 'Thameslane'],
      ['failure', 'status and carrier', '486 thameslane'],
      ['failure', 'name of the status', 'Busy here'],
      ['failure', 'prefix', '+44 77'],
      ['failure', 'assignee, without the accent', 'renee'],
    ],
  },
  'event webhooks': {
    path: () => `/EventSubscriptions?${page}`,
    key: 'event_subscription_sid',
    lines: [
      ['subscription', 'name', 'Warehouse'],
      ['subscription', 'host of its URL', 'events.klinik'],
      ['subscription', 'account', 'vogelmuhle'],
      ['subscription', 'short sid', short(sid.subscription)],
    ],
  },
  'audit log': {
    path: () => `/AuditLog?${page}`,
    key: 'sid',
    lines: [
      ['application', 'name', 'Empfang'],
      ['application', 'actor', 'sp1'],
      ['application', 'sid', sid.application],
      ['application', 'short sid', short(sid.application)],
      ['application', 'address of the actor', '127.0.0.1'],
    ],
  },
}

const RECENT: (typeof LISTS)[string] = {
  path: recent,
  key: 'call_sid',
  lines: [
    ['call', 'caller', '020 7946 0958'],
    ['call', 'called number', '+49 151 12345678'],
    ['call', 'call_sid', sid.call],
    ['call', 'short call_sid', short(sid.call)],
    ['call', 'first digits of its call_sid', '6ec1d0'],
    ['call', 'Call-ID', 'a84b4c76e66710@pbx.vogel.example.org'],
    ['call', 'first letters of its Call-ID', 'a84b4c76e6'],
    ['call', 'trace id', trace_id],
    ['call', 'name of the status', 'Busy here'],
    ['call', 'carrier', 'Thameslane'],
    ['call', 'application', 'Empfang'],
    ['call', 'account', 'Vogelmühle'],
    ['call', 'one of several numbers', '+15550000001, +4915112345678; +15550000002'],
    ['call', 'the beginning of a number', '+49151*'],
  ],
}

const SPELLINGS: Line[] = [
  ['account', 'without the dots', 'Vogelmuhle'],
  ['account', 'with ue for ü', 'vogelmuehle'],
  ['account', 'in capitals', 'VOGELMÜHLE'],
  ['account', 'composed of two characters', 'Vogelmu\u0308hle'],
  ['account', 'its words the other way round', 'klinik vogel'],
  ['application', 'without the tilde', 'Empfang Sao'],
  ['carrier', 'without the strokes', 'Thameslane telecom'],
  ['other', 'without the strokes', 'Lodz'],
  ['tenant', 'with ü for ue', 'teams.vogelmühle'],
  ['user', 'without the accent', 'renee.oconnor'],
  ['number', 'with ss for ß', 'Strasse'],
  ['number', 'with ß, in capitals', 'STRASSE 5'],
  ['lcr', 'in capitals', 'MOBILES'],
]

const TYPING_ERRORS: Line[] = [
  ['account', 'a letter left out', 'Vogemühle'],
  ['account', 'a letter too many', 'Vogellmühle'],
  ['account', 'two letters the other way round', 'Vogelmhüle'],
  ['carrier', 'another letter', 'Thamesiane'],
  ['carrier', 'the first letter', 'Rhameslane'],
  ['carrier', 'two errors in ten letters', 'Thamaslame'],
  ['lcr', 'a space too many', 'Even ing plan'],
  ['speech', 'another letter of a vendor', 'Microsott'],
  ['user', 'a letter left out', 'rene.oconnor'],
  ['client', 'two letters the other way round', 'frotn.desk'],
]

const find = async (typed: string, who = 'sp1') =>
  (await t.as(who)(api.search.find, { query: { q: typed } })).data
async function isFound([thing, , typed]: Line, who?: string) {
  const kind = thing === 'other' ? 'voip_carrier' : KINDS[thing as Thing]
  return (await find(typed, who)).some((f) => f.kind === kind && f.sid === sid[thing])
}
const isListed = async (
  { path, key }: (typeof LISTS)[string],
  [thing, , typed]: Line,
  who = 'sp1',
) => {
  const answer = await t.request(who, 'GET', `${path()}&filter=${encodeURIComponent(typed)}`)
  // a list of another's provider is not there
  if (who !== 'sp1' && answer.statusCode === 404) return false
  expect(answer.statusCode, answer.body).toBe(200)
  const { data } = answer.json() as { data: Record<string, unknown>[] }
  return data.some((row) => row[key] === sid[thing])
}
const othersFind = async (lines: Line[]) => {
  const found: string[] = []
  // of its own provider's, an account has a carrier
  for (const who of ['a1', 'a2', 'b1', 'sp2'])
    for (const line of lines)
      if (line[0] !== 'other' && (await isFound(line, who))) found.push(`${who} ${line.join()}`)
  return found
}
const othersList = async (list: (typeof LISTS)[string]) => {
  const listed: string[] = []
  for (const who of ['a1', 'b1'])
    for (const line of list.lines)
      if (await isListed(list, line, who)) listed.push(`${who} ${line.join()}`)
  return listed
}

describe('the palette finds', () => {
  it.each(PALETTE)('%s: %s, %s', async (...line) => {
    expect(await isFound(line)).toBe(true)
  })
  it('nothing of it for others', async () => {
    expect(await othersFind(PALETTE)).toEqual([])
  })
})

describe.each(Object.entries(LISTS))('the filter of %s finds', (_, list) => {
  it.each(list.lines)('%s: %s, %s', async (...line) => {
    expect(await isListed(list, line)).toBe(true)
  })
  it('nothing by what is nowhere, and nothing of it for others', async () => {
    const answer = await t.request('sp1', 'GET', `${list.path()}&filter=Zzyzxqua`)
    expect(answer.json().data).toEqual([])
    expect(await othersList(list)).toEqual([])
  })
})

describe.each(storeKinds)('with calls in %s', (kind) => {
  beforeAll(async () => {
    const before = t.ctx.stores.calls
    const store = await storeWithCalls(kind)
    t.ctx.stores.calls = store.calls
    return async () => {
      t.ctx.stores.calls = before
      await store.close()
    }
  })
  it.each(PALETTE_CALLS)('the palette finds a %s: %s, %s', async (...line) => {
    expect(await isFound(line)).toBe(true)
  })
  it.each(RECENT.lines)('the filter of recent calls finds a %s: %s, %s', async (...line) => {
    expect(await isListed(RECENT, line)).toBe(true)
  })
  it('finds nothing of it for others', async () => {
    expect(await othersFind(PALETTE_CALLS)).toEqual([])
    const own = { ...RECENT, path: () => `/Accounts/${t.sids.a1}/RecentCalls?page=1&count=50` }
    for (const line of own.lines) expect(await isListed(own, line, 'a1'), line.join()).toBe(false)
  })
  it('finds nothing by what is nowhere, or in the middle of a number that is to begin so', async () => {
    for (const typed of ['Zzyzxqua', '9151*', '+15550000001, +15550000002'])
      expect(await isListed(RECENT, ['call', '', typed]), typed).toBe(false)
  })
})

describe('spelled otherwise, the palette finds', () => {
  it.each(SPELLINGS)('%s: %s, %s', async (...line) => {
    expect(await isFound(line)).toBe(true)
  })
})

describe('in spite of a typing error, the palette finds', () => {
  it.each(TYPING_ERRORS)('%s: %s, %s', async (...line) => {
    expect(await isFound(line)).toBe(true)
  })
  it('nothing of it for others, or for a text that is nowhere', async () => {
    expect(await othersFind(TYPING_ERRORS)).toEqual([])
    expect(await find('Zzyzxquamoor')).toEqual([])
  })
})

it('says that things are only similar', async () => {
  const similar = async (typed: string) => (await find(typed)).map((f) => f.is_similar)
  expect(await similar('Vogelmühle Klink')).toEqual([true])
  expect(await similar('Vogelmühle Klinik')).not.toContain(true)
})

it('says what else it found a thing by', async () => {
  const by = async (typed: string) => (await find(typed)).map((f) => [f.kind, f.found_by])
  expect(await by('192.0.2.77')).toEqual([['voip_carrier', '192.0.2.77']])
  expect(await by('ivr.vogel')).toEqual([['application', 'ivr.vogel.example.org/greet']])
  expect(await by('Evening')).toEqual([['lcr', null]])
})

it('finds accounts before what belongs to them', async () => {
  const kinds = (await find('Vogelmühle')).map((f) => f.kind)
  expect(kinds[0]).toBe('account')
  expect(kinds).toContain('phone_number')
})

it('finds by the name alone what pickers ask for', async () => {
  const { data } = await t.as('sp1')(api.accounts.list, { query: { page: 1, name: 'Vogelmuhle' } })
  expect(data.map((a) => a.account_sid)).toEqual([sid.account])
  for (const path of ['/Accounts', '/Applications', '/VoipCarriers']) {
    const answer = await t.request('sp1', 'GET', `${path}?page=1&name=example`)
    expect(answer.json().data, path).toEqual([])
  }
})

it('finds no secret of a webhook', async () => {
  for (const typed of ['opensesame', 'sesame@ivr', 'u:sesame']) {
    expect(await find(typed), typed).toEqual([])
    expect(await isListed(LISTS.applications!, ['application', '', typed]), typed).toBe(false)
  }
})

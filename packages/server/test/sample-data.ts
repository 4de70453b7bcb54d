import { api } from '@switchroom/contract'
import type { TestApp } from './app.ts'
import { addFailure } from './failures.ts'
import { newScoreCard, newSimulatedCaller, newTestCase } from './kept-runs.ts'

const hook = {
  url: 'https://example.com/hook',
  method: 'POST' as const,
  username: 'u',
  password: 'p',
}
const key = JSON.stringify({ client_email: 'a@example.com', private_key: 'x' })

const LOGO = {
  type: 'image/svg+xml' as const,
  data: btoa(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>',
  ),
}

/** A resource of every kind that can be changed, owned by account a1 or provider sp1, with secrets and lists. */
export async function createSampleData(t: TestApp) {
  const { sp1, a1 } = t.sids
  const [admin, sp, as] = [t.as('admin'), t.as('sp1'), t.as('a1')]
  const { sid: application } = await as(api.applications.create, {
    body: {
      name: 'ivr',
      call_hook: { ...hook, url: 'wss://example.com/call', method: 'GET' },
      call_status_hook: hook,
      app_json: '[{"verb":"hangup"}]',
      env_vars: { token: 'secret', tries: 3 },
    },
  })
  const { sid: simulated_caller_sid } = await as(api.simulatedCallers.create, {
    params: { application_sid: application },
    body: newSimulatedCaller('Curious'),
  })
  await as(api.languageModel.update, {
    params: { account_sid: a1 },
    body: { url: 'https://models.example.com/v1', model: 'small', api_key: 'k' },
  })
  await as(api.scoreCards.update, {
    params: { application_sid: application },
    body: newScoreCard(),
  })
  const { sid: test_case_sid } = await as(api.testCases.create, {
    params: { application_sid: application },
    body: {
      ...newTestCase('Support'),
      start: { ...newTestCase().start, caller_name: 'Ann', sip_headers: { 'X-Token': 'secret' } },
    },
  })
  const smpp_gateways = [{ ipv4: '10.3.3.5', inbound: 1 as const, outbound: 1 as const }]
  const { sid: carrier } = await as(api.voipCarriers.create, {
    body: {
      name: 'trunk',
      trunk_type: 'reg',
      requires_register: true,
      register_username: 'u',
      register_password: 'p',
      register_sip_realm: 'sip.example.com',
      inbound_auth_username: 'u',
      inbound_auth_password: 'p',
      smpp_system_id: 's',
      smpp_password: 'p',
      smpp_inbound_system_id: 's',
      smpp_inbound_password: 'p',
      application_sid: application,
      sip_gateways: [{ ipv4: '10.3.3.4', inbound: 1, outbound: 1 }],
      smpp_gateways,
    },
  })
  const { sid: bare } = await as(api.voipCarriers.create, { body: { name: 'bare' } })
  const { sip_gateways, smpp_gateways: smpps } = await as(api.voipCarriers.view, {
    params: { voip_carrier_sid: carrier },
  })
  const { sid: number } = await as(api.phoneNumbers.create, {
    body: { number: '+15550100', voip_carrier_sid: carrier, application_sid: application },
  })
  const { sid: client } = await as(api.clients.create, { body: { username: 'c', password: 'p' } })
  const { sid: tenant } = await as(api.msTeamsTenants.create, {
    body: { tenant_fqdn: 'Teams.Example.com', application_sid: application },
  })
  const { sid: table } = await as(api.lcrs.create, {
    body: {
      name: 'outbound',
      routes: [{ regex: '^44', lcr_carrier_set_entries: [{ voip_carrier_sid: carrier }] }],
      default_carrier: carrier,
    },
  })
  // older clients add a routing table first and its routes afterwards
  const { sid: other } = await sp(api.accounts.create, { body: { name: 'other' } })
  const { sid: empty } = await sp(api.lcrs.create, { body: { name: 'x', account_sid: other } })
  const { routes } = await as(api.lcrs.view, { params: { lcr_sid: table } })
  const { user_sid: user } = await as(api.users.create, {
    body: { name: 'u', email: 'u@example.com', initial_password: 'long enough 1' },
  })
  const speech = []
  for (const body of [
    { vendor: 'google', service_key: key, label: 'l', use_for_tts: 1, use_for_stt: 1 },
    { vendor: 'aws', aws_region: 'us-east-1', access_key_id: 'k', secret_access_key: 's' },
    {
      vendor: 'deepgram',
      api_key: 'k',
      deepgram_stt_uri: 'dg:1',
      deepgram_tts_uri: 'http://dg:2',
      deepgram_stt_use_tls: true,
    },
    { vendor: 'custom:mine', auth_token: 't', custom_stt_url: 'wss://example.com/stt' },
  ] as const)
    speech.push(
      await as(api.accountSpeechCredentials.create, { params: { account_sid: a1 }, body }),
    )
  const { sid: destination } = await as(api.alertDestinations.create, {
    body: { name: 'ops', kind: 'pagerduty', address: 'eu', secret: 'k'.repeat(32) },
  })
  const { sid: subscription } = await as(api.eventSubscriptions.create, {
    body: { name: 'programs', url: 'https://example.com/events' },
  })
  const { sid: voice } = await as(api.googleCustomVoices.create, {
    body: { speech_credential_sid: speech[0]!.sid, name: 'mine', model: 'm' },
  })
  await admin(api.accounts.update, {
    params: { account_sid: a1 },
    body: {
      sip_realm: 'Sip.Acme.example',
      registration_hook: hook,
      queue_event_hook: hook,
      device_calling_application_sid: application,
      bucket_credential: {
        vendor: 'aws_s3',
        region: 'us-east-1',
        name: 'bucket',
        access_key_id: 'k',
        secret_access_key: 's',
      },
      enable_debug_log: 1,
      device_to_call_ratio: 7,
      limits: { voice_call_session: 5, device: 0 },
    },
  })
  await admin(api.serviceProviders.update, {
    params: { service_provider_sid: sp1 },
    body: { registration_hook: hook, root_domain: 'Example.com', limits: { api_rate: 3 } },
  })
  await admin(api.brands.update, {
    params: { service_provider_sid: sp1 },
    body: {
      name: 'Acme Voice',
      color: '#1A4FD6',
      logo_light: LOGO,
      hosts: ['Console.Acme.example', 'voice.acme.example'],
    },
  })
  const { sid: recognizer } = await as(api.accountSpeechCredentials.create, {
    params: { account_sid: a1 },
    body: { vendor: 'soniox', api_key: 'x', use_for_stt: 1 },
  })
  await as(api.transcriptSettings.update, {
    params: { account_sid: a1 },
    body: {
      words: 'mask',
      automatic: { speech_credential_sid: recognizer, language: 'en', minutes_a_day: 60 },
    },
  })
  await as(api.modelSessions.update, {
    params: { account_sid: a1 },
    body: { currency: 'EUR', prices: [{ model: 'gpt-realtime', input: 4, output: 16 }] },
  })
  await admin(api.settings.saveSystemInformation, {
    body: { domain_name: 'example.com', private_network_cidr: '10.0.0.0/8, 172.16.0.0/12' },
  })
  await admin(api.settings.savePasswordSettings, { body: { min_password_length: 9 } })

  const { sid: api_key_sid } = await as(api.apiKeys.create, {
    body: {
      account_sid: a1,
      name: 'billing',
      expiry_secs: 86_400,
      kinds: ['calls'],
      networks: ['203.0.113.0/24'],
    },
  })

  const at = new Date().toISOString()
  const failures = await Promise.all([
    addFailure(t.db, { account_sid: a1, assigned_to: user }),
    addFailure(t.db, { account_sid: a1, state: 'returned' }),
    addFailure(t.db, { account_sid: a1, state: 'muted', muted_until: '2126-01-31T00:00:00.000Z' }),
    addFailure(t.db, { account_sid: a1, state: 'mended', mended_at: at }),
  ])

  const owners = { account_sid: a1, service_provider_sid: sp1 }
  const carriers = [carrier, bare].map((voip_carrier_sid) => ({ voip_carrier_sid, ...owners }))
  const params: Record<string, Record<string, string>[]> = {
    voipCarriers: carriers,
    applications: [{ application_sid: application }],
    simulatedCallers: [{ application_sid: application, simulated_caller_sid }],
    languageModel: [owners],
    testCases: [{ application_sid: application, test_case_sid }],
    sipGateways: sip_gateways.map(({ sip_gateway_sid }) => ({ sip_gateway_sid })),
    smppGateways: smpps.map(({ smpp_gateway_sid }) => ({ smpp_gateway_sid })),
    phoneNumbers: [{ phone_number_sid: number }],
    clients: [{ client_sid: client }],
    msTeamsTenants: [{ ms_teams_tenant_sid: tenant }],
    lcrs: [{ lcr_sid: table }],
    lcrRoutes: routes.map(({ lcr_route_sid }) => ({ lcr_route_sid })),
    lcrCarrierSetEntries: routes.flatMap((r) =>
      r.lcr_carrier_set_entries.map(({ lcr_carrier_set_entry_sid }) => ({
        lcr_carrier_set_entry_sid,
      })),
    ),
    users: [{ user_sid: user }],
    apiKeys: [{ api_key_sid }],
    accountSpeechCredentials: speech.map(({ sid }) => ({ ...owners, speech_credential_sid: sid })),
    providerSpeechCredentials: speech.map(({ sid }) => ({ ...owners, speech_credential_sid: sid })),
    failures: failures.map((failure_sid) => ({ failure_sid })),
    alertDestinations: [{ alert_destination_sid: destination }],
    eventSubscriptions: [{ event_subscription_sid: subscription }],
    googleCustomVoices: [{ google_custom_voice_sid: voice }],
    accounts: [owners],
    serviceProviders: [owners],
    brands: [owners],
    transcriptSettings: [owners],
    modelSessions: [owners],
    scoreCards: [{ application_sid: application }],
    customerReports: [owners],
    settings: [{}],
    secondFactor: [owners],
    singleSignOn: [{}],
  }
  return {
    application,
    carrier,
    gateway: sip_gateways[0]!.sip_gateway_sid,
    number,
    client,
    table,
    empty,
    user,
    paramsOf: (title: string) => params[title.split('.')[0]!] ?? [],
  }
}
export type SampleData = Awaited<ReturnType<typeof createSampleData>>

import { randomUUID } from 'node:crypto'
import { PARTS } from '@switchroom/config/excuses'
import { KINDS } from '@switchroom/config/kinds'
import { endpointOf } from '@switchroom/config/read'
import { api, isRecord, MASK } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../server/test/app.ts'
import { newSimulatedCaller, newTestCase } from '../../server/test/kept-runs.ts'

/**
 * The steps of a Terraform provider, for every kind of thing that files hold and for parts that have endpoints of
 * their own: create, read back what was sent, update one member, import by sid, see drift, delete, and delete what is
 * gone.
 */

let t: TestApp
let world: Record<string, string>
beforeAll(async () => {
  t = await testApp()
  const [a1, sp1] = [t.sids.a1!, t.sids.sp1!]
  const as = t.as('a1')
  const { sid: application_sid } = await as(api.applications.create, {
    body: { name: 'app', call_hook: hook, call_status_hook: hook },
  })
  const { sid: voip_carrier_sid } = await as(api.voipCarriers.create, { body: { name: 'trunk' } })
  const { sid: speech_credential_sid } = await as(api.accountSpeechCredentials.create, {
    params: { account_sid: a1 },
    body: { vendor: 'google', service_key: KEY, label: 'voices', use_for_tts: 1 },
  })
  const { sid: other } = await t.as('sp1')(api.accounts.create, { body: { name: 'other' } })
  const { sid: lcr_sid } = await t.as('sp1')(api.lcrs.create, { body: { account_sid: other } })
  const { sid: lcr_route_sid } = await t.as('sp1')(api.lcrRoutes.create, {
    body: { lcr_sid, regex: '^33', priority: 1 },
  })
  const { sid: shared } = await t.as('sp1')(api.voipCarriers.create, { body: { name: 'shared' } })
  world = {
    ...{ account_sid: a1, service_provider_sid: sp1, application_sid, voip_carrier_sid },
    ...{ speech_credential_sid, lcr_sid, lcr_route_sid, shared },
  }
})
afterAll(() => t.close())

const hook = { url: 'https://example.com/hook', method: 'POST' as const }
const secured = { ...hook, username: 'u', password: 'p' }
const KEY = JSON.stringify({ client_email: 'a@example.com', private_key: 'x' })
const gateway = {
  ...{ ipv4: '203.0.113.20', netmask: 32, port: 5062, inbound: 1, outbound: 1, is_active: 1 },
  ...{ send_options_ping: 1, use_sips_scheme: 0, pad_crypto: 0, protocol: 'tcp' },
  ...{ remove_ice: 0, dtls_off: 0 },
}
const smpp = {
  ...{ ipv4: '203.0.113.21', port: 2776, netmask: 32, is_primary: 1 },
  ...{ inbound: 0, outbound: 1, use_tls: 1 },
}

type Members = Record<string, unknown>
type Sent = {
  /** All that a provider would say. */
  body: (w: Record<string, string>) => Members
  /** One member, changed. */
  change: Members
  /** Members that are read in another way, and why. */
  reads?: Record<string, unknown>
}

/** By the group of its endpoints. */
const SENT: Record<string, Sent> = {
  serviceProviders: {
    body: () => ({
      ...{ name: `sp ${randomUUID()}`.slice(0, 20), description: 'd' },
      ...{ root_domain: `${randomUUID()}.example.com`, ms_teams_fqdn: 'teams.example.com' },
      registration_hook: secured,
    }),
    change: { description: 'other' },
  },
  accounts: {
    body: (w) => ({
      name: randomUUID(),
      sip_realm: `${randomUUID()}.example.com`,
      service_provider_sid: w.service_provider_sid,
      registration_hook: secured,
      queue_event_hook: { ...hook, username: null, password: null },
      ...{ record_all_calls: 1, record_format: 'wav', disable_cdrs: 1, device_to_call_ratio: 3 },
      ...{ is_active: 1, enable_debug_log: 0 },
    }),
    change: { record_format: 'mp3' },
  },
  accountSpeechCredentials: {
    body: () => ({
      vendor: 'deepgram',
      label: randomUUID(),
      ...{ use_for_tts: 1, use_for_stt: 1, api_key: 'k', model_id: 'nova-3' },
    }),
    change: { use_for_tts: 0 },
    // never shown
    reads: { api_key: MASK },
  },
  googleCustomVoices: {
    body: (w) => ({
      speech_credential_sid: w.speech_credential_sid,
      ...{ name: randomUUID(), model: 'm', reported_usage: 'OFFLINE', use_voice_cloning_key: 0 },
    }),
    change: { model: 'n' },
  },
  applications: {
    body: (w) => ({
      name: randomUUID(),
      account_sid: w.account_sid,
      call_hook: secured,
      call_status_hook: { ...hook, username: null, password: null },
      messaging_hook: secured,
      app_json: '[{"verb":"hangup"}]',
      speech_synthesis_vendor: 'google',
      speech_synthesis_language: 'en-GB',
      speech_synthesis_voice: 'en-GB-Standard-A',
      speech_synthesis_label: 'l',
      speech_recognizer_vendor: 'google',
      speech_recognizer_language: 'en-GB',
      speech_recognizer_label: 'l',
      use_for_fallback_speech: 1,
      fallback_speech_synthesis_vendor: 'google',
      fallback_speech_synthesis_language: 'en-US',
      fallback_speech_synthesis_voice: 'en-US-Standard-C',
      fallback_speech_synthesis_label: null,
      fallback_speech_recognizer_vendor: 'google',
      fallback_speech_recognizer_language: 'en-US',
      fallback_speech_recognizer_label: null,
      record_all_calls: 1,
      env_vars: { token: 'secret', tries: 3, on: true },
    }),
    change: { record_all_calls: 0 },
  },
  simulatedCallers: {
    body: () => ({ ...newSimulatedCaller() }),
    change: { name: 'other' },
  },
  testCases: {
    body: () => ({ ...newTestCase() }),
    change: { name: 'other' },
  },
  voipCarriers: {
    body: (w) => ({
      name: randomUUID(),
      description: 'd',
      account_sid: w.account_sid,
      application_sid: w.application_sid,
      ...{ e164_leading_plus: 1, requires_register: 1, register_username: 'u' },
      ...{ register_sip_realm: 'sip.example.com', register_password: 'p', tech_prefix: '123' },
      ...{ inbound_auth_username: 'u', inbound_auth_password: 'p', diversion: 'd', is_active: 0 },
      ...{ smpp_system_id: 's', smpp_password: 'p', smpp_enquire_link_interval: 30 },
      ...{ smpp_inbound_system_id: 's', smpp_inbound_password: 'p', register_from_user: 'u' },
      ...{ register_from_domain: 'example.com', register_public_ip_in_contact: 1 },
      ...{ dtmf_type: 'info', outbound_sip_proxy: 'proxy.example.com', trunk_type: 'reg' },
      sip_gateways: [gateway],
      smpp_gateways: [smpp],
    }),
    change: { description: 'other' },
  },
  lcrs: {
    body: (w) => ({
      name: 'routes',
      is_active: 1,
      account_sid: w.account_sid,
      routes: [
        {
          ...{ regex: '^44', description: 'd', priority: 4 },
          lcr_carrier_set_entries: [
            { voip_carrier_sid: w.voip_carrier_sid, workload: 2, priority: 3 },
          ],
        },
      ],
      default_carrier: w.voip_carrier_sid,
    }),
    change: { is_active: 0 },
  },
  phoneNumbers: {
    body: (w) => ({
      number: `49${String(Date.now()).slice(-9)}`,
      voip_carrier_sid: w.voip_carrier_sid,
      account_sid: w.account_sid,
      application_sid: w.application_sid,
      description: 'd',
    }),
    change: { description: 'other' },
  },
  clients: {
    body: (w) => ({
      account_sid: w.account_sid,
      ...{ username: randomUUID(), password: 'p', is_active: 0, allow_direct_app_calling: 0 },
      ...{ allow_direct_queue_calling: 0, allow_direct_user_calling: 1 },
    }),
    change: { is_active: 1 },
    // never shown
    reads: { password: MASK },
  },
  msTeamsTenants: {
    body: (w) => ({
      tenant_fqdn: `${randomUUID()}.example.com`,
      account_sid: w.account_sid,
      application_sid: w.application_sid,
      service_provider_sid: w.service_provider_sid,
    }),
    change: { application_sid: null },
  },
  alertDestinations: {
    body: (w) => ({
      account_sid: w.account_sid,
      ...{ name: randomUUID(), kind: 'pagerduty', address: 'eu', secret: 'k'.repeat(32) },
      ...{ alert_types: [], is_active: 0 },
    }),
    change: { name: 'other' },
    // never shown
    reads: { secret: MASK },
  },
  sipGateways: {
    body: (w) => ({ ...gateway, voip_carrier_sid: w.voip_carrier_sid }),
    change: { send_options_ping: 0 },
  },
  smppGateways: {
    body: (w) => ({ ...smpp, voip_carrier_sid: w.voip_carrier_sid }),
    change: { use_tls: 0 },
  },
  lcrRoutes: {
    body: (w) => ({ lcr_sid: w.lcr_sid, regex: '^49', description: 'd', priority: 7 }),
    change: { description: 'other' },
  },
  lcrCarrierSetEntries: {
    body: (w) => ({
      lcr_route_sid: w.lcr_route_sid,
      voip_carrier_sid: w.shared,
      ...{ workload: 4, priority: 5 },
    }),
    change: { workload: 6 },
  },
}
SENT.providerSpeechCredentials = SENT.accountSpeechCredentials!

/**
 * Statuses for a change or deletion of something that is gone, where the platform has a status of its own that its
 * clients know. They are the same for something of another tenant. A read is always 404, and a provider reads first.
 */
const GONE: Record<string, (who: string, name: string) => number | false> = {
  accounts: (who) => who === 'sp1-key' && 403,
  voipCarriers: (who) => who === 'a1-key' && 422,
  lcrs: (who, name) => (name === 'update' || who === 'a1-key') && 400,
  sipGateways: () => 400,
  smppGateways: () => 400,
}

const groups = [
  ...KINDS.filter(({ id }) => id).flatMap(({ group, providerGroup = group }) => [
    ...new Set([group, providerGroup]),
  ]),
  // limits are set and removed by their category, and read as a list
  ...Object.keys(PARTS).filter((group) => group !== 'limits'),
]

/** The members of `read` that were sent. Rows of a part have a sid and an owner in addition. */
function asSent(read: unknown, sent: unknown): unknown {
  if (Array.isArray(sent))
    return Array.isArray(read) ? read.map((of, i) => asSent(of, sent[i])) : read
  if (!isRecord(sent) || !isRecord(read)) return read
  return Object.fromEntries(Object.keys(sent).map((name) => [name, asSent(read[name], sent[name])]))
}

describe.each(groups)('%s', (group) => {
  const { body, change, reads = {} } = SENT[group]!
  const callers =
    group === 'serviceProviders'
      ? ['admin-key']
      : ['accounts', 'providerSpeechCredentials', 'lcrRoutes', 'lcrCarrierSetEntries'].includes(
            group,
          )
        ? ['sp1-key', 'admin-key']
        : ['a1-key', 'sp1-key', 'admin-key']
  /** Another one, who comes in between. */
  const other = 'admin'

  it.each(callers)('are as a provider of Terraform needs them, by %s', async (who) => {
    const ownSid = /:(\w+)$/.exec(endpointOf(group, 'view').path)![1]!
    const at = (name: string, sid: string, caller = who, sent?: unknown) => {
      const { method, path } = endpointOf(group, name)
      const values = { ...world, ...(name !== 'create' && { [ownSid]: sid }) }
      return t.request(
        caller,
        method,
        path.replace(/:(\w+)/g, (_, key: string) => values[key as keyof typeof values]!),
        sent,
      )
    }
    const read = async (sid: string) => {
      const { statusCode, body } = await at('view', sid)
      expect(statusCode, body).toBe(200)
      return JSON.parse(body) as Members
    }

    const sent = body(world)
    const created = await at('create', '', who, sent)
    expect(created.statusCode, created.body).toBe(201)
    const { sid } = created.json() as { sid: string }

    // what was sent, exactly, and the same the next time
    const first = await read(sid)
    expect(asSent(first, sent)).toEqual({ ...sent, ...reads })
    expect(await read(sid)).toEqual(first)

    // what was read, sent back, changes nothing
    const { version, ...rest } = first
    expect((await at('update', sid, who, rest)).statusCode).toBe(204)
    expect(await read(sid)).toEqual(first)

    // one member, and no other
    const updated = await at('update', sid, who, change)
    expect(updated.statusCode, updated.body).toBe(204)
    const second = await read(sid)
    const { version: newer, ...now } = second
    expect(now).toEqual({ ...rest, ...change })
    if (version !== undefined) expect(newer).not.toBe(version)

    // somebody else's change is seen
    const back = asSent(first, change)
    expect((await at('update', sid, other, back)).statusCode).toBe(204)
    expect(await read(sid)).toEqual(first)

    expect((await at('remove', sid)).statusCode).toBe(204)
    for (const name of ['view', 'update', 'remove']) {
      const gone = await at(name, sid, who, name === 'update' ? change : undefined)
      const status = (name !== 'view' && GONE[group]?.(who, name)) || 404
      expect(gone.statusCode, `${name}: ${gone.body}`).toBe(status)
      if (status === 404) expect(gone.json()).toMatchObject({ code: 'not_found' })
    }
  })
})

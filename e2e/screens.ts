import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessible.ts'
import { expectNoTrouble, loaded, openPage, signIn, told } from './browser.ts'
import { api, logIn, PASSWORD, startSwitchroom } from './harness.ts'

export const SP = '2708b1b3-2736-40ea-b502-c53d8396247f'
export const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'
export const REALM = `${'long-label.'.repeat(11)}example.com`
export const LONG = 'An account whose name is as long as the column of it allows, abc'

/** A platform with one of everything, whose names are as long as may be, and a user of every kind. */
export async function startFurnished() {
  const server = await startSwitchroom('sqlite', { ENABLE_FORGOT_PASSWORD: '1' })
  return { ...server, sids: await furnish(server.url) }
}

export type Sid = { sid: string }
export async function furnish(url: string) {
  const token = await logIn(url)
  const post = <T = Sid>(path: string, body: object) => api<T>(url, token, 'POST', path, body)
  await api(url, token, 'PUT', `/Accounts/${ACCOUNT}`, { name: LONG, sip_realm: REALM })
  await api(url, token, 'PUT', `/ServiceProviders/${SP}`, { ms_teams_fqdn: 'teams.example.com' })
  const hook = { url: `https://example.com/${'long/'.repeat(30)}`, username: 'u', password: 'p' }
  const application = await post('/Applications', {
    name: 'Front desk',
    account_sid: ACCOUNT,
    call_hook: hook,
    call_status_hook: hook,
  })
  await api(url, token, 'PUT', `/Accounts/${ACCOUNT}`, {
    device_calling_application_sid: application.sid,
    siprec_hook_sid: application.sid,
  })
  const carrier = await post('/VoipCarriers', {
    name: 'Northern Trunks',
    account_sid: ACCOUNT,
    sip_gateways: [
      { ipv4: '203.0.113.10', inbound: 1, outbound: 0 },
      { ipv4: 'sip.northern.example', inbound: 0, outbound: 1, protocol: 'tls' },
    ],
    smpp_system_id: 'northern',
    smpp_gateways: [
      { ipv4: `${'message-centre.'.repeat(8)}north`, inbound: 0, outbound: 1, use_tls: 1 },
    ],
  })
  const shared = await post('/VoipCarriers', { name: 'Shared', service_provider_sid: SP })
  const number = await post('/PhoneNumbers', {
    number: '442079460958',
    account_sid: ACCOUNT,
    application_sid: application.sid,
    voip_carrier_sid: carrier.sid,
  })
  for (let i = 0; i < 60; i++)
    await post('/PhoneNumbers', { number: `1508555${1000 + i}`, account_sid: ACCOUNT })
  const client = await post('/Clients', {
    username: 'x'.repeat(64),
    password: 'p',
    account_sid: ACCOUNT,
  })
  const tenant = await post('/MicrosoftTeamsTenants', {
    tenant_fqdn: `${'tenant.'.repeat(34)}example.com`,
    account_sid: ACCOUNT,
    application_sid: application.sid,
  })
  const table = await post('/Lcrs', {
    name: 'Abroad',
    account_sid: ACCOUNT,
    routes: [
      {
        regex: '^(0044|0049|0033|0039)[1-9]\\d{4}',
        description: 'Europe, by the carrier that costs least there',
        lcr_carrier_set_entries: [
          { voip_carrier_sid: carrier.sid },
          { voip_carrier_sid: shared.sid },
        ],
      },
      { regex: '1', lcr_carrier_set_entries: [{ voip_carrier_sid: shared.sid }] },
    ],
    default_carrier: shared.sid,
  })
  const speech = await post(`/ServiceProviders/${SP}/SpeechCredentials`, {
    vendor: 'google',
    account_sid: ACCOUNT,
    label: 'x'.repeat(64),
    use_for_tts: 1,
    use_for_stt: 1,
    service_key: JSON.stringify({
      client_email: `${'robot.'.repeat(20)}x@y.example`,
      private_key: 'p',
    }),
  })
  await post('/GoogleCustomVoices', {
    speech_credential_sid: speech.sid,
    name: 'v'.repeat(64),
    model: `projects/${'long/'.repeat(40)}`,
  })
  await post(`/ServiceProviders/${SP}/SpeechCredentials`, {
    vendor: `custom:${'n'.repeat(25)}`,
    use_for_tts: 1,
    custom_tts_url: 'https://speech.example/say',
  })
  await post('/ApiKeys', { account_sid: ACCOUNT })
  const destination = await post('/AlertDestinations', {
    name: 'n'.repeat(64),
    kind: 'mail',
    address: `${'ops.'.repeat(15)}x@example.com`,
    account_sid: ACCOUNT,
    alert_types: ['no-carrier', 'no-tts'],
  })
  const user = (name: string, more: object) =>
    post<{ user_sid: string }>('/Users', {
      name,
      email: `${name}@example.org`,
      initial_password: PASSWORD,
      force_change: 0,
      ...more,
    })
  await user('provider', { service_provider_sid: SP })
  const account = await user('account', { account_sid: ACCOUNT })
  await user('viewer', { account_sid: ACCOUNT, is_view_only: 1 })
  return {
    application: application.sid,
    carrier: carrier.sid,
    shared: shared.sid,
    number: number.sid,
    client: client.sid,
    tenant: tenant.sid,
    table: table.sid,
    speech: speech.sid,
    user: account.user_sid,
    destination: destination.sid,
  }
}
type Sids = Awaited<ReturnType<typeof furnish>>

const forAll = (sids: Sids) => ({
  users: '/internal/users',
  'user form': `/internal/users/${sids.user}/edit`,
  'account form': `/internal/accounts/${ACCOUNT}/edit`,
  clients: '/internal/clients',
  'client form': `/internal/clients/${sids.client}/edit`,
  applications: '/internal/applications',
  'application form': `/internal/applications/${sids.application}/edit`,
  'recent calls': '/internal/recent-calls',
  'no such call': '/internal/recent-calls/none',
  alerts: '/internal/alerts',
  'alert destinations': '/internal/alerts/destinations',
  'alert destination form': `/internal/alerts/destinations/${sids.destination}/edit`,
  dashboard: '/internal/dashboard',
  'live calls': '/internal/live',
  'live queues': '/internal/live?tab=queues',
  'registered users': '/internal/live?tab=users',
  carriers: '/internal/carriers',
  'carrier form': `/internal/carriers/${sids.carrier}/edit`,
  'carrier gateways': `/internal/carriers/${sids.carrier}/edit?tab=sip`,
  'carrier messages': `/internal/carriers/${sids.carrier}/edit?tab=smpp`,
  'shared carrier': `/internal/carriers/${sids.shared}/edit?tab=outbound`,
  'speech services': '/internal/speech-services',
  'speech service form': `/internal/speech-services/${sids.speech}/edit`,
  'phone numbers': '/internal/phone-numbers',
  'phone number form': `/internal/phone-numbers/${sids.number}/edit`,
  'Teams tenants': '/internal/ms-teams-tenants',
  'Teams tenant form': `/internal/ms-teams-tenants/${sids.tenant}/edit`,
  'outbound routing': '/internal/least-cost-routing',
  'outbound routing form': `/internal/least-cost-routing/${sids.table}/edit`,
  'route simulator': '/internal/route-simulator',
  'audit log': '/internal/audit-log',
  'no such page': '/internal/nothing-here',
})
const forWriters = () => ({
  'new user': '/internal/users/add',
  'new client': '/internal/clients/add',
  'new application': '/internal/applications/add',
  'new carrier': '/internal/carriers/add',
  'new speech service': '/internal/speech-services/add',
  'new phone number': '/internal/phone-numbers/add',
  'new Teams tenant': '/internal/ms-teams-tenants/add',
  'new alert destination': '/internal/alerts/destinations/add',
  'new outbound routing': '/internal/least-cost-routing/add',
})
const forProviders = () => ({
  settings: '/internal/settings?tab=provider',
  accounts: '/internal/accounts',
  'new account': '/internal/accounts/add',
})
export const screens = {
  admin: (sids: Sids): Record<string, string> => ({
    ...forAll(sids),
    ...forWriters(),
    ...forProviders(),
    'admin settings': '/internal/settings',
  }),
  provider: (sids: Sids): Record<string, string> => ({
    ...forAll(sids),
    ...forWriters(),
    ...forProviders(),
  }),
  account: (sids: Sids): Record<string, string> => ({ ...forAll(sids), ...forWriters() }),
  viewer: (sids: Sids): Record<string, string> => forAll(sids),
}

/** Goes there and waits until nothing is loading. Resolves to the API calls it took. */
export async function visit(page: Page, url: string) {
  const calls: string[] = []
  const note = (r: { url: () => string; method: () => string }) => {
    if (r.url().includes('/api/v1/')) calls.push(`${r.method()} ${new URL(r.url()).pathname}`)
  }
  page.on('request', note)
  await page.goto(url)
  await arrived(page)
  page.off('request', note)
  return calls
}

const arrived = async (page: Page) => {
  await page.getByRole('main').getByRole('heading').first().waitFor()
  await loaded(page)
}

/**
 * Goes there from another screen as a link does, which takes half the time of a visit. By way of the page for
 * what does not exist: once that has gone, the screen is there. Counts no calls: what was seen before may not
 * be asked for again.
 */
async function follow(page: Page, path: string): Promise<string[]> {
  const nowhere = page.getByRole('heading', { name: 'Not found', exact: true })
  const go = (to: string) => page.evaluate((to) => history.pushState(null, '', to), to)
  await go('/internal/nowhere')
  await nowhere.waitFor()
  await go(path)
  await nowhere.waitFor({ state: 'detached' })
  await arrived(page)
  return []
}

/** Every screen, as one kind of user: it loads, machines find it accessible, and it fits a phone. */
export function visitEveryScreen(
  who: 'admin' | 'provider' | 'account' | 'viewer',
  look: (page: Page, name: string, path: string, calls: string[]) => Promise<void> = async () => {},
) {
  it(`every screen loads, is accessible in both themes, and fits a phone, as ${who}`, async () => {
    const server = await startFurnished()
    const page = await openPage()
    try {
      await told(page, `screens-${who}`, async () => {
        await signIn(page, server.url, who)
        await loaded(page)
        for (const [name, path] of Object.entries(screens[who](server.sids))) {
          // each address is opened as such once; what it takes counts there as well
          const isOpened = who === 'admin' || name === 'no such page'
          const calls = isOpened ? await visit(page, server.url + path) : await follow(page, path)
          expect(await page.title(), name).toMatch(/Switchroom/)
          await look(page, name, path, calls)
          await expectAccessible(page, `${name} as ${who}`)
          await expectNoSidewaysScroll(page, `${name} as ${who}`)
        }
        expectNoTrouble(page)
      })
    } finally {
      await server.stop()
    }
  })
}

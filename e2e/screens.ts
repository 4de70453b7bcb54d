import type { Page } from 'playwright-core'
import { waitUntilLoaded } from './browser.ts'
import { api, fetchToken, PASSWORD, startSwitchroom } from './harness.ts'

export const SP = '2708b1b3-2736-40ea-b502-c53d8396247f'
export const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'
export const LONG_REALM = `${'long-label.'.repeat(11)}example.com`
export const LONG_NAME = 'An account whose name is as long as the column of it allows, abc'

/** Starts a server with one of every resource, names as long as allowed, and a user of every kind. */
export async function startSeeded(
  environment: Record<string, string> = {},
  world: Parameters<typeof startSwitchroom>[2] = {},
) {
  const variables = { ENABLE_FORGOT_PASSWORD: '1', ...environment }
  const server = await startSwitchroom('sqlite', variables, world)
  return { ...server, sids: await seed(server.url) }
}

export type Sid = { sid: string }
export async function seed(url: string) {
  const token = await fetchToken(url)
  const post = <T = Sid>(path: string, body: object) => api<T>(url, token, 'POST', path, body)
  await api(url, token, 'PUT', `/Accounts/${ACCOUNT}`, { name: LONG_NAME, sip_realm: LONG_REALM })
  await api(url, token, 'PUT', `/ServiceProviders/${SP}`, { ms_teams_fqdn: 'teams.example.com' })
  const hook = { url: `https://example.com/${'long/'.repeat(30)}`, username: 'u', password: 'p' }
  const application = await post('/Applications', {
    name: 'Front desk',
    account_sid: ACCOUNT,
    call_hook: hook,
    call_status_hook: { ...hook, url: `http://127.0.0.1:1/${'long/'.repeat(30)}` },
  })
  // not sent: the address is internal
  const request = await post<{ webhook_request_sid: string }>(
    `/Applications/${application.sid}/TestRequests`,
    { hook: 'call_status_hook', payload: { call_sid: 'x'.repeat(400) } },
  )
  const start = {
    direction: 'inbound',
    from: '4'.repeat(128),
    to: `${'sales.'.repeat(15)}x@y.example`,
  }
  const testCase = await post(`/Applications/${application.sid}/TestCases`, {
    name: 't'.repeat(100),
    start,
    answers: [{ kind: 'speech', text: 'word '.repeat(50) }],
    expectations: [{ kind: 'says', text: 'x'.repeat(300) }],
  })
  const caller = await post(`/Applications/${application.sid}/SimulatedCallers`, {
    name: 'c'.repeat(100),
    start,
    persona: '0123 '.repeat(100),
    goal: 'g'.repeat(300),
    language: 'en-US',
    ...{ max_turns: 5, max_minutes: 5, max_tokens: 200_000 },
    expectations: [{ kind: 'says', text: 'x'.repeat(300) }],
    criteria: [{ name: 'n'.repeat(100), description: 'd'.repeat(300) }],
  })
  // it fails: there is no such application
  const { runs } = await post<{ runs: { run_sid: string }[] }>(
    `/Applications/${application.sid}/TestCases/Runs`,
    {},
  )
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
  await importNumbers(url, token, 60)
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
  const events = await post('/EventSubscriptions', {
    name: 'e'.repeat(64),
    url: `https://example.com/${'long/'.repeat(30)}`,
    account_sid: ACCOUNT,
    types: ['call.ended', 'carrier.changed'],
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
    testCase: testCase.sid,
    run: runs[0]!.run_sid,
    caller: caller.sid,
    carrier: carrier.sid,
    shared: shared.sid,
    number: number.sid,
    client: client.sid,
    tenant: tenant.sid,
    table: table.sid,
    speech: speech.sid,
    user: account.user_sid,
    destination: destination.sid,
    events: events.sid,
    request: request.webhook_request_sid,
  }
}
type Sids = Awaited<ReturnType<typeof seed>>

async function importNumbers(url: string, token: string, count: number) {
  const rows = Array.from({ length: count }, (_, i) => `1508555${1000 + i},"${LONG_NAME}"`)
  const answer = await fetch(`${url}/api/v1/PhoneNumbers/Import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
    body: ['number,account', ...rows].join('\n'),
  })
  const lines = await answer.text()
  if (!lines.includes(`"added":${count}`)) throw new Error(`Not imported: ${lines}`)
}

const commonScreens = (sids: Sids) => ({
  users: '/internal/users',
  security: '/internal/security',
  preferences: '/internal/preferences',
  'user overview': `/internal/users/${sids.user}`,
  'user form': `/internal/users/${sids.user}/edit`,
  'account overview': `/internal/accounts/${ACCOUNT}`,
  'account form': `/internal/accounts/${ACCOUNT}/edit`,
  'customer report': `/internal/accounts/${ACCOUNT}/report`,
  'language model': `/internal/accounts/${ACCOUNT}/language-model`,
  'model sessions': `/internal/accounts/${ACCOUNT}/model-sessions`,
  'transcript settings': `/internal/accounts/${ACCOUNT}/transcripts`,
  clients: '/internal/clients',
  'client overview': `/internal/clients/${sids.client}`,
  'client form': `/internal/clients/${sids.client}/edit`,
  applications: '/internal/applications',
  'application overview': `/internal/applications/${sids.application}`,
  'application form': `/internal/applications/${sids.application}/edit`,
  'try it': `/internal/applications/${sids.application}/try`,
  run: `/internal/applications/${sids.application}/try/${sids.run}`,
  suites: `/internal/applications/${sids.application}/suites`,
  'test case form': `/internal/applications/${sids.application}/test-cases/${sids.testCase}`,
  'simulated caller': `/internal/applications/${sids.application}/simulated-callers/${sids.caller}`,
  'simulated caller form': `/internal/applications/${sids.application}/simulated-callers/${sids.caller}/edit`,
  'score card': `/internal/applications/${sids.application}/score-card`,
  'recent calls': '/internal/recent-calls',
  'compare calls': '/internal/recent-calls/compare',
  'no such call': '/internal/recent-calls/none',
  alerts: '/internal/alerts',
  'alert destinations': '/internal/alerts/destinations',
  'alert destination form': `/internal/alerts/destinations/${sids.destination}/edit`,
  'event webhooks': '/internal/alerts/webhooks',
  'event webhook': `/internal/alerts/webhooks/${sids.events}`,
  'event webhook form': `/internal/alerts/webhooks/${sids.events}/edit`,
  inbox: '/internal/inbox',
  failures: '/internal/failures',
  'getting started': '/internal/getting-started',
  'webhook log': '/internal/webhook-log',
  'webhook request': `/internal/webhook-log/${sids.request}`,
  dashboard: '/internal/dashboard',
  voice: '/internal/voice',
  scores: '/internal/scores',
  'live calls': '/internal/live',
  'live queues': '/internal/live?tab=queues',
  'registered users': '/internal/live?tab=users',
  carriers: '/internal/carriers',
  'carrier overview': `/internal/carriers/${sids.carrier}`,
  'carrier form': `/internal/carriers/${sids.carrier}/edit`,
  'carrier gateways': `/internal/carriers/${sids.carrier}/edit?tab=sip`,
  'carrier messages': `/internal/carriers/${sids.carrier}/edit?tab=smpp`,
  'shared carrier overview': `/internal/carriers/${sids.shared}`,
  'shared carrier': `/internal/carriers/${sids.shared}/edit?tab=outbound`,
  'speech services': '/internal/speech-services',
  'speech service overview': `/internal/speech-services/${sids.speech}`,
  'speech service form': `/internal/speech-services/${sids.speech}/edit`,
  'phone numbers': '/internal/phone-numbers',
  'phone number overview': `/internal/phone-numbers/${sids.number}`,
  'phone number form': `/internal/phone-numbers/${sids.number}/edit`,
  'Teams tenants': '/internal/ms-teams-tenants',
  'Teams tenant form': `/internal/ms-teams-tenants/${sids.tenant}/edit`,
  'outbound routing': '/internal/least-cost-routing',
  'outbound routing overview': `/internal/least-cost-routing/${sids.table}`,
  'outbound routing form': `/internal/least-cost-routing/${sids.table}/edit`,
  'route simulator': '/internal/route-simulator',
  'audit log': '/internal/audit-log',
  configuration: '/internal/configuration',
  'configuration of an account': `/internal/configuration?account_sid=${ACCOUNT}&tab=compare`,
  history: `/internal/audit-log/history?kind=voip_carrier&sid=${sids.carrier}`,
  'no such page': '/internal/nothing-here',
})
const writerScreens = (sids: Sids) => ({
  'test request': `/internal/applications/${sids.application}/test`,
  'new test case': `/internal/applications/${sids.application}/test-cases/add`,
  'new simulated caller': `/internal/applications/${sids.application}/simulated-callers/add?offer=angry`,
  'new user': '/internal/users/add',
  'new client': '/internal/clients/add',
  'new application': '/internal/applications/add',
  'new carrier': '/internal/carriers/add',
  'new speech service': '/internal/speech-services/add',
  'new phone number': '/internal/phone-numbers/add',
  'new Teams tenant': '/internal/ms-teams-tenants/add',
  'new alert destination': '/internal/alerts/destinations/add',
  'new event webhook': '/internal/alerts/webhooks/add',
  'new outbound routing': '/internal/least-cost-routing/add',
})
const providerScreens = () => ({
  settings: '/internal/settings?tab=provider',
  brand: '/internal/settings?tab=brand',
  accounts: '/internal/accounts',
  'new account': '/internal/accounts/add',
})
export const screens = {
  admin: (sids: Sids): Record<string, string> => ({
    ...commonScreens(sids),
    ...writerScreens(sids),
    ...providerScreens(),
    'admin settings': '/internal/settings',
    'single sign-on': '/internal/single-sign-on',
    'system health': '/internal/system-health',
    doctor: '/internal/system-health/doctor',
  }),
  provider: (sids: Sids): Record<string, string> => ({
    ...commonScreens(sids),
    ...writerScreens(sids),
    ...providerScreens(),
  }),
  account: (sids: Sids): Record<string, string> => {
    // the page refuses them
    const { 'shared carrier': _, ...common } = commonScreens(sids)
    return { ...common, ...writerScreens(sids) }
  },
  viewer: (sids: Sids): Record<string, string> => commonScreens(sids),
}

/** Opens a URL and waits until nothing is loading. Resolves to the API calls it made. */
export async function visit(page: Page, url: string) {
  const calls: string[] = []
  const record = (r: { url: () => string; method: () => string }) => {
    if (r.url().includes('/api/v1/')) calls.push(`${r.method()} ${new URL(r.url()).pathname}`)
  }
  page.on('request', record)
  // the screen before may still poll until it is gone
  page.once('framenavigated', () => calls.splice(0))
  await page.goto(url)
  await waitForScreen(page)
  page.off('request', record)
  return calls
}

/**
 * Stops the time of pages, which on a busy machine need seconds to show a screen: what they have read stays fresh, and
 * what they do after a second or more waits for `passTime`. Runs in the browser, before the page's scripts.
 */
export function stopTime() {
  const now = Date.now()
  Date.now = () => now
  const held: { run: () => void; ms: number }[] = []
  const { setTimeout, setInterval } = window
  // no timer of the browser has a negative number, which it might clear
  Object.assign(window, {
    setTimeout: (run: () => void, ms = 0, ...args: unknown[]) =>
      ms < 1_000 ? setTimeout(run, ms, ...args) : -held.push({ run, ms }),
    setInterval: (run: () => void, ms = 0, ...args: unknown[]) =>
      ms < 1_000 ? setInterval(run, ms, ...args) : -1,
    passTime: (ms: number) => {
      for (const timer of held.splice(0)) if (timer.ms <= ms) timer.run()
    },
  })
}

const waitForScreen = async (page: Page) => {
  await page.getByRole('main').getByRole('heading').first().waitFor()
  await waitUntilLoaded(page)
}

/**
 * Navigates as a link does, which costs a third of a full page load. Does not count calls, since cached data is not
 * fetched again.
 */
export async function navigate(page: Page, path: string) {
  const routeOf = (url: string) => new URL(url, page.url()).pathname.replace(/[\da-f-]{36}/g, '*')
  // screens of one route may keep their heading, by whose end the new screen is known
  if (routeOf(path) === routeOf(page.url())) await leaveFor(page, '/internal/nowhere')
  await leaveFor(page, path)
  await waitForScreen(page)
}

/** Resolves when the screen before is gone. */
const leaveFor = (page: Page, path: string) =>
  page.evaluate(async (path) => {
    const before = document.querySelector('main :is(h1, h2)')
    history.pushState(null, '', path)
    await new Promise<void>((resolve) => {
      const observer = new MutationObserver(() => {
        if (before?.isConnected) return
        observer.disconnect()
        resolve()
      })
      observer.observe(document.body, { childList: true, subtree: true })
    })
  }, path)

/** Milliseconds for a test that visits dozens of screens. It only ends one that hangs. */
export const WALK_LIMIT = 1_800_000

/** The names and paths of one half of all screens. */
export function halfOf(all: Record<string, string>, half: 'first' | 'second') {
  const entries = Object.entries(all)
  const middle = Math.ceil(entries.length / 2)
  return half === 'first' ? entries.slice(0, middle) : entries.slice(middle)
}

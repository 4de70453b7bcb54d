import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stripeStandIn } from '../packages/server/src/subscriptions/stripe-stand-in.ts'
import {
  api,
  expectAccessible,
  expectNoSidewaysScroll,
  expectNoTrouble,
  logIn,
  openBrowser,
  openPage,
  PASSWORD,
  type Switchroom,
  signIn,
  startSwitchroom,
  told,
} from './harness.ts'
import { servePayments } from './payment-page.ts'

/** Every screen, as every kind of user: it loads, machines find it accessible, and it fits a phone. */
let browser: Browser
let server: Switchroom
let sids: Record<string, string>
const SP = '2708b1b3-2736-40ea-b502-c53d8396247f'
const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'
const REALM = `${'long-label.'.repeat(11)}example.com`
const LONG = 'An account whose name is as long as the column of it allows, abc'

beforeAll(async () => {
  browser = await openBrowser()
  server = await startSwitchroom('sqlite', { ENABLE_FORGOT_PASSWORD: '1' })
  sids = await furnish(server.url)
})
afterAll(async () => {
  await browser.close()
  await server.stop()
})

type Sid = { sid: string }
async function furnish(url: string) {
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

const forAll = () => ({
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
const screens: Record<string, () => Record<string, string>> = {
  admin: () => ({
    ...forAll(),
    ...forWriters(),
    ...forProviders(),
    'admin settings': '/internal/settings',
  }),
  provider: () => ({ ...forAll(), ...forWriters(), ...forProviders() }),
  account: () => ({ ...forAll(), ...forWriters() }),
  viewer: forAll,
}

/** Goes there and waits until nothing is loading. Resolves to the API calls it took. */
async function visit(page: Page, path: string) {
  const calls: string[] = []
  const note = (r: { url: () => string; method: () => string }) => {
    if (r.url().includes('/api/v1/')) calls.push(`${r.method()} ${new URL(r.url()).pathname}`)
  }
  page.on('request', note)
  await page.goto(server.url + path)
  await page.getByRole('main').getByRole('heading').first().waitFor()
  await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'))
  await page.waitForTimeout(250)
  page.off('request', note)
  return calls
}

describe.each(Object.keys(screens))('as %s', (who) => {
  it('every screen loads, is accessible in both themes, and fits a phone', async () => {
    const page = await openPage(browser)
    await signIn(page, server.url, who)
    for (const [name, path] of Object.entries(screens[who]!()))
      await told(page, `screens-${who}`, async () => {
        await visit(page, path)
        expect(await page.title(), name).toMatch(/Switchroom/)
        await expectAccessible(page, `${name} as ${who}`)
        await expectNoSidewaysScroll(page, `${name} as ${who}`)
      })
    expectNoTrouble(page)
    await page.context().close()
  })
})

it('asks the API for no more than a screen shows', async () => {
  const page = await openPage(browser)
  await signIn(page, server.url)
  // the frame's own: the providers to choose from, and the badge of unread alerts
  const frame = /\/(ServiceProviders|Users\/me|Alerts\/Unread)$/
  const own = async (path: string) =>
    (await visit(page, path)).filter((c) => !frame.test(c.split(' ')[1]!))
  for (const path of Object.values(screens.admin!())) {
    const calls = await own(path)
    const most = /\/(add|edit)|settings/.test(path) ? 4 : 2
    expect(calls.length, `${path}: ${calls.join(', ')}`).toBeLessThanOrEqual(most)
  }
  await page.context().close()
})

it('offers a view-only user nothing that would be refused', async () => {
  const page = await openPage(browser)
  await signIn(page, server.url, 'viewer')
  const refused =
    /^(Add|Save|Delete|Edit|Generate|Discard|Clear TTS|Replace|Test|Speak|Hear|Try voices|Record|Hang up)\b/
  for (const [name, path] of Object.entries(forAll())) {
    await visit(page, path)
    const main = page.getByRole('main')
    const names = [
      ...(await main.getByRole('button').allInnerTexts()),
      ...(await main.getByRole('link').allInnerTexts()),
    ]
    const found = names.filter((n) => refused.test(n.trim()))
    expect(found, name).toEqual([])
  }
  await page.context().close()
})

it('keeps an account user to its own account, and says so', async () => {
  const page = await openPage(browser)
  await signIn(page, server.url, 'account')
  await page.waitForURL(new RegExp(`accounts/${ACCOUNT}/edit`))
  for (const [path, message] of [
    ['/internal/accounts', 'You do not have permissions to manage all accounts'],
    ['/internal/settings', 'You do not have permissions to manage Settings'],
    [`/internal/accounts/${SP}/edit`, 'You do not have access.'],
  ] as const) {
    await page.goto(server.url + path)
    await page.getByText(message).waitFor()
    expect(page.url()).toContain(`accounts/${ACCOUNT}/edit`)
  }
  await page.context().close()

  // and a provider's user to its own provider
  const admin = await logIn(server.url)
  const post = (path: string, body: object) => api<Sid>(server.url, admin, 'POST', path, body)
  const service_provider_sid = (await post('/ServiceProviders', { name: 'some other provider' }))
    .sid
  const theirs = await post('/Accounts', { name: 'theirs', service_provider_sid })
  const other = await openPage(browser)
  await signIn(other, server.url, 'provider')
  await other.goto(`${server.url}/internal/accounts/${theirs.sid}/edit`)
  await other.getByRole('alert').getByText('You do not have access.').waitFor()
  await other.waitForURL(/internal\/accounts$/)
  await other.context().close()
})

it('keeps filter, page, size and order in the address, and Back goes back', async () => {
  const page = await openPage(browser)
  await signIn(page, server.url)
  await visit(page, '/internal/phone-numbers')
  await page.getByText('Total: 61 records').waitFor()
  await page.getByRole('link', { name: 'Page 3', exact: true }).click()
  await page.waitForURL(/page=3/)
  await page.getByLabel('Filter phone numbers').fill('5551001')
  await page.waitForURL(/filter=5551001/)
  await page.getByText('Total: 1 record', { exact: true }).waitFor()
  expect(page.url()).not.toContain('page=3')
  await page.goBack()
  await page.waitForURL(/page=3/)
  await page.getByText('Total: 61 records').waitFor()
  await page.reload()
  await page.getByText('Total: 61 records').waitFor()
  expect(page.url()).toContain('page=3')
  await page.context().close()
})

it('loads less than 120 kB of script for the log-in page', async () => {
  const page = await openPage(browser)
  let bytes = 0
  page.on('response', async (r) => {
    if (r.request().resourceType() !== 'script') return
    const { responseBodySize } = await r.request().sizes()
    bytes += responseBodySize
  })
  await page.goto(`${server.url}/`)
  await page.getByLabel('Username').waitFor()
  await page.waitForTimeout(500)
  expect(bytes).toBeGreaterThan(20_000)
  expect(bytes).toBeLessThan(120_000)
  await page.context().close()
})

it('shows the public screens, accessible and fitting', async () => {
  const page = await openPage(browser)
  for (const [name, path] of Object.entries({
    'log in': '/',
    'forgot password': '/forgot-password',
    'reset password': '/reset-password/none',
    'no such page': '/nothing-here',
  })) {
    await page.goto(server.url + path)
    await page.getByRole('heading').first().waitFor()
    await page.waitForTimeout(300)
    await expectAccessible(page, name)
    await expectNoSidewaysScroll(page, name)
  }
  await page.getByText("That page doesn't exist.").waitFor()
  expectNoTrouble(page)
  await page.context().close()
})

it('shows the screens of the hosted variant, accessible and fitting', async () => {
  const stripe = await stripeStandIn()
  const sold = stripe.billing.addProduct('voice_call_session', 'concurrent call session', {
    metadata: { jambonz_category: 'voice_call_session', availability: 'general' },
  })
  stripe.billing.addPrice(sold, { unit_amount: 2_000 })
  const hosted = await startSwitchroom('sqlite', {
    ...stripe.environment,
    ENABLE_HOSTED_SYSTEM: '1',
    ENABLE_FORGOT_PASSWORD: '1',
    JAMBONZ_BASE_URL: 'http://127.0.0.1',
    SMTP_URL: 'smtp://127.0.0.1:9',
    GOOGLE_CLIENT_ID: 'x',
    GOOGLE_OAUTH_CLIENT_SECRET: 'x',
    GITHUB_CLIENT_ID: 'x',
    GITHUB_CLIENT_SECRET: 'x',
  })
  const page = await openPage(browser)
  await servePayments(page, stripe)
  const check = async (name: string, path: string) => {
    await page.goto(hosted.url + path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForFunction(() => !document.querySelector('[aria-label="Loading"]'))
    await page.waitForTimeout(300)
    await expectAccessible(page, name)
    await expectNoSidewaysScroll(page, name)
  }
  const keep = (key: string, value: string) =>
    page.evaluate(([k, v]) => sessionStorage.setItem(k!, v!), [key, value])
  try {
    const token = await logIn(hosted.url)
    const put = (path: string, body: object) => api(hosted.url, token, 'PUT', path, body)
    await put(`/ServiceProviders/${SP}`, { root_domain: `${'long-label.'.repeat(6)}example.com` })
    await api(hosted.url, token, 'POST', '/Users', {
      name: 'ann',
      email: 'ann@example.org',
      initial_password: PASSWORD,
      force_change: 0,
      account_sid: ACCOUNT,
    })
    await told(page, 'screens-hosted', async () => {
      await check('log in', '/')
      await check('register', '/register')
      await keep('terms-accepted', 'true')
      await check('register by e-mail', '/register/email')
      await keep('registration', JSON.stringify({ jwt: 'x', user_sid: SP, email: LONG }))
      await check('verify your e-mail', '/register/email/verify-your-email')
      await page.goto(hosted.url)
      await page.getByLabel('Username or email').fill('ann')
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.getByRole('button', { name: 'Log in' }).click()
      await page.waitForURL(/choose-a-subdomain/)
      await check('choose a subdomain', '/register/choose-a-subdomain')
      await put(`/Accounts/${ACCOUNT}`, { sip_realm: REALM })
      await check('account form', `/internal/accounts/${ACCOUNT}/edit`)
      await page.getByText('Finish Account Setup').waitFor()
      await check('upgrade', `/internal/accounts/${ACCOUNT}/subscription`)
      await page.getByTitle('Secure payment input frame').waitFor()
      await check('payment information', `/internal/accounts/${ACCOUNT}/manage-payment`)
      await check('SIP realm', `/internal/accounts/${ACCOUNT}/sip-realm/edit`)
      await page.evaluate((t) => localStorage.setItem('token', t), token)
      await check('settings', '/internal/settings?tab=provider')
      await page.getByLabel('Root domain').waitFor()
      await page.getByLabel('Max calls').fill('7')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Settings updated').waitFor()
      expect(await api(hosted.url, token, 'GET', `/ServiceProviders/${SP}/Limits`)).toMatchObject([
        { category: 'voice_call_session', quantity: 7 },
      ])
      await check('new account', '/internal/accounts/add')
    })
    expectNoTrouble(page)
  } finally {
    await hosted.stop()
    await stripe.close()
  }
})

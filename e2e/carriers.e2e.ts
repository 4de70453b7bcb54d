import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, logIn, openPage, reportFailures, waitUntilLoaded } from './browser.ts'
import { databasesFor } from './databases.ts'
import { api, fetchToken, PASSWORD, type Switchroom, startSwitchroom } from './harness.ts'
import { shareWorld } from './world.ts'

/** Adds a carrier of each trunk type, with errors to correct on the way. */
let server: Switchroom
let token: string
const SP = '2708b1b3-2736-40ea-b502-c53d8396247f'

shareWorld(
  async () => {
    server = await startSwitchroom('sqlite')
    token = await fetchToken(server.url)
  },
  async () => {
    await server.stop()
  },
)

type Gateway = { ipv4: string; port: number | null; inbound: number; outbound: number }
type Carrier = {
  voip_carrier_sid: string
  name: string
  requires_register: number
  inbound_auth_username: string | null
  sip_gateways: (Gateway & { netmask: number })[]
  smpp_gateways: (Gateway & { use_tls: number })[]
}
const readCarrier = (sid: string) => api<Carrier>(server.url, token, 'GET', `/VoipCarriers/${sid}`)
async function findCarrier(name: string) {
  const all = await api<Carrier[]>(server.url, token, 'GET', `/VoipCarriers?name=${name}`)
  return readCarrier(all[0]!.voip_carrier_sid)
}
const addCarrier = async (body: object) =>
  (
    await api<{ sid: string }>(server.url, token, 'POST', '/VoipCarriers', {
      service_provider_sid: SP,
      ...body,
    })
  ).sid

const openTab = (page: Page, name: string) => page.getByRole('tab', { name }).click()
const expectTab = (page: Page, name: string) =>
  page.getByRole('tab', { name, selected: true }).waitFor()
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()
const expectToast = (page: Page, text: string) =>
  page.getByRole('status').getByText(text, { exact: true }).waitFor()
const row = (page: Page, name: string) => page.getByRole('group', { name, exact: true })
const focused = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement
    const group = at?.closest('fieldset')?.querySelector('legend')?.textContent
    const label = at?.getAttribute('aria-label') ?? (at as HTMLInputElement).labels?.[0]?.innerText
    return `${group ?? ''}: ${label}`
  })

function carrierStory(name: string, run: (page: Page) => Promise<void>) {
  it(name, async () => {
    const page = await openPage({ permissions: ['clipboard-read', 'clipboard-write'] })
    await logIn(page, server.url)
    await reportFailures(page, `carriers-${name.replaceAll(' ', '-')}`, () => run(page))
    expectNoErrors(page)
    await page.context().close()
  })
}

carrierStory('adds an IP trunk without a mouse', async (page) => {
  await page.goto(`${server.url}/internal/carriers/add`)
  await page.getByLabel('Carrier name').fill('By address')
  await save(page)
  await expectTab(page, 'SIP')
  await page.getByText('Please provide a valid IP address').waitFor()
  await expect.poll(() => focused(page)).toBe('SIP Gateway 1: Network address')
  await page.keyboard.type(' 203.0.113.10 ')
  await page.keyboard.press('Enter')
  await expect.poll(() => focused(page)).toBe('SIP Gateway 2: Network address')
  await page.keyboard.type('203.0.113.10')
  await page.keyboard.press('Control+ArrowUp')
  expect(await focused(page)).toBe(' 203.0.113.10 : Network address')
  await page.keyboard.press('Enter')
  expect(await focused(page)).toBe('203.0.113.10: Network address')
  await page.keyboard.press('Enter')
  await page.keyboard.type('203.0.113.11')
  await save(page)
  await page.getByText('Each SIP gateway must have a unique IP address.').waitFor()

  const duplicateDelete = page.getByRole('button', {
    name: 'Delete SIP Gateway 203.0.113.10',
    exact: true,
  })
  await duplicateDelete.last().focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => focused(page)).toMatch(/203\.0\.113\.1.*: Delete SIP Gateway/)
  await save(page)
  await expectToast(page, 'Carrier created successfully')
  const { sip_gateways } = await findCarrier('By address')
  expect(sip_gateways).toMatchObject([
    { ipv4: '203.0.113.10', port: 5060, inbound: 1, outbound: 0 },
    { ipv4: '203.0.113.11', port: 5060, inbound: 1, outbound: 0 },
  ])
})

carrierStory(
  'adds an auth trunk, and keeps gateways but no credentials while the trunk type changes',
  async (page) => {
    await page.goto(`${server.url}/internal/carriers/add`)
    await page.getByLabel('Carrier name').fill('By password')
    await openTab(page, 'SIP')
    await row(page, 'SIP Gateway 1').getByLabel('Network address').fill('203.0.113.20')
    await row(page, '203.0.113.20').getByLabel('Netmask').selectOption('/24')
    await openTab(page, 'General')
    await page.getByLabel('Trunk type').selectOption('Auth Trunk')
    await save(page)
    await expectTab(page, 'Inbound')
    await page.getByText('Auth Trunk requires both username and password').first().waitFor()
    await page.getByLabel('Username', { exact: true }).fill('theirs')
    await page.getByRole('textbox', { name: 'Password', exact: true }).first().fill('secret')
    await save(page)
    await expectTab(page, 'SIP')
    await row(page, 'SIP Gateway 1').getByLabel('Network address').fill('sip.password.example')

    await openTab(page, 'General')
    await page.getByLabel('Trunk type').selectOption('IP Trunk')
    await openTab(page, 'SIP')
    expect(await row(page, '203.0.113.20').getByLabel('Netmask').inputValue()).toBe('24')
    await openTab(page, 'General')
    await page.getByLabel('Trunk type').selectOption('Auth Trunk')
    await openTab(page, 'Inbound')
    const [username, password] = [
      page.getByLabel('Username', { exact: true }),
      page.getByRole('textbox', { name: 'Password', exact: true }).first(),
    ]
    expect([await username.inputValue(), await password.inputValue()]).toEqual(['', ''])
    await username.fill('theirs')
    await password.fill('secret')
    await save(page)
    await expectToast(page, 'Carrier created successfully')
    const carrier = await findCarrier('By password')
    expect(carrier).toMatchObject({ inbound_auth_username: 'theirs', requires_register: 0 })
    expect(carrier.sip_gateways).toMatchObject([{ ipv4: 'sip.password.example', port: null }])

    await page.goto(`${server.url}/internal/carriers/${carrier.voip_carrier_sid}/edit`)
    await page.getByLabel('Trunk type').selectOption('IP Trunk')
    await save(page)
    await expectTab(page, 'SIP')
    await page.getByText('Static IP Whitelist trunk type requires at least one inbound').waitFor()
    await page.getByRole('button', { name: 'Add SIP Gateway' }).click()
    await row(page, 'SIP Gateway 2').getByLabel('Network address').fill('203.0.113.21')
    for (const _ of ['once', 'and again, which adds nothing twice']) {
      await save(page)
      await expectToast(page, 'Carrier updated successfully')
      await page.getByText('Carrier updated successfully').waitFor({ state: 'hidden' })
      const saved = await readCarrier(carrier.voip_carrier_sid)
      expect(saved.inbound_auth_username).toBe(null)
      expect(saved.sip_gateways).toHaveLength(2)
      await row(page, '203.0.113.21').getByLabel('Pad crypto').click()
    }
  },
)

carrierStory('adds a registration trunk and follows its status', async (page) => {
  await page.goto(`${server.url}/internal/carriers/add`)
  await page.getByLabel('Carrier name').fill('By registration')
  await page.getByLabel('Trunk type').selectOption('Registration Trunk')
  await openTab(page, 'SIP')
  await row(page, 'SIP Gateway 1').getByLabel('Network address').fill('sip.reg.example')
  // Save is below it, and moves
  await page.getByText('No outbound calls in the last 24 hours to compare with.').waitFor()
  await save(page)
  await expectTab(page, 'Outbound & Registration')
  await page.getByLabel('Auth username').fill('ours')
  await page.getByRole('textbox', { name: 'Auth password' }).fill('secret')
  await page.getByLabel('SIP realm').fill('sip:reg.example')
  await page.getByLabel('Outbound SIP proxy').fill('not a proxy!')
  await save(page)
  await page.getByText('SIP realm must be a domain name').waitFor()
  await page.getByText('Please provide a valid SIP Proxy domain or IP address.').waitFor()
  await page.getByLabel('SIP realm').fill(' reg.example ')
  await page.getByLabel('Outbound SIP proxy').fill('sip:proxy.example.com:5080;lr')
  await save(page)
  await expectToast(page, 'Carrier created successfully')
  const { voip_carrier_sid: sid, ...carrier } = await findCarrier('By registration')
  expect(carrier).toMatchObject({
    requires_register: 1,
    register_sip_realm: 'reg.example',
    outbound_sip_proxy: 'sip:proxy.example.com:5080;lr',
  })

  // as the platform's registrar writes it
  await page.clock.install()
  await page.goto(`${server.url}/internal/carriers/${sid}/edit`)
  await page.getByText('Not Started').first().waitFor()
  let status: object = { status: 'fail', reason: '403 Forbidden', callId: 'call-1' }
  let requestCount = 0
  await page.route(`**/VoipCarriers/${sid}`, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    requestCount++
    const answer = await route.fetch()
    await route.fulfill({ json: { ...(await answer.json()), register_status: status } })
  })
  await page.getByLabel('Carrier name').fill('By registration, edited')
  await page.getByText('403 Forbidden').waitFor()
  await page.getByText('call-1').waitFor()
  await page.getByText('Unregistered').waitFor()
  status = { status: 'ok', reason: '200 OK', callId: 'call-2' }
  await page.getByText('200 OK').waitFor()
  expect(await page.getByLabel('Carrier name').inputValue()).toBe('By registration, edited')
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await waitUntilLoaded(page)
  const before = requestCount
  await page.clock.runFor(30_000)
  // what comes later has been asked later
  await page.evaluate(() => fetch('/config.js').then((r) => r.text()))
  expect(requestCount).toBe(before)
  await page.unrouteAll()
})

carrierStory('saves the SMPP gateways with their carrier', async (page) => {
  const inbound = { ipv4: '203.0.113.30', inbound: 1, outbound: 0 }
  const sid = await addCarrier({ name: 'Messages', sip_gateways: [inbound] })
  await page.goto(`${server.url}/internal/carriers/${sid}/edit?tab=smpp`)
  await page.getByLabel(/^System ID/).fill('ours')
  await save(page)
  await page
    .getByRole('alert')
    .getByText('At least one outbound gateway is required when using system ID')
    .waitFor()
  const first = row(page, 'Outbound SMPP gateway 1')
  await first.getByLabel('IP or DNS').fill('example.com')
  await row(page, 'example.com').getByLabel('Use TLS').check()
  await row(page, 'example.com').getByLabel('Port').fill('3550')
  await row(page, 'Inbound SMPP gateway 1').getByLabel('IP address').fill('smpp.example.com')
  await save(page)
  await page.getByText('Password is required if whitelisting').waitFor()
  await page.getByText('When using an FQDN, you must use a subdomain').waitFor()
  await page.getByText('A fully qualified domain name may only be used').waitFor()
  await row(page, 'example.com').getByLabel('IP or DNS').fill('smpp.example.com')
  await page.getByLabel('IP address').fill('203.0.113.31')
  await page.getByRole('textbox', { name: 'Inbound password' }).fill('secret')
  await expectAccessible(page, 'SMPP tab')
  await expectNoSidewaysScroll(page, 'SMPP tab')
  await save(page)
  await expectToast(page, 'Carrier updated successfully')
  expect((await readCarrier(sid)).smpp_gateways).toMatchObject([
    { ipv4: '203.0.113.31', port: 2775, inbound: 1, outbound: 0 },
    { ipv4: 'smpp.example.com', port: 3550, use_tls: 1, inbound: 0, outbound: 1 },
  ])
  await page.getByRole('button', { name: 'Delete Outbound SMPP gateway smpp.example.com' }).click()
  await page.getByText('You must provide at least one Outbound Gateway.').waitFor()
  await page.getByLabel(/^System ID/).fill('')
  await page.getByRole('button', { name: 'Delete Outbound SMPP gateway smpp.example.com' }).click()
  await save(page)
  await expect.poll(async () => (await readCarrier(sid)).smpp_gateways.length).toBe(1)
})

carrierStory('says which addresses a carrier has to allow', async (page) => {
  const sid = await addCarrier({ name: 'Through' })
  const address = { service_provider_sid: null, last_updated: null, tls_port: 5061, wss_port: null }
  await page.route('**/Sbcs?*', (route) =>
    route.fulfill({
      json: [{ sbc_address_sid: 's', ipv4: '198.51.100.1', port: 5060, ...address }],
    }),
  )
  await page.goto(`${server.url}/internal/carriers/${sid}/edit?tab=sip`)
  await page.getByText('198.51.100.1:5061 (TLS)').waitFor()
  await page.getByRole('button', { name: 'Copy 198.51.100.1:5060' }).click()
  await expectToast(page, '198.51.100.1:5060 copied to clipboard')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('198.51.100.1:5060')
  await page.unrouteAll()
})

it.each(databasesFor('carriers'))(
  'assigns a carrier without an owner to a service provider (%s)',
  async (database) => {
    const own = await startSwitchroom(database)
    const page = await openPage()
    const main = page.getByRole('main')
    const inList = (name: RegExp) => main.getByRole('row', { name })
    const link = (name: string) => main.getByRole('link', { name, exact: true })
    const list = (search = '') => page.goto(`${own.url}/internal/carriers${search}`)
    try {
      await reportFailures(page, `ownerless-${database}`, async () => {
        const admin = await fetchToken(own.url)
        const post = <T = { sid: string }>(path: string, body: object) =>
          api<T>(own.url, admin, 'POST', path, body)
        await logIn(page, own.url)
        const { sid: second } = await post('/ServiceProviders', { name: 'Second Telecom' })
        const { sid } = await post('/VoipCarriers', { name: 'Alone' })
        await post('/VoipCarriers', { name: 'Left over' })
        await list()
        await main.getByText('2 carriers have no service provider').waitFor()
        await main.getByText('No Carriers.').waitFor()
        await expectNoSidewaysScroll(page, 'hint of carriers without a provider')
        await link('Show them').click()
        await inList(/Alone.*No service provider/).waitFor()
        await page.reload()
        await inList(/Left over.*No service provider/).waitFor()
        await expectAccessible(page, 'carriers without a provider')
        await expectNoSidewaysScroll(page, 'carriers without a provider')
        await page.getByLabel('Filter carriers').fill('alo')
        await inList(/Left over/).waitFor({ state: 'hidden' })

        await link('Alone').click()
        await link('Edit').click()
        const provider = main.getByRole('combobox', { name: /^Service provider/ })
        await provider.waitFor()
        expect(await provider.getAttribute('placeholder')).toBe('No service provider')
        await expectAccessible(page, 'a carrier without a service provider')
        await expectNoSidewaysScroll(page, 'a carrier without a service provider')
        // still without a provider
        await page.getByLabel('Carrier name').fill('Alone for now')
        await save(page)
        await expectToast(page, 'Carrier updated successfully')
        await provider.fill('second')
        await page.getByRole('option', { name: 'Second Telecom' }).click()
        await save(page)
        await main.getByLabel('Used by').waitFor()
        expect(await provider.count()).toBe(0)
        expect(await api(own.url, admin, 'GET', `/VoipCarriers/${sid}`)).toMatchObject({
          name: 'Alone for now',
          account_sid: null,
          service_provider_sid: second,
          sip_gateways: [],
        })

        // its page has switched to its provider
        await list()
        await main.getByText('1 carrier has no service provider').waitFor()
        await inList(/Alone for now.*All accounts/).waitFor()
        expect(await inList(/Left over/).count()).toBe(0)
        await page.getByRole('combobox', { name: 'Service provider' }).click()
        await page.getByRole('option', { name: 'default service provider' }).click()
        await page.getByRole('link', { name: 'Carriers', exact: true }).click()
        await main.getByText('No Carriers.').waitFor()

        // only administrators see these, whatever the URL says
        await post('/Users', {
          name: 'provider',
          email: 'provider@example.com',
          initial_password: PASSWORD,
          force_change: false,
          is_active: true,
          service_provider_sid: second,
        })
        const theirs = await openPage()
        await logIn(theirs, own.url, 'provider')
        await theirs.goto(`${own.url}/internal/carriers?provider=none`)
        await theirs.getByRole('row', { name: /Alone for now/ }).waitFor()
        expect(await theirs.getByText(/no (service )?provider/i).count()).toBe(0)
        expectNoErrors(theirs)
        await theirs.context().close()
      })
      expectNoErrors(page)
    } finally {
      await page.context().close()
      await own.stop()
    }
  },
)

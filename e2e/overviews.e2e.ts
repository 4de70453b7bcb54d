import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectNoErrors, logIn, openPage, openScreen, reportFailures } from './browser.ts'
import { api, fetchToken, PASSWORD } from './harness.ts'
import { ACCOUNT, LONG_NAME, type Sid, SP, startSeeded } from './screens.ts'
import { shareWorld } from './world.ts'

let server: Awaited<ReturnType<typeof startSeeded>>
let token: string
shareWorld(
  async () => {
    server = await startSeeded()
    token = await fetchToken(server.url)
  },
  () => server.stop(),
)

const main = (page: Page) => page.getByRole('main')
const block = (page: Page, name: string) => main(page).getByRole('region', { name })
const crumbs = (page: Page) =>
  page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('listitem').allInnerTexts()
const heading = (page: Page, name: string) =>
  main(page).getByRole('heading', { level: 1, name, exact: true }).waitFor()

it('leads from every name in a list to the thing', async () => {
  const page = await openPage()
  await logIn(page, server.url)
  await reportFailures(page, 'names', async () => {
    const row = main(page).getByRole('row', { name: /7946 0958/ })
    for (const name of [LONG_NAME, 'Front desk', 'Northern Trunks']) {
      await page.goto(`${server.url}/internal/phone-numbers?filter=4420`)
      await row.getByRole('link', { name, exact: true }).click()
      await heading(page, name)
    }
    for (const list of ['applications', 'clients', 'ms-teams-tenants', 'least-cost-routing']) {
      await page.goto(`${server.url}/internal/${list}`)
      await main(page).getByRole('row').getByRole('link', { name: LONG_NAME }).first().click()
      await heading(page, LONG_NAME)
    }

    // entries of the audit log, but for those of deletions
    const gone = await api<Sid>(server.url, token, 'POST', '/VoipCarriers', { name: 'Gone' })
    await api(server.url, token, 'DELETE', `/VoipCarriers/${gone.sid}`)
    await page.goto(`${server.url}/internal/audit-log?kind=voip_carrier`)
    const entry = (name: RegExp) => main(page).getByRole('row', { name })
    await entry(/Deleted Carrier Gone/).waitFor()
    expect(
      await entry(/Deleted Carrier Gone/)
        .getByRole('link')
        .count(),
    ).toBe(0)
    await entry(/Added Carrier Northern Trunks/)
      .getByRole('button', { name: 'Show entry' })
      .click()
    const facts = page.getByRole('dialog')
    await facts.getByRole('definition').getByRole('link', { name: LONG_NAME }).waitFor()
    await facts.getByRole('cell').getByRole('link', { name: LONG_NAME }).waitFor()
    await facts.getByRole('link', { name: 'Northern Trunks' }).click()
    await page.waitForURL(`**/internal/carriers/${server.sids.carrier}?*`)
    expectNoErrors(page)
  })
})

it('leads from a list to an overview, to its form and back, by the thing’s name', async () => {
  const page = await openPage()
  await logIn(page, server.url)
  await reportFailures(page, 'overviews', async () => {
    await page.goto(`${server.url}/internal/carriers`)
    await main(page).getByRole('link', { name: 'Northern Trunks', exact: true }).click()
    await heading(page, 'Northern Trunks')
    expect(await page.title()).toBe('Northern Trunks · Carrier · Switchroom')
    expect(await crumbs(page)).toEqual(['Carriers', 'Northern Trunks'])

    await block(page, 'Details').getByText('1 inbound, 1 outbound').waitFor()
    await block(page, 'Details').getByRole('link', { name: LONG_NAME }).waitFor()
    await block(page, 'Used by').getByRole('link', { name: 'Abroad' }).waitFor()
    await block(page, 'Calls').getByText('No failed calls in the last 7 days.').waitFor()
    // a setting, not a state
    await block(page, 'Details').getByText('Active', { exact: true }).waitFor()
    expect(await block(page, 'Details').locator('.status').count()).toBe(0)
    await block(page, 'Last changes').getByRole('link', { name: 'History' }).waitFor()
    await block(page, 'Last changes').getByRole('button', { name: 'Added' }).click()
    await page.getByRole('dialog', { name: 'Added: Carrier Northern Trunks' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await main(page).getByRole('link', { name: 'Edit', exact: true }).click()
    await main(page).getByRole('heading', { name: 'Edit carrier' }).waitFor()
    await heading(page, 'Northern Trunks')
    expect(await page.title()).toBe('Northern Trunks · Edit carrier · Switchroom')
    expect(await crumbs(page)).toEqual(['Carriers', 'Northern Trunks', 'Edit'])
    await page.getByLabel('Carrier name').fill('Northern Lines')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Carrier updated successfully').waitFor()
    await heading(page, 'Northern Lines')
    expect(await crumbs(page)).toEqual(['Carriers', 'Northern Lines', 'Edit'])

    await main(page).getByRole('link', { name: 'Overview', exact: true }).click()
    await block(page, 'Last changes').getByRole('button', { name: 'Changed: name' }).waitFor()
    await block(page, 'Used by').getByRole('link', { name: '+44 20 7946 0958' }).click()
    await heading(page, '+44 20 7946 0958')
    await block(page, 'Details').getByRole('link', { name: 'Northern Lines' }).waitFor()
    expectNoErrors(page)
  })
})

it('says what to do next', async () => {
  const post = (path: string, body: object) => api<Sid>(server.url, token, 'POST', path, body)
  const bare = await post('/VoipCarriers', { name: 'Bare', account_sid: ACCOUNT })
  const hook = { url: 'https://example.com/hook', method: 'POST' }
  const lonely = await post('/Applications', {
    name: 'Lonely',
    account_sid: ACCOUNT,
    call_hook: hook,
    call_status_hook: hook,
  })
  const page = await openPage()
  await logIn(page, server.url)
  await reportFailures(page, 'next-steps', async () => {
    const next = main(page).getByRole('complementary', { name: 'Next step' })
    await page.goto(`${server.url}/internal/applications/${lonely.sid}`)
    await next.getByRole('link', { name: 'Assign a phone number' }).click()
    await page.waitForURL(new RegExp(`phone-numbers\\?account_sid=${ACCOUNT}`))
    await page.goto(`${server.url}/internal/carriers/${bare.sid}`)
    await next.getByRole('link', { name: 'Add a gateway' }).click()
    await page.waitForURL(/edit\?.*tab=sip/)
    await page.getByRole('tab', { name: 'SIP', exact: true, selected: true }).waitFor()
    expectNoErrors(page)
  })
})

it('shows view-only users pages to read, with nothing to change', async () => {
  const page = await openPage()
  await logIn(page, server.url, 'viewer', PASSWORD)
  await reportFailures(page, 'view-only-overviews', async () => {
    await page.goto(`${server.url}/internal/applications/${server.sids.application}`)
    await heading(page, 'Front desk')
    await block(page, 'Used by').getByRole('link', { name: '+44 20 7946 0958' }).waitFor()
    expect(await main(page).getByRole('link', { name: 'Edit', exact: true }).count()).toBe(0)
    expect(await main(page).getByRole('textbox').count()).toBe(0)
    await page.getByRole('link', { name: 'Account', exact: true }).click()
    await heading(page, LONG_NAME)
    expectNoErrors(page)
  })
})

const PLATFORM = ['SIP clients', 'Applications', 'Recent calls', 'Alerts']
const SERVICES = ['Carriers', 'Speech services', 'Phone numbers']
const ROUTING = ['Microsoft Teams tenants', 'Outbound call routing']
const SHARED = {
  Dashboard: ['Dashboard', 'Voice insights', 'Call scores'],
  'Recent calls': ['Recent calls', 'Live'],
  Alerts: ['Inbox', 'Alerts', 'Failures', 'Webhook log', 'Destinations', 'Event webhooks'],
  'Outbound call routing': ['Outbound call routing', 'Route simulator'],
}
it.each([
  {
    who: 'admin',
    own: ['Users', 'Settings', 'Accounts'],
    tabs: {
      ...SHARED,
      Settings: [
        ...['Settings', 'Single sign-on', 'Audit log', 'Configuration', 'System health'],
        'Getting started',
      ],
    },
  },
  {
    who: 'provider',
    own: ['Users', 'Settings', 'Accounts'],
    tabs: { ...SHARED, Settings: ['Settings', 'Audit log', 'Configuration', 'Getting started'] },
  },
  {
    who: 'viewer',
    own: ['Users', 'Account'],
    tabs: { ...SHARED, Account: ['Account', 'Audit log', 'Configuration'] },
  },
])(
  'has a menu of the platform’s items for $who, and the rest as tabs',
  async ({ who, own, tabs }) => {
    const page = await openPage()
    await logIn(page, server.url, who)
    await reportFailures(page, `menu-${who}`, async () => {
      const links = (menu: string) =>
        page.getByRole('navigation', { name: menu, exact: true }).getByRole('link')
      // a badge follows in a line of its own
      const names = async (menu: string) =>
        (await links(menu).allInnerTexts()).map((name) => name.split('\n')[0])
      await links('Main').last().waitFor()
      expect(await names('Main')).toEqual([
        'Dashboard',
        ...own,
        ...PLATFORM,
        ...SERVICES,
        ...ROUTING,
      ])
      await page.keyboard.press('?')
      const shown = page.getByRole('dialog').locator('section').first().locator('dl > div')
      await shown.first().waitFor()
      const keys = (await shown.allInnerTexts()).map((line) => line.split('\n'))
      await page.keyboard.press('Escape')
      // each by its own
      const inMenu = (await names('Main')).flatMap((item) => tabs[item as never] ?? [item])
      expect(keys.map(([name]) => name)).toEqual(inMenu)
      expect(new Set(keys.map(([, ...pressed]) => pressed.join())).size).toBe(inMenu.length)
      for (const [item, screens] of Object.entries(tabs)) {
        await openScreen(page, item)
        for (const screen of screens) {
          await links(item).getByText(screen, { exact: true }).click()
          await expect
            .poll(() => links(item).and(page.locator('[aria-current]')).allInnerTexts())
            .toEqual([screen])
          expect(await names(item)).toEqual(screens)
          expect(await links('Main').and(page.locator('[aria-current]')).allInnerTexts()).toEqual([
            item,
          ])
        }
      }
      expectNoErrors(page)
    })
  },
)

it('follows a link to a thing of another service provider', async () => {
  const post = (path: string, body: object) => api<Sid>(server.url, token, 'POST', path, body)
  const other = await post('/ServiceProviders', { name: 'Other telecom' })
  const theirs = await post('/Accounts', { name: 'Theirs', service_provider_sid: other.sid })
  const client = await post('/Clients', {
    username: 'joan',
    password: 'p',
    account_sid: theirs.sid,
  })
  const page = await openPage()
  await logIn(page, server.url)
  await reportFailures(page, 'other-provider', async () => {
    await page.evaluate((sp) => localStorage.setItem('activeServiceProvider', sp), SP)
    await page.goto(`${server.url}/internal/clients/${client.sid}`)
    await heading(page, 'joan')
    const provider = page.getByRole('combobox', { name: 'Service provider' })
    await expect.poll(() => provider.textContent()).toContain('Other telecom')
    await page.getByRole('link', { name: 'SIP clients', exact: true }).first().click()
    await main(page).getByRole('link', { name: 'joan' }).waitFor()
    expectNoErrors(page)
  })
})

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, logIn, openPage, reportFailures, waitUntilLoaded } from './browser.ts'
import { api, fetchToken } from './harness.ts'
import { type Sid, startSeeded } from './screens.ts'
import { shareWorld } from './world.ts'

const SP = '2708b1b3-2736-40ea-b502-c53d8396247f'

let server: Awaited<ReturnType<typeof startSeeded>>
let other: string
shareWorld(
  async () => {
    server = await startSeeded()
    const token = await fetchToken(server.url)
    const post = (path: string, body: object) => api<Sid>(server.url, token, 'POST', path, body)
    const { sid } = await post('/VoipCarriers', { name: 'UK', service_provider_sid: SP })
    await post('/SipGateways', {
      voip_carrier_sid: sid,
      ipv4: '192.0.2.77',
      inbound: 1,
      outbound: 1,
    })
    await post('/Lcrs', {
      name: 'Everywhere',
      default_carrier: sid,
      service_provider_sid: SP,
      routes: [{ regex: '^442', lcr_carrier_set_entries: [{ voip_carrier_sid: sid }] }],
    })
    other = (await post('/ServiceProviders', { name: 'Other telecom' })).sid
    const account = await post('/Accounts', { name: 'Kestrel', service_provider_sid: other })
    await post('/PhoneNumbers', { number: '15085559900', account_sid: account.sid })
  },
  () => server.stop(),
)

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search' })
const input = (page: Page) => palette(page).getByRole('combobox')
const option = (page: Page, name: string | RegExp) => palette(page).getByRole('option', { name })

it('finds pages, numbers and things of another provider by keys alone', async () => {
  const page = await openPage()
  await logIn(page, server.url)
  await reportFailures(page, 'find', async () => {
    await page.getByRole('button', { name: 'Search', exact: true }).focus()
    await page.keyboard.press('Enter')
    await expectFocus(page)
    await page.keyboard.press('Escape')
    await palette(page).waitFor({ state: 'hidden' })
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('title')))
      .toBe('Search')

    // a page, from within a field, by somebody who types at once
    await page.getByRole('searchbox').focus()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('carr')
    await option(page, /^Carriers/).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/internal\/carriers/)

    // a number as people write it
    await page.keyboard.press('Control+k')
    await page.keyboard.type('(508) 555-1007')
    await option(page, /\(508\) 555-1007.*Phone number/).waitFor()
    await palette(page).getByText('Calls in 24 hours').waitFor()
    await palette(page)
      .getByText(/^\d+ results?$/)
      .waitFor()
    await expectAccessible(page, 'the palette with a number')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/internal\/phone-numbers\/[\da-f-]{36}/)

    await page.keyboard.press('Control+k')
    await page.keyboard.type('simulate +44 20 7946 0958')
    await option(page, 'Simulate a call to +442079460958').waitFor()
    // the pattern that takes it, and where the call goes without
    await palette(page)
      .getByText(/does not match because of the \+ of the number\. \^\\\+\?442 takes both\./)
      .waitFor()
    await expectAccessible(page, 'the palette with a number that a pattern does not take')
    await page.keyboard.press('Enter')
    await page.waitForURL(/route-simulator\?number=%2B442079460958/)
    await expect.poll(() => page.getByLabel('Called number').inputValue()).toBe('+442079460958')
    await page
      .getByText(/The call (?:goes|fails)|picked at random/)
      .first()
      .waitFor()

    // of another provider, which becomes the current one; the last visits come first
    await page.keyboard.press('Control+k')
    await option(page, /\(508\) 555-1007/).waitFor()
    await page.keyboard.type('kestrel')
    await option(page, /^Kestrel/).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/internal\/accounts\/[\da-f-]{36}/)
    await page.getByRole('combobox', { name: 'Service provider' }).getByText('Other').waitFor()

    await page.keyboard.press('Control+k')
    await page.keyboard.type('no such thing')
    await option(page, 'Recent calls with “no such thing”').waitFor()
    await page.keyboard.press('Escape')
  })
  expectNoErrors(page)
})

const expectFocus = (page: Page) =>
  expect.poll(() => input(page).evaluate((e) => e === document.activeElement)).toBe(true)

it('opens the item that somebody moved to, also when more is found before it', async () => {
  const page = await openPage()
  await logIn(page, server.url)
  await reportFailures(page, 'find-late', async () => {
    let goOn = () => {}
    const held = new Promise<void>((resolve) => {
      goOn = resolve
    })
    await page.route('**/Search?*', async (route) => {
      await held
      await route.continue()
    })
    await waitUntilLoaded(page)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('15085551007')
    const calls = option(page, /^Recent calls of/)
    // comes with the number itself, above the calls
    await option(page, /^Assign/).waitFor()
    const highlighted = () => page.locator('[role=option][data-highlighted]').allTextContents()
    for (let i = 0; i < 5 && (await calls.getAttribute('data-highlighted')) === null; i++) {
      const before = await highlighted()
      await page.keyboard.press('ArrowDown')
      await expect.poll(highlighted).not.toEqual(before)
    }
    goOn()
    await option(page, /\(508\) 555-1007.*Phone number/).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/recent-calls\?.*filter=15085551007/)
    expectNoErrors(page)
  })
})

it('finds what is a tab of a place', async () => {
  const page = await openPage()
  await logIn(page, server.url)
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
  for (const name of ['Voice insights', 'Live', 'Inbox', 'Destinations', 'Audit log']) {
    await page.keyboard.press('Control+k')
    await expectFocus(page)
    await page.keyboard.type(name)
    await option(page, new RegExp(`^${name}`))
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
  }
  expectNoErrors(page)
})

it('finds what is printed, in spite of spelling, and commands in people’s words', async () => {
  const page = await openPage()
  await logIn(page, server.url)
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
  await reportFailures(page, 'find', async () => {
    const search = async (text: string) => {
      await page.keyboard.press('Control+k')
      await expectFocus(page)
      await page.keyboard.type(text)
    }
    // a gateway's address, which it says
    await search('192.0.2.77')
    await option(page, /^UK\s*Carrier · 192\.0\.2\.77/).waitFor()
    await page.keyboard.press('Escape')
    await search('^442')
    await option(page, /^Everywhere\s*Routing table · \^442/).waitFor()
    await page.keyboard.press('Escape')

    // two letters the other way round
    await search('kestrle')
    await option(page, /^Kestrel/).waitFor()
    await palette(page).getByText('Similar names').waitFor()
    await expectAccessible(page, 'the palette with similar names')
    await page.keyboard.press('Escape')

    for (const [typed, found] of [
      ['sign out', 'Log out'],
      ['new carrier', 'Add carrier'],
      ['trunks', /^Carriers/],
      ['help', 'Keyboard shortcuts'],
      ['busy here', 'Recent calls with 486 Busy Here'],
    ] as const) {
      await search(typed)
      await option(page, found).first().waitFor()
      await page.keyboard.press('Escape')
    }

    await search('api keys')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/internal\/settings/)
    await page.getByRole('heading', { name: 'Administrator API keys' }).waitFor()

    // of a thing that is named
    await search('rotate webhook secret of kestrel')
    await option(page, /^Rotate webhook secret of Kestrel/).waitFor()
    await palette(page)
      .getByText(/^\d+ results?$/)
      .waitFor()
    await expectAccessible(page, 'the palette with a command')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/internal\/accounts\/[\da-f-]{36}\/edit/)
    await expect
      .poll(() =>
        page.evaluate(
          () => document.activeElement?.closest('section')?.querySelector('h2')?.innerText,
        ),
      )
      .toBe('Webhook secret')
    // in sight
    await expect
      .poll(() =>
        page.evaluate(() => {
          const { top, bottom } = document.activeElement!.getBoundingClientRect()
          return top > 0 && bottom < innerHeight
        }),
      )
      .toBe(true)

    // what is on screen, before anything is typed
    await page.keyboard.press('Control+k')
    await option(page, 'API keys of Kestrel').waitFor()
    await page.keyboard.press('Escape')

    await page.goto(`${server.url}/internal/phone-numbers`)
    await page.getByRole('heading', { name: 'Phone numbers' }).waitFor()
    await page.getByRole('button', { name: 'Export' }).waitFor()
    await search('download csv')
    const saved = page.waitForEvent('download')
    await option(page, 'Export this list').waitFor()
    await page.keyboard.press('Enter')
    expect((await saved).suggestedFilename()).toMatch(/\.csv$/)
  })
  expectNoErrors(page)
})

it('goes to pages by g and a key, but not while something is typed', async () => {
  const page = await openPage()
  await logIn(page, server.url)
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('n')
  await page.getByRole('heading', { name: 'Phone numbers' }).waitFor()
  await page.getByRole('searchbox').fill('')
  await page.keyboard.type('gd')
  expect(await page.getByRole('searchbox').inputValue()).toBe('gd')
  expect(page.url()).toContain('/internal/phone-numbers')
  expectNoErrors(page)
})

it('shows an account its own things only, on a phone too', async () => {
  const page = await openPage({ viewport: { width: 320, height: 640 } })
  await logIn(page, server.url, 'account')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await input(page).fill('(508) 555')
  await option(page, /\(508\) 555-1000/).waitFor()
  expect(await palette(page).getByText('555-9900').count()).toBe(0)
  await expectAccessible(page, 'the palette on a phone')
  await expectNoSidewaysScroll(page, 'the palette on a phone')
  await input(page).fill('+44 20 7946 0958')
  await palette(page).getByText('Calls in 24 hours').waitFor()
  await expectAccessible(page, 'the palette with a number on a phone')
  await input(page).fill('kestrel')
  await option(page, 'Recent calls with “kestrel”').waitFor()
  await expect
    .poll(() =>
      palette(page)
        .getByText(/^\d+ results?$/)
        .innerText(),
    )
    .toBe('3 results')
  await input(page).fill('add acc')
  await palette(page).getByText('Add account').waitFor({ state: 'hidden' })
  await page.keyboard.press('Escape')

  const viewer = await openPage()
  await logIn(viewer, server.url, 'viewer')
  await viewer.getByRole('button', { name: 'Search', exact: true }).click()
  await input(viewer).fill('add')
  await option(viewer, 'Recent calls with “add”').waitFor()
  expect(await palette(viewer).getByText(/^Add /).count()).toBe(0)
})

import type { Route } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import {
  expectNoErrors,
  logIn,
  logInByForm,
  openPage,
  openScreen,
  reportFailures,
} from './browser.ts'
import { api, fetchToken, PASSWORD, type Switchroom, startSwitchroom } from './harness.ts'
import { SP } from './screens.ts'
import { shareWorld } from './world.ts'

// browsers find every name below localhost on this machine
const HOST = 'console.acme.localhost'
const LOGO = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 28"><rect width="90" height="28" fill="#7a3cff"/></svg>',
)
const svg = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/svg+xml', buffer })

let server: Switchroom
let branded: string
shareWorld(
  async () => {
    server = await startSwitchroom('sqlite')
    branded = server.url.replace('127.0.0.1', HOST)
    const admin = await fetchToken(server.url)
    for (const name of ['paula', 'pat'])
      await api(server.url, admin, 'POST', '/Users', {
        name,
        email: `${name}@example.org`,
        initial_password: PASSWORD,
        force_change: false,
        service_provider_sid: SP,
      })
  },
  () => server.stop(),
)

/** Delays tasks as in a busy browser: answers arrive between a render and its effects, which React runs in such tasks. */
const delayTasks = () => {
  const post = MessagePort.prototype.postMessage
  MessagePort.prototype.postMessage = function (this: MessagePort, ...args: [never]) {
    setTimeout(() => post.apply(this, args), 200)
  }
}

it('keeps a person’s time zone, theme and first steps in every browser', async () => {
  const page = await openPage()
  await logIn(page, server.url)
  await reportFailures(page, 'preferences', async () => {
    await page.getByRole('button', { name: 'User menu' }).click()
    await page.getByRole('menuitem', { name: 'Preferences' }).click()
    await page.getByRole('heading', { name: 'Preferences' }).waitFor()
    await page.getByRole('combobox', { name: 'Time zone' }).fill('Tokyo')
    await page.getByRole('option', { name: 'Asia/Tokyo' }).click()
    await page.getByText(/Now: .* Asia\/Tokyo/).waitFor()
    await page.getByLabel(/Show “Getting started”/).click()
    const saved = page.waitForResponse((r) => r.url().endsWith('/Preferences') && r.ok())
    await page.getByRole('radio', { name: 'Dark' }).click()
    await saved
    await expectAccessible(page, 'preferences')
    await expectNoSidewaysScroll(page, 'preferences')

    // a day is one of that zone
    await page.goto(`${server.url}/internal/audit-log`)
    await page.getByRole('columnheader', { name: 'Time (Asia/Tokyo)' }).waitFor()
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    const [call] = await Promise.all([
      page.waitForRequest(/AuditLog\?.*from=/),
      page.getByLabel('Since').fill('2026-01-31'),
    ])
    expect(new URL(call.url()).searchParams.get('from')).toBe('2026-01-30T15:00:00.000Z')

    // another browser, on which nothing was chosen
    const other = await openPage()
    await other.addInitScript(delayTasks)
    const answerOnceSeen = async (route: Route) => {
      await other.getByRole('navigation', { name: 'Main' }).waitFor()
      await route.continue()
    }
    await other.route('**/Preferences', answerOnceSeen, { times: 1 })
    await logInByForm(other, server.url)
    await other.locator('html[data-theme=dark]').waitFor()
    await openScreen(other, 'Settings', 'Audit log')
    const tabs = other.getByRole('navigation', { name: 'Settings' })
    expect(await tabs.getByRole('link').allInnerTexts()).not.toContain('Getting started')
    await other.goto(`${server.url}/internal/audit-log`)
    await other.getByRole('columnheader', { name: 'Time (Asia/Tokyo)' }).waitFor()
    expectNoErrors(other)
    expectNoErrors(page)
  })
})

it('shows a provider’s brand to its people, and to everyone under its host name', async () => {
  const admin = await fetchToken(server.url)
  const page = await openPage()
  await logIn(page, server.url, 'paula')
  await reportFailures(page, 'brand', async () => {
    await page.goto(`${server.url}/internal/settings?tab=brand`)
    await page.getByLabel('Product name').fill('Acme Voice')
    await page.getByPlaceholder('#1a4fd6').fill('#FFFBE0')
    await page.getByText(/light theme: buttons, focus rings, and links use a darker/).waitFor()
    const preview = page.getByRole('figure', { name: 'Preview in the light theme' })
    await preview.getByText('Acme Voice').waitFor()
    await expectAccessible(page, 'brand, a very light color')
    await page.getByPlaceholder('#1a4fd6').fill('#7a3cff')
    const light = page.getByLabel('Logo for the light theme')
    const save = page.getByRole('main').getByRole('button', { name: 'Save' })
    await light.setInputFiles(svg('bad.svg', Buffer.from('<svg><script/></svg>')))
    await save.click()
    await page.getByText(/An SVG logo cannot have the element script|This is not an SVG/).waitFor()
    await light.setInputFiles(svg('acme.svg', LOGO))
    await preview.getByRole('img', { name: 'Acme Voice' }).waitFor()
    await save.click()
    await page.getByText('Brand updated').waitFor()
    const logo = page.locator('.sidebar-brand').getByRole('img', { name: 'Acme Voice' }).first()
    await logo.waitFor()
    // it is there before its picture
    await expect
      .poll(() => logo.evaluate((img: HTMLImageElement) => img.naturalWidth))
      .toBeGreaterThan(0)
    await expect.poll(() => page.title()).toBe('Settings · Acme Voice')
    await expectAccessible(page, 'brand')
    await expectNoSidewaysScroll(page, 'brand')
    expectNoErrors(page)

    await api(server.url, admin, 'PUT', `/ServiceProviders/${SP}/Brand`, { hosts: [HOST] })
    const stranger = await openPage()
    await stranger.goto(`${branded}/`)
    await stranger
      .locator('.public-brand')
      .getByRole('img', { name: 'Acme Voice' })
      .first()
      .waitFor()
    expect(await stranger.title()).toBe('Log in · Acme Voice')
    const primary = stranger.getByRole('button', { name: 'Log in', exact: true })
    const fill = () => primary.evaluate((button) => getComputedStyle(button).backgroundColor)
    expect(await fill()).toBe('rgb(122, 60, 255)')
    await stranger.goto(`${server.url}/`)
    await stranger.locator('.public-brand').getByText('Switchroom').waitFor()
    // a colleague, in a browser that knows nothing of the brand
    await logInByForm(stranger, server.url, 'pat')
    const sidebar = stranger.locator('.sidebar-brand')
    await sidebar.getByRole('img', { name: 'Acme Voice' }).first().waitFor()
    // administrators keep the product's own look, even there
    const operator = await openPage()
    await logInByForm(operator, branded)
    await operator.locator('.sidebar-brand').getByText('Switchroom').waitFor()
    expect(await operator.title()).toContain('Switchroom')
    expectNoErrors(stranger)
    expectNoErrors(operator)
  })
})

it('is right on the first screen, and paints the frame before the first answer', async () => {
  const admin = await fetchToken(server.url)
  await api(server.url, admin, 'PUT', '/Preferences', { theme: 'dark', language: 'de' })
  const page = await openPage()
  await reportFailures(page, 'first-screen', async () => {
    // nothing but the log-in is answered
    let held: (() => void) | undefined
    const open = new Promise<void>((resolve) => {
      held = resolve
    })
    await page.route('**/api/v1/**', async (route) => {
      if (!route.request().url().endsWith('/login')) await open
      await route.continue()
    })
    await logInByForm(page, server.url)
    await page.locator('html[lang=de]').waitFor()
    await page.getByRole('navigation', { name: 'Hauptmenü' }).waitFor()
    await page.getByText('Wird geladen…', { exact: true }).first().waitFor()
    expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe('dark')
    const loads = () => page.evaluate(() => performance.getEntriesByType('navigation').length)
    const marked = 'not loaded again'
    await page.evaluate((name) => Object.assign(window, { [name]: true }), marked)
    held!()
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
    expect(await loads()).toBe(1)
    expect(await page.evaluate((name) => name in window, marked)).toBe(true)

    // in the browser's again for somebody who has chosen none, after somebody who has
    await api(server.url, admin, 'PUT', '/Preferences', { theme: null, language: null })
    await page.getByRole('button', { name: 'Abmelden' }).first().click()
    await page.locator('input[name=username]').fill('admin')
    await page.locator('input[name=password]').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    expectNoErrors(page)
  })
})

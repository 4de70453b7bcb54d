import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  api,
  expectNoTrouble,
  logIn,
  openBrowser,
  openPage,
  type Switchroom,
  signIn,
  startSwitchroom,
  told,
} from './harness.ts'
import { stockServer } from './stock-server.ts'

/** The console alone, pointed at an API server that is not ours. */
let browser: Browser
let behind: Switchroom
let stock: Awaited<ReturnType<typeof stockServer>>
let server: Switchroom
beforeAll(async () => {
  browser = await openBrowser()
  behind = await startSwitchroom('sqlite')
  stock = await stockServer(behind.url)
  server = await startSwitchroom('sqlite', { API_BASE_URL: stock.url })
})
afterAll(async () => {
  await browser.close()
  stock.stop()
  await server.stop()
  await behind.stop()
})

const rail = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })
const said = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
const save = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Save' }).click()
const add = async (page: Page, name: string, heading: string) => {
  await page.getByRole('main').getByRole('link', { name }).first().click()
  await page.getByRole('heading', { name: heading }).waitFor()
}
async function choose(page: Page, label: string, option: string) {
  const box = page.getByRole('main').getByRole('combobox', { name: label })
  await box.click()
  await box.fill(option)
  await page.getByRole('option', { name: option }).first().click()
  await page.getByRole('listbox').waitFor({ state: 'hidden' })
}

it('provisions on a stock server, with its calls alone', async () => {
  const page = await openPage(browser)
  await signIn(page, server.url)
  await told(page, 'stock', async () => {
    await rail(page, 'Accounts').click()
    await page.getByRole('row', { name: /default account/ }).waitFor()
    expect(await rail(page, 'Audit log').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Import' }).count()).toBe(0)
    await add(page, 'Add account', 'Add an account')
    await page.getByLabel('Account name').fill('Acme East')
    await page.getByLabel('Max calls').fill('25')
    await save(page)
    await said(page, 'Account created successfully')
    await page.waitForURL(/accounts\/[0-9a-f-]{36}\/edit/)
    await page.getByRole('heading', { name: 'Edit account' }).waitFor()
    expect(await page.getByLabel('Max calls').inputValue()).toBe('25')

    await rail(page, 'Applications').click()
    await add(page, 'Add application', 'Add an application')
    await page.getByLabel('Application name').fill('Front desk')
    await choose(page, 'Account', 'Acme East')
    await page.getByLabel('Calling webhook').fill('https://apps.acme.example/calls')
    await page.getByLabel('Call status webhook').fill('https://apps.acme.example/status')
    await save(page)
    await said(page, 'Application created successfully')

    await rail(page, 'Carriers').click()
    await add(page, 'Add carrier', 'Add a carrier')
    await page.getByLabel('Carrier name').fill('Northern Trunks')
    await choose(page, 'Used by', 'Acme East')
    await page.getByRole('tab', { name: 'SIP', exact: true }).click()
    await page.getByLabel('Network address').first().fill('203.0.113.10')
    stock.fail(/^POST \/SipGateways/)
    await save(page)
    // the carrier is there and its gateway is not: that is said, and nothing is added twice
    await said(page, /Saved: the carrier\. Not saved: gateway 203\.0\.113\.10/)
    await page.waitForURL(/carriers\/[0-9a-f-]{36}\/edit/)
    stock.fail(undefined)
  })
  const token = await logIn(behind.url)
  const carriers = await api<{ name: string }[]>(behind.url, token, 'GET', '/VoipCarriers')
  expect(carriers.filter((c) => c.name === 'Northern Trunks')).toHaveLength(1)

  await told(page, 'stock-numbers', async () => {
    await rail(page, 'Phone Numbers').click()
    const leave = page.getByRole('button', { name: 'Leave without saving' })
    if (await leave.isVisible().catch(() => false)) await leave.click()
    await add(page, 'Add phone number', 'Add a phone number')
    await page.getByLabel('Phone number').fill('+442079460958')
    await choose(page, 'Account', 'Acme East')
    await choose(page, 'Carrier', 'Northern Trunks')
    await save(page)
    await said(page, 'Phone number created successfully')
    await page.getByRole('row', { name: /\+44 20 7946 0958.*Acme East/ }).waitFor()

    const account = (
      await api<{ account_sid: string; name: string }[]>(behind.url, token, 'GET', '/Accounts')
    ).find((a) => a.name === 'Acme East')!
    await page.goto(`${server.url}/internal/phone-numbers?account_sid=${account.account_sid}`)
    await page.getByLabel('Select all on this page').check()
    await page.getByRole('toolbar').getByRole('combobox', { name: 'Application' }).click()
    await page.getByRole('option', { name: 'Front desk' }).click()
    await page.getByRole('button', { name: 'Apply' }).click()
    await said(page, 'Number routing updated successfully')
    await page.getByRole('row', { name: /Front desk/ }).waitFor()
  })
  expectNoTrouble(page)
})

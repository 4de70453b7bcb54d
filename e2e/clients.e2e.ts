import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  databases,
  expectNoTrouble,
  openBrowser,
  openPage,
  signIn,
  startSwitchroom,
  toast,
  told,
} from './harness.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name })
const save = (page: Page) => button(page, 'Save').click()
const rail = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })
const add = (page: Page, name: string) =>
  page.getByRole('main').getByRole('link', { name }).first().click()
const confirm = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name }).click()
const more = async (page: Page, row: RegExp, action: string) => {
  await page.getByRole('row', { name: row }).getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

async function choose(page: Page, label: string, option: string) {
  const box = page.getByRole('combobox', { name: label })
  await box.click()
  await page.getByRole('option', { name: option }).click()
  await page.getByRole('listbox').waitFor({ state: 'hidden' })
}

/** Devices get their credentials, once there is a realm to register to. */
async function clients(page: Page) {
  await rail(page, 'Clients').click()
  await page.getByText('No sip clients.').waitFor()
  await add(page, 'Add sip client')
  await choose(page, 'Belongs to', 'default account')
  await page.getByText('Sip realm is not set for the account.').waitFor()
  expect(await button(page, 'Save').isDisabled()).toBe(true)
  await button(page, 'Discard').click()
  await page.getByText('Sip realm is not set for the account.').waitFor({ state: 'hidden' })

  await rail(page, 'Accounts').click()
  await page.getByRole('link', { name: 'default account' }).click()
  await page.getByLabel('SIP realm').fill('sip.acme.example')
  await save(page)
  await toast(page, 'Account updated successfully')

  await rail(page, 'Clients').click()
  await add(page, 'Add sip client')
  await save(page)
  await page.getByText('3 fields need attention').waitFor()
  await page.getByLabel('User Name').fill('jane doe')
  await page.getByLabel('Password', { exact: true }).fill('device secret')
  await choose(page, 'Belongs to', 'default account')
  await save(page)
  await page.getByText('The username cannot contain spaces').waitFor()
  await page.getByLabel('User Name').fill('jane')
  await save(page)
  await toast(page, 'Client created successfully')
  await page.getByRole('row', { name: /jane.*sip\.acme\.example.*Active/ }).waitFor()

  await add(page, 'Add sip client')
  await page.getByLabel('User Name').fill('Jane')
  await page.getByLabel('Password', { exact: true }).fill('device secret')
  await choose(page, 'Belongs to', 'default account')
  await save(page)
  await page.getByText("the client's username already exists").waitFor()
  await page.getByLabel('User Name').fill('john')
  await save(page)
  await toast(page, 'Client created successfully')

  await choose(page, 'Account', 'default account')
  await page.getByText('Your sip realm is sip.acme.example').waitFor()
  await page.getByRole('link', { name: 'jane' }).click()
  expect(await page.getByLabel('User Name').isDisabled()).toBe(true)
  expect(await page.content()).not.toContain('device secret')
  await page.getByLabel('Active').uncheck()
  await page.getByLabel('Allow direct calling to queues').uncheck()
  await save(page)
  await toast(page, 'Client updated successfully')
  await page.getByRole('row', { name: /jane.*Inactive/ }).waitFor()

  await more(page, /john/, 'Delete client')
  await page.getByText('Are you sure you want to delete the sip client john?').waitFor()
  await confirm(page, 'Delete client')
  await toast(page, 'Deleted sip client john')
  await page.getByRole('link', { name: 'jane' }).click()
  await button(page, 'Delete User').click()
  await confirm(page, 'Delete client')
  await toast(page, 'Client deleted successfully')
  await page.getByText('No sip clients.').waitFor()
}

/** Teams of the provider's customers call in, once the provider has a domain name for them. */
async function tenants(page: Page, url: string) {
  expect(await rail(page, 'MS Teams Tenants').count()).toBe(0)
  await page.goto(`${url}/internal/ms-teams-tenants`)
  await page
    .getByText('default service provider does not have a fully qualified domain name for MS Teams')
    .waitFor()
  await page.getByLabel('Enable MS Teams Direct Routing').check()
  await page.getByLabel('SBC domain name').fill('teams.acme.example')
  await save(page)
  await toast(page, 'Settings updated')

  await rail(page, 'MS Teams Tenants').click()
  await page.getByText('No Microsoft Teams Tenant.').waitFor()
  await add(page, 'Add Microsoft Teams Tenant')
  await page.getByLabel('Domain Name').fill('contoso')
  await choose(page, 'Account', 'default account')
  await save(page)
  await page.getByText('Enter a domain name, such as tenant.example.com').waitFor()
  await page.getByLabel('Domain Name').fill('Contoso.example')
  await save(page)
  await toast(page, 'Microsoft Teams Tenant created successfully')
  await page.waitForURL(/ms-teams-tenants\/[0-9a-f-]{36}\/edit/)

  await rail(page, 'MS Teams Tenants').click()
  await page.getByRole('row', { name: /contoso\.example.*default account.*None/ }).waitFor()
  await add(page, 'Add Microsoft Teams Tenant')
  await page.getByLabel('Domain Name').fill('contoso.example')
  await choose(page, 'Account', 'default account')
  await save(page)
  await page.getByText('The domain name you have entered is already in use.').waitFor()
  await page.getByLabel('Domain Name').fill('fabrikam.example')
  await save(page)
  await page.getByRole('heading', { name: 'Edit Microsoft Teams Tenant' }).waitFor()
  await page.getByLabel('Domain Name').fill('northwind.example')
  await save(page)
  await toast(page, 'Microsoft Teams Tenant updated successfully')
  await rail(page, 'MS Teams Tenants').click()
  await more(page, /northwind/, 'Delete Microsoft Teams Tenant')
  await page
    .getByText('Are you sure you want to delete the northwind.example Microsoft Teams Tenant?')
    .waitFor()
  await confirm(page, 'Delete Microsoft Teams Tenant')
  await toast(page, 'Deleted Microsoft Teams Tenant northwind.example')
  await page.getByText('Total: 1 record', { exact: true }).waitFor()
}

it.each(databases)('gives devices and Teams their way in, on %s', async (database) => {
  const server = await startSwitchroom(database)
  try {
    const page = await openPage(browser)
    await signIn(page, server.url)
    await told(page, `clients-${database}`, () => clients(page))
    await told(page, `tenants-${database}`, () => tenants(page, server.url))
    expectNoTrouble(page)
    expect(server.log()).not.toContain('device secret')
    await page.context().close()
  } finally {
    await server.stop()
  }
})

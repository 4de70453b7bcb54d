import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectNoTrouble, openPage, signIn, toast, told } from './browser.ts'
import { databasesOf } from './databases.ts'
import { startSwitchroom } from './harness.ts'

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
  await rail(page, 'SIP clients').click()
  await page.getByText('No sip clients.').waitFor()
  await add(page, 'Add SIP client')
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

  await rail(page, 'SIP clients').click()
  await add(page, 'Add SIP client')
  await save(page)
  await page.getByText('3 fields need attention').waitFor()
  await page.getByLabel('Username').fill('jane doe')
  await page.getByLabel('Password', { exact: true }).fill('device secret')
  await choose(page, 'Belongs to', 'default account')
  await save(page)
  await page.getByText('The username cannot contain spaces').waitFor()
  await page.getByLabel('Username').fill('jane')
  await save(page)
  await toast(page, 'Client created successfully')
  await page.getByRole('row', { name: /jane.*sip\.acme\.example.*Active/ }).waitFor()

  await add(page, 'Add SIP client')
  await page.getByLabel('Username').fill('Jane')
  await page.getByLabel('Password', { exact: true }).fill('device secret')
  await choose(page, 'Belongs to', 'default account')
  await save(page)
  await page.getByText("the client's username already exists").waitFor()
  await page.getByLabel('Username').fill('john')
  await save(page)
  await toast(page, 'Client created successfully')

  await choose(page, 'Account', 'default account')
  await page.getByText('Your sip realm is sip.acme.example').waitFor()
  await page.getByRole('link', { name: 'jane' }).click()
  expect(await page.getByLabel('Username').isDisabled()).toBe(true)
  expect(await page.content()).not.toContain('device secret')
  await page.getByLabel('Active').uncheck()
  await page.getByLabel('Allow direct calling to queues').uncheck()
  await save(page)
  await toast(page, 'Client updated successfully')
  await page.getByRole('row', { name: /jane.*Inactive/ }).waitFor()

  await more(page, /john/, 'Delete SIP client')
  await page.getByText('Are you sure you want to delete the sip client john?').waitFor()
  await confirm(page, 'Delete SIP client')
  await toast(page, 'Deleted sip client john')
  await page.getByRole('link', { name: 'jane' }).click()
  await button(page, 'Delete SIP client').click()
  await confirm(page, 'Delete SIP client')
  await toast(page, 'Client deleted successfully')
  await page.getByText('No sip clients.').waitFor()
}

/** Teams of the provider's customers call in, once the provider has a domain name for them. */
async function tenants(page: Page, url: string) {
  expect(await rail(page, 'Microsoft Teams tenants').count()).toBe(0)
  await page.goto(`${url}/internal/ms-teams-tenants`)
  await page
    .getByText('default service provider does not have a fully qualified domain name for MS Teams')
    .waitFor()
  await page.getByLabel('Enable MS Teams Direct Routing').check()
  await page.getByLabel('SBC domain name').fill('teams.acme.example')
  await save(page)
  await toast(page, 'Settings updated')

  await rail(page, 'Microsoft Teams tenants').click()
  await page.getByText('No Microsoft Teams Tenant.').waitFor()
  await add(page, 'Add Microsoft Teams tenant')
  await page.getByLabel('Domain name').fill('contoso')
  await choose(page, 'Account', 'default account')
  await save(page)
  await page.getByText('Enter a domain name, such as tenant.example.com').waitFor()
  await page.getByLabel('Domain name').fill('Contoso.example')
  await save(page)
  await toast(page, 'Microsoft Teams Tenant created successfully')
  await page.waitForURL(/ms-teams-tenants\/[0-9a-f-]{36}\/edit/)

  await rail(page, 'Microsoft Teams tenants').click()
  await page.getByRole('row', { name: /contoso\.example.*default account.*None/ }).waitFor()
  await add(page, 'Add Microsoft Teams tenant')
  await page.getByLabel('Domain name').fill('contoso.example')
  await choose(page, 'Account', 'default account')
  await save(page)
  await page.getByText('The domain name you have entered is already in use.').waitFor()
  await page.getByLabel('Domain name').fill('fabrikam.example')
  await save(page)
  await page.getByRole('heading', { name: 'Edit Microsoft Teams tenant' }).waitFor()
  await page.getByLabel('Domain name').fill('northwind.example')
  await save(page)
  await toast(page, 'Microsoft Teams Tenant updated successfully')
  await rail(page, 'Microsoft Teams tenants').click()
  await more(page, /northwind/, 'Delete Microsoft Teams tenant')
  await page
    .getByText('Are you sure you want to delete the northwind.example Microsoft Teams Tenant?')
    .waitFor()
  await confirm(page, 'Delete Microsoft Teams tenant')
  await toast(page, 'Deleted Microsoft Teams Tenant northwind.example')
  await page.getByText('Total: 1 record', { exact: true }).waitFor()
}

it.each(databasesOf('clients'))('gives devices and Teams their way in, on %s', async (database) => {
  const server = await startSwitchroom(database)
  try {
    const page = await openPage()
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

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import {
  expectNoErrors,
  expectToast,
  logIn,
  openForm,
  openPage,
  reportFailures,
} from './browser.ts'
import { databasesFor } from './databases.ts'
import { startSwitchroom } from './harness.ts'

const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name })
const save = (page: Page) => button(page, 'Save').click()
const sidebarLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })
const openAddForm = (page: Page, name: string) =>
  page.getByRole('main').getByRole('link', { name }).first().click()
const confirm = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name }).click()
const chooseRowAction = async (page: Page, row: RegExp, action: string) => {
  await page.getByRole('row', { name: row }).getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

async function chooseOption(page: Page, label: string, option: string) {
  const box = page.getByRole('combobox', { name: label })
  await box.click()
  await page.getByRole('option', { name: option }).click()
  await page.getByRole('listbox').waitFor({ state: 'hidden' })
}

/** SIP clients can be added once the account has a SIP realm. */
async function checkClients(page: Page) {
  await sidebarLink(page, 'SIP clients').click()
  await page.getByText('No sip clients.').waitFor()
  await openAddForm(page, 'Add SIP client')
  await chooseOption(page, 'Belongs to account', 'default account')
  await page.getByText('Sip realm is not set for the account.').waitFor()
  expect(await button(page, 'Save').isDisabled()).toBe(true)
  await button(page, 'Discard').click()
  await page.getByText('Sip realm is not set for the account.').waitFor({ state: 'hidden' })

  await sidebarLink(page, 'Accounts').click()
  await openForm(page, 'default account')
  await page.getByLabel('SIP realm').fill('sip.acme.example')
  await save(page)
  await expectToast(page, 'Account updated successfully')

  await sidebarLink(page, 'SIP clients').click()
  await openAddForm(page, 'Add SIP client')
  await save(page)
  await page.getByText('3 fields need attention').waitFor()
  await page.getByLabel('Username').fill('jane doe')
  await page.getByLabel('Password', { exact: true }).fill('device secret')
  await chooseOption(page, 'Belongs to account', 'default account')
  await save(page)
  await page.getByText('The username cannot contain spaces').waitFor()
  await page.getByLabel('Username').fill('jane')
  await save(page)
  await expectToast(page, 'Client created successfully')
  await page.getByRole('row', { name: /jane.*sip\.acme\.example.*Active/ }).waitFor()

  await openAddForm(page, 'Add SIP client')
  await page.getByLabel('Username').fill('Jane')
  await page.getByLabel('Password', { exact: true }).fill('device secret')
  await chooseOption(page, 'Belongs to account', 'default account')
  await save(page)
  await page.getByText("the client's username already exists").waitFor()
  await page.getByLabel('Username').fill('john')
  await save(page)
  await expectToast(page, 'Client created successfully')

  await chooseOption(page, 'Account', 'default account')
  await page.getByText('Your sip realm is sip.acme.example').waitFor()
  await openForm(page, 'jane')
  expect(await page.getByLabel('Username').isDisabled()).toBe(true)
  expect(await page.content()).not.toContain('device secret')
  await page.getByLabel('Active').uncheck()
  await page.getByLabel('Allow direct calling to queues').uncheck()
  await save(page)
  await expectToast(page, 'Client updated successfully')
  await page.getByRole('row', { name: /jane.*Inactive/ }).waitFor()

  await chooseRowAction(page, /john/, 'Delete SIP client')
  await page.getByText('Are you sure you want to delete the sip client john?').waitFor()
  await confirm(page, 'Delete SIP client')
  await expectToast(page, 'Deleted sip client john')
  await openForm(page, 'jane')
  await button(page, 'Delete SIP client').click()
  await confirm(page, 'Delete SIP client')
  await expectToast(page, 'Client deleted successfully')
  await page.getByText('No sip clients.').waitFor()
}

/** Teams tenants can be added once the provider has a Teams domain name. */
async function checkTenants(page: Page, url: string) {
  expect(await sidebarLink(page, 'Microsoft Teams tenants').count()).toBe(0)
  const guard = page.getByText(
    'default service provider does not have a fully qualified domain name for MS Teams',
  )
  for (const path of ['/add', '']) {
    await page.goto(`${url}/internal/ms-teams-tenants${path}`)
    await guard.waitFor()
    await page.waitForURL(/\/settings\?tab=provider/)
  }
  await page.getByLabel('Enable MS Teams Direct Routing').check()
  await page.getByLabel('SBC domain name').fill('teams.acme.example')
  await save(page)
  await expectToast(page, 'Settings updated')

  await sidebarLink(page, 'Microsoft Teams tenants').click()
  await page.getByText('No Microsoft Teams Tenant.').waitFor()
  await openAddForm(page, 'Add Microsoft Teams tenant')
  await page.getByLabel('Domain name').fill('contoso')
  await chooseOption(page, 'Account', 'default account')
  await save(page)
  await page.getByText('Enter a domain name, such as tenant.example.com').waitFor()
  await page.getByLabel('Domain name').fill('Contoso.example')
  await save(page)
  await expectToast(page, 'Microsoft Teams Tenant created successfully')
  await page.waitForURL(/ms-teams-tenants\/[0-9a-f-]{36}\/edit/)

  await sidebarLink(page, 'Microsoft Teams tenants').click()
  await page.getByRole('row', { name: /contoso\.example.*default account.*None/ }).waitFor()
  await openAddForm(page, 'Add Microsoft Teams tenant')
  await page.getByLabel('Domain name').fill('contoso.example')
  await chooseOption(page, 'Account', 'default account')
  await save(page)
  await page.getByText('The domain name you have entered is already in use.').waitFor()
  await page.getByLabel('Domain name').fill('fabrikam.example')
  await save(page)
  await page.getByRole('heading', { name: 'Edit Microsoft Teams tenant' }).waitFor()
  await page.getByLabel('Domain name').fill('northwind.example')
  await save(page)
  await expectToast(page, 'Microsoft Teams Tenant updated successfully')
  await sidebarLink(page, 'Microsoft Teams tenants').click()
  await chooseRowAction(page, /northwind/, 'Delete Microsoft Teams tenant')
  await page
    .getByText('Are you sure you want to delete the northwind.example Microsoft Teams Tenant?')
    .waitFor()
  await confirm(page, 'Delete Microsoft Teams tenant')
  await expectToast(page, 'Deleted Microsoft Teams Tenant northwind.example')
  await page.getByText('Total: 1 record', { exact: true }).waitFor()
}

it.each(databasesFor('clients'))('adds SIP clients and Teams tenants, on %s', async (database) => {
  const server = await startSwitchroom(database)
  try {
    const page = await openPage()
    await logIn(page, server.url)
    await reportFailures(page, `clients-${database}`, () => checkClients(page))
    await reportFailures(page, `tenants-${database}`, () => checkTenants(page, server.url))
    expectNoErrors(page)
    expect(server.log()).not.toContain('device secret')
    await page.context().close()
  } finally {
    await server.stop()
  }
})

import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectToast, logInByForm, openForm, waitUntilLoaded } from './browser.ts'
import {
  ACCOUNT,
  chooseOption,
  expectText,
  main,
  openAddForm,
  openFromSidebar,
  PROVIDER,
  row,
  type StockContext,
  save,
  stockStories,
} from './stock-api/story.ts'

/** Provider and account users on a stock API server. */

const story = stockStories()
const PASSWORD = 'long enough 1'

async function logInAs({ page, url, call }: StockContext, name: string, owners: object) {
  await call('POST', '/Users', {
    name,
    email: `${name}@example.org`,
    initial_password: PASSWORD,
    is_active: 1,
    ...owners,
  })
  await page.getByRole('button', { name: 'Log out' }).first().click()
  await expectText(page, "You've successfully logged out.")
  await logInByForm(page, url, name, PASSWORD)
}

async function addCarrier(page: Page, name: string) {
  await openAddForm(page, 'Carriers', /^Add carrier/)
  await page.getByLabel('Carrier name').fill(name)
  await page.getByRole('tab', { name: 'SIP', exact: true }).click()
  await page.getByLabel('Network address').first().fill('203.0.113.40')
  await save(page)
  await expectToast(page, 'Carrier created successfully')
}

async function addApplication(page: Page, name: string, account?: string) {
  await openAddForm(page, 'Applications', /^Add application/)
  await page.getByLabel('Application name').fill(name)
  if (account) await chooseOption(page, 'Account', account)
  await page.getByLabel('Calling webhook').fill('https://apps.acme.example/calls')
  await page.getByLabel('Call status webhook').fill('https://apps.acme.example/status')
  await save(page)
  await expectToast(page, 'Application created successfully')
}

story('lets account users provision their account', async (context) => {
  const { page, stock } = context
  await logInAs(context, 'amy', { account_sid: ACCOUNT, service_provider_sid: PROVIDER })
  await addCarrier(page, 'Own Trunks')
  const owners = { account_sid: ACCOUNT, service_provider_sid: PROVIDER }
  const [carrier] = await stock.rows('SELECT * FROM voip_carriers WHERE name = "Own Trunks"')
  expect(carrier).toMatchObject(owners)
  const { voip_carrier_sid } = carrier!
  expect(
    (await stock.rows('SELECT * FROM sip_gateways WHERE voip_carrier_sid = ?', [voip_carrier_sid]))
      .length,
  ).toBe(1)
  await openFromSidebar(page, 'Carriers')
  await openForm(page, 'Own Trunks')
  await page.getByLabel('Carrier name').fill('Our Trunks')
  await save(page)
  await expectToast(page, 'Carrier updated successfully')

  await addApplication(page, 'Own desk')
  await openAddForm(page, 'Phone numbers', /^Add phone number/)
  await page.getByLabel('Phone number').fill('+442079460000')
  await chooseOption(page, 'Carrier', 'Our Trunks')
  await chooseOption(page, /^Application/, 'Own desk')
  await save(page)
  await expectToast(page, 'Phone number created successfully')
  await row(page, /7946 0000.*Own desk/).waitFor()
  const [number] = await stock.rows('SELECT * FROM phone_numbers')
  expect(number).toMatchObject({ account_sid: ACCOUNT, voip_carrier_sid })

  await openAddForm(page, 'Users', /^Add user/)
  await page.getByLabel('Username').fill('bea')
  await page.getByLabel('Email').fill('bea@example.org')
  await page.getByLabel('Temporary password').fill(PASSWORD)
  await page.getByLabel('View-only user').check()
  await save(page)
  await expectToast(page, 'User created successfully')
  const read = async () => (await stock.rows('SELECT * FROM users WHERE name = "bea"'))[0]!
  expect(await read()).toMatchObject(owners)

  // other changes keep view-only, although the server clears it when it is absent
  await openForm(page, 'bea')
  await page.getByLabel('Email').fill('bea.lee@example.org')
  await save(page)
  await expectToast(page, 'User updated successfully')
  const permissions = await stock.rows(
    'SELECT name FROM permissions JOIN user_permissions USING (permission_sid) WHERE user_sid = ?',
    [(await read()).user_sid],
  )
  expect(permissions).toEqual([{ name: 'VIEW_ONLY' }])
  expect(await read()).toMatchObject(owners)
})

story('lets provider users provision their accounts', async (context) => {
  const { page, stock } = context
  await logInAs(context, 'pam', { service_provider_sid: PROVIDER })
  await openAddForm(page, 'Accounts', /^Add account/)
  await page.getByLabel('Account name').fill('Customer One')
  await page.getByLabel('Concurrent call limit').fill('5')
  await save(page)
  await expectToast(page, 'Account created successfully')
  await page.waitForURL(/accounts\/[0-9a-f-]{36}\/edit/)
  await page.getByLabel('SIP realm').fill('one.acme.example')
  await save(page)
  await expectToast(page, 'Account updated successfully')
  const [account] = await stock.rows('SELECT * FROM accounts WHERE name = "Customer One"')
  expect(account).toMatchObject({
    service_provider_sid: PROVIDER,
    sip_realm: 'one.acme.example',
    registration_hook_sid: null,
  })

  await addCarrier(page, 'Provider Trunks')
  const [carrier] = await stock.rows('SELECT * FROM voip_carriers WHERE name = "Provider Trunks"')
  expect(carrier).toMatchObject({ account_sid: null, service_provider_sid: PROVIDER })
  await addApplication(page, 'Its desk', 'Customer One')
  await openFromSidebar(page, 'Applications')
  await row(page, /Its desk.*Customer One/).waitFor()

  await openAddForm(page, 'Users', /^Add user/)
  await page.getByLabel('Scope').selectOption('account')
  await chooseOption(page, 'Account', 'Customer One')
  await page.getByLabel('Username').fill('cara')
  await page.getByLabel('Email').fill('cara@example.org')
  await page.getByLabel('Temporary password').fill(PASSWORD)
  await save(page)
  await expectToast(page, 'User created successfully')
  const [cara] = await stock.rows('SELECT * FROM users WHERE name = "cara"')
  expect(cara).toMatchObject({
    account_sid: account!.account_sid,
    service_provider_sid: PROVIDER,
  })
})

story('offers view-only users no actions', async (context) => {
  const { page } = context
  const owners = { account_sid: ACCOUNT, service_provider_sid: PROVIDER }
  await logInAs(context, 'vera', { ...owners, is_view_only: true })
  for (const list of ['Applications', 'Carriers', 'Phone numbers']) {
    await openFromSidebar(page, list)
    await main(page).getByRole('heading', { level: 1 }).waitFor()
    await waitUntilLoaded(page)
    expect(await main(page).getByRole('link', { name: /^Add/ }).count(), list).toBe(0)
    // a stock server counts no calls
    expect(
      await main(page)
        .getByText(/last call/i)
        .count(),
      list,
    ).toBe(0)
  }
})

import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { fillLogIn, loaded, toast } from './browser.ts'
import {
  ACCOUNT,
  add,
  choose,
  main,
  PROVIDER,
  rail,
  row,
  said,
  save,
  storiesOnStock,
  type Told,
} from './stock-api/story.ts'

/** People of a provider and of an account at work on a stock API server. */

const story = storiesOnStock()
const PASSWORD = 'long enough 1'

async function logInAs({ page, url, call }: Told, name: string, owners: object) {
  await call('POST', '/Users', {
    name,
    email: `${name}@example.org`,
    initial_password: PASSWORD,
    is_active: 1,
    ...owners,
  })
  await page.getByRole('button', { name: 'Log out' }).first().click()
  await said(page, "You've successfully logged out.")
  await fillLogIn(page, url, name, PASSWORD)
}

async function addCarrier(page: Page, name: string) {
  await add(page, 'Carriers', /^Add carrier/)
  await page.getByLabel('Carrier name').fill(name)
  await page.getByRole('tab', { name: 'SIP', exact: true }).click()
  await page.getByLabel('Network address').first().fill('203.0.113.40')
  await save(page)
  await toast(page, 'Carrier created successfully')
}

async function addApplication(page: Page, name: string, account?: string) {
  await add(page, 'Applications', /^Add application/)
  await page.getByLabel('Application name').fill(name)
  if (account) await choose(page, 'Account', account)
  await page.getByLabel('Calling webhook').fill('https://apps.acme.example/calls')
  await page.getByLabel('Call status webhook').fill('https://apps.acme.example/status')
  await save(page)
  await toast(page, 'Application created successfully')
}

story('lets people of an account provision it', async (told) => {
  const { page, stock } = told
  await logInAs(told, 'amy', { account_sid: ACCOUNT, service_provider_sid: PROVIDER })
  await addCarrier(page, 'Own Trunks')
  const owners = { account_sid: ACCOUNT, service_provider_sid: PROVIDER }
  const [carrier] = await stock.rows('SELECT * FROM voip_carriers WHERE name = "Own Trunks"')
  expect(carrier).toMatchObject(owners)
  const { voip_carrier_sid } = carrier!
  expect(
    (await stock.rows('SELECT * FROM sip_gateways WHERE voip_carrier_sid = ?', [voip_carrier_sid]))
      .length,
  ).toBe(1)
  await rail(page, 'Carriers')
  await main(page).getByRole('link', { name: 'Own Trunks' }).click()
  await page.getByLabel('Carrier name').fill('Our Trunks')
  await save(page)
  await toast(page, 'Carrier updated successfully')

  await addApplication(page, 'Own desk')
  await add(page, 'Phone numbers', /^Add phone number/)
  await page.getByLabel('Phone number').fill('+442079460000')
  await choose(page, 'Carrier', 'Our Trunks')
  await choose(page, /^Application/, 'Own desk')
  await save(page)
  await toast(page, 'Phone number created successfully')
  await row(page, /7946 0000.*Own desk/).waitFor()
  const [number] = await stock.rows('SELECT * FROM phone_numbers')
  expect(number).toMatchObject({ account_sid: ACCOUNT, voip_carrier_sid })

  await add(page, 'Users', /^Add user/)
  await page.getByLabel('Username').fill('bea')
  await page.getByLabel('Email').fill('bea@example.org')
  await page.getByLabel('Temporary password').fill(PASSWORD)
  await page.getByLabel('View-only user').check()
  await save(page)
  await toast(page, 'User created successfully')
  const read = async () => (await stock.rows('SELECT * FROM users WHERE name = "bea"'))[0]!
  expect(await read()).toMatchObject(owners)

  // another change leaves view-only as it is, though the server takes it away where it is not said
  await main(page).getByRole('link', { name: 'bea', exact: true }).click()
  await page.getByLabel('Email').fill('bea.lee@example.org')
  await save(page)
  await toast(page, 'User updated successfully')
  const permissions = await stock.rows(
    'SELECT name FROM permissions JOIN user_permissions USING (permission_sid) WHERE user_sid = ?',
    [(await read()).user_sid],
  )
  expect(permissions).toEqual([{ name: 'VIEW_ONLY' }])
  expect(await read()).toMatchObject(owners)
})

story('lets people of a provider provision its accounts', async (told) => {
  const { page, stock } = told
  await logInAs(told, 'pam', { service_provider_sid: PROVIDER })
  await add(page, 'Accounts', /^Add account/)
  await page.getByLabel('Account name').fill('Customer One')
  await page.getByLabel('Max calls').fill('5')
  await save(page)
  await toast(page, 'Account created successfully')
  await page.waitForURL(/accounts\/[0-9a-f-]{36}\/edit/)
  await page.getByLabel('SIP realm').fill('one.acme.example')
  await save(page)
  await toast(page, 'Account updated successfully')
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
  await rail(page, 'Applications')
  await row(page, /Its desk.*Customer One/).waitFor()

  await add(page, 'Users', /^Add user/)
  await page.getByLabel('Scope').selectOption('account')
  await choose(page, 'Account', 'Customer One')
  await page.getByLabel('Username').fill('cara')
  await page.getByLabel('Email').fill('cara@example.org')
  await page.getByLabel('Temporary password').fill(PASSWORD)
  await save(page)
  await toast(page, 'User created successfully')
  const [cara] = await stock.rows('SELECT * FROM users WHERE name = "cara"')
  expect(cara).toMatchObject({
    account_sid: account!.account_sid,
    service_provider_sid: PROVIDER,
  })
})

story('offers a view-only user nothing to write with', async (told) => {
  const { page } = told
  const owners = { account_sid: ACCOUNT, service_provider_sid: PROVIDER }
  await logInAs(told, 'vera', { ...owners, is_view_only: true })
  for (const list of ['Applications', 'Carriers', 'Phone numbers']) {
    await rail(page, list)
    await main(page).getByRole('heading', { level: 1 }).waitFor()
    await loaded(page)
    expect(await main(page).getByRole('link', { name: /^Add/ }).count(), list).toBe(0)
  }
})

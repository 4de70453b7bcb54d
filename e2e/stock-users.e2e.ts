import { expect } from 'vitest'
import { expectToast, logInByForm, openForm } from './browser.ts'
import {
  ACCOUNT,
  button,
  chooseOption,
  chooseRowAction,
  expectText,
  inDialog,
  openAddForm,
  openFromSidebar,
  PROVIDER,
  row,
  type StockContext,
  save,
  stockStories,
} from './stock-api/story.ts'

/** Users, accounts and keys on a stock API server. */

const story = stockStories()
const PASSWORD = 'long enough 1'

async function addUser({ page }: StockContext, name: string, scope: string, account?: string) {
  await openAddForm(page, 'Users', /^Add user/)
  await page.getByLabel('Scope').selectOption(scope)
  if (account) await chooseOption(page, 'Account', account)
  await page.getByLabel('Username').fill(name)
  await page.getByLabel('Email').fill(`${name}@example.org`)
  await page.getByLabel('Temporary password').fill(PASSWORD)
  await page.getByLabel('Force change of password').uncheck()
  await save(page)
  await expectToast(page, 'User created successfully')
}

async function logOut({ page }: StockContext) {
  await page.getByRole('button', { name: 'Log out' }).first().click()
  await expectText(page, "You've successfully logged out.")
}

story('adds users of each scope with no wider access', async (context) => {
  const { page, stock, url } = context
  await addUser(context, 'annie', 'account', 'default account')
  await row(page, /annie.*default account/).waitFor()
  await addUser(context, 'paul', 'service_provider')
  await addUser(context, 'adam', 'admin')
  const [annie] = await stock.rows('SELECT * FROM users WHERE name = "annie"')
  expect(annie).toMatchObject({ account_sid: ACCOUNT, service_provider_sid: PROVIDER })
  const [paul] = await stock.rows('SELECT * FROM users WHERE name = "paul"')
  expect(paul).toMatchObject({ account_sid: null, service_provider_sid: PROVIDER })

  // renaming changes nothing else
  await openForm(page, 'annie')
  await page.getByLabel('Email').fill('annie.lee@example.org')
  await save(page)
  await expectToast(page, 'User updated successfully')
  await logOut(context)

  await logInByForm(page, url, 'annie', PASSWORD)
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Account' })
    .waitFor()
  expect(await page.getByRole('link', { name: 'Accounts', exact: true }).count()).toBe(0)
  expect(await page.getByRole('link', { name: 'Settings', exact: true }).count()).toBe(0)
  await openFromSidebar(page, 'Users')
  await row(page, /annie/).waitFor()
  expect(await row(page, /adam|paul/).count()).toBe(0)
  await logOut(context)

  await logInByForm(page, url, 'paul', PASSWORD)
  await openFromSidebar(page, 'Accounts')
  await row(page, /default account/).waitFor()
  await openFromSidebar(page, 'Users')
  await row(page, /annie/).waitFor()
  expect(await row(page, /adam/).count()).toBe(0)
  await logOut(context)
})

story('adds and edits an account with limits and webhooks', async ({ page, stock }) => {
  await openAddForm(page, 'Accounts', /^Add account/)
  await page.getByLabel('Account name').fill('Acme East')
  await page.getByLabel('Concurrent call limit').fill('25')
  await page.getByLabel('Registration webhook').fill('https://apps.acme.example/register')
  await save(page)
  await expectToast(page, 'Account created successfully')
  await page.waitForURL(/accounts\/[0-9a-f-]{36}\/edit/)
  await page.getByRole('heading', { name: 'Edit account' }).waitFor()
  await expect.poll(() => page.getByLabel('Concurrent call limit').inputValue()).toBe('25')
  expect(await page.getByLabel('Registration webhook').inputValue()).toBe(
    'https://apps.acme.example/register',
  )
  const read = async () => (await stock.rows('SELECT * FROM accounts WHERE name LIKE "Acme%"'))[0]!
  expect(await read()).toMatchObject({ sip_realm: null, device_calling_application_sid: null })

  await page.getByLabel('Account name').fill('Acme West')
  await page.getByLabel('Concurrent call limit').fill('30')
  await page.getByLabel('SIP realm').fill('sip.acme.example')
  await save(page)
  await expectToast(page, 'Account updated successfully')
  expect(await read()).toMatchObject({ name: 'Acme West', sip_realm: 'sip.acme.example' })
  const limits = await stock.rows('SELECT * FROM account_limits')
  expect(limits).toMatchObject([{ category: 'voice_call_session', quantity: 30 }])

  // a second account without a realm does not collide on an empty one
  for (const name of ['Plain one', 'Plain two']) {
    await openAddForm(page, 'Accounts', /^Add account/)
    await page.getByLabel('Account name').fill(name)
    await save(page)
    await expectToast(page, 'Account created successfully')
    await page.waitForURL(/accounts\/[0-9a-f-]{36}\/edit/)
  }
})

story('lets an account user rename the account without touching its realm', async (context) => {
  const { page, stock, url, call } = context
  const body = {
    name: 'Acme South',
    service_provider_sid: PROVIDER,
    sip_realm: 'south.acme.example',
  }
  const { sid } = await call('POST', '/Accounts', body)
  await call('POST', '/Users', {
    name: 'sue',
    email: 'sue@example.org',
    initial_password: PASSWORD,
    account_sid: sid,
    service_provider_sid: PROVIDER,
    is_active: 1,
  })
  await logOut(context)
  await logInByForm(page, url, 'sue', PASSWORD)
  await openFromSidebar(page, 'Account')
  // the form, where they begin, has the same link as the overview
  await page.waitForURL(new RegExp(`/accounts/${sid}$`))
  await page.getByRole('region', { name: 'Details' }).waitFor()
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Account name').fill('Acme Deep South')
  await save(page)
  await expectToast(page, 'Account updated successfully')
  const [account] = await stock.rows('SELECT * FROM accounts WHERE account_sid = ?', [sid])
  expect(account).toMatchObject({ name: 'Acme Deep South', sip_realm: 'south.acme.example' })
})

story('deletes an unused account, and keeps one in use', async (context) => {
  const { page, stock, call } = context
  const make = async (name: string) =>
    (await call('POST', '/Accounts', { name, service_provider_sid: PROVIDER })).sid
  await make('Unused')
  const account_sid = await make('In use')
  const own = await make('Looked at')
  await call('POST', '/Applications', {
    name: 'Its application',
    account_sid,
    call_hook: { url: 'https://example.com/hook' },
    call_status_hook: { url: 'https://example.com/hook' },
  })
  await call('POST', '/PhoneNumbers', { number: '15083084809', account_sid })
  await call('POST', '/ApiKeys', { account_sid })
  await call('POST', '/Clients', { account_sid, username: 'jane', password: 'device secret' })

  const remove = async (name: string) => {
    await openFromSidebar(page, 'Accounts')
    await chooseRowAction(page, new RegExp(name), 'Delete account')
  }
  const confirm = async (name: string) => {
    await page.getByLabel(`Type ${name} to confirm`).fill(name)
    await inDialog(page, 'Delete account').click()
    await expectToast(page, `Deleted account ${name}`)
  }
  await remove('Unused')
  await confirm('Unused')
  await remove('In use')
  await expectText(page, 'Applications (1)')
  await expectText(page, 'Its application')
  // nobody types the name of what cannot be deleted
  expect(await page.getByLabel('Type In use to confirm').count()).toBe(0)
  expect(await inDialog(page, 'Delete account').isDisabled()).toBe(true)
  await inDialog(page, 'Cancel').click()

  // from its own page, which is still on screen, it is not read again
  await openFromSidebar(page, 'Accounts')
  await openForm(page, 'Looked at')
  await button(page, 'Delete account').click()
  await confirm('Looked at')
  const calls = stock.calls()
  const gone = calls.findIndex((call) => call.startsWith(`DELETE /Accounts/${own}`))
  expect(gone).toBeGreaterThan(0)
  expect(calls.slice(gone + 1).filter((call) => call.includes(own))).toEqual([])
  expect(stock.calls()).not.toContainEqual(
    expect.stringContaining(`DELETE /Accounts/${account_sid}`),
  )
  for (const table of ['accounts', 'applications', 'phone_numbers', 'api_keys', 'clients']) {
    const left = await stock.rows('SELECT 1 FROM ?? WHERE account_sid = ?', [table, account_sid])
    expect(left.length, table).toBe(1)
  }
})

story('shows a new API key once, and deletes it', async ({ page, stock }) => {
  await openFromSidebar(page, 'Accounts')
  await openForm(page, 'default account')
  await button(page, 'Add key').click()
  await inDialog(page, 'Add key').click()
  await expectToast(page, 'API key created')
  const keys = () => stock.rows('SELECT * FROM api_keys WHERE account_sid = ?', [ACCOUNT])
  const [key] = await keys()
  expect(key).toMatchObject({ service_provider_sid: null })
  await page
    .getByRole('dialog')
    .getByText(String(key!.token))
    .or(page.getByLabel('API key'))
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  await button(page, /^Delete (API )?key/)
    .first()
    .click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Delete/ })
    .click()
  await expectToast(page, 'API key deleted')
  expect(await keys()).toEqual([])
})

import { expect } from 'vitest'
import { expectToast, logInByForm, openForm, waitUntilLoaded } from './browser.ts'
import {
  ACCOUNT,
  expectText,
  inDialog,
  main,
  openFromSidebar,
  PROVIDER,
  row,
  save,
  stockStories,
} from './stock-api/story.ts'

/** Settings, calls, alerts, and features a stock API server lacks. */

const story = stockStories()

story('edits the platform settings, which do not crash the server', async ({ page, stock }) => {
  await openFromSidebar(page, 'Settings')
  await page.getByLabel('Private network CIDR').fill('10.0.0.0/8, 192.168.1.1')
  await page.getByLabel('Minimum password length').selectOption('10')
  await save(page)
  await expectToast(page, 'Admin settings updated successfully')
  const [system] = await stock.rows('SELECT * FROM system_information')
  expect(system).toMatchObject({ domain_name: null, log_level: 'info' })
  expect(String(system!.private_network_cidr).replaceAll(' ', '')).toBe('10.0.0.0/8,192.168.1.1')
  expect(await stock.rows('SELECT * FROM password_settings')).toMatchObject([
    { min_password_length: 10, require_digit: 0 },
  ])
  await page.getByLabel('Password require digit').check()
  await save(page)
  await expect
    .poll(() => stock.rows('SELECT * FROM password_settings'))
    .toMatchObject([{ min_password_length: 10, require_digit: 1 }])
})

story('edits the settings of a provider', async ({ page, stock, call }) => {
  const hook = { url: 'https://apps.acme.example/register', method: 'POST' }
  const body = { name: 'default service provider', registration_hook: hook }
  await call('PUT', `/ServiceProviders/${PROVIDER}`, body)
  await openFromSidebar(page, 'Settings')
  await page.getByRole('tab', { name: 'Service provider' }).click()
  await page.getByLabel('Service provider name').fill('Acme Telecom')
  await save(page)
  await expectToast(page, 'Settings updated')
  const [provider] = await stock.rows('SELECT * FROM service_providers')
  expect(provider).toMatchObject({ name: 'Acme Telecom', root_domain: null, ms_teams_fqdn: null })
  expect(provider!.registration_hook_sid, 'the registration webhook').toBeTruthy()
})

story('shows calls and alerts', async ({ page, url }) => {
  await page.goto(`${url}/internal/recent-calls?account_sid=${ACCOUNT}`)
  await expectText(page, /415.*555.*1000/)
  await page.goto(`${url}/internal/alerts?account_sid=${ACCOUNT}`)
  await expectText(page, 'Something happened: no-tts')
})

story('searches pages and actions only', async ({ page }) => {
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  const palette = page.getByRole('dialog', { name: 'Search' })
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await palette.getByRole('combobox').fill('acc')
  await palette.getByRole('option', { name: 'Add account' }).waitFor()
  await palette.getByRole('combobox').fill('(415) 555-1000')
  await palette.getByText('Nothing found').waitFor()
  await palette.getByRole('combobox').fill('carriers')
  await palette.getByRole('option', { name: /^Carriers/ }).click()
  await page.waitForURL(/\/internal\/carriers/)
  expect(asked.filter((url) => url.includes('/Search'))).toEqual([])
})

story('clears the TTS cache and generates a new webhook secret', async ({ page, stock }) => {
  await openFromSidebar(page, 'Accounts')
  await openForm(page, 'default account')
  await expectText(page, 'There are 3 cached TTS prompts')
  await page.getByRole('button', { name: 'Clear TTS cache' }).click()
  await inDialog(page, 'Clear TTS cache').click()
  await expectText(page, 'There are 0 cached TTS prompts')
  const [before] = await stock.rows('SELECT webhook_secret FROM accounts')
  await page.getByRole('button', { name: 'Generate new secret' }).click()
  await inDialog(page, 'Generate new secret').click()
  await expectToast(page, 'Webhook signing secret was successfully generated')
  const [after] = await stock.rows('SELECT webhook_secret FROM accounts')
  expect(after).not.toEqual(before)
})

story('tests and saves a recording bucket', async ({ page, stock }) => {
  await openFromSidebar(page, 'Accounts')
  await openForm(page, 'default account')
  await page.getByLabel('Enable call recording').check()
  await page.getByLabel('Bucket vendor').selectOption({ label: 'AWS S3 Compatible' })
  await page.getByLabel('Endpoint URI').fill('https://s3.acme.example')
  await page.getByLabel('Bucket name').fill('recordings')
  await page.getByLabel('Access key ID').fill('S3KEY')
  await page.getByLabel('Secret access key').fill('bucket-canary')
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await expectText(page, 'Bucket Credential is valid.')
  await save(page)
  await expectToast(page, 'Account updated successfully')
  await openFromSidebar(page, 'Accounts')
  await openForm(page, 'default account')
  await page.getByLabel('Account name').fill('first account')
  await save(page)
  await expectToast(page, 'Account updated successfully')
  const [account] = await stock.rows('SELECT * FROM accounts WHERE account_sid = ?', [ACCOUNT])
  expect(account).toMatchObject({ name: 'first account' })
  expect(String(account!.bucket_credential)).toMatch(/^\{"iv"/)
})

/** The specification's, whose other screens are tabs that need our server. */
const STOCK_MENU = [
  'Users',
  'Settings',
  'Accounts',
  'SIP clients',
  'Applications',
  'Recent calls',
  'Alerts',
  'Carriers',
  'Speech services',
  'Phone numbers',
  'Outbound call routing',
]

const OURS = [
  ...['dashboard', 'live', 'voice', 'failures', 'webhook-log', 'webhook-log/any', 'audit-log'],
  ...['audit-log/history', 'alerts/destinations', 'alerts/destinations/add', 'system-health'],
  ...['alerts/destinations/any/edit', 'system-health/doctor', 'recent-calls/compare'],
  ...['configuration', 'route-simulator', 'single-sign-on', 'security', 'getting-started'],
  ...[
    `accounts/${ACCOUNT}/transcripts`,
    `accounts/${ACCOUNT}/language-model`,
    `accounts/${ACCOUNT}/model-sessions`,
    'applications/any/try',
    'applications/any/try/any',
  ],
  ...[
    'applications/any/test',
    'applications/any/test-cases/add',
    'applications/any/test-cases/any',
    'applications/any/simulated-callers/add',
    'applications/any/simulated-callers/any',
    'applications/any/simulated-callers/any/edit',
  ],
]

story('hides features the server lacks', async ({ page, url, stock }) => {
  const nav = page.getByRole('navigation', { name: 'Main' })
  await nav.getByRole('link', { name: 'Accounts', exact: true }).click()
  await row(page, /account/).waitFor()
  expect(await nav.getByRole('link').allInnerTexts()).toEqual(STOCK_MENU)
  expect(await page.getByRole('button', { name: 'Import' }).count()).toBe(0)
  // every list in the menu opens without an error
  for (const link of await nav.getByRole('link').all()) {
    await link.click()
    await main(page).getByRole('heading', { level: 1 }).waitFor()
    await waitUntilLoaded(page)
    expect(await page.getByRole('alert').allInnerTexts(), await link.innerText()).toEqual([])
    expect(await main(page).innerText()).not.toContain('Something went wrong')
  }
  for (const path of OURS) {
    await page.goto(`${url}/internal/${path}`)
    await main(page).getByText('This server does not offer this.').waitFor()
  }
  await page.goto(`${url}/internal/accounts`)
  const bad = stock.calls().filter((call) => / 5\d\d$/.test(call))
  expect(bad.filter((call) => !call.startsWith('GET /SipGateways'))).toEqual([])
  await page.getByRole('button', { name: 'Log out' }).first().click()
  await expectText(page, "You've successfully logged out.")
  await logInByForm(page, url)
})

story('adds and deletes a provider', async ({ page, stock }) => {
  await openFromSidebar(page, 'Settings')
  await page.getByRole('tab', { name: 'Service provider' }).click()
  await main(page).getByRole('button', { name: 'Delete service provider' }).click()
  // nobody types a name for what cannot be deleted
  await page.getByRole('heading', { name: 'Accounts (1) must be moved or deleted first' }).waitFor()
  expect(await inDialog(page, 'Delete service provider').isDisabled()).toBe(true)
  expect(await page.getByLabel(/^Type .* to confirm$/).count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Add service provider' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Empty Telecom')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Add|Save/ })
    .click()
  await expectText(page, 'Added new service provider Empty Telecom')
  const stored = () => stock.rows('SELECT * FROM service_providers WHERE name = "Empty Telecom"')
  const [made] = await stored()
  expect(made).toMatchObject({ root_domain: null, ms_teams_fqdn: null })
  await openFromSidebar(page, 'Settings')
  await page.getByRole('tab', { name: 'Service provider' }).click()
  await main(page).getByRole('button', { name: 'Delete service provider' }).click()
  await page.getByLabel('Type Empty Telecom to confirm').fill('Empty Telecom')
  await inDialog(page, 'Delete service provider').click()
  await expectToast(page, 'Deleted service provider Empty Telecom')
  expect(await stored()).toEqual([])
})

import { expect } from 'vitest'
import { fillLogIn, loaded, toast } from './browser.ts'
import {
  ACCOUNT,
  inDialog,
  main,
  PROVIDER,
  rail,
  row,
  said,
  save,
  storiesOnStock,
} from './stock-api/story.ts'

/** Settings, calls, alerts, and what a stock API server does not have. */

const story = storiesOnStock()

story('changes the settings of the platform, which lives on', async ({ page, stock }) => {
  await rail(page, 'Settings')
  await page.getByLabel('Private network CIDR').fill('10.0.0.0/8, 192.168.1.1')
  await page.getByLabel('Min password length').selectOption('10')
  await save(page)
  await toast(page, 'Admin settings updated successfully')
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

story('changes the settings of a provider', async ({ page, stock, call }) => {
  const hook = { url: 'https://apps.acme.example/register', method: 'POST' }
  const body = { name: 'default service provider', registration_hook: hook }
  await call('PUT', `/ServiceProviders/${PROVIDER}`, body)
  await rail(page, 'Settings')
  await page.getByRole('tab', { name: 'Service provider' }).click()
  await page.getByLabel('Service provider name').fill('Acme Telecom')
  await save(page)
  await toast(page, 'Settings updated')
  const [provider] = await stock.rows('SELECT * FROM service_providers')
  expect(provider).toMatchObject({ name: 'Acme Telecom', root_domain: null, ms_teams_fqdn: null })
  expect(provider!.registration_hook_sid, 'the registration webhook').toBeTruthy()
})

story('shows calls and alerts', async ({ page, url }) => {
  await page.goto(`${url}/internal/recent-calls?account_sid=${ACCOUNT}`)
  await said(page, /415.*555.*1000/)
  await page.goto(`${url}/internal/alerts?account_sid=${ACCOUNT}`)
  await said(page, 'Something happened: no-tts')
})

story('clears what was synthesised, and makes a new webhook secret', async ({ page, stock }) => {
  await rail(page, 'Accounts')
  await main(page).getByRole('link', { name: 'default account' }).click()
  await said(page, 'There are 3 cached TTS prompts')
  await page.getByRole('button', { name: 'Clear TTS Cache' }).click()
  await inDialog(page, 'Clear TTS Cache').click()
  await said(page, 'There are 0 cached TTS prompts')
  const [before] = await stock.rows('SELECT webhook_secret FROM accounts')
  await page.getByRole('button', { name: 'Generate new secret' }).click()
  await inDialog(page, 'Generate new secret').click()
  await toast(page, 'Webhook signing secret was successfully generated')
  const [after] = await stock.rows('SELECT webhook_secret FROM accounts')
  expect(after).not.toEqual(before)
})

story('keeps recordings in a bucket that was tried first', async ({ page, stock }) => {
  await rail(page, 'Accounts')
  await main(page).getByRole('link', { name: 'default account' }).click()
  await page.getByLabel('Enable call recording').check()
  await page.getByLabel('Bucket vendor').selectOption({ label: 'AWS S3 Compatible' })
  await page.getByLabel('Endpoint URI').fill('https://s3.acme.example')
  await page.getByLabel('Bucket name').fill('recordings')
  await page.getByLabel('Access key ID').fill('S3KEY')
  await page.getByLabel('Secret access key').fill('bucket-canary')
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await said(page, 'Bucket Credential is valid.')
  await save(page)
  await toast(page, 'Account updated successfully')
  await rail(page, 'Accounts')
  await main(page).getByRole('link', { name: 'default account' }).click()
  await page.getByLabel('Account name').fill('first account')
  await save(page)
  await toast(page, 'Account updated successfully')
  const [account] = await stock.rows('SELECT * FROM accounts WHERE account_sid = ?', [ACCOUNT])
  expect(account).toMatchObject({ name: 'first account' })
  expect(String(account!.bucket_credential)).toMatch(/^\{"iv"/)
})

story('offers nothing that the server does not have', async ({ page, url, stock }) => {
  const nav = page.getByRole('navigation', { name: 'Main' })
  await nav.getByRole('link', { name: 'Accounts', exact: true }).click()
  await row(page, /account/).waitFor()
  expect(await nav.getByRole('link', { name: 'Audit log' }).count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Import' }).count()).toBe(0)
  // every list of the menu opens, and none of them says that something went wrong
  for (const link of await nav.getByRole('link').all()) {
    await link.click()
    await main(page).getByRole('heading', { level: 1 }).waitFor()
    await loaded(page)
    expect(await page.getByRole('alert').allInnerTexts(), await link.innerText()).toEqual([])
    expect(await main(page).innerText()).not.toContain('Something went wrong')
  }
  const bad = stock.calls().filter((call) => / 5\d\d$/.test(call))
  expect(bad.filter((call) => !call.startsWith('GET /SipGateways'))).toEqual([])
  await page.getByRole('button', { name: 'Log out' }).first().click()
  await said(page, "You've successfully logged out.")
  await fillLogIn(page, url)
})

story('adds a provider, and deletes it', async ({ page, stock }) => {
  await page.getByRole('button', { name: 'Add service provider' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Empty Telecom')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Add|Save/ })
    .click()
  await said(page, 'Added new service provider Empty Telecom')
  const [made] = await stock.rows('SELECT * FROM service_providers WHERE name = "Empty Telecom"')
  expect(made).toMatchObject({ root_domain: null, ms_teams_fqdn: null })
  await rail(page, 'Settings')
  await page.getByRole('tab', { name: 'Service provider' }).click()
  await main(page).getByRole('button', { name: 'Delete service provider' }).click()
  await page.getByLabel('Type Empty Telecom to confirm').fill('Empty Telecom')
  await inDialog(page, 'Delete service provider').click()
  await toast(page, 'Deleted service provider Empty Telecom')
  expect((await stock.rows('SELECT * FROM service_providers')).length).toBe(1)
})

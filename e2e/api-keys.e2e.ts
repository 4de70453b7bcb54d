import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, expectToast, logIn, openPage, reportFailures } from './browser.ts'
import { api, fetchToken, type Switchroom, startSwitchroom } from './harness.ts'
import { ACCOUNT, SP } from './screens.ts'
import { shareWorld } from './world.ts'

let server: Switchroom
shareWorld(
  async () => {
    server = await startSwitchroom('sqlite')
  },
  () => server?.stop(),
)

const statusOf = async (token: string, method: string, path: string, body?: object) =>
  (
    await fetch(`${server.url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  ).status

/** The token that the dialog shows once. */
async function takeToken(page: Page) {
  await page.getByText('Here is your new API key').waitFor()
  const token = await page.getByRole('dialog').locator('output').innerText()
  expect(token).toMatch(/^swr_\w{36}$/)
  await page.getByRole('button', { name: 'Done' }).click()
  return token
}

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

it('limits, shows, rotates and deletes API keys', async () => {
  const page = await openPage()
  await logIn(page, server.url)
  await reportFailures(page, 'api-keys', async () => {
    await page.goto(`${server.url}/internal/accounts/${ACCOUNT}/edit`)
    await page.getByText('No API keys yet.').waitFor()

    await page.getByRole('button', { name: 'Add key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Number import')
    await dialog.getByLabel('Read only').check()
    await dialog.getByLabel('Selected kinds').check()
    await dialog.getByLabel('Networks').fill('127.0.0.1, nowhere')
    await dialog.getByRole('button', { name: 'Add key' }).click()
    await dialog.getByText('Select at least one kind').waitFor()
    await dialog.getByText('Enter IP addresses or networks').waitFor()
    await expectAccessible(page, 'add an API key')
    await dialog.getByLabel('Phone numbers').check()
    await dialog.getByLabel('Networks').fill('127.0.0.1, 10.0.0.0/8')
    await dialog.getByRole('button', { name: 'Add key' }).click()
    await expectToast(page, 'API key created')
    const token = await takeToken(page)

    expect(await statusOf(token, 'GET', '/PhoneNumbers')).toBe(200)
    expect(await statusOf(token, 'POST', '/PhoneNumbers', { number: '15085551212' })).toBe(403)
    expect(await statusOf(token, 'GET', '/VoipCarriers')).toBe(403)

    await page.reload()
    const key = row(page, 'Number import')
    await key.getByText('Read only').waitFor()
    await key.getByText('just now').waitFor()
    await key.getByRole('button', { name: 'Number import' }).click()
    await page.getByText('127.0.0.1/32, 10.0.0.0/8').waitFor()
    await expectAccessible(page, 'API keys')

    await key.hover()
    await key.getByRole('button', { name: 'Edit API key' }).click()
    const save = dialog.getByRole('button', { name: 'Save' })
    expect(await save.isDisabled()).toBe(true)
    expect(await dialog.getByLabel('Networks').inputValue()).toBe('127.0.0.1/32, 10.0.0.0/8')
    await dialog.getByLabel('Phone numbers').uncheck()
    await save.click()
    await dialog.getByText('Select at least one kind').waitFor()
    await dialog.getByLabel('Phone numbers').check()
    await dialog.getByLabel('Carriers').check()
    await dialog.getByLabel('Read and write').check()
    await expectAccessible(page, 'edit an API key')
    await expectNoSidewaysScroll(page, 'edit an API key')
    await page.setViewportSize({ width: 1280, height: 800 })
    await save.click()
    await expectToast(page, 'API key updated')
    await key.getByText('2 kinds').waitFor()
    expect(await statusOf(token, 'GET', '/VoipCarriers')).toBe(200)
    expect(await statusOf(token, 'POST', '/PhoneNumbers', { number: '15085551212' })).toBe(201)

    // somebody else edits it meanwhile
    await key.hover()
    await key.getByRole('button', { name: 'Edit API key' }).click()
    await dialog.getByLabel('Name').fill('Number import of Acme')
    await dialog.getByLabel('Expires').selectOption({ label: 'In 90 days' })
    const admin = await fetchToken(server.url)
    const [stored] = await api<{ api_key_sid: string }[]>(
      server.url,
      admin,
      'GET',
      `/Accounts/${ACCOUNT}/ApiKeys`,
    )
    await api(server.url, admin, 'PUT', `/ApiKeys/${stored!.api_key_sid}`, {
      name: 'Number import',
      kinds: ['phone_numbers'],
    })
    await save.click()
    const conflict = page.getByRole('dialog', {
      name: 'Someone else changed this while you were editing.',
    })
    const covers = conflict.getByRole('group', { name: 'Covers' })
    expect(await covers.getByRole('radio', { name: 'Theirs Phone numbers' }).isChecked()).toBe(true)
    await expectAccessible(page, 'a conflict over an API key')
    await conflict.getByRole('button', { name: 'Save' }).click()
    await expectToast(page, 'API key updated')
    const renamed = row(page, 'Number import of Acme')
    await renamed.getByText('in 3 months').waitFor()
    await renamed.getByText('Phone numbers').waitFor()
    expect(await statusOf(token, 'GET', '/VoipCarriers')).toBe(403)

    await key.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Rotate API key' }).click()
    await dialog.getByLabel('The old key stays valid').selectOption({ label: 'For a week' })
    await dialog.getByRole('button', { name: 'Rotate key' }).click()
    await expectToast(page, 'API key rotated')
    const successor = await takeToken(page)
    expect(await statusOf(token, 'GET', '/PhoneNumbers')).toBe(200)
    expect(await statusOf(successor, 'GET', '/PhoneNumbers')).toBe(200)
    await row(page, 'Number import').nth(1).waitFor()
    const old = row(page, 'Number import').filter({ hasText: 'Rotated' })
    await old.getByText('in 7 days').waitFor()
    await expectNoSidewaysScroll(page, 'API keys')
    await page.setViewportSize({ width: 1280, height: 800 })

    await old.hover()
    await old.getByRole('button', { name: 'Delete API key' }).click()
    await dialog.getByRole('button', { name: 'Delete API key' }).click()
    await expectToast(page, 'API key deleted')
    expect(await statusOf(token, 'GET', '/PhoneNumbers')).toBe(401)
    expect(await statusOf(successor, 'GET', '/PhoneNumbers')).toBe(200)

    await page.goto(`${server.url}/internal/settings?tab=provider`)
    await page.getByText('Service provider API keys').waitFor()
    await page.getByRole('button', { name: 'Add key' }).click()
    await dialog.getByRole('button', { name: 'Add key' }).click()
    const whole = await takeToken(page)
    expect(await statusOf(whole, 'GET', `/ServiceProviders/${SP}`)).toBe(200)
    expect(await statusOf(whole, 'GET', '/VoipCarriers')).toBe(200)

    await page.goto(`${server.url}/internal/settings`)
    const own = page.getByRole('region', { name: 'Administrator API keys' })
    await own.getByText('No API keys yet.').waitFor()
    await own.getByRole('button', { name: 'Add key' }).click()
    await dialog.getByLabel('Name').fill('Provisioning')
    await dialog.getByRole('button', { name: 'Add key' }).click()
    const ofAdministrators = await takeToken(page)
    expect(await statusOf(ofAdministrators, 'GET', '/ApiKeys')).toBe(200)
    expect(await statusOf(whole, 'GET', '/ApiKeys')).toBe(403)
    await row(page, 'Provisioning').hover()
    await row(page, 'Provisioning').getByRole('button', { name: 'Edit API key' }).click()
    await dialog.getByLabel('Read only').check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await row(page, 'Provisioning').getByText('Read only').waitFor()
    expect(await statusOf(ofAdministrators, 'POST', '/ApiKeys', {})).toBe(403)
  })
  expectNoErrors(page)
})

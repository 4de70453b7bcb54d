import { Redis } from 'ioredis'
import type { Page } from 'playwright-core'
import { it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import {
  expectNoErrors,
  logIn,
  logInByForm,
  openForm,
  openPage,
  openScreen,
  reportFailures,
} from './browser.ts'
import { databasesFor } from './databases.ts'
import { api, fetchToken, type Switchroom, startSwitchroom } from './harness.ts'
import { redis } from './redis.ts'
import { shareWorld } from './world.ts'

/** Settings, users and keys, with the console's messages. */
let server: Switchroom
shareWorld(
  async () => {
    server = await startSwitchroom(databasesFor('settings')[0])
  },
  async () => {
    await server.stop()
  },
)

const sidebarLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })
const expectText = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
const save = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Save' }).click()
const dialog = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click()

it('edits the platform settings and reports errors', async () => {
  const page = await openPage()
  await logIn(page, server.url)
  await reportFailures(page, 'settings', async () => {
    await sidebarLink(page, 'Settings').click()
    await page.getByLabel('Private network CIDR').fill('10.0.0.0/8, 300.1.1.1')
    await save(page)
    await expectText(page, 'Invalid private network CIDR "300.1.1.1"')
    await page.getByLabel('Private network CIDR').fill('10.0.0.0/8, 192.168.1.1')
    await page.getByLabel('Minimum password length').selectOption('10')
    await save(page)
    await expectText(page, 'Admin settings updated successfully')

    await page.getByRole('tab', { name: 'Service provider' }).click()
    await page.getByRole('tabpanel', { name: 'Admin' }).waitFor({ state: 'hidden' })
    await page.getByLabel('Service provider name').fill('')
    await save(page)
    await expectText(page, 'Enter the name')
    await page.getByLabel('Service provider name').fill('Acme Telecom')
    await page.getByLabel('Concurrent call limit').pressSequentially('-5')
    await save(page)
    await expectText(page, 'Concurrent call limit must be at least 0')
    await page.getByLabel('Concurrent call limit').fill('')
    await save(page)
    await expectText(page, 'Settings updated')
    // the bar of the form has gone, which moves what is below it
    await page.getByRole('button', { name: 'Save', disabled: true }).waitFor()

    await page.getByRole('button', { name: 'Add key' }).click()
    await dialog(page, 'Add key')
    await expectText(page, 'API key created')
    await page.getByRole('button', { name: 'Done' }).click()
    await page
      .getByRole('button', { name: 'Delete key' })
      .or(page.getByRole('button', { name: 'Delete API key' }))
      .first()
      .click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Delete/ })
      .click()
    await expectText(page, 'API key deleted')
  })
  expectNoErrors(page)
})

it('clears the TTS cache', async () => {
  if (!redis) throw new Error('This story needs Redis')
  const client = new Redis(redis.href)
  await client.set('tts:9351f46a-678c-43f5-b8a6-d4eb58d131af:one', 'x')
  const page = await openPage()
  await logIn(page, server.url)
  await reportFailures(page, 'tts', async () => {
    await sidebarLink(page, 'Accounts').click()
    await openForm(page, 'default account')
    await expectText(page, 'There are 1 cached TTS prompts')
    await page.getByRole('button', { name: 'Clear TTS cache' }).click()
    await expectText(page, 'Are you sure you want to clean TTS cache for this account?')
    await dialog(page, 'Clear TTS cache')
    await expectText(page, 'Tts Cache successfully cleaned')
    await expectText(page, 'There are 0 cached TTS prompts')

    await page.getByRole('button', { name: 'Reveal secret' }).click()
    await expectText(page, /^wh_secret_/)
    await page.getByRole('button', { name: 'Generate new secret' }).click()
    await dialog(page, 'Generate new secret')
    await expectText(page, 'Webhook signing secret was successfully generated')
    // with an overlap: the applications have the new one before it is used
    await page.getByRole('button', { name: 'Rotate…' }).click()
    const rotating = page.getByRole('dialog', { name: 'Rotate webhook secret' })
    const next = await rotating.getByLabel('New secret', { exact: true }).inputValue()
    await expectAccessible(page, 'rotating a webhook secret')
    await expectNoSidewaysScroll(page, 'rotating a webhook secret')
    await rotating.getByLabel('New secret', { exact: true }).fill('mine')
    await rotating.getByRole('button', { name: 'Switch to this secret' }).click()
    await rotating.getByText('Enter a webhook secret in the platform’s format').waitFor()
    await rotating.getByLabel('New secret', { exact: true }).fill(next)
    await rotating.getByRole('button', { name: 'Switch to this secret' }).click()
    await expectText(page, 'Webhooks are signed by the new secret')
    await expectText(page, next)
    await openScreen(page, 'Settings', 'Audit log')
    await page.getByRole('row', { name: /admin Secret revealed Account default account/ }).waitFor()
  })
  client.disconnect()
  expectNoErrors(page)
})

it('changes and deletes users, and warns of Caps Lock', async () => {
  const token = await fetchToken(server.url)
  await api(server.url, token, 'POST', '/Users', {
    name: 'jane',
    email: 'jane@example.org',
    initial_password: 'long enough 1',
  })
  const page = await openPage()
  await page.goto(server.url)
  const password = page.getByLabel('Password', { exact: true })
  await password.focus()
  await password.evaluate((input) =>
    input.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'A', bubbles: true, modifierCapsLock: true }),
    ),
  )
  await expectText(page, 'CAPSLOCK is enabled!')
  await logInByForm(page, server.url)
  await reportFailures(page, 'users', async () => {
    await sidebarLink(page, 'Users').click()
    await openForm(page, 'jane')
    await page.getByLabel('Email').fill('jane.doe@example.org')
    await save(page)
    await expectText(page, 'User updated successfully')

    // an unexpected error gets the generic message
    await page.route('**/Users/*', (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 500, body: 'no JSON' })
        : route.continue(),
    )
    await page.getByLabel('Email').fill('jane.roe@example.org')
    await save(page)
    await expectText(page, 'Something went wrong, please try again')
    await page.unroute('**/Users/*')
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('button', { name: 'Delete user' }).click()
    await expectText(page, 'Are you sure you want to delete the user jane?')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Delete/ })
      .click()
    await expectText(page, 'Deleted user jane')

    await page.goto(`${server.url}/internal/users/add`)
    await page.getByRole('button', { name: 'Add service provider' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Empty Telecom')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Add|Save/ })
      .click()
    await expectText(page, 'Added new service provider Empty Telecom')
    await sidebarLink(page, 'Users').click()
    await page.getByRole('link', { name: 'Add user' }).first().click()
    await page.getByRole('heading', { name: 'Add new user' }).waitFor()
    await page.getByLabel('Scope').selectOption('account')
    await page.getByLabel('Username').fill('nobody')
    await page.getByLabel('Email').fill('nobody@example.org')
    await page.getByLabel('Temporary password').fill('long enough 1')
    await save(page)
    await expectText(page, 'Cannot create an account. Service Provider has no accounts.')
  })
  expectNoErrors(page)
})

it('deletes unused applications and accounts', async () => {
  const token = await fetchToken(server.url)
  const [provider] = await api<{ service_provider_sid: string }[]>(
    server.url,
    token,
    'GET',
    '/ServiceProviders',
  )
  const { sid: account_sid } = await api<{ sid: string }>(server.url, token, 'POST', '/Accounts', {
    name: 'Short-lived',
    service_provider_sid: provider!.service_provider_sid,
  })
  const hook = { url: 'https://example.com/hook' }
  await api(server.url, token, 'POST', '/Applications', {
    name: 'Shorter-lived',
    account_sid,
    call_hook: hook,
    call_status_hook: hook,
  })
  const page = await openPage()
  await logIn(page, server.url)
  await reportFailures(page, 'deletions', async () => {
    const row = async (list: string, name: string, action: string) => {
      await sidebarLink(page, list).click()
      await page
        .getByRole('row', { name: new RegExp(name) })
        .getByRole('button', { name: 'More actions' })
        .click()
      await page.getByRole('menuitem', { name: action }).click()
    }
    await row('Accounts', 'Short-lived', 'Delete account')
    await expectText(page, 'Applications (1)')
    await page.getByLabel('Type Short-lived to confirm').waitFor({ state: 'detached' })
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await row('Applications', 'Shorter-lived', 'Delete application')
    await dialog(page, 'Delete application')
    await expectText(page, 'Deleted application Shorter-lived')
    await row('Accounts', 'Short-lived', 'Delete account')
    await page.getByLabel('Type Short-lived to confirm').fill('Short-lived')
    await dialog(page, 'Delete account')
    await expectText(page, 'Deleted account Short-lived')
  })
  expectNoErrors(page)
})

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectToast, logIn, openPage, reportFailures } from './browser.ts'
import { api, fetchToken, PASSWORD, startSwitchroom } from './harness.ts'
import { ACCOUNT, SP, startSeeded, visit } from './screens.ts'
import { shareWorld } from './world.ts'

/** Sentences of the specification that no other story leads to. */

let server: Awaited<ReturnType<typeof startSeeded>>
shareWorld(
  async () => {
    server = await startSeeded()
  },
  () => server.stop(),
)

const main = (page: Page) => page.getByRole('main')
const said = (page: Page, sentence: string) =>
  page.getByText(sentence, { exact: true }).first().waitFor()

async function story(name: string, tell: (page: Page) => Promise<void>, user = 'admin') {
  const page = await openPage()
  await logIn(page, server.url, user)
  await reportFailures(page, name, () => tell(page))
}

/** Refuses requests, like a server that has taken a permission away since the page was opened. */
const forbid = (page: Page, method: string, path: string) =>
  page.route(`**/api/v1/${path}`, (route) =>
    route.request().method() === method
      ? route.fulfill({ status: 403, json: { msg: 'insufficient permissions' } })
      : route.fallback(),
  )

async function confirmDeletion(page: Page) {
  await page.getByRole('button', { name: /^Delete (carrier|speech service)$/ }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Delete/ })
    .click()
}

it('says what somebody may no longer change or delete', () =>
  story('sentences-forbidden', async (page) => {
    const { sids } = server
    await forbid(page, 'DELETE', 'VoipCarriers/*')
    await visit(page, `${server.url}/internal/carriers/${sids.shared}/edit`)
    await confirmDeletion(page)
    await said(page, 'You do not have permissions to delete this Carrier')

    const credentials = '**/SpeechCredentials/*'
    await forbid(page, 'DELETE', credentials)
    await forbid(page, 'PUT', credentials)
    await visit(page, `${server.url}/internal/speech-services/${sids.speech}/edit`)
    await confirmDeletion(page)
    await said(page, 'You do not have permissions to delete these Speech Credentials')
    await page.keyboard.press('Escape')
    await main(page).getByLabel('Use for speech-to-text').uncheck()
    await main(page).getByRole('button', { name: 'Save' }).click()
    await said(page, 'You do not have permissions to make changes to these Speech Credentials')

    await forbid(page, 'PUT', 'Accounts/*')
    await visit(page, `${server.url}/internal/accounts/${ACCOUNT}/edit`)
    await main(page).getByLabel('Account name').fill('Other')
    await main(page).getByRole('button', { name: 'Save' }).click()
    await said(page, 'You do not have permissions to make changes to this Account')
  }))

it('says why a test of speech services could not be made', () =>
  story('sentences-status', async (page) => {
    await page.route('**/SpeechCredentials/*/test*', (route) => route.abort())
    await visit(page, `${server.url}/internal/speech-services`)
    await main(page).getByRole('button', { name: 'Test all shown' }).click()
    await said(page, 'Status error')
  }))

it('keeps the last gateway of a carrier', () =>
  story('sentences-gateway', async (page) => {
    await visit(page, `${server.url}/internal/carriers/add`)
    await page.getByRole('tab', { name: 'SIP', exact: true }).click()
    await main(page)
      .getByRole('button', { name: /^Delete SIP Gateway/ })
      .click()
    await said(page, 'You must provide at least one SIP Gateway.')
  }))

it('says that a browser does not copy', () =>
  story('sentences-copy', async (page) => {
    await page.addInitScript(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('denied'))
    })
    await visit(page, `${server.url}/internal/accounts/${ACCOUNT}`)
    await main(page).getByRole('button', { name: /^Copy/ }).first().click()
    await page
      .getByText(/^Unable to copy .+, please select the text and right click to copy$/)
      .first()
      .waitFor()
  }))

it('names the routing table that was deleted from the list', () =>
  story('sentences-routing', async (page) => {
    const token = await fetchToken(server.url)
    await api(server.url, token, 'POST', '/Lcrs', {
      name: 'Short-lived',
      service_provider_sid: SP,
      default_carrier: server.sids.shared,
    })
    await visit(page, `${server.url}/internal/least-cost-routing`)
    const row = page.getByRole('row').filter({ hasText: 'Short-lived' })
    await row.getByRole('button', { name: /^Delete/ }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Delete/ })
      .click()
    await expectToast(page, 'Deleted outbound call route Short-lived')
  }))

it('says which rules of the settings a password breaks', async () => {
  const token = await fetchToken(server.url)
  await api(server.url, token, 'POST', '/PasswordSettings', {
    min_password_length: 8,
    require_digit: 1,
    require_special_character: 1,
  })
  await api(server.url, token, 'POST', '/Users', {
    name: 'newcomer',
    email: 'newcomer@example.org',
    initial_password: `${PASSWORD}!`,
    force_change: 1,
    account_sid: ACCOUNT,
  })
  const page = await openPage()
  await reportFailures(page, 'sentences-password', async () => {
    await page.goto(`${server.url}/`)
    await page.getByLabel('Username').fill('newcomer')
    await page.getByLabel('Password', { exact: true }).fill(`${PASSWORD}!`)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByLabel('New password', { exact: true }).fill('only letters')
    await page.getByLabel('Confirm new password').fill('only letters')
    await page.getByRole('button', { name: 'Create password' }).click()
    for (const rule of ['Contain at least one number', 'Contain at least one special character'])
      await said(page, rule)
  })
})

it('says that an account has no carriers for its routes', async () => {
  const fresh = await startSwitchroom('sqlite')
  try {
    const page = await openPage()
    await logIn(page, fresh.url)
    await reportFailures(page, 'sentences-no-carriers', async () => {
      await visit(page, `${fresh.url}/internal/least-cost-routing/add`)
      await said(page, 'There are no available carriers')
      await page.getByRole('combobox', { name: 'Used by' }).click()
      await page.getByRole('option', { name: 'default account' }).click()
      await said(page, 'There are no available carriers defined for this account')
      expect(await main(page).getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    })
  } finally {
    await fresh.stop()
  }
})

it('adds once what is saved again because no answer came', () =>
  story('sentences-lost-answer', async (page) => {
    await page.route(
      '**/api/v1/Accounts',
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
    await visit(page, `${server.url}/internal/accounts/add`)
    await main(page).getByLabel('Account name').fill('Aldermoor')
    const save = main(page).getByRole('button', { name: 'Save' })
    await save.click()
    await said(page, 'The server cannot be reached')
    await save.click()
    await expectToast(page, 'Account created successfully')
    const token = await fetchToken(server.url)
    const { total } = await api<{ total: number }>(
      server.url,
      token,
      'GET',
      '/Accounts?page=1&page_size=10&filter=Aldermoor',
    )
    expect(total).toBe(1)
  }))

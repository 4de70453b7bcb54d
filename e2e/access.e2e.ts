import type { Page } from 'playwright-core'
import { afterEach, expect, it } from 'vitest'
import {
  expectNoErrors,
  logIn,
  logInByForm,
  openForm,
  openPage,
  reportFailures,
  waitUntilLoaded,
} from './browser.ts'
import {
  api,
  fetchToken,
  PASSWORD,
  type Switchroom,
  startMailbox,
  startSwitchroom,
} from './harness.ts'

let server: Switchroom | undefined
afterEach(() => server?.stop())

const EASY = /This password is too easy to guess/

/** The error below a field, which assistive technology reads with it. */
const errorAt = (page: Page, label: string) =>
  page.getByLabel(label, { exact: true }).evaluate((field) => {
    const note = field.getAttribute('aria-invalid') && field.getAttribute('aria-describedby')
    return (note && document.getElementById(note)?.textContent) || undefined
  })

const fill = async (page: Page, name: string, password: string) => {
  await page.getByLabel('Username').fill(name)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

it('logs in after a wrong password, sets a new password and logs out', async () => {
  server = await startSwitchroom('sqlite', { SWITCHROOM_ADMIN_PASSWORD: '' })
  const oneTime = /one-time password (\S+)/.exec(server.log())![1]!
  const page = await openPage()
  await page.goto(`${server.url}/internal/phone-numbers?page_size=50`)
  await page.getByText('You must log in to view that page').waitFor()
  await fill(page, 'admin', 'wrong')
  await page.getByText('Login credentials are incorrect').waitFor()
  await fill(page, 'admin', oneTime)
  await page.getByText('You must create a new password').waitFor()
  const setPassword = async (password: string, confirm = password) => {
    await page.getByLabel('New password', { exact: true }).fill(password)
    await page.getByLabel('Confirm new password').fill(confirm)
    await page.getByRole('button', { name: 'Create password' }).click()
  }
  await setPassword('short')
  await page.getByText('Be at least 8 characters long').waitFor()
  expect(await errorAt(page, 'New password')).toContain('Be at least 8 characters long')
  await setPassword(PASSWORD, 'another')
  await page.getByText('Passwords do not match').waitFor()
  expect(await errorAt(page, 'Confirm new password')).toBe('Passwords do not match')
  expect(await errorAt(page, 'New password')).toBeUndefined()
  await setPassword('password1')
  await page.getByText(EASY).waitFor()
  expect(await errorAt(page, 'New password')).toMatch(EASY)
  // neither a reload, nor Back, nor the log-in page interrupts the password change
  await page.reload()
  await page.getByText('You must create a new password').waitFor()
  await page.goto(`${server.url}/`)
  await page.getByText('You must create a new password').waitFor()
  await page.goBack()
  await page.goForward()
  await page.getByText('You must create a new password').waitFor()
  await setPassword(PASSWORD)
  // after logging in, the page that was requested opens
  await page.waitForURL(/internal\/phone-numbers\?page_size=50/)
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain(oneTime)
  await page.getByText('No phone numbers.').or(page.getByText('You must create')).first().waitFor()
  await page.getByRole('button', { name: 'Log out' }).first().click()
  await page.getByText("You've successfully logged out.").waitFor()
  await page.goto(`${server.url}/internal/phone-numbers`)
  await page.getByText('You must log in to view that page').waitFor()

  // if the server failed to end the session, the console does not claim it ended
  await fill(page, 'admin', PASSWORD)
  await page.waitForURL(/internal\/phone-numbers/)
  await page.getByText('You must create a carrier').waitFor()
  await page.route('**/logout', (route) =>
    route.fulfill({ status: 503, json: { code: 'unavailable', msg: 'Out for lunch' } }),
  )
  await page.getByRole('button', { name: 'Log out' }).first().click()
  await page.getByText(/logged out in this browser only.*Out for lunch/).waitFor()
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  expectNoErrors(page)
})

it('mails a password reset link that works once', async () => {
  const mailbox = await startMailbox()
  server = await startSwitchroom('sqlite', {
    SMTP_URL: mailbox.url,
    ENABLE_FORGOT_PASSWORD: '1',
  })
  const token = await fetchToken(server.url)
  const jane = { name: 'jane', email: 'jane@example.org', initial_password: PASSWORD }
  await api(server.url, token, 'POST', '/Users', { ...jane, force_change: 0 })

  const page = await openPage()
  await page.goto(server.url)
  await page.getByRole('link', { name: 'Forgot Password' }).click()
  await page.getByLabel('Email').fill('jane@example.org')
  await page.getByRole('button', { name: 'Send me a reset password link' }).click()
  await page.getByText('A password reset email has been sent to your email.').waitFor()
  const mail = await mailbox.next()
  expect(mail).toContain('To: jane@example.org')
  const link = /http\S+\/reset-password\/[\w-]+/.exec(mail)![0]

  // typing faster than the network loses nothing
  let release = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/api/v1/signin', (route) => gate.then(() => route.continue()))
  await page.goto(link)
  const save = async (password: string, confirm: string) => {
    await page.getByLabel('New password', { exact: true }).fill(password)
    await page.getByLabel('Confirm new password').fill(confirm)
    await page.getByRole('button', { name: 'Save' }).click()
  }
  await save('a new horse 1', 'another')
  release()
  await page.getByText('The confirmation password does not match the new password.').waitFor()
  await save('short1', 'short1')
  await page.getByText('The password must be at least 8 characters long.').waitFor()
  await save('12345678', '12345678')
  await page.getByText('Password must contain a letter.').waitFor()
  expect(await errorAt(page, 'New password')).toBe('Password must contain a letter.')
  await save('password1', 'password1')
  await page.getByText(EASY).waitFor()
  expect(await errorAt(page, 'New password')).toMatch(EASY)
  await save('a new horse 1', 'a new horse 1')
  await page.getByText('New password was successfully set.').waitFor()
  await logInByForm(page, server.url, 'jane', 'a new horse 1')
  expect(server.log()).not.toContain('a new horse 1')
  await page.context().clearCookies()
  await page.evaluate(() => localStorage.clear())
  await page.goto(link)
  await page.getByText('This link is no longer valid. Please request a new one.').waitFor()
  expectNoErrors(page)
  await mailbox.stop()
})

it('says that no mail can be sent when mail is not configured', async () => {
  server = await startSwitchroom('sqlite', { ENABLE_FORGOT_PASSWORD: '1' })
  const page = await openPage()
  await page.goto(`${server.url}/forgot-password`)
  await page.getByText(/email is not configured/i).waitFor()
})

it('restores the page and the unsaved form after the session was ended elsewhere', async () => {
  server = await startSwitchroom('sqlite')
  const { url } = server
  const page = await openPage()
  await logIn(page, url)
  // what the page asks for once it is quiet would meet the end of the session before the user does
  const quiet = page.waitForResponse(
    (r) => r.url().endsWith('/Preferences') && r.frame().url().includes('/accounts/add'),
  )
  await page.goto(`${url}/internal/accounts/add`)
  await page.getByLabel('Account name').fill('half typed')
  await quiet
  await api(url, await fetchToken(url), 'POST', '/logout?everywhere=1')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Your session has expired. Please log in and try again.').waitFor()
  await fill(page, 'admin', PASSWORD)
  await page.waitForURL(/internal\/accounts\/add/)
  expect(await page.getByLabel('Account name').inputValue()).toBe('half typed')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Account created successfully').waitFor()
})

it('keeps the session and says so while the server cannot be reached', async () => {
  server = await startSwitchroom('sqlite')
  const page = await openPage()
  await logIn(page, server.url)
  await page.getByRole('row', { name: /default account/ }).waitFor()
  await server.kill('SIGKILL')
  await reportFailures(page, 'unreachable', async () => {
    await page.getByRole('link', { name: 'Carriers' }).click()
    await page.getByText('The server cannot be reached').waitFor()
  })
  await server.start()
  await page.goto(`${server.url}/internal/accounts`)
  await page.getByRole('row', { name: /default account/ }).waitFor()
})

it('adds users and keys and deletes resources', async () => {
  server = await startSwitchroom('sqlite')
  const page = await openPage()
  await logIn(page, server.url)
  await page.getByRole('link', { name: 'Users' }).click()
  await page.getByRole('link', { name: 'Add user' }).click()
  // the list has a filter of the same name
  await page.getByRole('heading', { name: 'Add new user' }).waitFor()
  await page.getByLabel('Scope').selectOption('account')
  await page.getByLabel('Username').fill('jane')
  await page.getByLabel('Email').fill('jane@example.org')
  await page.getByLabel('Temporary password').fill('short')
  await page.getByRole('button', { name: 'Save' }).click()
  await reportFailures(page, 'users', () => page.getByText('Choose an account').last().waitFor())
  await page.getByText(/Invalid password\..*at least 8/).waitFor()
  await page.getByRole('combobox', { name: 'Account' }).click()
  await page.getByRole('option', { name: 'default account' }).click()
  await page.getByLabel('Temporary password').fill('long enough 1')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('User created successfully').waitFor()
  await page.getByRole('row', { name: /jane.*Account: default account/ }).waitFor()

  await page.getByRole('link', { name: 'Accounts' }).click()
  await openForm(page, 'default account')
  await page.getByRole('button', { name: 'Add key' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Add key' }).click()
  await page.getByText('Here is your new API key').waitFor()
  const key = await page.getByRole('dialog').locator('output').textContent()
  await page.getByRole('button', { name: 'Done' }).click()
  expect(await page.content()).not.toContain(key!)
  await api(server.url, key!, 'GET', '/Applications')

  // an account in use is not deleted; what uses it is listed
  await page.getByRole('button', { name: 'Delete account' }).click()
  await page.getByText('API keys (1)').waitFor()
  // the name is asked for once nothing is in the way
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByRole('textbox').count()).toBe(0)
  expect(await dialog.getByRole('button', { name: 'Delete account' }).isDisabled()).toBe(true)
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('button', { name: 'Reveal secret' }).click()
  await page.getByText(/^wh_secret_/).waitFor()

  // nothing can be added before there is an account for it
  const admin = await fetchToken(server.url)
  const { sid } = await api<{ sid: string }>(server.url, admin, 'POST', '/ServiceProviders', {
    name: 'Empty',
    ms_teams_fqdn: 'teams.example.com',
  })
  await page.goto(`${server.url}/internal/phone-numbers/add`)
  await page.getByText('You must create a carrier before you can create a phone number.').waitFor()
  await page.evaluate((sid) => localStorage.setItem('activeServiceProvider', sid), sid)
  for (const [path, what] of [
    ['applications', 'an application'],
    ['phone-numbers', 'a phone number'],
    ['ms-teams-tenants', 'a Microsoft Teams Tenant'],
    ['clients', 'a sip client'],
  ])
    for (const add of ['', '/add']) {
      await page.goto(`${server.url}/internal/${path}${add}`)
      await page.getByText(`You must create an account before you can create ${what}.`).waitFor()
      expect(
        await page
          .getByRole('textbox')
          .and(page.getByLabel(/name|number/i))
          .count(),
      ).toBe(0)
    }
  await page.goto(`${server.url}/internal/accounts?filter=nothing`)
  await page.getByText('No accounts match these filters.').waitFor()
  await page.getByRole('link', { name: 'Clear filters' }).click()
  await page.getByText('No Accounts.').waitFor()

  // a failed load is reported in place and by one toast that stays until dismissed
  await page.clock.install()
  const toasts = page.getByRole('region', { name: 'Notifications' }).getByRole('alert')
  await page.route('**/ServiceProviders/*/Accounts?*', (route) =>
    route.fulfill({ status: 403, json: { code: 'forbidden', msg: 'Not on a Sunday' } }),
  )
  await page.goto(`${server.url}/internal/accounts`)
  await page.getByRole('main').getByText('Not on a Sunday').waitFor()
  await toasts.getByText('Not on a Sunday').waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
  await waitUntilLoaded(page)
  await page.clock.runFor(60_000)
  expect(await toasts.count()).toBe(1)
  await toasts.getByRole('button', { name: 'Dismiss' }).click()
  await toasts.waitFor({ state: 'hidden' })
  expectNoErrors(page)
  await page.goto(`${server.url}/internal/applications/${sid}/edit`)
  await page.getByText("That page doesn't exist.").waitFor()
  await toasts.getByText('No such application').waitFor()
})

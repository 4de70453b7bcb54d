import { Redis } from 'ioredis'
import type { Page } from 'playwright-core'
import { afterEach, describe, expect, it } from 'vitest'
import { followSignIn } from '../packages/server/test/oauth-users.ts'
import { testGithub } from '../packages/server/test/stand-ins/github.ts'
import { testGoogle } from '../packages/server/test/stand-ins/google.ts'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, expectToast, openPage, reportFailures, waitForPaint } from './browser.ts'
import { databasesFor } from './databases.ts'
import { api, fetchToken, PASSWORD, startMailbox, startSwitchroom } from './harness.ts'
import { freePort } from './ports.ts'
import { redis } from './redis.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of cleanups.splice(0)) await end()
})

const SP = '2708b1b3-2736-40ea-b502-c53d8396247f'
const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'
const NEW_PASSWORD = 'another horse 2'
const ROOT = 'calls.example.com'
const stopAfterEach = <
  T extends { stop: () => Promise<unknown> } | { close: () => Promise<unknown> },
>(
  one: T,
) => {
  cleanups.unshift('stop' in one ? one.stop : one.close)
  return one
}

/** Codes per mailbox and guesses per address are counted for an hour, across earlier runs. */
async function resetRateLimits() {
  if (!redis) return
  const client = new Redis(redis.href)
  await client.flushdb()
  client.disconnect()
}

/** A hosted platform with mail, Google and GitHub, where the subdomain `taken` is in use. */
async function startHosted(database: 'sqlite' | 'mysql', more: Record<string, string> = {}) {
  await resetRateLimits()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const mailbox = stopAfterEach(await startMailbox())
  const google = stopAfterEach(await testGoogle(`${url}/oauth-callback/google`))
  const github = stopAfterEach(await testGithub(`${url}/oauth-callback/github`))
  const server = stopAfterEach(
    await startSwitchroom(database, {
      HTTP_PORT: String(port),
      JAMBONZ_BASE_URL: url,
      ENABLE_HOSTED_SYSTEM: '1',
      // which of the two those who register belong to
      DEFAULT_SERVICE_PROVIDER_SID: SP,
      ENABLE_FORGOT_PASSWORD: '1',
      SMTP_URL: mailbox.url,
      SWITCHROOM_TERMS_URL: 'https://example.com/terms',
      SWITCHROOM_PRIVACY_URL: 'https://example.com/privacy',
      ...google.environment,
      ...github.environment,
      ...more,
    }),
  )
  const admin = await fetchToken(url)
  await api(url, admin, 'PUT', `/ServiceProviders/${SP}`, { root_domain: ROOT })
  await api(url, admin, 'PUT', `/Accounts/${ACCOUNT}`, { sip_realm: `taken.${ROOT}` })
  return { url, server, mailbox, admin }
}

/** The samples of a new account, which keep it from being deleted. */
async function deleteApplications({ url, admin }: { url: string; admin: string }, page: Page) {
  const account = /accounts\/([^/]+)\/edit/.exec(page.url())![1]
  const samples = await api<{ application_sid: string }[]>(
    url,
    admin,
    'GET',
    `/Accounts/${account}/Applications`,
  )
  for (const { application_sid } of samples)
    await api(url, admin, 'DELETE', `/Applications/${application_sid}`)
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const [JANE, MARY, UNPROVED] = ['Jane', 'mary', 'unproved'].map(
  (name) => `Continue as ${name}@example.com`,
) as [string, string, string]
const findCode = (mail: string) => /^(\d{6})\r?$/m.exec(mail)![1]!

/** Opens the email sign-up form, starting at the log-in page. */
async function openEmailForm(page: Page, url: string) {
  await page.goto(url)
  await page.getByRole('link', { name: 'Register' }).click()
  await button(page, 'Sign up with email').click()
  await page.getByText('Please accept the terms first').waitFor()
  await page.getByLabel(/I accept the Terms of Service/).check()
  await button(page, 'Sign up with email').click()
}
async function submitEmail(page: Page, email: string, password: string) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button(page, 'Continue').click()
}
const codeField = (page: Page) => page.getByLabel('Verification code')
async function submitCode(page: Page, code: string) {
  await codeField(page).fill(code)
  await button(page, 'Continue').click()
}
async function chooseSubdomain(page: Page, name: string) {
  await page.getByLabel('Subdomain').fill(name)
  await page.getByText(`${name}.${ROOT} is available`).first().waitFor()
  await button(page, 'Complete registration').click()
  await page.waitForURL(/\/internal\/accounts\/.*\/edit/)
  // the previous page had a log-out button as well
  await page.getByRole('heading', { name: 'Edit account' }).waitFor()
  // account users have no list of accounts
  expect(await page.getByRole('link', { name: 'Accounts' }).count()).toBe(0)
}
async function logOut(page: Page) {
  await button(page, 'Log out').first().click()
  await page.getByText("You've successfully logged out.").waitFor()
}
const wrongCode = (code: string) => `${code.slice(0, 5)}${(Number(code[5]) + 1) % 10}`

describe.each(databasesFor('register-by-email'))('on %s', (database) => {
  it('registers by email, chooses a subdomain and later changes it', async () => {
    const hosted = await startHosted(database)
    const { url, server, mailbox } = hosted
    const page = await openPage({ permissions: ['clipboard-read', 'clipboard-write'] })
    await reportFailures(page, `register-email-${database}`, async () => {
      await openEmailForm(page, url)
      await submitEmail(page, 'not an address', PASSWORD)
      await page.getByText('invalid email').waitFor()
      await submitEmail(page, 'ann@example.org', 'short')
      await page.getByText(/at least 8 characters/i).waitFor()
      await submitEmail(page, 'ann@example.org', PASSWORD)
      await page.getByText('Please enter the code we just sent to your email').waitFor()
      const code = findCode(await mailbox.next())

      await submitCode(page, wrongCode(code))
      await page.getByText('This code is wrong').waitFor()
      await button(page, 'Send another code').click()
      await page.getByText('Please wait a moment before requesting another code.').waitFor()
      await expectAccessible(page, 'a code that was wrong')
      await expectNoSidewaysScroll(page, 'a code that was wrong')
      await page.reload()
      await page.getByText('ann@example.org').waitFor()
      // not logged in before the email address is verified
      await page.goto(`${url}/internal/accounts`)
      await page.getByText('You must log in to view that page').waitFor()
      await page.goto(`${url}/register/email/verify-your-email`)
      // as copied from the mail, with surrounding text
      await page.evaluate(
        (t) => navigator.clipboard.writeText(t),
        ` ${code.slice(0, 3)} ${code.slice(3)}\n`,
      )
      await codeField(page).focus()
      await page.keyboard.press('Control+V')
      expect(await codeField(page).inputValue()).toBe(code)
      await page.keyboard.press('Enter')

      await page.getByRole('heading', { name: 'Choose a subdomain' }).waitFor()
      const complete = button(page, 'Complete registration')
      const name = page.getByLabel('Subdomain')
      await name.fill('an')
      expect(await complete.isDisabled()).toBe(true)
      await name.fill('-ann')
      await page
        .getByText(/no hyphen at either end/)
        .first()
        .waitFor()
      await name.fill('taken')
      await page.getByText(`taken.${ROOT} is not available`).first().waitFor()
      expect(await complete.isDisabled()).toBe(true)
      // a late response is about a name that has been replaced
      let answer = () => {}
      const gate = new Promise<void>((resolve) => {
        answer = resolve
      })
      await page.route(/Availability.*value=late/, async (route) => {
        await gate
        await route.continue()
      })
      const late = page.waitForResponse(/Availability.*value=late/)
      await Promise.all([page.waitForRequest(/Availability.*value=late/), name.fill('late')])
      await name.fill('taken')
      await page.getByText(`taken.${ROOT} is not available`).first().waitFor()
      answer()
      await (await late).finished()
      await waitForPaint(page)
      await page.getByText(`taken.${ROOT} is not available`).first().waitFor()
      expect(await complete.isDisabled()).toBe(true)
      await expectAccessible(page, 'a subdomain that is taken')
      // other pages redirect back to it
      await page.goto(`${url}/internal/applications`)
      await page.waitForURL(/choose-a-subdomain/)
      await expectNoSidewaysScroll(page, 'choose a subdomain')
      await chooseSubdomain(page, 'ann')

      await page.getByText('Finish account setup').waitFor()
      await page.getByRole('link', { name: 'Add a carrier to route calls' }).waitFor()
      expect(await page.getByLabel('SIP realm').inputValue()).toBe(`ann.${ROOT}`)
      expect(await page.getByRole('link', { name: 'Users' }).count()).toBe(0)
      expect(await page.getByText(/Maximum|Limits/).count()).toBe(0)
      await expectAccessible(page, 'a new account')
      await expectNoSidewaysScroll(page, 'a new account')

      await page.getByRole('link', { name: 'Change SIP Realm' }).click()
      await page.getByRole('heading', { name: 'Edit Sip Realm' }).waitFor()
      await page.getByText(`ann.${ROOT}`).waitFor()
      await page.getByLabel('Subdomain').fill('taken')
      await page.getByText(`taken.${ROOT} is not available`).first().waitFor()
      expect(await button(page, 'Change Sip Realm').isDisabled()).toBe(true)
      await page.getByLabel('Subdomain').fill('ann-and-bob')
      await page.getByText(`ann-and-bob.${ROOT} is available`).first().waitFor()
      await expectAccessible(page, 'Edit Sip Realm')
      await expectNoSidewaysScroll(page, 'Edit Sip Realm')
      await button(page, 'Change Sip Realm').click()
      await expectToast(page, 'SIP realm changed')
      expect(await page.getByLabel('SIP realm').inputValue()).toBe(`ann-and-bob.${ROOT}`)

      await logOut(page)
      const signIn = async (password: string) => {
        await page.getByLabel('Username or email').fill('Ann@example.org')
        await page.getByLabel('Password', { exact: true }).fill(password)
        await button(page, 'Log in').click()
      }
      await signIn('not it')
      await page.getByText('Login credentials are incorrect').waitFor()
      await page.getByRole('link', { name: 'Forgot Password' }).click()
      await page.getByLabel('Email', { exact: true }).fill('ann@example.org')
      await button(page, 'Send me a reset password link').click()
      await page.getByText('A password reset email has been sent to your email.').waitFor()
      await page.goto(/http\S+\/reset-password\/[\w-]+/.exec(await mailbox.next())![0])
      await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
      await page.getByLabel('Confirm new password').fill(NEW_PASSWORD)
      await button(page, 'Save').click()
      await page.getByText('New password was successfully set.').waitFor()
      await signIn(NEW_PASSWORD)
      await page.waitForURL(/\/internal\/accounts\/.*\/edit/)

      await deleteApplications(hosted, page)
      const secret = page.getByLabel('Password', { exact: true })
      await button(page, 'Delete Account').press('Enter')
      await secret.and(page.locator(':focus')).waitFor()
      await button(page, 'Cancel').press('Enter')
      await button(page, 'Delete Account').and(page.locator(':focus')).press('Enter')
      await page.getByLabel('Delete message').fill('delete my account')
      await secret.fill(PASSWORD)
      await button(page, 'PERMANENTLY DELETE MY ACCOUNT').click()
      await page.getByText('password is incorrect').waitFor()
      await secret.and(page.locator(':focus')).waitFor()
      await secret.fill(NEW_PASSWORD)
      let go = () => {}
      const requested = new Promise<void>((resolve) => {
        go = resolve
      })
      await page.route(/\/Accounts\/[^/]+$/, async (route) => {
        if (route.request().method() === 'DELETE') await requested
        await route.continue()
      })
      await button(page, 'PERMANENTLY DELETE MY ACCOUNT').press('Enter')
      const notice = page.getByRole('alertdialog')
      await notice
        .getByText(
          'Your requested changes are being processed. Please do not leave the page or hit the back button until complete.',
        )
        .waitFor()
      // the dialog is modal and cannot be dismissed
      await notice.and(page.locator(':focus')).waitFor()
      for (const key of ['Tab', 'Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab', 'Escape', 'Escape']) {
        await page.keyboard.press(key)
        await notice.and(page.locator(':focus')).waitFor()
      }
      await expectAccessible(page, 'an account that is being deleted')
      go()
      await page.getByText("You've successfully logged out.").waitFor()
      await signIn(NEW_PASSWORD)
      await page.getByText('Login credentials are incorrect').waitFor()
      expect(server.log()).not.toContain(PASSWORD)
      expect(server.log()).not.toContain(code)
      expectNoErrors(page)
    })
    await page.context().close()
  })

  it('rejects codes after too many wrong ones, until registration is restarted', async () => {
    const { url, mailbox, admin } = await startHosted(database)
    const page = await openPage()
    await reportFailures(page, `register-codes-${database}`, async () => {
      await openEmailForm(page, url)
      await submitEmail(page, 'bob@example.org', PASSWORD)
      const code = findCode(await mailbox.next())
      for (let i = 0; i < 5; i++) {
        await submitCode(page, wrongCode(code))
        await page.getByText('This code is wrong').waitFor()
      }
      await submitCode(page, code)
      await page.getByText('This code is wrong').waitFor()
      // 15 minutes later
      await page.evaluate(() => {
        const registration = JSON.parse(sessionStorage.getItem('registration')!)
        const long_ago = { ...registration, user_sid: crypto.randomUUID() }
        sessionStorage.setItem('registration', JSON.stringify(long_ago))
      })
      await page.reload()
      await button(page, 'Send another code').click()
      await page.getByText('This registration has expired.').waitFor()
      await page.getByRole('link', { name: 'Go back' }).click()
      await submitEmail(page, 'bob@example.org', PASSWORD)
      await codeField(page).waitFor()
      await submitCode(page, findCode(await mailbox.next()))
      await page.getByRole('heading', { name: 'Choose a subdomain' }).waitFor()

      // someone else takes the name first
      const realm = `bob.${ROOT}`
      await page.getByLabel('Subdomain').fill('bob')
      await page.getByText(`${realm} is available`).first().waitFor()
      await api(url, admin, 'PUT', `/Accounts/${ACCOUNT}`, { sip_realm: realm })
      await button(page, 'Complete registration').click()
      await page
        .getByText(/SIP Realm you have entered is already in use/)
        .first()
        .waitFor()
      await button(page, 'Try again').click()
      await page.getByText(`${realm} is not available`).first().waitFor()
      await chooseSubdomain(page, 'bobby')
      await logOut(page)

      // an address that has an account looks like any other; its owner gets a mail
      await openEmailForm(page, url)
      await submitEmail(page, 'bob@example.org', NEW_PASSWORD)
      await page.getByText('Please enter the code we just sent to your email').waitFor()
      expect(await mailbox.next()).toContain('It already has an account')
      expectNoErrors(page)
    })
    await page.context().close()
  })
})

describe.each(databasesFor('register-with-oauth'))('on %s', (database) => {
  it('registers and logs in with Google', async () => {
    const hosted = await startHosted(database)
    const { url } = hosted
    const page = await openPage()
    await reportFailures(page, `register-google-${database}`, async () => {
      const signUp = async () => {
        await page.goto(`${url}/register`)
        await page.getByLabel(/I accept the Terms of Service/).check()
        await button(page, 'Sign up with Google').click()
      }
      await page.goto(url)
      // unregistered users are sent to registration
      await button(page, 'Log in with Google').click()
      await button(page, MARY).click()
      await page.waitForURL(/\/register$/)
      await page.getByText('You have not registered with Google yet.').waitFor()
      // Google does not ask again while its session lasts
      await signUp()
      await chooseSubdomain(page, 'mary')
      await button(page, 'Delete Account').waitFor()
      await logOut(page)
      await button(page, 'Log in with Google').click()
      await page.waitForURL(/\/internal\/accounts\/.*\/edit/)
      expect(await page.getByLabel('SIP realm').inputValue()).toBe(`mary.${ROOT}`)

      await deleteApplications(hosted, page)
      // users without a password need none to delete the account
      await button(page, 'Delete Account').click()
      await page.getByLabel('Delete message').fill('delete my account')
      expect(await page.getByLabel('Password', { exact: true }).count()).toBe(0)
      await button(page, 'PERMANENTLY DELETE MY ACCOUNT').click()
      await page.getByText("You've successfully logged out.").waitFor()

      await page.context().clearCookies()
      await signUp()
      await button(page, UNPROVED).click()
      await page.getByText('Your email address is not verified at Google.').waitFor()
      expectNoErrors(page)
    })
    await page.context().close()
  })

  it('registers with GitHub, and rejects a callback this browser did not request', async () => {
    const { url, mailbox } = await startHosted(database)
    const page = await openPage()
    await reportFailures(page, `register-github-${database}`, async () => {
      const signUp = async (as: string) => {
        await page.goto(`${url}/register`)
        await page.getByLabel(/I accept the Terms of Service/).check()
        await button(page, 'Sign up with GitHub').click()
        await button(page, as).click()
      }
      await signUp(UNPROVED)
      await page.getByText('Your email address is not verified at GitHub.').waitFor()

      const callback = `${url}/oauth-callback/`
      await page.goto(`${callback}gitlab?code=x&state=y`)
      await page.getByText('gitlab is not a valid OAuth provider').waitFor()
      await page.goto(`${callback}github?code=x&state=forged`)
      await page.getByText('Invalid state').waitFor()
      await page.goto(`${callback}github?state=forged`)
      await page.getByText('Invalid state').waitFor()

      await page.goto(`${url}/register`)
      await page.getByLabel(/I accept the Terms of Service/).check()
      await button(page, 'Sign up with GitHub').click()
      await button(page, JANE).waitFor()
      const ownState = new URL(page.url()).searchParams.get('state')
      await page.goto(`${callback}github?error=access_denied&state=${ownState}`)
      await page.getByText('You did not log in with GitHub.').waitFor()
      await page.waitForURL(/\/register$/)

      // a log-in started by an attacker, to be completed in this browser
      const ask = { provider: 'github', locationBeforeAuth: '/register' }
      const theirs = await api<{ url: string }>(url, '', 'POST', '/Authorizations', ask)
      const forgedCallback = (await followSignIn(theirs.url, 'jane', callback)).href
      const state = new URL(forgedCallback).searchParams.get('state')!
      await page.evaluate((s) => localStorage.setItem(`oauth-state:${s}`, '/register'), state)
      await page.goto(forgedCallback)
      await page.getByText('Invalid state').waitFor()

      let came = ''
      page.on('request', (r) => {
        if (r.url().startsWith(`${callback}github`)) came = r.url()
      })
      await signUp(JANE)
      await chooseSubdomain(page, 'jane')
      await page.goto(came)
      await page.getByText('Invalid state').waitFor()
      await button(page, 'Go back to where you were').click()
      await page.waitForURL(/\/internal\/accounts\/.*\/edit/)
      await logOut(page)

      // the email address is jane's, but does not give access to her account
      await openEmailForm(page, url)
      await submitEmail(page, 'jane@example.com', PASSWORD)
      expect(await mailbox.next()).toContain('It already has an account')
      expectNoErrors(page)
    })
    await page.context().close()
  })
})

it('requires an invitation code, and mails another verification code on request', async () => {
  const { url, server, mailbox, admin } = await startHosted('sqlite', {
    SWITCHROOM_INVITE_ONLY: '1',
  })
  const make = { count: 2 }
  const { codes } = await api<{ codes: [string, string] }>(
    url,
    admin,
    'POST',
    '/BetaInviteCodes',
    make,
  )
  const page = await openPage()
  await reportFailures(page, 'register-invited', async () => {
    const start = async (code: string, way: string) => {
      await page.goto(`${url}/register`)
      await page.getByLabel('Invite code').fill(code)
      await page.getByLabel(/I accept the Terms of Service/).check()
      await button(page, way).click()
    }
    await start('', 'Sign up with email')
    await page.getByText('Enter your invite code').waitFor()
    await start('NOTONE', 'Sign up with GitHub')
    await page.getByText('This invite code is invalid or has been used.').waitFor()
    await expectAccessible(page, 'a wrong invite code')
    await start(codes[0].toLowerCase(), 'Sign up with email')
    await submitEmail(page, 'ann@example.org', PASSWORD)
    await codeField(page).waitFor()
    const first = findCode(await mailbox.next())
    // requested again after the minimum interval
    await server.kill('SIGKILL')
    await server.start(31_000)
    await button(page, 'Send another code').click()
    await page.getByText('Another code is on its way.').waitFor()
    const second = findCode(await mailbox.next())
    if (first !== second) {
      await submitCode(page, first)
      await page.getByText('This code is wrong').waitFor()
    }
    await submitCode(page, second)
    await chooseSubdomain(page, 'ann')
    await logOut(page)
    await start(codes[0], 'Sign up with GitHub')
    await page.getByText('This invite code is invalid or has been used.').waitFor()
    await start(codes[1], 'Sign up with GitHub')
    await button(page, JANE).click()
    await chooseSubdomain(page, 'jane')
    expectNoErrors(page)
  })
  await page.context().close()
})

it('shows only the configured sign-up methods', async () => {
  const server = stopAfterEach(await startSwitchroom('sqlite', { ENABLE_HOSTED_SYSTEM: '1' }))
  const page = await openPage()
  await page.goto(`${server.url}/register`)
  await button(page, 'Sign up with email').waitFor()
  expect(await page.getByRole('button', { name: /Google|GitHub/ }).count()).toBe(0)
  await page.getByLabel(/I accept/).check()
  await button(page, 'Sign up with email').click()
  await page.getByText(/Email is not configured on this server/).waitFor()
  await page.context().close()
})

it('has no registration without the flag', async () => {
  const server = stopAfterEach(await startSwitchroom('sqlite'))
  const page = await openPage()
  await page.goto(`${server.url}/`)
  await button(page, 'Log in').waitFor()
  expect(await page.getByRole('link', { name: 'Register' }).count()).toBe(0)
  await page.goto(`${server.url}/register`)
  await page.getByText("That page doesn't exist.").waitFor()
  await page.context().close()
})

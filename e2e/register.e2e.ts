import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../scripts/services.ts'
import {
  api,
  databases,
  expectAccessible,
  expectNoSidewaysScroll,
  expectNoTrouble,
  logIn,
  openBrowser,
  openPage,
  PASSWORD,
  startMailbox,
  startSwitchroom,
  toast,
  told,
} from './harness.ts'
import { startGitHub, startGoogle } from './identity-providers.ts'

let browser: Browser
const running: { stop: () => Promise<unknown> }[] = []
beforeAll(async () => {
  browser = await openBrowser()
})
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop()
})
afterAll(() => browser.close())

const SP = '2708b1b3-2736-40ea-b502-c53d8396247f'
const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'
const NEW_PASSWORD = 'another horse 2'
const ROOT = 'calls.example.com'
const GITHUB = {
  mona: { id: 583231, emails: [{ email: 'mona@example.org', primary: true, verified: true }] },
  hubot: { id: 480938, emails: [{ email: 'hubot@example.org', primary: true, verified: false }] },
}

const keep = <T extends { stop: () => Promise<unknown> }>(one: T) => {
  running.unshift(one)
  return one
}

/** A hosted platform with mail, Google and GitHub, where `taken` is taken. */
async function startHosted(database: 'sqlite' | 'mysql') {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const mailbox = keep(await startMailbox())
  const google = keep(await startGoogle(url))
  const github = keep(await startGitHub(url, GITHUB))
  const server = keep(
    await startSwitchroom(database, {
      HTTP_PORT: String(port),
      JAMBONZ_BASE_URL: url,
      ENABLE_HOSTED_SYSTEM: '1',
      ENABLE_FORGOT_PASSWORD: '1',
      SMTP_URL: mailbox.url,
      SWITCHROOM_TERMS_URL: 'https://example.com/terms',
      SWITCHROOM_PRIVACY_URL: 'https://example.com/privacy',
      ...google.environment,
      ...github.environment,
    }),
  )
  const admin = await logIn(url)
  await api(url, admin, 'PUT', `/ServiceProviders/${SP}`, { root_domain: ROOT })
  await api(url, admin, 'PUT', `/Accounts/${ACCOUNT}`, { sip_realm: `taken.${ROOT}` })
  return { url, server, mailbox, admin }
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const codeIn = (mail: string) => /^(\d{6})\r?$/m.exec(mail)![1]!

/** To the form of an address and a password, as a stranger gets there. */
async function begin(page: Page, url: string) {
  await page.goto(url)
  await page.getByRole('link', { name: 'Register' }).click()
  await button(page, 'Sign up with email').click()
  await page.getByText('Please accept the terms first').waitFor()
  await page.getByLabel(/I accept the Terms of Service/).check()
  await button(page, 'Sign up with email').click()
}
async function giveAddress(page: Page, email: string, password: string) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button(page, 'Continue').click()
}
const codeField = (page: Page) => page.getByLabel('Verification code')
async function giveCode(page: Page, code: string) {
  await codeField(page).fill(code)
  await button(page, 'Continue').click()
}
async function chooseSubdomain(page: Page, name: string) {
  await page.getByLabel('Subdomain').fill(name)
  await page.getByText(`${name}.${ROOT} is available`).first().waitFor()
  await button(page, 'Complete registration').click()
  await page.waitForURL(/\/internal\/accounts\/.*\/edit/)
}
async function signOut(page: Page) {
  await button(page, 'Sign out').first().click()
  await page.getByText("You've successfully logged out.").waitFor()
}
const digit = (code: string) => `${code.slice(0, 5)}${(Number(code[5]) + 1) % 10}`

describe.each(databases)('on %s', (database) => {
  it('registers by e-mail, chooses a subdomain, and later another one', async () => {
    const { url, server, mailbox } = await startHosted(database)
    const page = await openPage(browser, { permissions: ['clipboard-read', 'clipboard-write'] })
    await told(page, `register-email-${database}`, async () => {
      await begin(page, url)
      await giveAddress(page, 'not an address', PASSWORD)
      await page.getByText('invalid email').waitFor()
      await giveAddress(page, 'ann@example.org', 'short')
      await page.getByText(/at least 8 characters/i).waitFor()
      await giveAddress(page, 'ann@example.org', PASSWORD)
      await page.getByText('Please enter the code we just sent to your email').waitFor()
      const code = codeIn(await mailbox.next())

      await giveCode(page, digit(code))
      await page.getByText('invalid user or activation code').waitFor()
      await button(page, 'Send another code').click()
      await page.getByText('Please wait a little before you ask for another code.').waitFor()
      await expectAccessible(page, 'a code that was wrong')
      await expectNoSidewaysScroll(page, 'a code that was wrong')
      await page.reload()
      await page.getByText('ann@example.org').waitFor()
      // not signed in before the address is proved
      await page.goto(`${url}/internal/accounts`)
      await page.getByText('You must log in to view that page').waitFor()
      await page.goto(`${url}/register/email/verify-your-email`)
      // as it stands in a mail, with what was selected around it
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
      await expectAccessible(page, 'a subdomain that is taken')
      // no way round it
      await page.goto(`${url}/internal/applications`)
      await page.waitForURL(/choose-a-subdomain/)
      await expectNoSidewaysScroll(page, 'choose a subdomain')
      await chooseSubdomain(page, 'ann')

      await page.getByText('Finish Account Setup').waitFor()
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
      await toast(page, 'SIP realm changed')
      expect(await page.getByLabel('SIP realm').inputValue()).toBe(`ann-and-bob.${ROOT}`)

      await signOut(page)
      const signIn = async (password: string) => {
        await page.getByLabel('Username or email').fill('Ann@example.org')
        await page.getByLabel('Password', { exact: true }).fill(password)
        await button(page, 'Log in').click()
      }
      await signIn('not it')
      await page.getByText('Login credentials are incorrect').waitFor()
      await page.getByRole('link', { name: 'Forgot Password' }).click()
      await page.getByLabel('Email').fill('ann@example.org')
      await button(page, 'Send me a reset password link').click()
      await page.getByText('A password reset email has been sent to your email.').waitFor()
      await page.goto(/http\S+\/reset-password\/[\w-]+/.exec(await mailbox.next())![0])
      await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
      await page.getByLabel('Confirm new password').fill(NEW_PASSWORD)
      await button(page, 'Save').click()
      await page.getByText('New password was successfully set.').waitFor()
      await signIn(NEW_PASSWORD)
      await page.waitForURL(/\/internal\/accounts\/.*\/edit/)

      await button(page, 'Delete Account').click()
      await page.getByLabel('Delete Message').fill('delete my account')
      await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
      await button(page, 'PERMANENTLY DELETE MY ACCOUNT').click()
      await page.getByText("You've successfully logged out.").waitFor()
      await signIn(NEW_PASSWORD)
      await page.getByText('Login credentials are incorrect').waitFor()
      expect(server.log()).not.toContain(PASSWORD)
      expect(server.log()).not.toContain(code)
      expectNoTrouble(page)
    })
    await page.context().close()
  })

  it('takes no code after too many wrong ones, and a new registration begins anew', async () => {
    const { url, mailbox, admin } = await startHosted(database)
    const page = await openPage(browser)
    await told(page, `register-codes-${database}`, async () => {
      await begin(page, url)
      await giveAddress(page, 'bob@example.org', PASSWORD)
      const code = codeIn(await mailbox.next())
      for (let i = 0; i < 5; i++) {
        await giveCode(page, digit(code))
        await page.getByText('invalid user or activation code').waitFor()
      }
      await giveCode(page, code)
      await page.getByText('invalid user or activation code').waitFor()
      await page.getByRole('link', { name: 'Go back' }).click()
      await giveAddress(page, 'bob@example.org', PASSWORD)
      await codeField(page).waitFor()
      await giveCode(page, codeIn(await mailbox.next()))
      await page.getByRole('heading', { name: 'Choose a subdomain' }).waitFor()

      // somebody is quicker with the same name
      const realm = `bob.${ROOT}`
      await page.getByLabel('Subdomain').fill('bob')
      await page.getByText(`${realm} is available`).first().waitFor()
      await api(url, admin, 'PUT', `/Accounts/${ACCOUNT}`, { sip_realm: realm })
      await button(page, 'Complete registration').click()
      await page
        .getByText(/SIP Realm you have entered is already in use/)
        .first()
        .waitFor()
      await chooseSubdomain(page, 'bobby')
      await signOut(page)

      // an address that has an account looks like any other, and its owner is told
      await begin(page, url)
      await giveAddress(page, 'bob@example.org', NEW_PASSWORD)
      await page.getByText('Please enter the code we just sent to your email').waitFor()
      expect(await mailbox.next()).toContain('It has an account already')
      expectNoTrouble(page)
    })
    await page.context().close()
  })

  it('registers and signs in with Google', async () => {
    const { url } = await startHosted(database)
    const page = await openPage(browser)
    await told(page, `register-google-${database}`, async () => {
      const atGoogle = async (name: string) => {
        await page.getByPlaceholder('Enter any login').fill(name)
        await page.getByPlaceholder('and password').fill('anything')
        await button(page, 'Sign-in').click()
        await button(page, 'Continue').click()
      }
      const signUp = async () => {
        await page.goto(`${url}/register`)
        await page.getByLabel(/I accept the Terms of Service/).check()
        await button(page, 'Sign up with Google').click()
      }
      await page.goto(url)
      await button(page, 'Sign in with Google').click()
      await page.getByText('[ Cancel ]').click()
      await page.getByText('You did not sign in with Google.').waitFor()

      // whoever is not registered is sent to do so
      await button(page, 'Sign in with Google').click()
      await atGoogle('carol')
      await page.waitForURL(/\/register$/)
      await page.getByText('registering a new account not allowed from the sign-in page').waitFor()
      await signUp()
      await chooseSubdomain(page, 'carol')
      await button(page, 'Delete Account').waitFor()
      await signOut(page)
      await button(page, 'Sign in with Google').click()
      await page.waitForURL(/\/internal\/accounts\/.*\/edit/)
      expect(await page.getByLabel('SIP realm').inputValue()).toBe(`carol.${ROOT}`)

      // whoever has no password needs none to delete the account
      await button(page, 'Delete Account').click()
      await page.getByLabel('Delete Message').fill('delete my account')
      expect(await page.getByLabel('Password', { exact: true }).count()).toBe(0)
      await button(page, 'PERMANENTLY DELETE MY ACCOUNT').click()
      await page.getByText("You've successfully logged out.").waitFor()

      await page.context().clearCookies()
      await signUp()
      await atGoogle('new-dave')
      await page.getByText('Your e-mail address is not verified at Google.').waitFor()
      expectNoTrouble(page)
    })
    await page.context().close()
  })

  it('registers with GitHub, and takes no answer that this browser did not ask for', async () => {
    const { url, mailbox } = await startHosted(database)
    const page = await openPage(browser)
    await told(page, `register-github-${database}`, async () => {
      const signUp = async (as: string) => {
        await page.goto(`${url}/register`)
        await page.getByLabel(/I accept the Terms of Service/).check()
        await button(page, 'Sign up with GitHub').click()
        await page.getByRole('link', { name: `Authorize as ${as}` }).click()
      }
      await signUp('hubot')
      await page.getByText('Your e-mail address is not verified at GitHub.').waitFor()

      const callback = `${url}/oauth-callback/`
      await page.goto(`${callback}gitlab?code=x&state=y`)
      await page.getByText('gitlab is not a valid OAuth provider').waitFor()
      await page.goto(`${callback}github?code=x&state=forged`)
      await page.getByText('Invalid state').waitFor()
      await page.goto(`${callback}github?state=forged`)
      await page.getByText('Invalid state').waitFor()

      // begun by somebody else, who hopes that it is finished here
      const other = await openPage(browser)
      await other.goto(url)
      await button(other, 'Sign in with GitHub').click()
      const link = other.getByRole('link', { name: 'Authorize as mona' })
      const stolen = (await link.getAttribute('href'))!
      await other.context().close()
      const state = new URL(stolen).searchParams.get('state')!
      await page.evaluate((s) => localStorage.setItem(`oauth-state:${s}`, '/register'), state)
      await page.goto(stolen)
      await page.getByText('Invalid state').waitFor()

      let came = ''
      page.on('request', (r) => {
        if (r.url().startsWith(`${callback}github`)) came = r.url()
      })
      await signUp('mona')
      await chooseSubdomain(page, 'mona')
      await page.goto(came)
      await page.getByText('Invalid state').waitFor()
      await button(page, 'Go back to where you were').click()
      await page.waitForURL(/\/internal\/accounts\/.*\/edit/)
      await signOut(page)

      // the address is mona's, and nobody comes in by it
      await begin(page, url)
      await giveAddress(page, 'mona@example.org', PASSWORD)
      expect(await mailbox.next()).toContain('It has an account already')
      expectNoTrouble(page)
    })
    await page.context().close()
  })
})

it('shows only the ways in that are set up', async () => {
  const server = keep(await startSwitchroom('sqlite', { ENABLE_HOSTED_SYSTEM: '1' }))
  const page = await openPage(browser)
  await page.goto(`${server.url}/register`)
  await button(page, 'Sign up with email').waitFor()
  expect(await page.getByRole('button', { name: /Google|GitHub/ }).count()).toBe(0)
  await page.getByLabel(/I accept/).check()
  await button(page, 'Sign up with email').click()
  await page.getByText(/Mail is not set up on this server/).waitFor()
  await page.context().close()
})

it('has nothing of it without the flag', async () => {
  const server = keep(await startSwitchroom('sqlite'))
  const page = await openPage(browser)
  await page.goto(`${server.url}/`)
  await button(page, 'Log in').waitFor()
  expect(await page.getByRole('link', { name: 'Register' }).count()).toBe(0)
  await page.goto(`${server.url}/register`)
  await page.getByText("That page doesn't exist.").waitFor()
  await page.context().close()
})

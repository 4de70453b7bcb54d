import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, expectToast, logInByForm, openPage, reportFailures } from './browser.ts'
import { api, fetchToken, PASSWORD, type Switchroom, startSwitchroom } from './harness.ts'
import { freePort } from './ports.ts'
import { SP } from './screens.ts'
import { shareWorld } from './world.ts'

let server: Switchroom
let url: string
shareWorld(
  async () => {
    const port = String(await freePort())
    // passkeys are bound to names, not to addresses
    url = `http://localhost:${port}`
    server = await startSwitchroom('sqlite', { HTTP_PORT: port, JAMBONZ_BASE_URL: url })
  },
  () => server?.stop(),
)

/** A user of the provider, with a password that need not be changed. */
async function addUser(name: string) {
  const token = await fetchToken(url)
  const user = { name, email: `${name}@example.org`, initial_password: PASSWORD, force_change: 0 }
  return api<{ user_sid: string }>(url, token, 'POST', '/Users', {
    ...user,
    service_provider_sid: SP,
  })
}

/** A code of some steps before or after now: each works once. */
const codeOf = (secret: string, steps: number) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + steps * 30_000 })

const enterPassword = (page: Page) =>
  page.getByRole('textbox', { name: 'Your password' }).fill(PASSWORD)

/** From the QR code on: adds the app with the present code, which is valid in the next step too. Resolves to both. */
async function finishApp(page: Page) {
  await page.getByRole('img', { name: 'QR code with the secret' }).waitFor()
  const secret = (await page.getByLabel('Secret', { exact: true }).innerText()).replaceAll(' ', '')
  const usedCode = codeOf(secret, 0)
  await page.getByLabel('Code from your app').fill(usedCode)
  await page.getByRole('button', { name: 'Add app' }).click()
  return { secret, usedCode }
}

async function keepRecoveryCodes(page: Page) {
  const list = page.getByRole('list', { name: 'Recovery codes' })
  await list.waitFor()
  const codes = await list.getByRole('listitem').allInnerTexts()
  expect(codes).toHaveLength(10)
  await page.getByLabel('I have saved these codes').check()
  await page.getByRole('button', { name: 'Done' }).click()
  return codes
}

async function firstStep(page: Page, name: string) {
  await page.goto(`${url}/`)
  await page.getByLabel('Username').fill(name)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.getByRole('heading', { name: 'Second step' }).waitFor()
}

async function logOut(page: Page) {
  await page.getByRole('button', { name: 'Log out' }).first().click()
  await page.getByText("You've successfully logged out.").waitFor()
}

it('sets up an authenticator app, and logs in with its codes and a recovery code', async () => {
  await addUser('ann')
  const page = await openPage()
  await reportFailures(page, 'second-factor-app', async () => {
    await logInByForm(page, url, 'ann')
    await page.getByRole('link', { name: 'Security' }).click()
    await page.getByText('You log in with your password alone.').waitFor()
    await page.getByRole('button', { name: 'Set up app' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Enter your password').waitFor()
    await page.getByRole('textbox', { name: 'Your password' }).fill('wrong')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('password is incorrect').waitFor()
    await enterPassword(page)
    await page.keyboard.press('Enter')
    await page.getByLabel('Code from your app').waitFor()
    await expectAccessible(page, 'QR code')
    const { secret, usedCode } = await finishApp(page)
    const codes = await keepRecoveryCodes(page)
    await page.getByText('10 left').waitFor()
    await logOut(page)

    await firstStep(page, 'ann')
    await expectAccessible(page, 'second step')
    await page.setViewportSize({ width: 320, height: 640 })
    await expectNoSidewaysScroll(page, 'second step')
    await page.getByLabel('Code from your app').fill(usedCode)
    await page.keyboard.press('Enter')
    await page.getByText('This code is not valid.').waitFor()
    await page.getByLabel('Code from your app').fill(codeOf(secret, 1))
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/internal\//)
    await page.setViewportSize({ width: 1280, height: 900 })
    await logOut(page)

    await firstStep(page, 'ann')
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page.getByLabel('Recovery code').fill(codes[4]!)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.waitForURL(/\/internal\//)
    await page.goto(`${url}/internal/security`)
    await page.getByText('9 left').waitFor()
    for (const canary of [secret, ...codes]) expect(server.log()).not.toContain(canary)
    expectNoErrors(page)
  })
})

it('logs in with a passkey, after the password and in place of it', async () => {
  await addUser('ben')
  const page = await openPage()
  await reportFailures(page, 'second-factor-passkey', async () => {
    const browser = await page.context().newCDPSession(page)
    await browser.send('WebAuthn.enable')
    await browser.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    await logInByForm(page, url, 'ben')
    await page.getByRole('link', { name: 'Security' }).click()
    await page.getByRole('button', { name: 'Add passkey' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Work laptop')
    await enterPassword(page)
    await dialog.getByRole('button', { name: 'Add passkey' }).click()
    await keepRecoveryCodes(page)
    const list = page.getByRole('list', { name: 'Passkeys' })
    await list.getByText('Work laptop').waitFor()
    await page.getByRole('button', { name: 'Rename Work laptop' }).click()
    await dialog.getByLabel('Name').fill('')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Enter a name').waitFor()
    await dialog.getByLabel('Name').fill('Laptop at home')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expectToast(page, 'Passkey renamed')
    await list.getByText('Laptop at home').waitFor()
    await logOut(page)

    await firstStep(page, 'ben')
    await page.getByRole('button', { name: 'Use passkey' }).click()
    await page.waitForURL(/\/internal\//)
    await logOut(page)
    await page.getByRole('button', { name: 'Log in with a passkey' }).click()
    await page.waitForURL(/\/internal\//)

    // the passkey itself is the proof that removes it
    await page.goto(`${url}/internal/security`)
    await page.getByRole('button', { name: 'Remove Laptop at home' }).click()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByRole('button', { name: 'Remove passkey' }).click()
    await page.getByText('No passkeys.').waitFor()
    await logOut(page)
    await logInByForm(page, url, 'ben')
    expectNoErrors(page)
  })
})

it('asks for a second factor where it is required, and lets a manager reset it', async () => {
  const { user_sid } = await addUser('cleo')
  const admin = await openPage()
  const page = await openPage()
  await reportFailures(page, 'second-factor-required', async () => {
    await logInByForm(admin, url)
    await admin.goto(`${url}/internal/settings?tab=provider`)
    await admin.getByLabel('Require a second factor of all users').click()
    await expectToast(admin, 'Second factor required')

    const logIn = async () => {
      await page.goto(`${url}/`)
      await page.getByLabel('Username').fill('cleo')
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.getByRole('button', { name: 'Log in', exact: true }).click()
      await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor()
    }
    await logIn()
    await expectAccessible(page, 'set-up')
    // nothing else opens before
    await page.goto(`${url}/internal/applications`)
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
    await enterPassword(page)
    await page.getByRole('button', { name: 'Continue' }).click()
    await finishApp(page)
    await page.setViewportSize({ width: 320, height: 900 })
    await page.getByRole('list', { name: 'Recovery codes' }).waitFor()
    await expectNoSidewaysScroll(page, 'recovery codes')
    await page.setViewportSize({ width: 1280, height: 900 })
    // the server is away for a moment
    const renewal = '**/api/v1/Session/renew'
    await page.route(renewal, (route) => route.fulfill({ status: 503, json: {} }))
    await keepRecoveryCodes(page)
    const retry = page.getByRole('button', { name: 'Try again' })
    await retry.waitFor()
    await page.unroute(renewal)
    await retry.click()
    await page.waitForURL(/\/internal\//)
    // away, so that no request in the background finds out before the page does
    await page.goto('about:blank')

    await admin.goto(`${url}/internal/users/${user_sid}/edit`)
    await admin.getByText('Authenticator app', { exact: true }).waitFor()
    await admin.getByRole('button', { name: 'Reset second factor' }).click()
    await enterPassword(admin)
    await expectAccessible(admin, 'reset')
    await admin.getByRole('dialog').getByRole('button', { name: 'Reset second factor' }).click()
    await expectToast(admin, 'Second factor reset')
    await page.goto(`${url}/internal/applications`)
    await page.getByText('Your session has expired.').waitFor()
    // the password is known from the log-in just now
    await logIn()
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('img', { name: 'QR code with the secret' }).waitFor()
    expectNoErrors(page)
    expectNoErrors(admin)
  })
})

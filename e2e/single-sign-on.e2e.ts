import type { Page } from 'playwright-core'
import { afterEach, describe, expect, it } from 'vitest'
import { CLIENT, identityProvider } from '../packages/server/test/stand-ins/identity-provider.ts'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, expectToast, logInByForm, openPage, reportFailures } from './browser.ts'
import { databasesFor } from './databases.ts'
import { api, fetchToken, PASSWORD, startSwitchroom } from './harness.ts'
import { freePort } from './ports.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of cleanups.splice(0)) await end()
})

async function start(database: 'sqlite' | 'mysql') {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const idp = await identityProvider({
    redirect_uri: `${url}/single-sign-on`,
    log_out_uri: `${url}/`,
    backchannel_logout_uri: `${url}/v1/sso/backchannel-logout`,
  })
  cleanups.unshift(idp.close)
  const server = await startSwitchroom(database, {
    HTTP_PORT: String(port),
    JAMBONZ_BASE_URL: url,
    SWITCHROOM_ALLOW_NETWORKS: '127.0.0.0/8',
  })
  cleanups.unshift(server.stop)
  return { url, idp }
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const save = async (page: Page) => {
  await button(page, 'Save').click()
  await expectToast(page, 'Single sign-on settings updated')
}
const logInAs = async (page: Page, person: string) => {
  await button(page, 'Log in with Acme ID').click()
  await button(page, `Continue as ${person}`).click()
}
const enterPassword = async (page: Page, name: string) => {
  await page.getByLabel('Username').fill(name)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await button(page, 'Log in').click()
}

async function setUp(page: Page, url: string, issuer: string) {
  await page.goto(`${url}/internal/single-sign-on`)
  await page.getByRole('switch', { name: 'Log in with single sign-on' }).check()
  await page.getByLabel('Name', { exact: true }).fill('Acme ID')
  await page.getByLabel('Issuer').fill(`${issuer}/nothing`)
  await button(page, 'Check issuer').click()
  await page.getByText('does not publish a usable OpenID Connect configuration').waitFor()
  await page.getByLabel('Issuer').fill(issuer)
  await button(page, 'Check issuer').click()
  await page.getByText(`${issuer} answers`).waitFor()
  await page.getByLabel('Client ID').fill(CLIENT.client_id)
  await page.getByLabel('Client secret').fill(CLIENT.client_secret)
  await button(page, 'Add rule').click()
  const rule = page.getByRole('group', { name: 'Rule 1' })
  await rule.getByLabel('Value').fill('ops')
  await rule.getByLabel('Scope').click()
  await page.getByRole('option', { name: 'Administrator' }).click()
  const sample = page.getByLabel('Sample token')
  await sample.fill(JSON.stringify({ sub: '1', email: 'o@acme.example', groups: ['staff'] }))
  await button(page, 'Test rules').click()
  await page.getByText('Refused: No access rule applies').waitFor()
  await sample.fill(JSON.stringify({ sub: '1', email: 'o@acme.example', groups: ['ops'] }))
  await button(page, 'Test rules').click()
  await page.getByText('Rule 1 applies. o@acme.example logs in as Administrator.').waitFor()
  await expectAccessible(page, 'single sign-on')
  await save(page)
}

describe.each(databasesFor('single-sign-on'))('on %s', (database) => {
  it('is set up, used, left and enforced', async () => {
    const { url, idp } = await start(database)
    const token = await fetchToken(url)
    const local = { name: 'local', email: 'local@example.org', initial_password: PASSWORD }
    await api(url, token, 'POST', '/Users', { ...local, force_change: 0 })

    const admin = await openPage()
    await reportFailures(admin, 'single-sign-on', async () => {
      await logInByForm(admin, url)
      await setUp(admin, url, idp.issuer)
      const enforce = admin.getByRole('switch', { name: 'Turn passwords and passkeys off' })
      await enforce.check()
      await button(admin, 'Save').click()
      await admin
        .getByText('Log in with single sign-on once before you enforce it.')
        .first()
        .waitFor()
      await button(admin, 'Discard').click()
    })

    const page = await openPage()
    await reportFailures(page, 'single-sign-on-user', async () => {
      await page.goto(url)
      await logInAs(page, 'stranger')
      await page.getByText('No access rule applies to you').waitFor()
      await expectAccessible(page, 'log-in with single sign-on')
      // no other code than the one of the URL is left in the history
      expect(page.url()).toBe(`${url}/`)
    })
    const olga = await openPage()
    await reportFailures(olga, 'single-sign-on-olga', async () => {
      await olga.goto(`${url}/internal/users`)
      await logInAs(olga, 'olga')
      await olga.waitForURL(`${url}/internal/users?*`)
      await olga.getByRole('link', { name: 'olga', exact: true }).click()
      await olga.getByRole('link', { name: 'Edit', exact: true }).click()
      await olga.getByLabel('Email').waitFor()
      expect(await olga.getByLabel('Temporary password').count()).toBe(0)
      const bearer = (await olga.evaluate(() => localStorage.getItem('token'))) ?? ''
      await api(url, bearer, 'PUT', '/Preferences', { language: 'de' })
      await button(olga, 'Log out').click()
      await button(olga, 'Yes, sign me out').click()
      await olga.getByText("You've successfully logged out.").waitFor()
    })

    // where she has chosen no language yet, and the log-in page is in that of the browser
    const german = await openPage()
    await reportFailures(german, 'single-sign-on-language', async () => {
      await german.goto(`${url}/internal/users`)
      await logInAs(german, 'olga')
      await german.getByRole('navigation', { name: 'Hauptmenü' }).waitFor()
      expect(await german.locator('html').getAttribute('lang')).toBe('de')
      expectNoErrors(german)
    })

    await reportFailures(admin, 'single-sign-on-enforced', async () => {
      await admin.reload()
      await admin.getByLabel('Break-glass users').click()
      await admin.getByRole('option', { name: /^admin/ }).click()
      await admin.getByRole('switch', { name: 'Turn passwords and passkeys off' }).check()
      await save(admin)
      await page.reload()
      await enterPassword(page, 'local')
      await page
        .getByText('Log in with Acme ID. Passwords work for break-glass users only.')
        .waitFor()
      await enterPassword(page, 'admin')
      await page.waitForURL(/internal/)
    })

    await reportFailures(admin, 'directory', async () => {
      await button(admin, 'Add directory').click()
      const dialog = admin.getByRole('dialog')
      await dialog.getByLabel('Name').fill('Okta')
      await button(admin, 'Add directory').last().click()
      const scim = await admin.getByLabel('SCIM token', { exact: true }).innerText()
      await expectAccessible(admin, 'SCIM token')
      await button(admin, 'Done').click()
      const answer = await fetch(`${url}/scim/v2/Users`, {
        headers: { authorization: `Bearer ${scim}` },
      })
      expect(await answer.json()).toMatchObject({ totalResults: 0 })
      await admin.getByRole('cell', { name: 'Okta', exact: true }).waitFor()
      await admin.setViewportSize({ width: 320, height: 700 })
      await expectNoSidewaysScroll(admin, 'single sign-on')
      expectNoErrors(admin)
      expectNoErrors(page)
    })
  })
})

it('shows a view-only administrator the settings, and nothing to change them with', async () => {
  const server = await startSwitchroom('sqlite')
  cleanups.unshift(server.stop)
  const viewer = { name: 'viewer', email: 'viewer@example.org', initial_password: PASSWORD }
  await api(server.url, await fetchToken(server.url), 'POST', '/Users', {
    ...viewer,
    force_change: 0,
    is_view_only: true,
  })
  const page = await openPage()
  await logInByForm(page, server.url, 'viewer')
  await page.goto(`${server.url}/internal/single-sign-on`)
  await page.getByText('No directories yet.').waitFor()
  const secret = page.getByLabel('Client secret')
  expect(await secret.innerText()).toBe('Not set')
  for (const name of ['Check issuer', 'Add rule', 'Test rules', 'Add directory', 'Save'])
    expect(await button(page, name).count(), name).toBe(0)
  expectNoErrors(page)
})

import { expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, expectToast, logInByForm, openPage, reportFailures } from './browser.ts'
import { api, fetchToken, PASSWORD, type Switchroom, startSwitchroom } from './harness.ts'
import { SP } from './screens.ts'
import { shareWorld } from './world.ts'

let server: Switchroom
let url: string
shareWorld(
  async () => {
    server = await startSwitchroom()
    url = server.url
  },
  () => server?.stop(),
)

const status = async (token: string) =>
  (await fetch(`${url}/api/v1/Users/me`, { headers: { authorization: `Bearer ${token}` } })).status

async function addUser(name: string, more: object = {}) {
  const user = { name, email: `${name}@example.org`, initial_password: PASSWORD, force_change: 0 }
  const body = { ...user, service_provider_sid: SP, ...more }
  return api<{ user_sid: string }>(url, await fetchToken(url), 'POST', '/Users', body)
}

it('lists one’s own sessions and ends them, also of a view-only user', async () => {
  await addUser('vera', { is_view_only: 1 })
  const [one, two, three] = await Promise.all([0, 0, 0].map(() => fetchToken(url, 'vera')))
  const page = await openPage()
  await reportFailures(page, 'sessions-own', async () => {
    await logInByForm(page, url, 'vera')
    await page.getByRole('link', { name: 'Security' }).click()
    const list = page.getByRole('list', { name: 'Sessions' })
    await list.getByText('This session').waitFor()
    expect(await list.getByRole('listitem').count()).toBe(4)
    expect(await list.innerText()).toMatch(/Chrome on Linux[\s\S]+from 127\.0\.0\.1 with password/)
    await expectAccessible(page, 'security')
    await page.setViewportSize({ width: 320, height: 640 })
    await expectNoSidewaysScroll(page, 'security')
    await page
      .getByRole('button', { name: /^End session: / })
      .first()
      .click()
    await expectToast(page, 'Session ended')
    const open = async () => (await Promise.all([one, two, three].map((t) => status(t!)))).sort()
    expect(await open()).toEqual([200, 200, 401])
    await page.getByRole('button', { name: 'End all other sessions' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End all other sessions' }).click()
    await expectToast(page, 'Sessions ended')
    expect(await open()).toEqual([401, 401, 401])
    expect(await list.getByRole('listitem').count()).toBe(1)
    await expectNoErrors(page)
  })
})

it('logs out here, or everywhere', async () => {
  await addUser('yara')
  const elsewhere = await fetchToken(url, 'yara')
  const page = await openPage()
  await reportFailures(page, 'sessions-log-out', async () => {
    const chooses = async (item: string) => {
      await logInByForm(page, url, 'yara')
      const token = (await page.evaluate(() => localStorage.getItem('token')))!
      await page.getByRole('button', { name: 'User menu' }).click()
      await page.getByRole('menuitem', { name: item, exact: true }).click()
      await page.getByText("You've successfully logged out.").waitFor()
      return Promise.all([token, elsewhere].map(status))
    }
    expect(await chooses('Log out')).toEqual([401, 200])
    expect(await chooses('Log out everywhere')).toEqual([401, 401])
    await expectNoErrors(page)
  })
})

it('says that one has logged out, not that the session expired, to a screen that still asks', async () => {
  await addUser('zoe')
  const page = await openPage()
  await reportFailures(page, 'sessions-log-out-late', async () => {
    await logInByForm(page, url, 'zoe')
    await page.route('**/api/v1/logout', async (route) => {
      const response = await route.fetch()
      const refused = page.waitForResponse((r) => r.status() === 401)
      await page.getByRole('link', { name: 'Phone numbers' }).click()
      await refused
      await route.fulfill({ response })
    })
    await page.getByRole('button', { name: 'Log out' }).first().click()
    await page.getByText("You've successfully logged out.").waitFor()
  })
})

it('logs a user out everywhere, by whoever manages the user', async () => {
  const { user_sid } = await addUser('walt')
  const token = await fetchToken(url, 'walt')
  const page = await openPage()
  await reportFailures(page, 'sessions-managed', async () => {
    await logInByForm(page, url)
    await page.goto(`${url}/internal/users/${user_sid}/edit`)
    await page.getByText('Where walt is logged in.').waitFor()
    await page.getByRole('button', { name: 'End all sessions' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End all sessions' }).click()
    await expectToast(page, 'Sessions ended')
    await page.getByText('Not logged in anywhere.').waitFor()
    expect(await status(token)).toBe(401)
    await page.goto(`${url}/internal/audit-log`)
    await page.getByRole('cell', { name: 'Session', exact: true }).waitFor()
    await expectNoErrors(page)
  })
})

it('shows nothing of an earlier user to somebody who logs in in another tab', async () => {
  await addUser('xena')
  const page = await openPage()
  await reportFailures(page, 'sessions-other-user', async () => {
    await logInByForm(page, url)
    await page.getByRole('link', { name: 'Users' }).click()
    const administrator = page.getByRole('cell', { name: 'admin', exact: true }).first()
    await administrator.waitFor()
    const other = await page.context().newPage()
    await other.goto(`${url}/start.js`)
    const token = await fetchToken(url, 'xena')
    await other.evaluate((token) => localStorage.setItem('token', token), token)
    await page.getByRole('heading', { name: 'Accounts' }).waitFor()
    const answer = Promise.withResolvers<void>()
    await page.route(/\/Users\?/, async (route) => {
      await answer.promise
      await route.continue()
    })
    await page.getByRole('link', { name: 'Users' }).click()
    await page.getByRole('heading', { name: 'Users' }).waitFor()
    expect(await administrator.count()).toBe(0)
    answer.resolve()
    await page.getByRole('cell', { name: 'xena', exact: true }).first().waitFor()
    expect(await administrator.count()).toBe(0)
    await expectNoErrors(page)
  })
})

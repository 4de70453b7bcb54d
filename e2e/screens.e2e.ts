import { afterAll, beforeAll, expect, it } from 'vitest'
import { stripeStandIn } from '../packages/server/test/stand-ins/stripe.ts'
import { expectAccessible, expectHighContrast, expectNoSidewaysScroll } from './accessibility.ts'
import {
  expectNoErrors,
  logIn,
  openPage,
  reportFailures,
  waitForRequests,
  waitUntilLoaded,
} from './browser.ts'
import { api, fetchToken, PASSWORD, startSwitchroom } from './harness.ts'
import { servePayments } from './payment-page.ts'
import { ACCOUNT, LONG_NAME, LONG_REALM, type Sid, SP, startSeeded, visit } from './screens.ts'

/** Rules for all screens, and the public screens. The others are in `screens-roles`. */
let server: Awaited<ReturnType<typeof startSeeded>>
beforeAll(async () => {
  server = await startSeeded()
})
afterAll(() => server.stop())

it('changes only colors between the light and the dark theme', async () => {
  const page = await openPage()
  await page.goto(server.url)
  const styles = await page.evaluate(async () => {
    const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')]
    return (await Promise.all(links.map(async ({ href }) => (await fetch(href)).text()))).join('')
  })
  // `light-dark` takes colors only
  expect(styles).toContain('light-dark(')
  expect(styles).not.toContain('prefers-color-scheme')
})

it('says that the providers could not be read, and leaves no failure to nobody', async () => {
  const page = await openPage()
  await logIn(page, server.url)
  const uncaught: string[] = []
  page.on('pageerror', (error) => uncaught.push(String(error)))
  // as in a browser where nobody has chosen one yet
  await page.evaluate(() => localStorage.removeItem('activeServiceProvider'))
  await page.route(/\/ServiceProviders\?/, (route) =>
    route.fulfill({ status: 403, json: { msg: 'Not these', code: 'forbidden' } }),
  )
  await page.goto(`${server.url}/internal/users`)
  await page.getByText('You do not have access').first().waitFor()
  expect(uncaught).toEqual([])
  await page.context().close()
})

it('forgets a chosen provider that is gone', async () => {
  const page = await openPage()
  await logIn(page, server.url)
  await page.evaluate(() => localStorage.setItem('activeServiceProvider', 'gone'))
  await page.goto(`${server.url}/internal/accounts`)
  await page.getByRole('cell', { name: LONG_NAME }).first().waitFor()
  const stored = () => page.evaluate(() => localStorage.getItem('activeServiceProvider'))
  await expect.poll(stored).toBe(SP)
  expectNoErrors(page)
  await page.context().close()
})

it('keeps account users to their own account, and says so', async () => {
  const page = await openPage()
  await logIn(page, server.url, 'account')
  await page.waitForURL(new RegExp(`accounts/${ACCOUNT}/edit`))
  for (const [path, message] of [
    ['/internal/accounts', 'You do not have permissions to manage all accounts'],
    ['/internal/settings', 'You do not have permissions to manage Settings'],
    [`/internal/accounts/${SP}/edit`, 'You do not have access.'],
  ] as const) {
    await page.goto(server.url + path)
    await page.getByText(message).waitFor()
    expect(page.url()).toContain(`accounts/${ACCOUNT}/edit`)
  }
  await page.context().close()

  // provider users are kept to their own provider
  const admin = await fetchToken(server.url)
  const post = (path: string, body: object) => api<Sid>(server.url, admin, 'POST', path, body)
  const service_provider_sid = (await post('/ServiceProviders', { name: 'some other provider' }))
    .sid
  const theirs = await post('/Accounts', { name: 'theirs', service_provider_sid })
  const other = await openPage()
  await logIn(other, server.url, 'provider')
  await other.goto(`${server.url}/internal/accounts/${theirs.sid}/edit`)
  await other.getByRole('alert').getByText('You do not have access.').waitFor()
  await other.waitForURL(/internal\/accounts$/)
  await other.context().close()
})

it('keeps filter and page in the URL, and Back restores them', async () => {
  const page = await openPage()
  await logIn(page, server.url)
  await visit(page, `${server.url}/internal/phone-numbers`)
  await page.getByText('Total: 61 records').waitFor()
  await page.getByRole('link', { name: 'Page 3', exact: true }).click()
  await page.waitForURL(/page=3/)
  await page.getByLabel('Filter phone numbers').fill('5551001')
  await page.waitForURL(/filter=5551001/)
  await page.getByText('Total: 1 record', { exact: true }).waitFor()
  expect(page.url()).not.toContain('page=3')
  await page.goBack()
  await page.waitForURL(/page=3/)
  await page.getByText('Total: 61 records').waitFor()
  await page.reload()
  await page.getByText('Total: 61 records').waitFor()
  expect(page.url()).toContain('page=3')
  await page.context().close()
})

it('says soon that a list is retried, and then why it failed', async () => {
  const page = await openPage()
  await logIn(page, server.url)
  const shown = Promise.withResolvers<void>()
  const said = Promise.withResolvers<void>()
  let asked = 0
  await page.route('**/Clients?*', async (route) => {
    await (++asked === 1 ? shown : said).promise
    await route.fulfill({
      status: 500,
      json: { msg: 'The store failed', code: 'internal', request_id: 'request-1234', issues: [] },
    })
  })
  // the time to show the screen is another test's; its list is asked for before, when the pointer meets the link
  await visit(page, `${server.url}/internal/users`)
  await page.getByRole('link', { name: 'SIP clients' }).click()
  await page.getByRole('heading', { name: 'SIP clients' }).waitFor()
  shown.resolve()
  // the first retry has no answer yet
  await page.getByText('The store failed. Trying again…').waitFor()
  expect(asked).toBeLessThanOrEqual(2)
  said.resolve()
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  // how long that takes without anyone reading is in `api.test.ts`
  expect(asked).toBe(4)
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Total: 1 record', { exact: true }).waitFor()
  await page.context().close()
})

it('opens what was pressed before its code arrived, or says that the server is away', async () => {
  const page = await openPage()
  await logIn(page, server.url)
  const code = Promise.withResolvers<void>()
  const popups = '**/assets/popups-*.js'
  await page.route(popups, async (route) => {
    await code.promise
    await route.continue()
  })
  await page.goto(`${server.url}/internal/carriers`)
  const more = page.getByRole('button', { name: 'More actions' }).first()
  await more.click()
  await more.click()
  expect(await more.getAttribute('aria-expanded')).toBe('false')
  code.resolve()
  await page.getByRole('menuitem', { name: 'Edit carrier' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'hidden' })
  await expect.poll(() => more.evaluate((el) => el === document.activeElement)).toBe(true)

  // typing on a closed picker chooses
  const token = await fetchToken(server.url)
  await api(server.url, token, 'POST', '/ServiceProviders', { name: 'Typed telecom' })
  await page.reload()
  const provider = page.getByRole('combobox', { name: 'Service provider' })
  await provider.press('t')
  await provider.filter({ hasText: 'Typed telecom' }).waitFor()
  expectNoErrors(page)

  await page.unroute(popups)
  const away = /popups-|index\.html/
  await page.route(away, (route) => route.abort())
  await page.goto(`${server.url}/internal/users`)
  await more.click()
  await page.getByRole('alert').getByText('The server cannot be reached').waitFor()
  expect(await more.evaluate((el) => el === document.activeElement)).toBe(true)
  await page.unroute(away)
  await expect
    .poll(async () => {
      await more.click()
      return page.getByRole('menu').isVisible()
    })
    .toBe(true)
  await page.context().close()
})

it('replaces what was selected in a picker before its code arrived', async () => {
  const page = await openPage()
  await logIn(page, server.url)
  await visit(page, `${server.url}/internal/phone-numbers/${server.sids.number}/edit`)
  const picker = page.getByRole('combobox', { name: 'Application' })
  await expect.poll(() => picker.inputValue()).not.toBe('')
  // as the picker takes the place of the plain input
  const selected = await picker.evaluate(
    (plain: HTMLInputElement) =>
      new Promise<string>((resolve) => {
        new MutationObserver((_, observer) => {
          const late = document.activeElement
          if (plain.isConnected || !(late instanceof HTMLInputElement)) return
          observer.disconnect()
          resolve(late.value.slice(late.selectionStart ?? 0, late.selectionEnd ?? 0))
        }).observe(document.body, { childList: true, subtree: true })
        plain.focus()
        plain.select()
      }),
  )
  expect(selected).toBe(await picker.inputValue())
  await page.context().close()
})

it('leaves toasts alone while they are read, and reaches them and tabs by keyboard', async () => {
  const page = await openPage()
  await logIn(page, server.url)
  await page.clock.install()
  await visit(page, `${server.url}/internal/settings`)
  const focused = page.locator(':focus')
  await page.getByRole('tab', { name: 'Admin' }).focus()
  await page.keyboard.press('ArrowLeft')
  expect(await focused.textContent()).toBe('Brand')
  await page.keyboard.press('ArrowLeft')
  expect(await focused.textContent()).toBe('Service provider')
  await page.getByRole('tabpanel', { name: 'Admin' }).waitFor()
  await page.keyboard.press('Enter')
  const name = page.getByRole('tabpanel').getByLabel('Service provider name')
  await name.waitFor()
  await waitUntilLoaded(page)
  await page.keyboard.press('Home')
  expect(await focused.textContent()).toBe('Admin')
  await page.keyboard.press('End')
  await page.keyboard.press('Tab')
  expect(await focused.getAttribute('role')).toBe('tabpanel')

  // still the first by name, which is the current one
  await name.fill('A telecom')
  await page.getByRole('button', { name: 'Save' }).click()
  const saved = page.getByRole('status').filter({ hasText: 'Settings updated' })
  await saved.waitFor()
  await saved.hover()
  await page.clock.runFor(20_000)
  expect(await saved.isVisible()).toBe(true)
  await name.focus()
  await page.keyboard.press('F6')
  await page.keyboard.press('Tab')
  expect(await focused.getAttribute('role')).toBe('status')
  await page.mouse.move(0, 0)
  await page.clock.runFor(20_000)
  expect(await saved.isVisible()).toBe(true)
  await page.keyboard.press('Escape')
  await saved.waitFor({ state: 'hidden' })
  expect(await name.evaluate((el) => el === document.activeElement)).toBe(true)
  await name.fill('Another telecom')
  await page.keyboard.press('Enter')
  await saved.waitFor()
  await page.clock.runFor(6_000)
  await saved.waitFor({ state: 'hidden' })
  expectNoErrors(page)
  await page.context().close()
})

it('has a contrast of 7:1 for those who ask for more', async () => {
  const page = await openPage()
  await logIn(page, server.url)
  for (const [name, path] of Object.entries({
    list: '/internal/carriers',
    form: '/internal/applications/add',
    settings: '/internal/settings',
    'getting started': '/internal/getting-started',
    'system health': '/internal/system-health',
  })) {
    await page.goto(server.url + path)
    await page.getByRole('main').getByRole('heading').first().waitFor()
    await waitUntilLoaded(page)
    await expectHighContrast(page, name)
  }
  await page.context().close()
})

it('loads less than 120 kB of script for the log-in page', async () => {
  const page = await openPage()
  let bytes = 0
  page.on('response', async (r) => {
    if (r.request().resourceType() !== 'script') return
    const { responseBodySize } = await r.request().sizes()
    bytes += responseBodySize
  })
  await page.goto(`${server.url}/`)
  await page.getByLabel('Username').waitFor()
  await page.waitForLoadState('networkidle')
  expect(bytes).toBeGreaterThan(20_000)
  expect(bytes).toBeLessThan(120_000)
  await page.context().close()
})

it('shows accessible public screens that fit a phone', async () => {
  const page = await openPage()
  for (const [name, path] of Object.entries({
    'log in': '/',
    'forgot password': '/forgot-password',
    'reset password': '/reset-password/none',
    'no such page': '/nothing-here',
  })) {
    await page.goto(server.url + path)
    await page.getByRole('heading').first().waitFor()
    await waitUntilLoaded(page)
    await expectAccessible(page, name)
    await expectNoSidewaysScroll(page, name)
  }
  await page.getByText("That page doesn't exist.").waitFor()
  expectNoErrors(page)
  await page.context().close()
})

it('shows accessible screens of the hosted variant that fit a phone', async () => {
  const stripe = await stripeStandIn()
  const sold = stripe.billing.addProduct('voice_call_session', 'concurrent call session', {
    metadata: { jambonz_category: 'voice_call_session', availability: 'general' },
  })
  stripe.billing.addPrice(sold, { unit_amount: 2_000 })
  const hosted = await startSwitchroom('sqlite', {
    ...stripe.environment,
    ENABLE_HOSTED_SYSTEM: '1',
    ENABLE_FORGOT_PASSWORD: '1',
    JAMBONZ_BASE_URL: 'http://127.0.0.1',
    SMTP_URL: 'smtp://127.0.0.1:9',
    GOOGLE_CLIENT_ID: 'x',
    GOOGLE_OAUTH_CLIENT_SECRET: 'x',
    GITHUB_CLIENT_ID: 'x',
    GITHUB_CLIENT_SECRET: 'x',
  })
  const page = await openPage()
  await servePayments(page, stripe)
  const check = async (name: string, path: string) => {
    await page.goto(hosted.url + path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await waitUntilLoaded(page)
    await expectAccessible(page, name)
    await expectNoSidewaysScroll(page, name)
  }
  const keep = (key: string, value: string) =>
    page.evaluate(([k, v]) => sessionStorage.setItem(k!, v!), [key, value])
  try {
    const token = await fetchToken(hosted.url)
    const put = (path: string, body: object) => api(hosted.url, token, 'PUT', path, body)
    await put(`/ServiceProviders/${SP}`, { root_domain: `${'long-label.'.repeat(6)}example.com` })
    await api(hosted.url, token, 'POST', '/Users', {
      name: 'ann',
      email: 'ann@example.org',
      initial_password: PASSWORD,
      force_change: 0,
      account_sid: ACCOUNT,
    })
    await reportFailures(page, 'screens-hosted', async () => {
      await check('log in', '/')
      await check('register', '/register')
      await keep('terms-accepted', 'true')
      await check('register by e-mail', '/register/email')
      await keep('registration', JSON.stringify({ jwt: 'x', user_sid: SP, email: LONG_NAME }))
      await check('verify your e-mail', '/register/email/verify-your-email')
      await page.goto(hosted.url)
      await page.getByLabel('Username or email').fill('ann')
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.getByRole('button', { name: 'Log in', exact: true }).click()
      await page.waitForURL(/choose-a-subdomain/)
      await check('choose a subdomain', '/register/choose-a-subdomain')
      await put(`/Accounts/${ACCOUNT}`, { sip_realm: LONG_REALM })
      await check('account form', `/internal/accounts/${ACCOUNT}/edit`)
      // however late, the hints come with the screen and push nothing away
      const asked = Promise.withResolvers<void>()
      const answer = Promise.withResolvers<void>()
      const carriers = '**/api/v1/VoipCarriers?*'
      await page.route(carriers, async (route) => {
        asked.resolve()
        await answer.promise
        await route.continue()
      })
      await page.reload()
      await asked.promise
      await waitForRequests(page, 1)
      const heading = page.getByRole('heading', { name: 'Edit account' })
      expect(await heading.isVisible()).toBe(false)
      answer.resolve()
      await heading.waitFor()
      expect(await page.getByText('Finish account setup').count()).toBe(1)
      await page.unroute(carriers)
      await check('upgrade', `/internal/accounts/${ACCOUNT}/subscription`)
      await page.getByTitle('Secure payment input frame').waitFor()
      await check('payment information', `/internal/accounts/${ACCOUNT}/manage-payment`)
      await check('SIP realm', `/internal/accounts/${ACCOUNT}/sip-realm/edit`)
      await page.evaluate((t) => localStorage.setItem('token', t), token)
      await check('settings', '/internal/settings?tab=provider')
      await page.getByLabel('Root domain').waitFor()
      await page.getByLabel('Concurrent call limit').fill('7')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Settings updated').waitFor()
      expect(await api(hosted.url, token, 'GET', `/ServiceProviders/${SP}/Limits`)).toMatchObject([
        { category: 'voice_call_session', quantity: 7 },
      ])
      await check('new account', '/internal/accounts/add')
    })
    expectNoErrors(page)
  } finally {
    await hosted.stop()
    await stripe.close()
  }
})

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, logIn, openPage, reportFailures } from './browser.ts'
import { api, fetchToken } from './harness.ts'
import { ACCOUNT, LONG_NAME, type Sid, startSeeded, visit } from './screens.ts'
import { shareWorld } from './world.ts'

let server: Awaited<ReturnType<typeof startSeeded>>
let application: string
let gone: string
shareWorld(
  async () => {
    server = await startSeeded()
    const token = await fetchToken(server.url)
    const hook = { url: 'https://example.com/hook', method: 'POST' }
    const add = (name: string) =>
      api<Sid>(server.url, token, 'POST', '/Applications', {
        name,
        account_sid: ACCOUNT,
        call_hook: hook,
        call_status_hook: hook,
      })
    application = (await add('Night desk')).sid
    gone = (await add('Closed desk')).sid
    const assign = (application_sid: string | null) =>
      api(server.url, token, 'PUT', `/PhoneNumbers/${server.sids.number}`, { application_sid })
    await assign(gone)
    await assign(application)
    await api(server.url, token, 'DELETE', `/Applications/${gone}`)
  },
  () => server.stop(),
)

const LOG = () => `${server.url}/internal/audit-log?kind=phone_number&action=update`
const dialog = (page: Page) => page.getByRole('dialog')

it('names what a change refers to, and keeps the open entry in the address', async () => {
  const page = await openPage()
  await logIn(page, server.url)
  await reportFailures(page, 'open-entry', async () => {
    const asked: string[] = []
    page.on('request', (r) => r.url().includes('/Names?') && asked.push(r.url()))
    await visit(page, LOG())
    const newest = page.getByRole('row', { name: /Changed Phone number/ }).first()
    await newest.hover()
    await newest.getByRole('button', { name: 'Show entry' }).click()
    await page.waitForURL(/[?&]open=\d+/)
    const field = dialog(page).getByRole('row', { name: /^application_sid/ })
    await field.getByText('Closed desk').waitFor()
    await field.getByText('deleted', { exact: true }).waitFor()
    expect(await field.getByRole('link', { name: 'Closed desk' }).count()).toBe(0)
    await field.getByRole('link', { name: 'Night desk' }).waitFor()
    await field.getByRole('button', { name: `Copy ${gone.slice(0, 4)}` }).waitFor()
    await field.getByRole('button', { name: `Copy ${application.slice(0, 4)}` }).waitFor()
    // all at once
    expect(asked).toHaveLength(1)
    await expectAccessible(page, 'audit entry with names')
    await expectNoSidewaysScroll(page, 'audit entry with names')

    // Back closes it, Forward opens it, and closing it goes back
    const link = page.url()
    await page.goBack()
    await dialog(page).waitFor({ state: 'detached' })
    await page.goForward()
    await field.waitFor()
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    expect(page.url()).not.toContain('open=')

    // a copied link opens it, also when it is on no page of the list
    await page.goto(link)
    await field.getByRole('link', { name: 'Night desk' }).waitFor()
    await page.goto(link.replace('action=update', 'action=create'))
    await field.getByRole('link', { name: 'Night desk' }).click()
    await page.getByRole('heading', { name: 'Night desk' }).waitFor()
    await page.goto(LOG().concat('&open=99999999'))
    await dialog(page).getByText('Entry not found, or you do not have access to it.').waitFor()
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    expect(page.url()).not.toContain('open=')

    // a whole thing, with what it belongs to
    await visit(page, `${server.url}/internal/audit-log?sid=${server.sids.number}&action=create`)
    await page.getByRole('button', { name: 'Show entry' }).first().click({ force: true })
    const owner = dialog(page).getByRole('row', { name: /^voip_carrier_sid/ })
    await owner.getByRole('link', { name: 'Northern Trunks' }).waitFor()
    await dialog(page)
      .getByRole('row', { name: /^account_sid/ })
      .getByRole('link', { name: LONG_NAME })
      .waitFor()
    expectNoErrors(page)
  })
})

it('keeps the open alert in the address', async () => {
  const page = await openPage()
  await logIn(page, server.url)
  await reportFailures(page, 'open-alert', async () => {
    await page.route(/\/Alerts\?/, (route) =>
      route.fulfill({
        json: {
          page: 1,
          page_size: 25,
          total: 2,
          data: [1, 2].map((n) => ({
            time: `2026-01-0${n}T00:00:00.000Z`,
            account_sid: ACCOUNT,
            alert_type: 'no-carrier',
            message: `number ${n}`,
          })),
        },
      }),
    )
    await visit(page, `${server.url}/internal/alerts`)
    const second = page.getByRole('row', { name: /number 2/ })
    await second.getByRole('button').first().click()
    await page.locator('.table-detail').waitFor()
    await page.waitForURL(/open=2026-01-02/)
    await page.goto(page.url())
    await page.locator('.table-detail').waitFor()
    expect(await second.getByRole('button', { expanded: true }).count()).toBe(1)
    // from the thing back to the list as it was
    await page.locator('.table-detail').getByText('number 2').first().waitFor()
    await page.getByRole('main').getByRole('link', { name: LONG_NAME }).first().click()
    await page.waitForURL(`**/internal/accounts/${ACCOUNT}?*`)
    await page.goBack()
    await page.locator('.table-detail').waitFor()
    await second.getByRole('button', { expanded: true }).click()
    await page.locator('.table-detail').waitFor({ state: 'detached' })
    expect(page.url()).not.toContain('open=')
    expectNoErrors(page)
  })
})

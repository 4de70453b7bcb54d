import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, expectToast, logIn, openPage, reportFailures } from './browser.ts'
import { api, fetchToken, PASSWORD, startSwitchroom } from './harness.ts'
import { freePort } from './ports.ts'

const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'
const SP = '2708b1b3-2736-40ea-b502-c53d8396247f'

let serial = 0
/** Nanoseconds, each another one. */
const now = () => `${Date.now()}${String(++serial).padStart(6, '0')}`
const OWNERS = `service_provider_sid=${SP},account_sid=${ACCOUNT}`
const calls = (trunk: string, status: number, count: number) =>
  Array.from({ length: count }, (_, i) => {
    const tags = `${OWNERS},answered=false,direction=outbound,host=10.0.0.1,trunk=${trunk}`
    const ids = `call_sid="${trunk}-${i}",sip_callid="${trunk}-${i}@pbx",from="15085551234"`
    return `cdrs,${tags} ${ids},to="493012345678",duration=0,sip_status=${status} ${now()}`
  })
const alert = (type: string, message: string) =>
  `alerts,${OWNERS},alert_type=${type} message="${message}" ${now()}`

/** Writes as the platform's components do. */
async function ingest(port: number, database: string, lines: string[]) {
  const url = `http://127.0.0.1:${port}/write?db=${database}&precision=n`
  const answer = await fetch(url, { method: 'POST', body: lines.join('\n') })
  expect(answer.status, await answer.text()).toBe(204)
}

const button = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true })
const badge = (page: Page, count: number) =>
  page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: count ? `Alerts ${count} open` : 'Alerts', exact: true })
/** The badge is not polled while its page is hidden. */
const hide = (page: Page) =>
  page.evaluate(() => Object.defineProperty(document, 'visibilityState', { value: 'hidden' }))
const rowsOf = (page: Page) => page.locator('main tbody tr:not([aria-hidden])')
const row = (page: Page, name: RegExp) => page.getByRole('row', { name }).first()
const expectTotal = (page: Page, n: number) =>
  page.getByText(`Total: ${n} ${n === 1 ? 'record' : 'records'}`, { exact: true }).waitFor()

it('has what is wrong in one list, of which the menu counts what needs somebody', async () => {
  const port = await freePort()
  const server = await startSwitchroom('sqlite', {
    SWITCHROOM_INGEST_INFLUX: `127.0.0.1:${port}`,
  })
  const page = await openPage()
  try {
    await reportFailures(page, 'inbox', async () => {
      const token = await fetchToken(server.url)
      await api(server.url, token, 'POST', '/Users', {
        ...{ name: 'viewer', email: 'viewer@example.org', is_view_only: 1, force_change: 0 },
        ...{ initial_password: PASSWORD, account_sid: ACCOUNT },
      })
      await ingest(port, 'cdrs', [...calls('Northwind', 503, 6), ...calls('Quiet', 404, 1)])
      await ingest(port, 'alerts', [
        alert('no-carrier', 'none for +49'),
        alert('no-tts', 'no voice'),
        alert('alert-from-application', 'good morning'),
      ])
      await logIn(page, server.url)
      await page.goto(`${server.url}/internal/inbox`)
      const isRead = async () => {
        await button(page, 'Refresh').click()
        return row(page, /Quiet answers 404/)
          .waitFor({ timeout: 2_000 })
          .then(
            () => true,
            () => false,
          )
      }
      await expect.poll(isRead).toBe(true)
      await expectTotal(page, 5)
      // the most urgent first
      expect((await rowsOf(page).allInnerTexts()).map((text) => text.split(/\s/)[0])).toEqual([
        ...['Critical', 'Warning', 'Warning'],
        ...['Information', 'Information'],
      ])
      await page.reload()
      // not the wrong number, nor what an application tells
      await badge(page, 3).waitFor()
      // what is changed here is counted at once
      await hide(page)

      await row(page, /Northwind answers 503/)
        .getByRole('button')
        .first()
        .click()
      await page.getByText('Route this prefix over another carrier').waitFor()
      await button(page, 'Assign to me').click()
      await expectToast(page, 'Assigned to you')
      await button(page, 'Resolve').click()
      await expectToast(page, 'Resolved')
      await badge(page, 2).waitFor()
      await expectTotal(page, 4)

      await row(page, /No text-to-speech: no voice/)
        .getByRole('button')
        .first()
        .click()
      await page.getByRole('link', { name: 'Show each alert' }).waitFor()
      await expectAccessible(page, 'an opened issue')
      await expectNoSidewaysScroll(page, 'an opened issue')
      await button(page, 'Mute').click()
      await page.getByRole('menuitem', { name: 'For one day' }).click()
      await expectToast(page, 'Muted')
      await badge(page, 1).waitFor()

      await button(page, 'Filter').click()
      await page.getByLabel('State', { exact: true }).selectOption('Resolved')
      await row(page, /Northwind answers 503.*Resolved.*admin/).waitFor()
      await page.getByLabel('State', { exact: true }).selectOption('Muted')
      await row(page, /No text-to-speech/).waitFor()
      await expectTotal(page, 1)
      await page.getByLabel('State', { exact: true }).selectOption('All states')
      await page.getByLabel('Severity', { exact: true }).selectOption('Information')
      await expectTotal(page, 2)
      await page.getByLabel('Assigned to', { exact: true }).selectOption('Me')
      await page.getByText('No issues match these filters.').waitFor()
      await page.goBack()
      await expectTotal(page, 2)

      // it returns with the next call
      await ingest(port, 'cdrs', calls('Northwind', 503, 8).slice(6))
      await page.goto(`${server.url}/internal/inbox`)
      const hasReturned = async () => {
        await button(page, 'Refresh').click()
        return row(page, /Northwind answers 503.*Returned.*admin/)
          .waitFor({ timeout: 2_000 })
          .then(
            () => true,
            () => false,
          )
      }
      await expect.poll(hasReturned).toBe(true)
      expectNoErrors(page)
    })
    const phone = await openPage({ viewport: { width: 320, height: 640 } })
    await reportFailures(phone, 'inbox-viewer', async () => {
      await logIn(phone, server.url, 'viewer')
      await phone.goto(`${server.url}/internal/inbox`)
      // an account's inbox is its own
      await row(phone, /No text-to-speech: no voice.*Open/).waitFor()
      await expectNoSidewaysScroll(phone, 'the inbox on a phone')
      await row(phone, /No text-to-speech/)
        .getByRole('button')
        .first()
        .click()
      await phone.getByRole('link', { name: 'Show each alert' }).waitFor()
      for (const name of ['Resolve', 'Mute', 'Assign to me'])
        expect(await button(phone, name).count(), name).toBe(0)
      await expectAccessible(phone, 'the inbox on a phone')
      expectNoErrors(phone)
    })
  } finally {
    await page.context().close()
    await server.stop()
  }
})

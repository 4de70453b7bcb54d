import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { callLine, send } from '../packages/server/test/calls.ts'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, expectToast, logIn, openPage, reportFailures } from './browser.ts'
import { api, fetchToken, startMailbox, startSwitchroom } from './harness.ts'
import { freePort } from './ports.ts'
import { ACCOUNT, SP } from './screens.ts'

const CALLER = '15085550147'
const OWN = '15085550100'
const DAY = 86_400_000
const CALLS = 120

/** Calls of this month and the last, the newest a minute ago. */
async function ingest(influx: number) {
  const lines = Array.from({ length: CALLS }, (_, i) => {
    const ms = Date.now() - 60_000 - (i * 45 * DAY) / CALLS
    const answered = i % 4 > 0
    return callLine({
      ms,
      ns: i,
      tags: {
        account_sid: ACCOUNT,
        service_provider_sid: SP,
        answered: String(answered),
        direction: i % 3 > 0 ? 'inbound' : 'outbound',
        trunk: 'Northern Trunks',
        host: '10.0.0.1',
      },
      fields: {
        call_sid: `call-${i}`,
        sip_callid: `leg-${i}@pbx`,
        from: i % 3 > 0 ? `+${CALLER}` : OWN,
        to: i % 3 > 0 ? OWN : '+442079460958',
        sip_status: answered ? 200 : 486,
        duration: answered ? 90 : 0,
        terminated_at: ms + 90_000,
        ...(answered && { answered_at: ms + 2_500 }),
      },
    })
  })
  const stored = await send({ url: `http://127.0.0.1:${influx}` }, lines.join('\n'))
  expect(stored).toMatchObject({ status: 204 })
}

/** Counts what a person clicks. */
function counting(page: Page) {
  let clicks = 0
  return {
    clicks: () => clicks,
    async click(role: 'button' | 'link', name: string) {
      clicks++
      await page.getByRole(role, { name, exact: true }).click()
    },
  }
}

it('gives a customer the report of its calls: on screen, by link, on paper and by mail', async () => {
  const influx = await freePort()
  const mailbox = await startMailbox()
  const server = await startSwitchroom('sqlite', {
    SWITCHROOM_INGEST_INFLUX: `127.0.0.1:${influx}`,
    SMTP_URL: mailbox.url,
    SMTP_FROM: 'Switchroom <no-reply@example.com>',
    SWITCHROOM_TELEMETRY_DAYS: '90',
  })
  const page = await openPage()
  const guest = await openPage()
  const answers: string[] = []
  const addresses: string[] = []
  guest.on('request', (r) => addresses.push(r.url()))
  guest.on('response', async (r) => answers.push(await r.text().catch(() => '')))
  try {
    await reportFailures(page, 'customer-report', async () => {
      await ingest(influx)
      const admin = await fetchToken(server.url)
      await api(server.url, admin, 'PUT', `/ServiceProviders/${SP}/Brand`, {
        name: 'Wessex Voice',
        color: '#1a4fd6',
      })
      await api(server.url, admin, 'POST', '/PhoneNumbers', { number: OWN, account_sid: ACCOUNT })
      await logIn(page, server.url)
      await page.goto(`${server.url}/internal/accounts/${ACCOUNT}`)
      const job = counting(page)
      await job.click('link', 'Report')
      await page.getByRole('heading', { name: /^Report of / }).waitFor()
      const figures = page.locator('dl.figures')
      await figures.waitFor()
      await page.getByText('The report is not mailed to anybody yet.').waitFor()
      expect(job.clicks()).toBe(1)

      // another period, up to the day: as many calls as recent calls has
      await page.getByLabel('Period').selectOption('Last month')
      await page.waitForURL(/from=\d{4}-\d\d-01&until=/)
      await figures.waitFor()
      const total = await figures.locator('.figure').first().locator('dd').first().innerText()
      const { searchParams } = new URL(page.url())
      const listed = await api<{ total: number }>(
        server.url,
        admin,
        'GET',
        `/Accounts/${ACCOUNT}/CustomerReport/Calls?${searchParams}&page=1&count=1&time_zone=UTC`,
      )
      expect(Number(total)).toBe(listed.total)
      expect(listed.total).toBeGreaterThan(0)
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Download as CSV' }).click()
      expect((await download).suggestedFilename()).toBe('calls.csv')
      await expectAccessible(page, 'a customer report')
      await expectNoSidewaysScroll(page, 'a customer report')

      const link = counting(page)
      await link.click('button', 'Links')
      await link.click('button', 'Make a link')
      await page.getByLabel('For').fill('Aldermoor')
      await link.click('button', 'Make link')
      const address = await page.getByRole('status', { name: 'Link' }).innerText()
      await link.click('button', 'Done')
      expect(link.clicks()).toBe(4)
      const row = page.getByRole('row', { name: 'Aldermoor' })
      await row.waitFor()
      await expectAccessible(page, 'links to customer reports')

      // somebody at the customer, without a log-in
      await guest.goto(address)
      await guest.getByRole('heading', { name: /^Report of / }).waitFor()
      await guest.locator('.public-brand', { hasText: 'Wessex Voice' }).waitFor()
      await guest.getByRole('table', { name: 'Calls', exact: true }).waitFor()
      await guest.getByText('+1xxxxxxxx47').first().waitFor()
      expect(await guest.locator('dl.figures .figure dd').first().innerText()).toBe(total)
      const file = guest.waitForEvent('download')
      await guest.getByRole('button', { name: 'Download as CSV' }).click()
      expect((await file).suggestedFilename()).toBe('calls.csv')
      await expectAccessible(guest, 'a customer report by link')
      await expectNoSidewaysScroll(guest, 'a customer report by link')
      expect(await guest.locator('meta[name=robots]').getAttribute('content')).toBe('noindex')
      for (const text of [await guest.content(), ...answers])
        for (const secret of ['5085550147', '2079460958', ACCOUNT])
          expect(text).not.toContain(secret)
      const secret = address.split('#')[1]!
      expect(addresses.filter((url) => url.includes(secret) && url !== address)).toEqual([])

      // on paper
      await guest.emulateMedia({ media: 'print' })
      expect(await guest.getByRole('button', { name: 'Print' }).isVisible()).toBe(false)
      await guest.getByRole('heading', { name: /^Report of / }).waitFor()
      expect(await guest.locator('.report-brand').innerText()).toBe('Wessex Voice')
      const paper = await guest.pdf({ format: 'A4' })
      expect(paper.length).toBeGreaterThan(10_000)
      await guest.emulateMedia({ media: 'screen' })

      await row.getByRole('button', { name: /^Revoke/ }).click()
      await page
        .getByRole('alertdialog')
        .or(page.getByRole('dialog'))
        .getByRole('button', { name: 'Revoke link' })
        .click()
      await expectToast(page, 'Link revoked')
      await guest.reload()
      await guest.getByRole('heading', { name: 'This link has ended' }).waitFor()
      await page.getByRole('button', { name: 'Close' }).last().click()

      // each month by mail
      const mail = counting(page)
      await mail.click('button', 'Monthly mail')
      await page.getByLabel('Recipients').fill('jane@example.com\njoe@example')
      await mail.click('button', 'Save')
      await page.getByText('Enter an email address').waitFor()
      await page.getByLabel('Recipients').fill('jane@example.com\njoe@example.com')
      await expectAccessible(page, 'the monthly mail')
      await mail.click('button', 'Save')
      await expectToast(page, 'Monthly mail updated')
      await page.getByText('Mailed to 2 people each month.').waitFor()
      await mail.click('button', 'Monthly mail')
      await mail.click('button', 'Send me last month now')
      const received = await mailbox.next()
      expect(received).toContain('Wessex Voice')
      const opened = /http\S+\/customer-report#[\w-]{43}/.exec(received.replaceAll('=3D', '='))![0]
      await guest.goto('about:blank')
      await guest.goto(opened)
      await guest.locator('dl.figures').waitFor()
      expect(await guest.locator('dl.figures .figure dd').first().innerText()).toBe(total)
      expectNoErrors(page)
      expectNoErrors(guest)
    })
  } finally {
    await page.context().close()
    await guest.context().close()
    await server.stop()
    await mailbox.stop()
  }
})

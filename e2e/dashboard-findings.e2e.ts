import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, logIn, openPage, reportFailures } from './browser.ts'
import { startSwitchroom } from './harness.ts'
import { freePort } from './ports.ts'
import { ACCOUNT, SP } from './screens.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const WEEK = 7 * DAY

/**
 * Calls of the same hours of five weeks, every thirty seconds, of which every eighth fails. In the last half hour most
 * calls by the carrier North fail.
 */
async function ingest(port: number, now: number) {
  const lines: string[] = []
  let n = 0
  for (let week = 0; week <= 4; week++)
    for (let at = now - 150 * MINUTE; at < now + 65 * MINUTE; at += 15_000) {
      if (week === 0 && at > now - MINUTE / 2) break
      n++
      const isNorth = n % 2 === 0
      const isBroken = isNorth && week === 0 && at > now - 30 * MINUTE
      const answered = isBroken ? n % 10 === 0 : n % 16 > 1
      const ms = at - week * WEEK
      // one has too few calls to be judged
      const name = week === 0 && at < now - 148 * MINUTE ? 'Tiny' : isNorth ? 'North' : 'South'
      const trunk = n % 21 === 0 ? '' : `,trunk=${name}`
      const ended = answered ? `duration=9,answered_at=${ms + 3_000}` : 'duration=0'
      lines.push(
        `cdrs,account_sid=${ACCOUNT},service_provider_sid=${SP},answered=${answered},direction=outbound${trunk} ` +
          `call_sid="c${n}",sip_callid="s${n}",from="15085550100",to="+49301234567",${ended},` +
          `sip_status=${answered ? 200 : 503},terminated_at=${ms + 12_000} ${ms}000000`,
      )
    }
  const answer = await fetch(`http://127.0.0.1:${port}/write?db=cdrs&precision=n`, {
    method: 'POST',
    body: lines.join('\n'),
  })
  expect(answer.status, await answer.text()).toBe(204)
}

const main = (page: Page) => page.getByRole('main')
/** The total of the list of calls. */
async function totalOf(page: Page) {
  await page.waitForURL(/recent-calls\?/)
  const text = await page.getByText(/^Total: [\d,]+ records?$/).innerText()
  return Number(text.replace(/\D/g, ''))
}

it('finds what is out of the ordinary, and leads from every number to its calls', async () => {
  const port = await freePort()
  const server = await startSwitchroom('sqlite', { SWITCHROOM_INGEST_INFLUX: `127.0.0.1:${port}` })
  const page = await openPage()
  try {
    await reportFailures(page, 'dashboard-findings', async () => {
      await ingest(port, Date.now())
      await logIn(page, server.url)
      await page.goto(`${server.url}/internal/dashboard`)
      const findings = main(page).getByRole('region', { name: 'Anomalies' })
      const carrier = findings.getByRole('link', {
        name: /^Carrier North, outbound: \d+ % answered in the last \d+ minutes, usually \d+ %$/,
      })
      await carrier.waitFor()
      expect(await findings.getByRole('link', { name: /South/ }).count()).toBe(0)
      await findings.getByText(/Compared with the same hours of the last 4 weeks/).waitFor()
      await findings.getByText('1 was not compared').click()
      await findings.getByText(/Tiny, outbound$/).waitFor()
      await main(page)
        .getByText(/compared with/)
        .first()
        .waitFor()
      await main(page)
        .getByText(/points lower/)
        .first()
        .waitFor()
      // today is not over: fewer calls than on other days are no fall
      const today = main(page).locator('.times-columns a').last()
      expect(await today.getAttribute('title')).toContain('(only a part is counted)')
      await main(page).getByText('Only a part is counted').waitFor()
      await expectAccessible(page, 'dashboard with findings')
      await page.setViewportSize({ width: 320, height: 800 })
      await expectNoSidewaysScroll(page, 'dashboard with findings on a phone')
      // the answer first, then three figures and the chart
      const order = await main(page)
        .locator('.troubles, .figures, .times, .open-alerts')
        .evaluateAll((parts) => parts.map((part) => part.className.split(' ').at(-1)))
      expect(order).toEqual(['troubles', 'figures', 'times', 'open-alerts', 'figures'])
      expect(await main(page).locator('.figures').first().locator('.figure').count()).toBe(3)
      // a wide screen is used, and cuts no column
      await page.setViewportSize({ width: 2_560, height: 1_000 })
      const tables = main(page).locator('.dashboard-columns .table-box')
      expect(
        await tables.evaluateAll((all) => all.filter((e) => e.scrollWidth > e.clientWidth).length),
      ).toBe(0)
      expect((await main(page).locator('.times').boundingBox())!.width).toBeGreaterThan(2_000)
      await page.setViewportSize({ width: 1_280, height: 900 })

      const goBack = async () => {
        await page.goBack()
        await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
      }
      await carrier.click()
      expect(await totalOf(page)).toBeGreaterThan(5)
      await main(page).getByText('North', { exact: true }).first().waitFor()
      await goBack()
      const row = main(page)
        .getByRole('table', { name: 'Calls by carrier' })
        .getByRole('row', { name: /Unknown/ })
      const shown = Number((await row.getByRole('cell').nth(1).innerText()).replace(/\D/g, ''))
      await row.getByRole('link', { name: 'Unknown', exact: true }).first().click()
      expect(await totalOf(page)).toBe(shown)
      await page.getByText('Unknown carrier', { exact: false }).waitFor()
      await goBack()

      await page.getByRole('combobox', { name: 'Time zone', exact: true }).click()
      await page.getByRole('combobox', { name: 'Search: Time zone' }).fill('Tokyo')
      await page.getByRole('option', { name: 'Asia/Tokyo' }).click()
      await main(page)
        .getByText(/ Asia\/Tokyo/)
        .first()
        .waitFor()
      await page.reload()
      await main(page)
        .getByText(/ Asia\/Tokyo/)
        .first()
        .waitFor()
      await main(page).getByText('Calls now').waitFor()
      expectNoErrors(page)
    })
  } finally {
    await page.context().close()
    await server.stop()
  }
})

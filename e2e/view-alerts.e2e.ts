import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, expectToast, logIn, openPage, reportFailures } from './browser.ts'
import { api, fetchToken, startSwitchroom } from './harness.ts'
import { freePort } from './ports.ts'

const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'
const SP = '2708b1b3-2736-40ea-b502-c53d8396247f'

/** A receiver of alerts. */
async function startReceiver() {
  const got: string[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const { type, data } = JSON.parse(text)
    got.push(`${type} ${data.message}`)
    response.writeHead(204).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return { got, url: `http://127.0.0.1:${port}/alerts`, close: () => server.close() }
}

/** Calls, as the platform's components write them. */
async function ingestCalls(port: number, count: number, to: string, answered = false) {
  const lines = Array.from({ length: count }, (_, i) => {
    const tags = `account_sid=${ACCOUNT},service_provider_sid=${SP},answered=${answered},direction=outbound`
    const ids = `call_sid="call-${to}-${i}",sip_callid="${to}-${i}@pbx",from="15085551234"`
    return `cdrs,${tags},host=10.0.0.1,trunk=Northwind ${ids},to="${to}",duration=0,sip_status=${answered ? 200 : 503} ${Date.now() - 5_000}${String(i).padStart(6, '0')}`
  })
  const url = `http://127.0.0.1:${port}/write?db=cdrs&precision=n`
  const answer = await fetch(url, { method: 'POST', body: lines.join('\n') })
  expect(answer.status).toBe(204)
}

const openViews = (page: Page, name: string) => page.getByRole('button', { name }).click()
const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true })

it('tells once that a saved view has more calls, and that it is over', async () => {
  const port = await freePort()
  const r = await startReceiver()
  const server = await startSwitchroom('sqlite', {
    SWITCHROOM_INGEST_INFLUX: `127.0.0.1:${port}`,
    SWITCHROOM_ALLOW_NETWORKS: '127.0.0.0/8',
  })
  const page = await openPage()
  try {
    await reportFailures(page, 'view-alerts', async () => {
      const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
      await api(server.url, await fetchToken(server.url), 'POST', '/AlertDestinations', {
        ...{ name: 'Operations', kind: 'webhook', address: r.url, secret },
        service_provider_sid: SP,
      })
      await ingestCalls(port, 3, '493012345678')
      await ingestCalls(port, 4, '442079460000')
      await logIn(page, server.url)
      await page.goto(`${server.url}/internal/recent-calls?prefix=49`)
      await page.getByText('Total: 3 records').waitFor()
      await openViews(page, 'Saved views')
      await item(page, 'Save as new view').click()
      await page.getByLabel('Name').fill('Calls to Germany')
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
      await expectToast(page, 'View Calls to Germany saved')

      await openViews(page, 'Calls to Germany')
      await item(page, 'Add an alert').click()
      const dialog = page.getByRole('dialog', { name: 'Alert of view Calls to Germany' })
      await dialog.getByLabel('Within minutes').fill('4')
      await dialog.getByLabel('Operations').check()
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.getByText('Enter a whole number of minutes from 5 to 1440').waitFor()
      await expectAccessible(page, 'the alert of a view')
      await dialog.getByLabel('Within minutes').fill('10')
      await dialog.getByLabel('Calls', { exact: true }).fill('2')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await expectToast(page, 'Alert saved')
      const raised =
        'alert.raised View “Calls to Germany”: 3 calls in the last 10 minutes, more than 2.'
      await expect.poll(() => r.got).toEqual([raised])

      await page.reload()
      await openViews(page, 'Calls to Germany')
      await item(page, 'Alert (firing)').click()
      await dialog.getByText('Firing', { exact: true }).waitFor()
      await page.setViewportSize({ width: 320, height: 700 })
      await expectAccessible(page, 'an alert that fires')
      await expectNoSidewaysScroll(page, 'an alert that fires')
      await page.setViewportSize({ width: 1440, height: 900 })
      await dialog.getByLabel('Calls', { exact: true }).fill('50')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await expectToast(page, 'Alert saved')
      await expect.poll(() => r.got.length).toBe(2)
      expect(r.got[1]).toMatch(/^alert\.over View “Calls to Germany”: over after 1 minute\./)

      await page.goto(`${server.url}/internal/alerts`)
      await page.getByText('Total: 1 record', { exact: true }).waitFor()
      const row = page.getByRole('row', { name: /Saved view alert.*3 calls/ })
      await row.getByRole('button').first().click()
      await page.getByRole('main').getByRole('link', { name: 'Calls to Germany' }).click()
      await page.waitForURL(/recent-calls\?prefix=49/)
      await page.getByText('Total: 3 records').waitFor()

      // of 27 calls, 7 failed
      await ingestCalls(port, 20, '33170189900', true)
      await page.goto(`${server.url}/internal/recent-calls?answered=false`)
      await page.getByText('Total: 7 records').waitFor()
      await openViews(page, 'Saved views')
      await item(page, 'Save as new view').click()
      await page.getByLabel('Name').fill('Failed calls')
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
      await expectToast(page, 'View Failed calls saved')
      await openViews(page, 'Failed calls')
      await item(page, 'Add an alert').click()
      const share = page.getByRole('dialog', { name: 'Alert of view Failed calls' })
      await share.getByLabel('Measure').selectOption('share')
      await share.getByLabel('Percent').fill('100')
      await share.getByRole('button', { name: 'Save' }).click()
      await share.getByText('It is never more than 100 %. Enter a lower percentage').waitFor()
      await share.getByLabel('Percent').fill('25,5')
      await share.getByText('More than 25.5 % of calls in 10 minutes').waitFor()
      await share.getByLabel('Operations').check()
      await share.getByRole('button', { name: 'Save' }).click()
      await expectToast(page, 'Alert saved')
      await expect.poll(() => r.got.length).toBe(3)
      expect(r.got[2]).toBe(
        'alert.raised View “Failed calls”: 25.9 % of 27 calls in the last 10 minutes, more than 25.5 %.',
      )
      await page.reload()
      await openViews(page, 'Failed calls')
      await item(page, 'Alert (firing)').click()
      await share.getByText(/: 25\.9 % of 27 calls$/).waitFor()
      await page.setViewportSize({ width: 320, height: 700 })
      await expectAccessible(page, 'an alert in percent')
      await expectNoSidewaysScroll(page, 'an alert in percent')
      await page.setViewportSize({ width: 1440, height: 900 })
      expectNoErrors(page)
    })
  } finally {
    await page.context().close()
    await server.stop()
    r.close()
  }
})

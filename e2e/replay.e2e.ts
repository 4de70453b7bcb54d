import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, logIn, openPage, reportFailures } from './browser.ts'
import { databasesFor } from './databases.ts'
import { api, fetchToken, startSwitchroom } from './harness.ts'
import { freePort } from './ports.ts'

const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'
const SP = '2708b1b3-2736-40ea-b502-c53d8396247f'

/** Writes outbound calls of the last hour to the ingest port. */
async function ingest(port: number, numbers: string[]) {
  const tags = `account_sid=${ACCOUNT},service_provider_sid=${SP},answered=true,direction=outbound,host=10.0.0.1,trunk=Simwood`
  // two calls of one time would be one call
  const before = Date.now() - 60_000
  const lines = numbers.map(
    (to, i) =>
      `cdrs,${tags} call_sid="call-${i}",sip_callid="sip-${i}",from="1508",to="${to}",duration=1 ${before - i}000000`,
  )
  const answer = await fetch(`http://127.0.0.1:${port}/write?db=cdrs&precision=n`, {
    method: 'POST',
    body: lines.join('\n'),
  })
  expect(answer.status, await answer.text()).toBe(204)
}

const main = (page: Page) => page.getByRole('main')
const changes = (page: Page) => main(page).getByRole('region', { name: 'Effect on calls' })

it.each(databasesFor('replay'))(
  'shows the effect on calls before saving, on %s',
  async (database) => {
    const port = await freePort()
    const server = await startSwitchroom(database, {
      SWITCHROOM_INGEST_INFLUX: `127.0.0.1:${port}`,
    })
    try {
      const token = await fetchToken(server.url)
      const post = (path: string, body: object) =>
        api<{ sid: string }>(server.url, token, 'POST', path, body).then((made) => made.sid)
      const carrier = (name: string, ipv4: string) =>
        post('/VoipCarriers', {
          name,
          service_provider_sid: SP,
          sip_gateways: [{ ipv4, inbound: 1, outbound: 1 }],
        })
      const simwood = await carrier('Simwood', '203.0.113.10')
      const bt = await carrier('BT', '203.0.113.20')
      const entry = (voip_carrier_sid: string) => [{ voip_carrier_sid }]
      const lcr_sid = await post('/Lcrs', {
        name: 'Everywhere',
        service_provider_sid: SP,
        default_carrier: bt,
        routes: [{ regex: '^44', lcr_carrier_set_entries: entry(simwood) }],
      })

      const page = await openPage()
      await logIn(page, server.url)
      await reportFailures(page, `replay-${database}`, async () => {
        await page.goto(`${server.url}/internal/least-cost-routing/${lcr_sid}/edit`)
        const pattern = page.getByLabel('Digit pattern').first()
        await pattern.fill('^4420')
        await changes(page)
          .getByText('No outbound calls in the last 24 hours to compare with.')
          .waitFor()

        await ingest(port, ['442079460958', '442079460958', '441614960000', '15085550100'])
        await pattern.fill('^442')
        await changes(page)
          .getByText('Of 4 calls, 1 would leave by another carrier: Simwood −1, BT +1.')
          .waitFor()
        await changes(page).getByText('1 number', { exact: true }).click()
        await changes(page).getByRole('row', { name: '441614960000 1 Simwood BT' }).waitFor()
        await expectAccessible(page, 'replay')
        await expectNoSidewaysScroll(page, 'replay')
        // a change that moves no call
        await pattern.fill('^4[4]')
        await changes(page).getByText('None of 4 calls would leave by another carrier.').waitFor()
        // back to what is stored, and an unfinished route
        await pattern.fill('^44')
        await changes(page).waitFor({ state: 'hidden' })
        await pattern.fill('(')
        expect(await changes(page).count()).toBe(0)
        await main(page).getByRole('button', { name: 'Discard' }).click()

        await page.goto(`${server.url}/internal/carriers/${simwood}/edit?tab=sip`)
        // all of the form, so that its bar is not held at the lower edge
        await page.setViewportSize({ width: 1280, height: 2_400 })
        const answered = Promise.withResolvers<void>()
        await page.route('**/RouteSimulations/Replay', async (route) => {
          await answered.promise
          await route.continue()
        })
        await main(page).getByLabel('Outbound', { exact: true }).first().click()
        const save = main(page).getByRole('button', { name: 'Save' })
        await changes(page).waitFor()
        const place = await save.boundingBox()
        answered.resolve()
        await changes(page).getByText('3 calls would no longer be routed.').waitFor()
        // a click at this moment still hits the button
        expect(await save.boundingBox()).toEqual(place)
        await main(page).getByRole('button', { name: 'Discard' }).click()
        await changes(page).waitFor({ state: 'hidden' })
      })
      expectNoErrors(page)
      await page.context().close()
    } finally {
      await server.stop()
    }
  },
)

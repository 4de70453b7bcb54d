import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, expectToast, logIn, openPage, reportFailures } from './browser.ts'
import { api, fetchToken, PASSWORD, startSwitchroom } from './harness.ts'
import { freePort } from './ports.ts'

const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'
const SP = '2708b1b3-2736-40ea-b502-c53d8396247f'

let serial = 0
/** Outbound calls to British mobiles as the platform's components write them, of this moment or of an hour ago. */
async function ingest(port: number, trunk: string, status: number, count: number, ago = 0) {
  const lines = Array.from({ length: count }, () => {
    const tags = `account_sid=${ACCOUNT},service_provider_sid=${SP},answered=${status === 200},direction=outbound,host=10.0.0.1,trunk=${trunk}`
    const ids = `call_sid="call-${++serial}",sip_callid="call-${serial}@pbx",from="15085551234"`
    const at = `${Date.now() - ago}${String(serial).padStart(6, '0')}`
    return `cdrs,${tags} ${ids},to="447700900123",duration=0,sip_status=${status} ${at}`
  })
  const answer = await fetch(`http://127.0.0.1:${port}/write?db=cdrs&precision=n`, {
    method: 'POST',
    body: lines.join('\n'),
  })
  expect(answer.status, await answer.text()).toBe(204)
}

const row = (page: Page) => page.getByRole('row', { name: /Albion answers 503/ }).first()
/** Reloads the list until it has this text: calls are counted within seconds. */
async function untilShown(page: Page, text: string) {
  const isShown = async () => {
    await page.getByRole('button', { name: 'Refresh' }).click()
    return page
      .getByText(text)
      .first()
      .waitFor({ timeout: 2_000 })
      .then(
        () => true,
        () => false,
      )
  }
  await expect.poll(isShown).toBe(true)
}

it('makes another carrier the first, and watches whether that worked', async () => {
  const port = await freePort()
  const server = await startSwitchroom('sqlite', {
    SWITCHROOM_INGEST_INFLUX: `127.0.0.1:${port}`,
  })
  const page = await openPage()
  const viewer = await openPage()
  try {
    const token = await fetchToken(server.url)
    const call = <T>(method: string, path: string, body?: object) =>
      api<T>(server.url, token, method, path, body)
    const carrier = async (name: string, ipv4: string) =>
      (
        await call<{ sid: string }>('POST', '/VoipCarriers', {
          ...{ name, service_provider_sid: SP },
          sip_gateways: [{ ipv4, inbound: 1, outbound: 1 }],
        })
      ).sid
    const albion = await carrier('Albion', '203.0.113.10')
    const thameslane = await carrier('Thameslane', '203.0.113.20')
    const { sid: lcr_sid } = await call<{ sid: string }>('POST', '/Lcrs', {
      ...{ name: 'Everywhere', service_provider_sid: SP, default_carrier: thameslane },
      routes: [
        {
          regex: '^44',
          lcr_carrier_set_entries: [{ voip_carrier_sid: albion }, { voip_carrier_sid: thameslane }],
        },
      ],
    })
    const patterns = async () =>
      (await call<{ routes: { regex: string }[] }>('GET', `/Lcrs/${lcr_sid}`)).routes.map(
        ({ regex }) => regex,
      )
    await call('POST', '/Users', {
      ...{ name: 'viewer', email: 'viewer@example.org', is_view_only: 1, force_change: 0 },
      ...{ initial_password: PASSWORD, service_provider_sid: SP },
    })
    await ingest(port, 'Albion', 503, 9)
    await ingest(port, 'Thameslane', 200, 8, 3_600_000)

    await reportFailures(page, 'reroute', async () => {
      await logIn(page, server.url)
      await page.goto(`${server.url}/internal/inbox`)
      await untilShown(page, 'Albion answers 503')
      await row(page).getByRole('button').first().click()
      const button = page.getByRole('button', { name: 'Make Thameslane first for +44 77' })
      const evidence =
        'Thameslane answered 8 of 8 calls to +44 77 in the last 7 days. Albion refused 9 of 9 in the last 2 h.'
      await page.getByText(evidence).waitFor()
      await button.click()
      const dialog = page.getByRole('dialog', { name: 'Make Thameslane first for +44 77' })
      await dialog
        .getByText(
          'In Everywhere, a new route ^\\+?4477 to Thameslane goes before ^44. Its calls leave by Albion today.',
        )
        .waitFor()
      await dialog.getByText(/Of 17 calls, \d+ would leave by another carrier/).waitFor()
      await expectAccessible(page, 'the dialog of a change')
      await page.setViewportSize({ width: 320, height: 700 })
      await expectNoSidewaysScroll(page, 'the dialog of a change')
      await page.setViewportSize({ width: 1440, height: 900 })
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('status').getByText('Thameslane is first for +44 77 now').waitFor()
      expect(await patterns()).toEqual(['^\\+?4477', '^44'])
      await page.getByText('No call to +44 77 has ended on Thameslane since the change.').waitFor()
      await row(page).getByText('Watched').waitFor()

      // taken back, and done again
      await page.getByRole('button', { name: 'Undo', exact: true }).click()
      await expectToast(page, 'Undone: change to routing table Everywhere')
      expect(await patterns()).toEqual(['^44'])
      await row(page).getByText('Open', { exact: true }).waitFor()
      await button.click()
      await dialog.getByRole('button', { name: 'Save' }).click()
      await row(page).getByText('Watched').waitFor()

      await ingest(port, 'Thameslane', 200, 3)
      await untilShown(page, 'Since the change Thameslane has answered 3 of 3 calls to +44 77.')
      await ingest(port, 'Thameslane', 200, 3)
      await page.goto(`${server.url}/internal/failures?state=resolved`)
      await untilShown(page, 'Albion answers 503')
      await row(page).getByRole('button').first().click()
      await page.getByText('It worked: Thameslane answered 6 of 6 calls to +44 77.').waitFor()
      expect(await page.getByText('Route this prefix over another carrier').count()).toBe(0)
      expectNoErrors(page)
    })

    // who may change nothing reads why, and has no button
    await call('PUT', `/Lcrs/${lcr_sid}`, {
      routes: [{ regex: '^44', lcr_carrier_set_entries: [{ voip_carrier_sid: albion }] }],
    })
    await ingest(port, 'Albion', 503, 6)
    await reportFailures(viewer, 'reroute-viewer', async () => {
      await logIn(viewer, server.url, 'viewer')
      await viewer.goto(`${server.url}/internal/carriers/${albion}`)
      await viewer.getByText(/Thameslane answered 14 of 14 calls to \+44 77/).waitFor()
      expect(await viewer.getByRole('button', { name: /Make Thameslane first/ }).count()).toBe(0)
      expectNoErrors(viewer)
    })
  } finally {
    await page.context().close()
    await viewer.context().close()
    await server.stop()
  }
})

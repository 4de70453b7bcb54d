import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { callLine, send } from '../packages/server/test/calls.ts'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, logIn, openPage, reportFailures } from './browser.ts'
import { api, fetchToken, type Switchroom, startSwitchroom } from './harness.ts'
import { freePort } from './ports.ts'
import { SP } from './screens.ts'
import { shareWorld } from './world.ts'

/** Says which carriers get calls through, the same in every place, and leads to the calls of an hour. */
type Account = { account_sid: string; name: string }

const HOUR = 3_600_000
let server: Switchroom
let ingest: { url: string }
shareWorld(
  async () => {
    const port = await freePort()
    ingest = { url: `http://127.0.0.1:${port}` }
    server = await startSwitchroom('sqlite', { SWITCHROOM_INGEST_INFLUX: `127.0.0.1:${port}` })
  },
  () => server.stop(),
)

/** Counts of calls are kept for some seconds, and failures are gathered within some: until then another reason comes first. */
async function gathered(sid: string) {
  const token = await fetchToken(server.url)
  const path = `/CarrierHealth?voip_carrier_sids=${sid}`
  const health = () => api<{ failure_sid: string | null }[]>(server.url, token, 'GET', path)
  await expect.poll(async () => (await health())[0]!.failure_sid).not.toBeNull()
}

it('shows the health of carriers, and leads to the calls of an hour', async () => {
  const token = await fetchToken(server.url)
  const [account] = await api<Account[]>(server.url, token, 'GET', '/Accounts')
  const add = async (name: string, body: object = {}) =>
    (
      await api<{ sid: string }>(server.url, token, 'POST', '/VoipCarriers', {
        name,
        service_provider_sid: SP,
        ...body,
      })
    ).sid
  const sid = await add('Northern Trunks')
  await add('Quiet')
  await add('Switched off', { is_active: 0 })
  let serial = 0
  const calls = (ago: number, answered: number, failed: number) =>
    Array.from({ length: answered + failed }, (_, i) => {
      serial++
      const ms = Date.now() - ago - 10
      return callLine({
        ms,
        ns: serial,
        tags: {
          account_sid: account!.account_sid,
          service_provider_sid: SP,
          answered: String(i < answered),
          direction: 'outbound',
          trunk: 'Northern Trunks',
          host: '10.0.0.1',
        },
        fields: {
          call_sid: `call-${serial}`,
          sip_callid: `sip-${serial}@pbx`,
          sip_status: i < answered ? 200 : 503,
          termination_reason: i < answered ? 'caller hungup' : 'Service Unavailable',
          ...(i < answered && { answered_at: ms + 2_500 }),
        },
      })
    })
  const lines = [...calls(4 * 24 * HOUR, 84, 16), ...calls(12 * HOUR, 56, 44)].join('\n')
  expect(await send(ingest, lines)).toMatchObject({ status: 204 })
  await gathered(sid)

  const page = await openPage()
  await logIn(page, server.url)
  await reportFailures(page, 'carrier-health', async () => {
    const health = '**/v1/CarrierHealth?*'
    const answer = Promise.withResolvers<'fulfil' | 'fail'>()
    await page.route(health, async (route) => {
      if ((await answer.promise) === 'fail')
        await route.fulfill({ status: 400, json: { msg: 'no' } })
      else await route.continue()
    })
    await page.goto(`${server.url}/internal/carriers`)
    const row = (name: string) => page.getByRole('row', { name })
    // the list does not wait for its health, and nothing moves when that arrives
    await row('Quiet').getByText('IP Trunk').waitFor()
    const height = async () => (await page.getByRole('table').boundingBox())!.height
    const before = await height()
    answer.resolve('fail')
    await page.getByText('The health of these carriers could not be loaded.').waitFor()
    await page.unroute(health)
    await page.getByRole('button', { name: 'Try again' }).click()
    await row('Northern Trunks').getByText('Degraded').waitFor()
    expect(await height()).toBe(before)
    await row('Northern Trunks').getByText('56 %').waitFor()
    await row('Northern Trunks').getByText('2.5 s').waitFor()
    await row('Quiet').getByText('No traffic').waitFor()
    expect(await row('Switched off').getByText('Inactive').count()).toBe(2)
    await expectAccessible(page, 'the health of carriers')
    await expectNoSidewaysScroll(page, 'the health of carriers')
    await row('Northern Trunks').getByText('Degraded').hover()
    const reason = /answers 503 Service Unavailable to calls.*: 44 of 100 outbound calls in 24 h\./
    await page.getByText(reason).waitFor()

    await page.goto(`${server.url}/internal/carriers/${sid}`)
    const panel = page.getByRole('region', { name: 'Health', exact: true })
    await panel.getByText(reason).waitFor()
    await panel.getByText('Also found (1)').click()
    await panel
      .getByText('Answered 56 % of 100 outbound calls in 24 h; the week before 84 %.')
      .waitFor()
    await panel.getByText('503 Service Unavailable', { exact: true }).waitFor()
    await panel.getByText('Last 30 days, hourly').click()
    const hour = panel.getByRole('link', { name: /100 calls, 56 answered \(56 %\)/ })
    await hour.waitFor()
    await expectAccessible(page, 'the health of a carrier')
    await expectNoSidewaysScroll(page, 'the health of a carrier')

    // one tab stop, in which the arrow keys move
    const cells = panel.getByRole('grid').locator('[tabindex="0"]')
    expect(await cells.count()).toBe(1)
    await cells.focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('End')
    const label = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
    expect(label).toMatch(/23:00 to 00:00 UTC/)
    await panel.locator('.strip-shown').getByText(label!).waitFor()
    await hour.focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/recent-calls\?.*trunk=Northern/)
    await page.getByText('Total: 100 records').waitFor()
    expectNoErrors(page)
  })
})

it('says of a carrier the same on the dashboard, in the list, on its page, in a failure, in the inbox, of an alert and in the palette', async () => {
  const token = await fetchToken(server.url)
  const [account] = await api<Account[]>(server.url, token, 'GET', '/Accounts')
  const call = <T>(method: string, path: string, body?: object) =>
    api<T>(server.url, token, method, path, body)
  const { sid } = await call<{ sid: string }>('POST', '/VoipCarriers', {
    name: 'Albion',
    service_provider_sid: SP,
  })
  let n = 0
  const line = (ago: number, direction: string, status: number) => {
    const ms = Date.now() - ago
    n++
    return callLine({
      ms,
      ns: n,
      tags: {
        account_sid: account!.account_sid,
        service_provider_sid: SP,
        answered: String(status === 200),
        ...{ direction, trunk: 'Albion', host: '10.0.0.1' },
      },
      fields: {
        ...{ call_sid: `albion-${n}`, sip_callid: `albion-${n}@pbx`, to: '447700900123' },
        ...{ sip_status: status, termination_reason: 'Service Unavailable' },
      },
    })
  }
  const many = (calls: number, ...of: Parameters<typeof line>) =>
    Array.from({ length: calls }, () => line(...of))
  const lines = [
    ...many(80, 4 * 24 * HOUR, 'outbound', 200),
    ...many(20, 4 * 24 * HOUR, 'outbound', 486),
    ...many(90, 1_000, 'inbound', 200),
    ...many(10, 1_000, 'outbound', 200),
    ...many(30, 1_000, 'outbound', 503),
  ]
  expect(await send(ingest, lines.join('\n'))).toMatchObject({ status: 204 })
  const tags = `service_provider_sid=${SP},account_sid=${account!.account_sid}`
  const alert = `alerts,${tags},alert_type=webhook-failure message="Unreachable",target_sid="${sid}"`
  const written = await fetch(`${ingest.url}/write?db=alerts&precision=n`, {
    method: 'POST',
    body: `${alert} ${Date.now()}000000`,
  })
  expect(written.status).toBe(204)
  await gathered(sid)

  const page = await openPage()
  await logIn(page, server.url)
  await reportFailures(page, 'one-verdict', async () => {
    const reason =
      /Albion answers 503 Service Unavailable to calls to \+44 77: 30 of 40 outbound calls in 2 h\. Since /
    await page.goto(`${server.url}/internal/dashboard`)
    const troubles = page.getByRole('region', { name: 'Is anything wrong?' })
    const trouble = troubles.getByRole('listitem').filter({ hasText: 'Albion' })
    await trouble.getByText('Failing', { exact: true }).waitFor()
    await trouble.getByText(reason).waitFor()
    const anomalies = page.getByRole('region', { name: 'Anomalies' })
    await anomalies.getByText(/^Nothing could be compared/).waitFor()
    await expectAccessible(page, 'the dashboard with a carrier in trouble')
    await page.setViewportSize({ width: 320, height: 800 })
    await expectNoSidewaysScroll(page, 'the dashboard with a carrier in trouble')
    await page.setViewportSize({ width: 1_280, height: 900 })

    await page.goto(`${server.url}/internal/carriers`)
    await page.getByRole('row', { name: 'Albion' }).getByText('Failing', { exact: true }).hover()
    await page.getByText(reason).waitFor()
    await troublesOnPage(page, sid, reason)
    await page.getByRole('link', { name: 'Open failure' }).click()
    await page.waitForURL(/failures\?open=/)
    const part = page.locator('.failure-parts')
    await part.getByText('Failing', { exact: true }).hover()
    await page.getByText(reason).waitFor()
    await expectAccessible(page, 'a failure with the state of its carrier')
    await inboxAndAlerts(page)
    await inPalette(page, /^Albion.*Carrier/s)
    await inPalette(page, new RegExp(`^${account!.name}.*Account`, 's'))
    await accountInTrouble(page, account!)
    expectNoErrors(page)
  })
})

/** The carrier is as urgent in the inbox as in the list, and an alert tells its state now. */
async function inboxAndAlerts(page: Page) {
  await page.goto(`${server.url}/internal/inbox`)
  await page
    .getByRole('row', { name: /Albion answers 503/ })
    .getByText('Critical', { exact: true })
    .waitFor()
  await page.goto(`${server.url}/internal/alerts`)
  await page.getByRole('row', { name: 'Unreachable' }).getByRole('button').click()
  await page.locator('.alert-facts').getByText('Failing', { exact: true }).waitFor()
  await expectAccessible(page, 'an alert with the state of its carrier')
  await page.setViewportSize({ width: 320, height: 800 })
  await expectNoSidewaysScroll(page, 'an alert with the state of its carrier')
  await page.setViewportSize({ width: 1_280, height: 900 })
}

/** The palette says of what it finds, and of what was visited, what their lists say. */
async function inPalette(page: Page, found: RegExp) {
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Search' })
  await palette.getByRole('combobox').fill(/\w+/.exec(found.source)![0])
  const option = palette.getByRole('option', { name: found })
  await option.getByText('Failing', { exact: true }).waitFor()
  await expectAccessible(page, 'the palette with a state')
  await page.setViewportSize({ width: 320, height: 800 })
  await expectNoSidewaysScroll(page, 'the palette with a state')
  await page.setViewportSize({ width: 1_280, height: 900 })
  await page.keyboard.press('Escape')
}

/** The same failure is why its account is in trouble: in the list, in the preview and on its page. */
async function accountInTrouble(page: Page, { account_sid, name }: Account) {
  const reason = /Albion answers 503 Service Unavailable to calls to \+44 77\. Since /
  await page.goto(`${server.url}/internal/accounts`)
  await page.getByRole('row', { name }).getByText('Failing', { exact: true }).hover()
  // the tooltip, and then the preview
  await page.getByText(reason).first().waitFor()
  await page.getByRole('group', { name: 'Peek' }).getByText(reason).waitFor()
  await expectAccessible(page, 'a list with an account in trouble')
  await page.goto(`${server.url}/internal/accounts/${account_sid}`)
  const state = page.getByRole('region', { name: 'State' })
  await state.getByText(reason).waitFor()
  await state.getByText('The carrier is overloaded or has no route.', { exact: false }).waitFor()
  await expectAccessible(page, 'an account in trouble')
  await page.setViewportSize({ width: 320, height: 800 })
  await expectNoSidewaysScroll(page, 'an account in trouble')
  await state.getByRole('link', { name: 'Open failure' }).click()
  await page.waitForURL(/failures\?open=/)
}

/** The page of a carrier, with what would fix it. */
async function troublesOnPage(page: Page, sid: string, reason: RegExp) {
  await page.goto(`${server.url}/internal/carriers/${sid}`)
  const panel = page.getByRole('region', { name: 'Health', exact: true })
  await panel.getByText('Failing', { exact: true }).waitFor()
  await panel.getByText(reason).waitFor()
  await panel.getByText('The carrier is overloaded or has no route.', { exact: false }).waitFor()
  await panel.getByText('Also found (1)').click()
  await panel
    .getByText(/^Answered 25 % of 40 outbound calls in 2 h; the week before 80 %/)
    .waitFor()
  await expectAccessible(page, 'a carrier in trouble')
  await expectNoSidewaysScroll(page, 'a carrier in trouble')
}

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, logIn, openPage, reportFailures } from './browser.ts'
import { databasesFor } from './databases.ts'
import { api, fetchToken, startSwitchroom } from './harness.ts'

const hook = (url: string) => ({ url, method: 'POST', username: 'u', password: 'CANARY-HOOK' })
const main = (page: Page) => page.getByRole('main')

it.each(databasesFor('history'))('shows and restores how a thing was, on %s', async (database) => {
  const server = await startSwitchroom(database)
  try {
    const token = await fetchToken(server.url)
    const call = <T>(method: string, path: string, body?: object) =>
      api<T>(server.url, token, method, path, body)
    const [account] = await call<{ account_sid: string; service_provider_sid: string }[]>(
      'GET',
      '/Accounts',
    )
    const { sid } = await call<{ sid: string }>('POST', '/Applications', {
      name: 'Front desk',
      account_sid: account!.account_sid,
      call_hook: hook('https://example.com/one'),
      call_status_hook: hook('https://example.com/status'),
    })
    const update = (body: object) => call('PUT', `/Applications/${sid}`, body)
    await update({ name: 'Back office', call_hook: hook('https://example.com/two') })
    await update({ name: 'Basement', speech_synthesis_language: 'en-GB' })

    const page = await openPage()
    await logIn(page, server.url)
    await reportFailures(page, `history-${database}`, async () => {
      await page.goto(`${server.url}/internal/audit-log?sid=${sid}`)
      const newest = page.getByRole('row', { name: /Basement/ })
      await newest.hover()
      await newest.getByRole('button', { name: 'Show entry' }).click()
      await page.getByRole('dialog').getByRole('link', { name: 'History' }).click()
      await page.getByRole('heading', { name: 'History of Basement' }).waitFor()
      await main(page).getByRole('row', { name: 'name Back office Basement' }).waitFor()
      expect(
        await main(page)
          .getByRole('row', { name: /Calling webhook/ })
          .count(),
      ).toBe(0)
      await expectAccessible(page, 'history')
      await expectNoSidewaysScroll(page, 'history')

      // the first version
      const first = await main(page)
        .getByLabel('Version', { exact: true })
        .locator('option')
        .last()
        .getAttribute('value')
      await main(page).getByLabel('Version', { exact: true }).selectOption(first!)
      await main(page).getByRole('row', { name: 'name Front desk Basement' }).waitFor()
      await main(page)
        .getByRole('row', { name: /Calling webhook: url.*example.com\/one/ })
        .waitFor()
      expect(await page.content()).not.toContain('CANARY')

      await main(page).getByRole('button', { name: 'Restore this version…' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('row', { name: 'name Basement Front desk' }).waitFor()
      await dialog.getByText('Not restored, because the log holds no secrets').waitFor()
      await expectAccessible(page, 'restore')
      // somebody else is faster: nothing is overwritten
      await update({ name: 'Attic' })
      await dialog.getByRole('button', { name: /^Restore \d field/ }).click()
      await dialog.getByRole('alert').waitFor()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await main(page).getByRole('button', { name: 'Restore this version…' }).click()
      await dialog.getByRole('row', { name: 'name Attic Front desk' }).waitFor()
      await dialog.getByRole('button', { name: /^Restore \d field/ }).click()
      await page.getByText('Version restored').waitFor()
      await page.getByRole('heading', { name: 'History of Front desk' }).waitFor()
    })
    const now = await call<Record<string, unknown>>('GET', `/Applications/${sid}`)
    expect(now.name).toBe('Front desk')
    expect(now.call_hook).toMatchObject({ url: 'https://example.com/two' })

    await call('DELETE', `/Applications/${sid}`)
    await page.reload()
    await page.getByText('Deleted resources cannot be restored').waitFor()

    // a routing table, whose route is deleted and comes back, and a carrier with its gateway
    const service_provider_sid = account!.service_provider_sid
    const { sid: voip_carrier_sid } = await call<{ sid: string }>('POST', '/VoipCarriers', {
      name: 'Thameslane',
      service_provider_sid,
      sip_gateways: [{ ipv4: '192.0.2.7', inbound: 1, outbound: 1 }],
    })
    const carrier = [{ voip_carrier_sid }]
    const route = (description: string) => ({
      regex: '^447',
      description,
      lcr_carrier_set_entries: carrier,
    })
    const { sid: lcr } = await call<{ sid: string }>('POST', '/Lcrs', {
      name: 'Evening',
      default_carrier: voip_carrier_sid,
      service_provider_sid,
      routes: [route('Mobiles in the UK'), { ...route(''), regex: '^49', description: 'Germany' }],
    })
    await call('PUT', `/Lcrs/${lcr}`, { routes: [route('UK mobiles')] })
    await call('PUT', `/VoipCarriers/${voip_carrier_sid}`, {
      sip_gateways: [{ ipv4: '192.0.2.8', inbound: 1, outbound: 1 }],
    })
    await reportFailures(page, `history-parts-${database}`, async () => {
      const history = async (kind: string, sid: string, name: string) => {
        await page.goto(`${server.url}/internal/audit-log/history?kind=${kind}&sid=${sid}`)
        await page.getByRole('heading', { name: `History of ${name}` }).waitFor()
      }
      const restore = async () => {
        await main(page).getByRole('button', { name: 'Restore this version…' }).click()
        await page
          .getByRole('dialog')
          .getByRole('button', { name: /^Restore \d field/ })
          .click()
        await page.getByText('Version restored').waitFor()
      }
      await history('lcr', lcr, 'Evening')
      await main(page).getByText('route ^447: description Mobiles in the UK → UK mobiles').waitFor()
      await main(page)
        .getByRole('row', { name: 'route ^447: description Mobiles in the UK UK mobiles' })
        .waitFor()
      await main(page)
        .getByRole('row', { name: /^route \^49 .*Germany.*Thameslane/ })
        .waitFor()
      await main(page).getByText('Removed route ^49').waitFor()
      await expectAccessible(page, 'history of a routing table')
      await expectNoSidewaysScroll(page, 'history of a routing table')
      await restore()
      await history('voip_carrier', voip_carrier_sid, 'Thameslane')
      await main(page)
        .getByRole('row', { name: /gateway 192\.0\.2\.7 / })
        .waitFor()
      await restore()
    })
    const { routes } = await call<{ routes: { regex: string; description: string }[] }>(
      'GET',
      `/Lcrs/${lcr}`,
    )
    expect(routes.map((r) => [r.regex, r.description])).toEqual([
      ['^447', 'Mobiles in the UK'],
      ['^49', 'Germany'],
    ])
    const { sip_gateways } = await call<{ sip_gateways: { ipv4: string }[] }>(
      'GET',
      `/VoipCarriers/${voip_carrier_sid}`,
    )
    expect(sip_gateways.map(({ ipv4 }) => ipv4)).toEqual(['192.0.2.7'])
    expectNoErrors(page)
    await page.context().close()
  } finally {
    await server.stop()
  }
})

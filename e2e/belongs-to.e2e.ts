import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, logIn, openPage, reportFailures } from './browser.ts'
import { api, fetchToken } from './harness.ts'
import { startSeeded, visit } from './screens.ts'
import { shareWorld } from './world.ts'

let server: Awaited<ReturnType<typeof startSeeded>>
shareWorld(
  async () => {
    server = await startSeeded()
    const token = await fetchToken(server.url)
    // of 61 numbers, 11 are of the carrier
    await api(server.url, token, 'PUT', '/PhoneNumbers', {
      select: { matching: { filter: '150855510' } },
      voip_carrier_sid: server.sids.shared,
    })
    await api(server.url, token, 'PUT', '/PhoneNumbers', {
      select: { matching: { filter: '1508555103' } },
      voip_carrier_sid: server.sids.carrier,
    })
  },
  () => server.stop(),
)

const main = (page: Page) => page.getByRole('main')
const LIST = () => `${server.url}/internal/phone-numbers`

it('leads from a carrier to all of its numbers, and works on these alone', async () => {
  const page = await openPage()
  await logIn(page, server.url)
  await reportFailures(page, 'belongs-to', async () => {
    await visit(page, `${server.url}/internal/carriers/${server.sids.carrier}`)
    await main(page).getByRole('link', { name: 'and 3 more' }).click()
    await page.waitForURL(new RegExp(`phone-numbers\\?.*voip_carrier_sid=${server.sids.carrier}`))
    await page.getByText('Total: 11 records').waitFor()
    const chip = page.getByRole('button', { name: 'Remove Carrier: Northern Trunks' })
    await chip.waitFor()
    await expectAccessible(page, 'numbers of a carrier')
    await page.setViewportSize({ width: 320, height: 800 })
    await expectNoSidewaysScroll(page, 'numbers of a carrier')
    await page.setViewportSize({ width: 1280, height: 900 })

    // the file and a change of all selected have no other numbers
    const file = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export filtered' }).click()
    const lines = readFileSync(await (await file).path(), 'utf8')
      .trim()
      .split('\r\n')
    expect(lines).toHaveLength(12)
    expect(lines.slice(1).filter((line) => !line.includes('Northern Trunks'))).toEqual([])

    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('combobox', { name: 'Application' }).click()
    await page.getByRole('option', { name: 'Front desk' }).click()
    await page.getByText('Total: 1 record', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Remove Application: Front desk' }).click()
    await page.getByText('Total: 11 records').waitFor()
    await chip.click()
    await page.getByText('Total: 61 records').waitFor()
    await page.goBack()
    await page.getByText('Total: 11 records').waitFor()
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await page.getByText('Total: 61 records').waitFor()

    await page.getByRole('combobox', { name: 'Carrier' }).click()
    await page.getByRole('option', { name: 'Shared' }).click()
    await page.getByText('Total: 50 records').waitFor()
    await page.getByLabel('Select all on this page').check()
    await page.getByRole('button', { name: 'Select all 50' }).click()
    await page.getByRole('button', { name: 'Describe…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Description').fill('shared line')
    await dialog.getByRole('button', { name: 'Describe 50 phone numbers' }).click()
    await page.getByText(/^50 .*updated/).waitFor()
    await visit(page, `${LIST()}?filter=shared+line`)
    await page.getByText('Total: 50 records').waitFor()
    expectNoErrors(page)
  })
})

it('says that a filter of something deleted matches nothing', async () => {
  const page = await openPage()
  await logIn(page, server.url)
  await reportFailures(page, 'belongs-to-nothing', async () => {
    await visit(page, `${LIST()}?application_sid=00000000-0000-4000-8000-000000000000`)
    await page.getByText('No phone numbers match these filters.').waitFor()
    await page.getByRole('link', { name: 'Clear filters' }).click()
    await page.getByText('Total: 61 records').waitFor()
    expectNoErrors(page)
  })
})

it('says that an account has none, as it says of an empty list', async () => {
  const page = await openPage()
  await logIn(page, server.url)
  const token = await fetchToken(server.url)
  const [provider] = await api<{ service_provider_sid: string }[]>(
    server.url,
    token,
    'GET',
    '/ServiceProviders',
  )
  const { sid } = await api<{ sid: string }>(server.url, token, 'POST', '/Accounts', {
    name: 'Empty',
    service_provider_sid: provider?.service_provider_sid,
  })
  await reportFailures(page, 'belongs-to-empty-account', async () => {
    for (const [list, none] of [
      ['applications', 'No applications.'],
      ['clients', 'No sip clients.'],
      ['phone-numbers', 'No phone numbers.'],
      ['ms-teams-tenants', 'No Microsoft Teams Tenant.'],
      ['speech-services', 'No speech services.'],
      ['least-cost-routing', 'No outbound call routes.'],
      ['users', 'No users.'],
      ['recent-calls', 'No data.'],
      ['alerts', 'No data.'],
    ] as const) {
      await visit(page, `${server.url}/internal/${list}?account_sid=${sid}`)
      await main(page).getByText(none, { exact: true }).waitFor()
      await main(page).getByRole('link', { name: 'Clear filters' }).waitFor()
    }
    await main(page).getByRole('link', { name: 'Clear filters' }).click()
    await main(page).getByRole('link', { name: 'Clear filters' }).waitFor({ state: 'hidden' })
    expectNoErrors(page)
  })
})

it('keeps accounts from the carriers and numbers that their provider manages, at their addresses', async () => {
  const page = await openPage()
  await logIn(page, server.url, 'account')
  await reportFailures(page, 'belongs-to-provider', async () => {
    const refusal = main(page).getByText(
      'You do not have permissions to make changes to this Carrier',
    )
    await page.goto(`${server.url}/internal/carriers/${server.sids.shared}/edit`)
    await refusal.waitFor()
    expect(await main(page).getByRole('textbox').count()).toBe(0)
    await expectAccessible(page, 'a carrier that may not be edited')
    await visit(page, `${server.url}/internal/carriers/${server.sids.carrier}/edit`)
    await main(page).getByLabel('Carrier name').waitFor()
    await page.addInitScript(() => {
      const config = { ADMIN_CARRIER: true }
      Object.defineProperty(window, 'SWITCHROOM', { value: config })
    })
    for (const path of ['add', `${server.sids.carrier}/edit`]) {
      await page.goto(`${server.url}/internal/carriers/${path}`)
      await refusal.waitFor()
    }
    await page.goto(`${server.url}/internal/phone-numbers/add`)
    await main(page)
      .getByText('Your service provider manages the phone numbers, so you cannot add any.')
      .waitFor()
    expectNoErrors(page)
  })
})

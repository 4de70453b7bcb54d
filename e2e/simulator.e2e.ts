import { randomUUID } from 'node:crypto'
import { createConnection } from 'mysql2/promise'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, logIn, openPage, openScreen, reportFailures } from './browser.ts'
import { databasesFor } from './databases.ts'
import { api, fetchToken, type Mysql, type Switchroom, startSwitchroom } from './harness.ts'

const hook = { url: 'https://example.com/hook', method: 'POST' }

async function seed({ url }: Switchroom) {
  const token = await fetchToken(url)
  const post = (path: string, body: object) =>
    api<{ sid: string }>(url, token, 'POST', path, body).then((made) => made.sid)
  const [account] = await api<{ account_sid: string }[]>(url, token, 'GET', '/Accounts')
  const { account_sid } = account!
  await api(url, token, 'PUT', `/Accounts/${account_sid}`, { name: 'Acme East' })
  const carrier = (name: string, ipv4: string) =>
    post('/VoipCarriers', { name, account_sid, sip_gateways: [{ ipv4, inbound: 1, outbound: 1 }] })
  const northern = await carrier('Northern', '203.0.113.10')
  const southern = await carrier('Southern', '203.0.113.20')
  const application_sid = await post('/Applications', {
    name: 'Front desk',
    account_sid,
    call_hook: hook,
    call_status_hook: hook,
  })
  await post('/PhoneNumbers', {
    number: '442079460958',
    account_sid,
    application_sid,
    voip_carrier_sid: northern,
  })
  return { account_sid, northern, southern }
}

/** Writes routes as the platform's own API does. */
async function addRoutes(mysql: Mysql, account_sid: string, routes: [string, number, string][]) {
  const connection = await createConnection(mysql)
  const lcr_sid = randomUUID()
  const insert = (table: string, row: object) =>
    connection.query(`insert into ${table} set ?`, [row])
  await insert('lcr', { lcr_sid, name: 'routes', account_sid })
  for (const [regex, priority, voip_carrier_sid] of routes) {
    const lcr_route_sid = randomUUID()
    await insert('lcr_routes', { lcr_route_sid, lcr_sid, regex, priority })
    const lcr_carrier_set_entry_sid = randomUUID()
    const entry = { lcr_carrier_set_entry_sid, lcr_route_sid, voip_carrier_sid }
    await insert('lcr_carrier_set_entry', entry)
  }
  await connection.end()
}

const expectText = (page: Page, text: string) =>
  page.getByRole('main').getByText(text, { exact: true }).filter({ visible: true }).waitFor()

it.each(databasesFor('simulator'))('simulates the route of a call, on %s', async (database) => {
  const server = await startSwitchroom(database)
  try {
    const { account_sid, northern, southern } = await seed(server)
    const page = await openPage()
    await logIn(page, server.url)
    await reportFailures(page, `simulator-${database}`, async () => {
      await openScreen(page, 'Outbound call routing', 'Route simulator')
      const account = page.getByRole('combobox', { name: 'Account' })
      await account.click()
      await account.fill('Acme')
      await page.getByRole('option', { name: 'Acme East' }).click()
      await page.getByLabel('Called number').fill('442079460958')
      await expectText(
        page,
        'One of the account’s 2 usable carriers is picked at random for each call.',
      )

      if (server.mysql) {
        await addRoutes(server.mysql, account_sid, [
          ['^44', 1, northern],
          ['20', 2, southern],
        ])
        await page.getByLabel('Called number').fill('442079460959')
        await expectText(page, 'The call goes out through Northern.')
        await expectText(page, 'Route “^44” (priority 1) matches.')
        await expectText(page, '“20” matches anywhere in a number, not only at the start.')
        await page.getByLabel('Called number').fill('15552000')
        await expectText(page, 'Route “20” (priority 2) matches.')

        await page.getByLabel('Called number').fill('+442079460959')
        await expectText(
          page,
          'Route “^44” (priority 1) does not match because of the + of the number. ^\\+?44 takes both.',
        )
        await page.getByLabel('From').fill('15550100')
        await expectText(
          page,
          'The caller’s number is not looked up, because there is a routing table.',
        )
        await page.getByLabel('Trunk').fill('Southern')
        await expectText(page, 'The application names trunk Southern.')
        await expectText(page, 'The call goes out through Southern.')
        await page.getByLabel('Trunk').fill('')
        await page.getByLabel('Called number').fill('33')
        await page.getByRole('combobox', { name: 'Came in on' }).click()
        await page.getByRole('option', { name: 'Northern' }).click()
        await expectText(page, 'The call came in on Northern, so it goes out there as well.')
      }
      await expectAccessible(page, 'outbound')
      await expectNoSidewaysScroll(page, 'outbound')

      await page.getByRole('tab', { name: 'Inbound' }).click()
      await page.getByLabel('Called number').fill('+442079460958')
      await page.getByLabel('Source address').fill('203.0.113')
      await expectText(page, 'Please provide a valid IP address')
      await page.getByLabel('Source address').fill('203.0.113.10')
      await expectText(page, 'Application Front desk answers the call.')
      await page.getByLabel('Source address').fill('203.0.113.20')
      await expectText(page, 'The call is rejected: no application answers it.')
      await expectAccessible(page, 'inbound')
      await expectNoSidewaysScroll(page, 'inbound')
    })
    expectNoErrors(page)
    expect(await page.title()).toContain('Route simulator')
    await page.context().close()
  } finally {
    await server.stop()
  }
})

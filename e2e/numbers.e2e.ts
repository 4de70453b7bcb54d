import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, logIn, openPage, openScreen, reportFailures } from './browser.ts'
import { databasesFor } from './databases.ts'
import { api, fetchToken, type Switchroom, startSwitchroom } from './harness.ts'
import { shareWorld } from './world.ts'

const hook = { url: 'https://example.com/hook', method: 'POST' }

/** An account with an application and thirty numbers. */
async function seed(url: string) {
  const token = await fetchToken(url)
  const [account] = await api<{ account_sid: string }[]>(url, token, 'GET', '/Accounts')
  const { account_sid } = account!
  await api(url, token, 'POST', '/Applications', {
    name: 'Front desk',
    account_sid,
    call_hook: hook,
    call_status_hook: hook,
  })
  for (let i = 0; i < 30; i++)
    await api(url, token, 'POST', '/PhoneNumbers', {
      number: `1508308${4800 + i}`,
      account_sid,
    })
  return { account_sid, token }
}

const sidebarLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })

describe.each(databasesFor('numbers'))('on %s', (database) => {
  let server: Switchroom
  shareWorld(
    async () => {
      server = await startSwitchroom(database)
    },
    async () => {
      await server.stop()
    },
  )

  it('edits, imports, exports and deletes numbers in bulk', async () => {
    const { account_sid } = await seed(server.url)
    const page = await openPage({ acceptDownloads: true })
    await logIn(page, server.url)
    await reportFailures(page, `numbers-${database}`, async () => {
      await sidebarLink(page, 'Phone numbers').click()
      await page.getByRole('row', { name: /308-4800/ }).waitFor()
      await page.goto(`${server.url}/internal/phone-numbers?account_sid=${account_sid}`)

      const filter = page.getByLabel('Filter phone numbers')
      await filter.fill('+1 (508) 308-4829')
      await page.getByText('(508) 308-4829').first().waitFor()
      await expect.poll(() => page.getByLabel('Select this row').count()).toBe(1)
      await filter.fill('')
      await expect.poll(() => page.getByLabel('Select this row').count()).toBe(25)

      // Shift selects the rows in between
      await page.getByLabel('Select this row').nth(1).click()
      await page
        .getByLabel('Select this row')
        .nth(3)
        .click({ modifiers: ['Shift'] })
      await page.getByText('3 selected').waitFor()

      // everything the filter matches, on all pages
      await page.getByLabel('Select all on this page').check()
      await page.getByText('25 selected').waitFor()
      await page.getByRole('button', { name: 'Select all 30' }).click()
      await page.getByText('All 30 selected').waitFor()
      await page.getByRole('toolbar').getByRole('combobox', { name: 'Application' }).click()
      await page.getByRole('option', { name: 'Front desk' }).click()
      await expectAccessible(page, 'phone numbers with a selection')
      await page.getByRole('button', { name: 'Apply' }).click()
      await page.getByText('Number routing updated successfully').waitFor()
      await page
        .getByRole('navigation', { name: 'Pages' })
        .getByRole('link', { name: 'Page 2' })
        .click()
      await page.getByRole('row', { name: /\(508\) 308-4829.*Front desk/ }).waitFor()

      // an invalid file lists the errors of its rows; a valid one is imported
      const folder = await mkdtemp(join(tmpdir(), 'switchroom-csv-'))
      const file = (name: string, text: string) => {
        const path = join(folder, name)
        writeFileSync(path, text)
        return path
      }
      await page.getByRole('button', { name: 'Import' }).click()
      const dialog = page.getByRole('dialog')
      const invalidCsv =
        'number,account\n15083084801,default account\n+44 20,default account\n15550001111,nobody\n'
      await dialog.getByLabel('CSV file').setInputFiles(file('bad.csv', invalidCsv))
      await dialog.getByText('3 rows have errors. Nothing was imported.').waitFor()
      await dialog
        .getByRole('row', { name: /2 number The phone number you have entered/ })
        .waitFor()
      await dialog.getByRole('row', { name: /4 account No such account/ }).waitFor()
      await expectAccessible(page, 'a refused import')
      await expectNoSidewaysScroll(page, 'a refused import')
      expect(await dialog.getByRole('button', { name: 'Import' }).isDisabled()).toBe(true)
      const validCsv =
        'number,account,application,description\n+442079460958,default account,Front desk,Reception\n'
      await dialog.getByLabel('CSV file').setInputFiles(file('good.csv', validCsv))
      await dialog.getByText('1 row ready to import.').waitFor()
      await dialog.getByRole('button', { name: 'Import 1 row' }).click()
      await page.getByText('Imported 1 phone number').waitFor()
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export' }).click(),
      ])
      expect(saved.suggestedFilename()).toBe('phone-numbers.csv')

      await openScreen(page, 'Settings', 'Audit log')
      await page.getByRole('row', { name: /admin Added Phone number \+44 20 7946 0958/ }).waitFor()
      await page.getByRole('button', { name: 'Filter', exact: true }).click()
      await page.getByLabel('Action', { exact: true }).selectOption('update')
      const changed = page.getByRole('row', { name: /admin Changed Phone number .*308-48/ }).first()
      await changed.getByRole('button', { name: 'Show entry' }).click()
      await page.getByRole('row', { name: /application_sid/ }).waitFor()
      await expectAccessible(page, 'an entry of the audit log')
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    })
    expectNoErrors(page)
    await page.context().close()
  })

  it('assigns, describes, exports and deletes chosen numbers of any account', async () => {
    const token = await fetchToken(server.url)
    const create = <T>(path: string, body: object) => api<T>(server.url, token, 'POST', path, body)
    const [provider] = await api<{ service_provider_sid: string }[]>(
      server.url,
      token,
      'GET',
      '/ServiceProviders',
    )
    const { service_provider_sid } = provider!
    await create('/Accounts', { name: 'Northwind', service_provider_sid })
    const [account] = await api<{ account_sid: string }[]>(server.url, token, 'GET', '/Accounts')
    const { account_sid } = account!
    for (let i = 0; i < 4; i++)
      await create('/PhoneNumbers', { number: `3247700${i}`, account_sid })
    const page = await openPage({ acceptDownloads: true })
    await logIn(page, server.url)
    await reportFailures(page, `chosen-numbers-${database}`, async () => {
      await page.goto(`${server.url}/internal/phone-numbers?filter=3247700`)
      await page.getByLabel('Select all on this page').check()
      await page.getByText('4 selected').waitFor()
      const bar = page.getByRole('toolbar')
      const dialog = page.getByRole('dialog')

      await bar.getByRole('button', { name: 'Assign…' }).click()
      await dialog.getByText('Select an account to assign applications to phone numbers.').waitFor()
      await dialog.getByRole('combobox', { name: 'Account', exact: true }).click()
      await page.getByRole('option', { name: 'Northwind' }).click()
      await expectAccessible(page, 'an assignment of numbers')
      await page.route('**/PhoneNumbers', async (route) => {
        await dialog.getByRole('button', { name: 'Updating number routing...' }).waitFor()
        await route.continue()
      })
      await dialog.getByRole('button', { name: 'Assign 4 phone numbers' }).click()
      await page.getByText('Number routing updated successfully').waitFor()
      await page.unroute('**/PhoneNumbers')
      await page.getByRole('row', { name: /32477001.*Northwind/ }).waitFor()

      for (const n of [0, 1]) await page.getByLabel('Select this row').nth(n).check()
      await bar.getByRole('button', { name: 'Describe…' }).click()
      await dialog.getByLabel('Description').fill('Hot line')
      await dialog.getByRole('button', { name: 'Describe 2 phone numbers' }).click()
      await page.getByText('2 phone numbers updated').waitFor()
      await page.getByRole('row', { name: /32477001.*Hot line/ }).waitFor()

      for (const n of [0, 1]) await page.getByLabel('Select this row').nth(n).check()
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        bar.getByRole('button', { name: 'Export selected' }).click(),
      ])
      expect(
        readFileSync(await saved.path(), 'utf8')
          .trim()
          .split('\r\n'),
      ).toEqual([
        'number,account,carrier,application,description',
        '32477000,Northwind,,,Hot line',
        '32477001,Northwind,,,Hot line',
      ])
      await bar.getByRole('button', { name: 'Delete…' }).click()
      await expectAccessible(page, 'a deletion of numbers')
      await dialog.getByRole('button', { name: 'Delete 2 phone numbers' }).click()
      await page.getByText('2 phone numbers deleted').waitFor()
      await expect.poll(() => page.getByRole('row', { name: /3247700/ }).count()).toBe(2)
      await expectNoSidewaysScroll(page, 'phone numbers')
    })
    expectNoErrors(page)
    await page.context().close()
  })

  it('tells what uses a carrier before it is deleted, and moves its numbers', async () => {
    const token = await fetchToken(server.url)
    const create = (path: string, body: object) =>
      api<{ sid: string }>(server.url, token, 'POST', path, body)
    const [account] = await api<{ account_sid: string; service_provider_sid: string }[]>(
      server.url,
      token,
      'GET',
      '/Accounts',
    )
    const { account_sid, service_provider_sid } = account!
    const leaving = await create('/VoipCarriers', { name: 'Leaving', service_provider_sid })
    await create('/VoipCarriers', { name: 'Staying', service_provider_sid })
    for (const number of ['3247711', '3247712'])
      await create('/PhoneNumbers', { number, account_sid, voip_carrier_sid: leaving.sid })
    const page = await openPage()
    await logIn(page, server.url)
    await reportFailures(page, `leaving-${database}`, async () => {
      await page.goto(`${server.url}/internal/carriers`)
      const row = page.getByRole('row', { name: /Leaving/ })
      await row.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Delete carrier' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('Phone numbers (2) must be moved or deleted first').waitFor()
      await dialog.getByRole('link', { name: '3247712' }).waitFor()
      await dialog.getByRole('combobox', { name: 'Carrier to move numbers to' }).click()
      await page.getByRole('option', { name: /Staying/ }).click()
      await expectAccessible(page, 'a deletion of what is used')
      await dialog.getByRole('button', { name: 'Move 2 numbers' }).click()
      await dialog.getByText('Nothing uses it.').waitFor()
      await dialog.getByRole('button', { name: 'Delete carrier' }).click()
      await page.getByText('Deleted Carrier Leaving').waitFor()
    })
    expectNoErrors(page)
    await page.context().close()
  })

  it('lets the second of two editors resolve the conflict field by field', async () => {
    const token = await fetchToken(server.url)
    const { sid } = await api<{ sid: string }>(server.url, token, 'POST', '/VoipCarriers', {
      name: 'Northern Trunks',
      service_provider_sid: (
        await api<{ service_provider_sid: string }[]>(server.url, token, 'GET', '/ServiceProviders')
      )[0]!.service_provider_sid,
      sip_gateways: [{ ipv4: '203.0.113.10', inbound: 1, outbound: 1 }],
    })
    const page = await openPage()
    await logIn(page, server.url)
    await reportFailures(page, `conflict-${database}`, async () => {
      await page.goto(`${server.url}/internal/carriers/${sid}/edit`)
      await page.getByLabel('Carrier name').fill('Northern Trunks, mine')
      await api(server.url, token, 'PUT', `/VoipCarriers/${sid}`, {
        name: 'Northern Trunks, theirs',
        dtmf_type: 'info',
      })
      await page.getByRole('button', { name: 'Save' }).click()
      const dialog = page.getByRole('dialog', {
        name: 'Someone else changed this while you were editing.',
      })
      await dialog.waitFor()
      const name = dialog.getByRole('group', { name: 'Carrier name' })
      expect(
        await name.getByRole('radio', { name: /Yours Northern Trunks, mine/ }).isChecked(),
      ).toBe(true)
      const dtmf = dialog.getByRole('group', { name: 'DTMF type' })
      expect(await dtmf.getByRole('radio', { name: /Theirs/ }).isChecked()).toBe(true)
      await expectAccessible(page, 'two versions')
      await expectNoSidewaysScroll(page, 'two versions')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Carrier updated successfully').waitFor()
    })
    expect(await api(server.url, token, 'GET', `/VoipCarriers/${sid}`)).toMatchObject({
      name: 'Northern Trunks, mine',
      dtmf_type: 'info',
    })
    expectNoErrors(page)
  })
})

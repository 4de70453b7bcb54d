import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectNoErrors, logIn, openPage, reportFailures } from './browser.ts'
import { databasesFor } from './databases.ts'
import { type Switchroom, startSwitchroom } from './harness.ts'

const expectToast = (page: Page, text: string) =>
  page.getByRole('status').getByText(text, { exact: true }).waitFor()
const sidOf = (page: Page) => /\/([0-9a-f-]{36})\/edit/.exec(page.url())![1]!

/** Sets up an account from scratch to a phone number. Resolves to what was entered and created. */
async function provision(page: Page) {
  const sidebar = page.getByRole('navigation', { name: 'Main' })
  await page.getByRole('button', { name: 'Add service provider' }).click()
  await page.getByLabel('Service provider name').fill('Acme Telecom')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expectToast(page, 'Added new service provider Acme Telecom')

  await sidebar.getByRole('link', { name: 'Accounts' }).click()
  await page.getByText('No Accounts.').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Add account' }).first().click()
  // the list before it has "Saved views"
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Enter the name').first().waitFor()
  await page.getByLabel('Account name').fill('Acme East')
  await page.getByLabel('SIP realm').fill('Not a realm')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Enter a domain name, such as sip.example.com').waitFor()
  await page.getByLabel('SIP realm').fill('East.Acme.example')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expectToast(page, 'Account created successfully')
  await page.waitForURL(/accounts\/[0-9a-f-]{36}\/edit/)
  const account_sid = sidOf(page)

  await sidebar.getByRole('link', { name: 'Applications' }).click()
  await page.getByText('No applications.').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Add application' }).first().click()
  await page.getByLabel('Application name').fill('Front desk')
  await chooseOption(page, 'Account', 'Acme East')
  await page.getByLabel('Calling webhook').fill('wss://apps.acme.example/calls')
  await page.getByLabel('Calling webhook').blur()
  // a WebSocket also carries the call status
  expect(await page.getByLabel('Call status webhook').inputValue()).toBe(
    'wss://apps.acme.example/calls',
  )
  await page.getByLabel('Call status webhook').fill('https://apps.acme.example/status')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expectToast(page, 'Application created successfully')

  await sidebar.getByRole('link', { name: 'Carriers' }).click()
  await page.getByText('No Carriers.').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Add carrier' }).first().click()
  await page.getByLabel('Carrier name').fill('Northern Trunks')
  await chooseOption(page, 'Used by', 'Acme East')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  // the error is on another tab, which opens
  await page.getByText('Please provide a valid IP address').waitFor()
  const first = page.getByRole('group').filter({ hasText: 'Network address' }).first()
  await first.getByLabel('Network address').fill('203.0.113.10')
  expect(await first.getByLabel('Port').inputValue()).toBe('5060')
  await page.getByRole('button', { name: 'Add SIP Gateway' }).click()
  const second = page.getByRole('group').filter({ hasText: 'Network address' }).nth(1)
  await second.getByLabel('Network address').fill('sip.northern.example')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page
    .getByText('A fully qualified domain name may only be used for outbound calls.')
    .waitFor()
  await second.getByLabel('Inbound').uncheck()
  await second.getByLabel('Outbound').check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expectToast(page, 'Carrier created successfully')
  await page.getByRole('row', { name: /Northern Trunks/ }).waitFor()

  await sidebar.getByRole('link', { name: 'Phone numbers' }).click()
  await page.getByText('No phone numbers.').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Add phone number' }).first().click()
  // the list has a filter of a similar name
  await page.getByRole('heading', { name: 'Add a phone number' }).waitFor()
  // as the list prints it
  await page.getByLabel('Phone number').fill('+44 20 7946 0958')
  await chooseOption(page, 'Account', 'Acme East')
  await chooseOption(page, 'Carrier', 'Northern Trunks')
  await chooseOption(page, 'Application', 'Front desk')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expectToast(page, 'Phone number created successfully')
  await page.getByRole('row', { name: /\+44 20 7946 0958.*Acme East.*Front desk/ }).waitFor()
  return { account_sid }
}

/** Types into a combobox and picks the option. */
async function chooseOption(page: Page, label: string, option: string) {
  const box = page.getByRole('combobox', { name: label })
  await box.click()
  await box.fill(option)
  await page.getByRole('option', { name: option }).first().click()
  await page.getByRole('listbox').waitFor({ state: 'hidden' })
  expect(await box.inputValue(), label).toBe(option)
}

it.each(databasesFor('provision'))(
  'provisions from scratch to a routed phone number, on %s',
  async (database) => {
    const server = await startSwitchroom(database)
    try {
      const page = await openPage()
      await logIn(page, server.url)
      const { account_sid } = await reportFailures(page, `provision-${database}`, () =>
        provision(page),
      )
      expectNoErrors(page)
      await page.context().close()
      if (server.mysql) await expectPlatformToSee(server, account_sid)
    } finally {
      await server.stop()
    }
  },
)

type Helpers = {
  lookupAccountBySid: (sid: string) => Promise<Record<string, unknown>>
  lookupAppByPhoneNumber: (number: string, carrier?: string) => Promise<Record<string, never>>
  lookupSipGatewayBySignalingAddress: (
    ip: string,
    port: number,
  ) => Promise<Record<string, unknown> | null>
  lookupSipGatewaysByCarrier: (sid: string) => Promise<Record<string, unknown>[]>
  lookupCarrierBySid: (sid: string) => Promise<Record<string, unknown>>
  pool: { promise: () => { end: () => Promise<void> } }
}

/** Reads the same database through the platform's own data layer, as its call-handling components do. */
async function expectPlatformToSee({ mysql }: Switchroom, account_sid: string) {
  const require = createRequire(import.meta.url)
  const silent = { info() {}, debug() {}, error() {}, warn() {} }
  const open = require('@jambonz/db-helpers') as (options: object, logger: object) => Helpers
  const platform = open({ ...mysql, connectionLimit: 2 }, silent)
  try {
    expect(await platform.lookupAccountBySid(account_sid)).toMatchObject({
      name: 'Acme East',
      sip_realm: 'east.acme.example',
      is_active: 1,
    })
    const gateway = await platform.lookupSipGatewayBySignalingAddress('203.0.113.10', 5060)
    expect(gateway).toMatchObject({ ipv4: '203.0.113.10', inbound: 1 })
    const carrier = gateway!.voip_carrier_sid as string
    expect(await platform.lookupCarrierBySid(carrier)).toMatchObject({
      name: 'Northern Trunks',
      account_sid,
      trunk_type: 'static_ip',
      is_active: 1,
    })
    const gateways = await platform.lookupSipGatewaysByCarrier(carrier)
    expect(gateways).toHaveLength(2)
    expect(gateways.find((g) => g.outbound === 1)).toMatchObject({
      ipv4: 'sip.northern.example',
      port: null,
      inbound: 0,
    })
    expect(await platform.lookupAppByPhoneNumber('442079460958', carrier)).toMatchObject({
      name: 'Front desk',
      account_sid,
      call_hook: { url: 'wss://apps.acme.example/calls', method: 'GET' },
      call_status_hook: { url: 'https://apps.acme.example/status', method: 'POST' },
    })
  } finally {
    await platform.pool.promise().end()
  }
}

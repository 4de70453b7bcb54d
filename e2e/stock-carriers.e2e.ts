import { expect } from 'vitest'
import { expectToast, openForm } from './browser.ts'
import {
  ACCOUNT,
  chooseOption,
  chooseRowAction,
  expectText,
  inDialog,
  main,
  openAddForm,
  openFromSidebar,
  PROVIDER,
  row,
  type StockContext,
  save,
  stockStories,
} from './stock-api/story.ts'

/** Carriers, their gateways and outbound routing on a stock API server. */

const story = stockStories()

const carrier = ({ call }: StockContext, name: string, more: object = {}) =>
  call('POST', '/VoipCarriers', { name, service_provider_sid: PROVIDER, ...more }).then(
    ({ sid }) => sid,
  )
const tab = (context: StockContext, name: string) =>
  context.page.getByRole('tab', { name, exact: true }).click()

const gatewayRow = ({ page }: StockContext, name: string) =>
  page.getByRole('group', { name, exact: true })
async function addGateway(context: StockContext, ipv4: string) {
  const { page } = context
  await main(page).getByRole('button', { name: 'Add SIP Gateway' }).click()
  const rows = main(page).getByRole('group').getByLabel('Network address')
  await rows.last().fill(ipv4)
}

story('adds a carrier with gateways, and says which one was not saved', async (context) => {
  const { page, stock } = context
  await openAddForm(page, 'Carriers', /^Add carrier/)
  await page.getByLabel('Carrier name').fill('Northern Trunks')
  await chooseOption(page, 'Used by', 'default account')
  await tab(context, 'SIP')
  await page.getByLabel('Network address').first().fill('203.0.113.10')
  await addGateway(context, '203.0.113.11')
  // the database rejects the second
  await stock.rows(
    `CREATE TRIGGER no_gateways BEFORE INSERT ON sip_gateways FOR EACH ROW
     IF NEW.ipv4 = '203.0.113.11' THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'disk full'; END IF`,
  )
  await save(page)
  await expectText(
    page,
    /Saved: the carrier, SIP gateway 203\.0\.113\.10\. Not saved: SIP gateway 203\.0\.113\.11/,
  )
  await page.waitForURL(/carriers\/[0-9a-f-]{36}\/edit/)
  await stock.rows('DROP TRIGGER no_gateways')
  // saving again adds nothing twice and completes the rest
  await tab(context, 'SIP')
  if ((await gatewayRow(context, '203.0.113.11').count()) === 0)
    await addGateway(context, '203.0.113.11')
  await save(page)
  await expectToast(page, 'Carrier updated successfully')
  const carriers = await stock.rows('SELECT * FROM voip_carriers WHERE name = "Northern Trunks"')
  expect(carriers).toMatchObject([
    { account_sid: ACCOUNT, service_provider_sid: PROVIDER, application_sid: null },
  ])
  const gateways = await stock.rows('SELECT * FROM sip_gateways ORDER BY ipv4')
  expect(gateways).toMatchObject([
    { ipv4: '203.0.113.10', port: 5060, inbound: 1 },
    { ipv4: '203.0.113.11', port: 5060, inbound: 1 },
  ])

  await openFromSidebar(page, 'Carriers')
  await row(page, /Northern Trunks.*default account/).waitFor()
  await openForm(page, 'Northern Trunks')
  await page.getByLabel('Carrier name').fill('Northern Lines')
  await save(page)
  await expectToast(page, 'Carrier updated successfully')
  await openFromSidebar(page, 'Carriers')
  await chooseRowAction(page, /Northern Lines/, 'Delete carrier')
  await inDialog(page, 'Delete carrier').click()
  await expectToast(page, 'Deleted Carrier Northern Lines')
  expect(await stock.rows('SELECT * FROM sip_gateways')).toEqual([])
})

story('finds carriers by name, with their gateways', async (context) => {
  const { page, stock, call } = context
  const sid = await carrier(context, 'Easy Phone')
  await carrier(context, 'Cable Company', { account_sid: ACCOUNT })
  for (const ipv4 of ['203.0.113.20', '203.0.113.21'])
    await call('POST', '/SipGateways', { voip_carrier_sid: sid, ipv4, inbound: 1, outbound: 1 })
  await openFromSidebar(page, 'Carriers')
  await row(page, /Easy Phone.*All accounts/).waitFor()
  await row(page, /Cable Company.*default account/).waitFor()
  await row(page, /Easy Phone.*2/).waitFor()
  // the stock server cannot filter carriers without a provider; it would return all
  await page.goto(`${page.url()}&provider=none`)
  await row(page, /Easy Phone.*All accounts/).waitFor()
  expect(
    await main(page)
      .getByText(/no (service )?provider/i)
      .count(),
  ).toBe(0)
  await page.getByLabel('Filter carriers').fill('cable')
  await row(page, /Easy Phone/).waitFor({ state: 'hidden' })
  await row(page, /Cable Company/).waitFor()

  await stock.rows('RENAME TABLE sip_gateways TO sip_gateways_away')
  try {
    await page.reload()
    await row(page, /Cable Company.*Gateways error/).waitFor()
  } finally {
    await stock.rows('RENAME TABLE sip_gateways_away TO sip_gateways')
  }
})

story('adds a carrier from a template', async ({ page, stock }) => {
  await openAddForm(page, 'Carriers', /^Add carrier/)
  await page.getByLabel('Select a predefined carrier').selectOption({ label: 'Simwood' })
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Add Simwood' })
  await confirm.click()
  await page.waitForURL(/carriers\/[0-9a-f-]{36}\/edit/)
  const [made] = await stock.rows('SELECT * FROM voip_carriers WHERE name = "Simwood"')
  expect(made).toMatchObject({ service_provider_sid: PROVIDER, account_sid: null })
  const gateways = await stock.rows('SELECT * FROM sip_gateways WHERE voip_carrier_sid = ?', [
    made!.voip_carrier_sid,
  ])
  expect(gateways.length).toBe(2)
})

story('refuses to delete a carrier that routes use, and keeps its gateways', async (context) => {
  const { page, stock, call } = context
  const sid = await carrier(context, 'Routed Lines')
  await call('POST', '/SipGateways', {
    voip_carrier_sid: sid,
    ipv4: '203.0.113.30',
    inbound: 1,
    outbound: 1,
  })
  const set = await call('POST', '/Lcrs', { name: 'Through it', account_sid: ACCOUNT })
  await call('POST', `/Lcrs/${set.sid}/Routes`, [
    { regex: '1', priority: 0, lcr_carrier_set_entries: [{ voip_carrier_sid: sid }] },
  ]).catch(() => undefined)
  await openFromSidebar(page, 'Carriers')
  await chooseRowAction(page, /Routed Lines/, 'Delete carrier')
  await inDialog(page, 'Delete carrier').click()
  await page
    .getByRole('dialog')
    .getByText(/Through it|routing/i)
    .first()
    .waitFor()
  const left = await stock.rows('SELECT 1 FROM sip_gateways WHERE voip_carrier_sid = ?', [sid])
  expect(left.length, 'gateways of a carrier that stays').toBe(1)
})

story('adds and edits a routing table', async (context) => {
  const { page, stock } = context
  await carrier(context, 'North')
  await carrier(context, 'South')
  const pick = async (box: ReturnType<typeof main>, label: string, option: string) => {
    await box.getByRole('combobox', { name: label, exact: true }).click()
    await page.getByRole('option', { name: option }).click()
    await page.getByRole('listbox').waitFor({ state: 'hidden' })
  }
  const route = (n: number) => page.getByRole('group', { name: `Route ${n}`, exact: true })
  await openAddForm(page, 'Outbound call routing', /^Add/)
  await page.getByLabel('Name').fill('Everywhere')
  await route(1).getByLabel('Digit pattern').fill('44')
  await pick(route(1), 'Carrier', 'North')
  await pick(main(page), 'Select a default outbound carrier', 'South')
  await save(page)
  await expectText(page, 'Least cost routing successfully created')
  const routes = () =>
    stock.rows(
      'SELECT regex FROM lcr_routes JOIN lcr USING (lcr_sid) WHERE name = "Everywhere" ORDER BY priority',
    )
  expect((await routes()).at(0)).toMatchObject({ regex: '44' })

  await openFromSidebar(page, 'Outbound call routing')
  await openForm(page, 'Everywhere')
  await main(page).getByRole('button', { name: 'Add route', exact: true }).click()
  await route(2).getByLabel('Digit pattern').fill('1')
  await pick(route(2), 'Carrier', 'South')
  await save(page)
  await expectToast(page, 'Least cost routing rule successfully updated')
  expect((await routes()).map((r) => r.regex)).toEqual(expect.arrayContaining(['44', '1']))
  const lost = await stock.rows(
    'SELECT 1 FROM lcr_routes r LEFT JOIN lcr_carrier_set_entry e USING (lcr_route_sid) WHERE e.voip_carrier_sid IS NULL',
  )
  expect(lost, 'routes without a carrier').toEqual([])

  // when a step fails, the console says what was saved; the next save continues from there
  await main(page).getByRole('button', { name: 'Add route', exact: true }).click()
  await route(3).getByLabel('Digit pattern').fill('33')
  await pick(route(3), 'Carrier', 'South')
  await main(page).getByRole('button', { name: 'Delete route 1', exact: true }).click()
  await stock.rows(
    `CREATE TRIGGER no_routes BEFORE INSERT ON lcr_routes FOR EACH ROW
     SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'disk full'`,
  )
  await save(page)
  await expectText(
    page,
    /Saved: the table, the deletion of route 1\. Not saved: the routes and the default carrier\./,
  )
  await stock.rows('DROP TRIGGER no_routes')
  await route(1).getByRole('button', { name: 'Add carrier' }).click()
  await pick(route(1), 'Carrier 2', 'South')
  await save(page)
  await expectToast(page, 'Least cost routing rule successfully updated')
  expect((await routes()).map((r) => r.regex)).toEqual(['44', '33', '.*'])
  const [table] = await stock.rows('SELECT * FROM lcr WHERE name = "Everywhere"')
  expect(table!.default_carrier_set_entry_sid).toBeTruthy()
})

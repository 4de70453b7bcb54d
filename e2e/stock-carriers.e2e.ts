import { expect } from 'vitest'
import { toast } from './browser.ts'
import {
  ACCOUNT,
  act,
  add,
  choose,
  inDialog,
  main,
  PROVIDER,
  rail,
  row,
  said,
  save,
  storiesOnStock,
  type Told,
} from './stock-api/story.ts'

/** Carriers, their gateways and outbound routing on a stock API server. */

const story = storiesOnStock()

const carrier = ({ call }: Told, name: string, more: object = {}) =>
  call('POST', '/VoipCarriers', { name, service_provider_sid: PROVIDER, ...more }).then(
    ({ sid }) => sid,
  )
const tab = (told: Told, name: string) => told.page.getByRole('tab', { name, exact: true }).click()

const gatewayRow = ({ page }: Told, name: string) => page.getByRole('group', { name, exact: true })
async function addGateway(told: Told, ipv4: string) {
  const { page } = told
  await main(page).getByRole('button', { name: 'Add SIP Gateway' }).click()
  const rows = main(page).getByRole('group').getByLabel('Network address')
  await rows.last().fill(ipv4)
}

story('adds a carrier with gateways, and says which of them was not saved', async (told) => {
  const { page, stock } = told
  await add(page, 'Carriers', /^Add carrier/)
  await page.getByLabel('Carrier name').fill('Northern Trunks')
  await choose(page, 'Used by', 'default account')
  await tab(told, 'SIP')
  await page.getByLabel('Network address').first().fill('203.0.113.10')
  await addGateway(told, '203.0.113.11')
  // the database does not take the second
  await stock.rows(
    `CREATE TRIGGER no_gateways BEFORE INSERT ON sip_gateways FOR EACH ROW
     IF NEW.ipv4 = '203.0.113.11' THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'disk full'; END IF`,
  )
  await save(page)
  await said(
    page,
    /Saved: the carrier, SIP gateway 203\.0\.113\.10\. Not saved: SIP gateway 203\.0\.113\.11/,
  )
  await page.waitForURL(/carriers\/[0-9a-f-]{36}\/edit/)
  await stock.rows('DROP TRIGGER no_gateways')
  // nothing is added twice, and the rest can be saved from where one is
  await tab(told, 'SIP')
  if ((await gatewayRow(told, '203.0.113.11').count()) === 0) await addGateway(told, '203.0.113.11')
  await save(page)
  await toast(page, 'Carrier updated successfully')
  const carriers = await stock.rows('SELECT * FROM voip_carriers WHERE name = "Northern Trunks"')
  expect(carriers).toMatchObject([
    { account_sid: ACCOUNT, service_provider_sid: PROVIDER, application_sid: null },
  ])
  const gateways = await stock.rows('SELECT * FROM sip_gateways ORDER BY ipv4')
  expect(gateways).toMatchObject([
    { ipv4: '203.0.113.10', port: 5060, inbound: 1 },
    { ipv4: '203.0.113.11', port: 5060, inbound: 1 },
  ])

  await rail(page, 'Carriers')
  await row(page, /Northern Trunks.*default account/).waitFor()
  await main(page).getByRole('link', { name: 'Northern Trunks' }).click()
  await page.getByLabel('Carrier name').fill('Northern Lines')
  await save(page)
  await toast(page, 'Carrier updated successfully')
  await rail(page, 'Carriers')
  await act(page, /Northern Lines/, 'Delete carrier')
  await inDialog(page, 'Delete carrier').click()
  await toast(page, 'Deleted Carrier Northern Lines')
  expect(await stock.rows('SELECT * FROM sip_gateways')).toEqual([])
})

story('finds carriers by name, with their gateways', async (told) => {
  const { page, stock, call } = told
  const sid = await carrier(told, 'Easy Phone')
  await carrier(told, 'Cable Company', { account_sid: ACCOUNT })
  for (const ipv4 of ['203.0.113.20', '203.0.113.21'])
    await call('POST', '/SipGateways', { voip_carrier_sid: sid, ipv4, inbound: 1, outbound: 1 })
  await rail(page, 'Carriers')
  await row(page, /Easy Phone.*All accounts/).waitFor()
  await row(page, /Cable Company.*default account/).waitFor()
  await row(page, /Easy Phone.*2/).waitFor()
  // it lists no carriers without a provider apart, and would give them all
  await page.goto(`${page.url()}?provider=none`)
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
  await add(page, 'Carriers', /^Add carrier/)
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

story('keeps a carrier that routes use, gateways and all', async (told) => {
  const { page, stock, call } = told
  const sid = await carrier(told, 'Routed Lines')
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
  await rail(page, 'Carriers')
  await act(page, /Routed Lines/, 'Delete carrier')
  await inDialog(page, 'Delete carrier').click()
  await page
    .getByRole('dialog')
    .getByText(/Through it|routing/i)
    .first()
    .waitFor()
  const left = await stock.rows('SELECT 1 FROM sip_gateways WHERE voip_carrier_sid = ?', [sid])
  expect(left.length, 'gateways of a carrier that stays').toBe(1)
})

story('makes a routing table and changes it', async (told) => {
  const { page, stock } = told
  await carrier(told, 'North')
  await carrier(told, 'South')
  const pick = async (box: ReturnType<typeof main>, label: string, option: string) => {
    await box.getByRole('combobox', { name: label, exact: true }).click()
    await page.getByRole('option', { name: option }).click()
    await page.getByRole('listbox').waitFor({ state: 'hidden' })
  }
  const route = (n: number) => page.getByRole('group', { name: `Route ${n}`, exact: true })
  await add(page, 'Outbound call routing', /^Add/)
  await page.getByLabel('Name').fill('Everywhere')
  await route(1).getByLabel('Digit pattern').fill('44')
  await pick(route(1), 'Carrier', 'North')
  await pick(main(page), 'Select a default outbound carrier', 'South')
  await save(page)
  await said(page, 'Least cost routing successfully created')
  const routes = () =>
    stock.rows(
      'SELECT regex FROM lcr_routes JOIN lcr USING (lcr_sid) WHERE name = "Everywhere" ORDER BY priority',
    )
  expect((await routes()).at(0)).toMatchObject({ regex: '44' })

  await rail(page, 'Outbound call routing')
  await main(page).getByRole('link', { name: 'Everywhere' }).click()
  await main(page).getByRole('button', { name: 'Add route', exact: true }).click()
  await route(2).getByLabel('Digit pattern').fill('1')
  await pick(route(2), 'Carrier', 'South')
  await save(page)
  await toast(page, 'Least cost routing rule successfully updated')
  expect((await routes()).map((r) => r.regex)).toEqual(expect.arrayContaining(['44', '1']))
  const lost = await stock.rows(
    'SELECT 1 FROM lcr_routes r LEFT JOIN lcr_carrier_set_entry e USING (lcr_route_sid) WHERE e.voip_carrier_sid IS NULL',
  )
  expect(lost, 'routes without a carrier').toEqual([])

  // a step fails: what was saved and what was not is said, and the next save goes on from there
  await main(page).getByRole('button', { name: 'Add route', exact: true }).click()
  await route(3).getByLabel('Digit pattern').fill('33')
  await pick(route(3), 'Carrier', 'South')
  await main(page).getByRole('button', { name: 'Delete route 1', exact: true }).click()
  await stock.rows(
    `CREATE TRIGGER no_routes BEFORE INSERT ON lcr_routes FOR EACH ROW
     SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'disk full'`,
  )
  await save(page)
  await said(
    page,
    /Saved: the table, the deletion of route 1\. Not saved: the routes and the default carrier\./,
  )
  await stock.rows('DROP TRIGGER no_routes')
  await route(1).getByRole('button', { name: 'Add carrier' }).click()
  await pick(route(1), 'Carrier 2', 'South')
  await save(page)
  await toast(page, 'Least cost routing rule successfully updated')
  expect((await routes()).map((r) => r.regex)).toEqual(['44', '33', '.*'])
  const [table] = await stock.rows('SELECT * FROM lcr WHERE name = "Everywhere"')
  expect(table!.default_carrier_set_entry_sid).toBeTruthy()
})

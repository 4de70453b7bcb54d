import { expect } from 'vitest'
import { expectToast, openForm } from './browser.ts'
import {
  ACCOUNT,
  chooseOption,
  chooseRowAction,
  inDialog,
  main,
  openAddForm,
  openFromSidebar,
  PROVIDER,
  row,
  save,
  stockStories,
} from './stock-api/story.ts'

/** Applications, numbers, Teams tenants, SIP clients and speech services on a stock API server. */

const story = stockStories()

story('adds an application, finds it by name and edits it', async ({ page, stock }) => {
  await openAddForm(page, 'Applications', /^Add application/)
  await page.getByLabel('Application name').fill('Front desk')
  await chooseOption(page, 'Account', 'default account')
  await page.getByLabel('Calling webhook').fill('https://apps.acme.example/calls')
  await page.getByLabel('Call status webhook').fill('https://apps.acme.example/status')
  await save(page)
  await expectToast(page, 'Application created successfully')

  await openFromSidebar(page, 'Applications')
  await row(page, /Front desk.*default account/).waitFor()
  await page.getByLabel('Filter applications').fill('dial')
  await row(page, /Front desk/).waitFor({ state: 'hidden' })
  await row(page, /dial time/).waitFor()
  await page.getByLabel('Filter applications').fill('front')
  await openForm(page, 'Front desk')
  await page.getByLabel('Calling webhook').fill('https://apps.acme.example/answer')
  await save(page)
  await expectToast(page, 'Application updated successfully')
  const hooks = await stock.rows('SELECT url FROM webhooks WHERE url LIKE "%acme%" ORDER BY url')
  expect(hooks.map((h) => h.url)).toEqual([
    'https://apps.acme.example/answer',
    'https://apps.acme.example/status',
  ])
  await openFromSidebar(page, 'Applications')
  await chooseRowAction(page, /Front desk/, 'Delete application')
  await inDialog(page, 'Delete application').click()
  await expectToast(page, 'Deleted application Front desk')
  expect(await stock.rows('SELECT url FROM webhooks WHERE url LIKE "%acme%"')).toEqual([])
})

story('adds numbers, and sets an application on many at once', async (context) => {
  const { page, stock, url, call } = context
  const body = { name: 'Number Trunks', service_provider_sid: PROVIDER }
  await call('POST', '/VoipCarriers', body)
  await openAddForm(page, 'Phone numbers', /^Add phone number/)
  await page.getByLabel('Phone number').fill('+442079460958')
  await chooseOption(page, 'Account', 'default account')
  await chooseOption(page, 'Carrier', 'Number Trunks')
  await save(page)
  await expectToast(page, 'Phone number created successfully')
  await row(page, /\+44 20 7946 0958.*default account.*Number Trunks/).waitFor()
  const [number] = await stock.rows('SELECT * FROM phone_numbers')
  expect(number).toMatchObject({ number: '442079460958', application_sid: null })

  await call('POST', '/PhoneNumbers', { number: '15083084809', account_sid: ACCOUNT })
  await page.goto(`${url}/internal/phone-numbers?account_sid=${ACCOUNT}`)
  await page.getByLabel('Select all on this page').check()
  await page.getByRole('toolbar').getByRole('combobox', { name: 'Application' }).click()
  await page.getByRole('option', { name: 'hello world' }).click()
  await page.getByRole('button', { name: 'Apply' }).click()
  await expectToast(page, 'Number routing updated successfully')
  await row(page, /7946 0958.*hello world/).waitFor()
  await row(page, /308-4809.*hello world/).waitFor()

  await openForm(page, /7946 0958/)
  await page.getByRole('heading', { name: 'Edit phone number' }).waitFor()
  const application = main(page).getByRole('combobox', { name: 'Application (optional)' })
  await expect.poll(() => application.inputValue()).toBe('hello world')
  await main(page).getByRole('button', { name: 'Clear selection' }).last().click()
  await expect.poll(() => application.inputValue()).toBe('')
  await save(page)
  await expectToast(page, 'Phone number updated successfully')
  const [changed] = await stock.rows('SELECT * FROM phone_numbers WHERE number LIKE "44%"')
  expect(changed).toMatchObject({ application_sid: null, account_sid: ACCOUNT })
})

story('adds a Teams tenant with and without an application', async ({ page, stock, url, call }) => {
  const provider = { name: 'default service provider', ms_teams_fqdn: 'teams.acme.example' }
  await call('PUT', `/ServiceProviders/${PROVIDER}`, provider)
  await page.goto(`${url}/internal/ms-teams-tenants/add`)
  await page.getByLabel('Domain name').fill('customer.acme.example')
  await chooseOption(page, 'Account', 'default account')
  await save(page)
  await expectToast(page, 'Microsoft Teams Tenant created successfully')
  await page.waitForURL(/ms-teams-tenants\/[0-9a-f-]{36}\/edit/)
  const read = () => stock.rows('SELECT * FROM ms_teams_tenants')
  const owners = { account_sid: ACCOUNT, service_provider_sid: PROVIDER }
  expect(await read()).toMatchObject([{ ...owners, application_sid: null }])
  await main(page).getByRole('combobox', { name: 'Application' }).click()
  await page.getByRole('option', { name: 'hello world' }).click()
  await save(page)
  await expectToast(page, 'Microsoft Teams Tenant updated successfully')
  expect((await read())[0]!.application_sid).toBeTruthy()
  await page.goto(`${url}/internal/ms-teams-tenants`)
  await row(page, /customer\.acme\.example.*default account/).waitFor()
  await chooseRowAction(page, /customer/, 'Delete Microsoft Teams tenant')
  await inDialog(page, 'Delete Microsoft Teams tenant').click()
  await expectToast(page, 'Deleted Microsoft Teams Tenant customer.acme.example')
  expect(await read()).toEqual([])
})

story('adds a SIP client', async ({ page, stock, call }) => {
  await call('PUT', `/Accounts/${ACCOUNT}`, { sip_realm: 'devices.acme.example' })
  await openAddForm(page, 'SIP clients', /^Add SIP client/)
  await page.getByLabel('Username').fill('jane')
  await page.getByLabel('Password', { exact: true }).fill('device secret')
  await chooseOption(page, 'Belongs to account', 'default account')
  await save(page)
  await expectToast(page, 'Client created successfully')
  await row(page, /jane.*devices\.acme\.example.*Active/).waitFor()
  const [before] = await stock.rows('SELECT * FROM clients')
  expect(String(before!.password)).not.toContain('device secret')
  await openForm(page, 'jane')
  await page.getByLabel('Active').uncheck()
  await save(page)
  await expectToast(page, 'Client updated successfully')
  const [after] = await stock.rows('SELECT * FROM clients')
  expect(after).toMatchObject({ is_active: 0, password: before!.password })
  await chooseRowAction(page, /jane/, 'Delete SIP client')
  await inDialog(page, 'Delete SIP client').click()
  await expectToast(page, 'Deleted sip client jane')
})

story('adds speech services for an account and for the provider', async ({ page, stock }) => {
  await openAddForm(page, 'Speech services', /^Add speech service/)
  await page.getByLabel('Vendor').selectOption({ label: 'Deepgram' })
  await page.getByLabel('Use for text-to-speech').check()
  await page.getByLabel('Use for speech-to-text').check()
  await page.getByLabel('API key').fill('deepgram-canary')
  await page.getByLabel('Label').fill('main')
  await save(page)
  await expectToast(page, 'Speech credential created successfully')
  await row(page, /Deepgram.*main.*All accounts/).waitFor()

  await openAddForm(page, 'Speech services', /^Add speech service/)
  await page.getByLabel('Vendor').selectOption({ label: 'ElevenLabs' })
  await chooseOption(page, /Used by|Account/, 'default account')
  await page.getByLabel('API key').fill('elevenlabs-canary')
  await save(page)
  await expectToast(page, 'Speech credential created successfully')
  const stored = await stock.rows(
    'SELECT vendor, account_sid, service_provider_sid, label FROM speech_credentials ORDER BY vendor',
  )
  expect(stored).toMatchObject([
    { vendor: 'deepgram', account_sid: null, service_provider_sid: PROVIDER, label: 'main' },
    { vendor: 'elevenlabs', account_sid: ACCOUNT, label: null },
  ])

  await openFromSidebar(page, 'Speech services')
  await openForm(page, 'Deepgram')
  await page.getByRole('heading', { name: /Edit speech service/i }).waitFor()
  await page.getByLabel('Use for text-to-speech').uncheck()
  await save(page)
  await expectToast(page, 'Speech credential updated successfully')
  const [changed] = await stock.rows('SELECT * FROM speech_credentials WHERE vendor = "deepgram"')
  expect(changed).toMatchObject({ use_for_tts: 0, use_for_stt: 1 })
  expect(await page.content()).not.toContain('deepgram-canary')
})
